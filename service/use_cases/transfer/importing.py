"""Import of parsed lines, in atomic batches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import cast

import numpy as np

from graph.kernel.embedding import SlotVector
from graph.kernel.errors import InvalidInputError
from graph.kernel.values import Vector
from graph.model.memories.memory import NewMemory, PreparedMemory, Saved
from graph.model.transfer.records import Entry, KeptMemory, LineFault, Record, RecordType, Restored
from graph.ports.embedding import EmbeddersInUse
from graph.ports.world import Clock, Embedder
from graph.store.transfer.imports import ImportStore
from service.use_cases.kernel.embedding import (
    embed_also,
    slot_vector,
    unit_vector,
    with_embedder_in_use,
)
from service.use_cases.memories.guarding import Guard, Guarded
from service.use_cases.memories.remember import Remember, content_hash, with_redactions

BATCH_LINES = 1000
BATCH_BYTES = 8 * 1024 * 1024
_NEAR_ONE = 1e-4


@dataclass(frozen=True, slots=True)
class LineResult:
    """The result of one line: imported, skipped or faulty."""

    line: int
    kind: str
    saved: Saved
    faults: tuple[LineFault, ...] = ()


@dataclass(frozen=True, slots=True)
class Landed:
    """A finished batch; all lines up to ``line`` are finished."""

    line: int
    results: tuple[LineResult, ...]
    embedded: int = 0


@dataclass(frozen=True, slots=True)
class Import:
    """Import lines in atomic batches; existing data is never changed.

    Lines of one type that follow each other make a batch, of at most 1,000. The same lines sent
    again change nothing.

    Raises
    ------
    DatabaseUnavailableError
        If Neo4j does not answer; the batches before stay.
    ConflictError
        If others write the same memories all the time.
    """

    store: ImportStore
    remember: Remember
    embedders: EmbeddersInUse
    clock: Clock
    guard: Guard

    async def __call__(
        self, tenant: str, entries: AsyncIterator[Entry], *, dry_run: bool = False
    ) -> AsyncGenerator[Landed]:
        """Yield finished batches; with ``dry_run`` nothing is written."""
        async for batch in _batches(entries):
            yield await self._land(tenant, batch, dry_run)

    async def _land(self, tenant: str, batch: Sequence[Entry], dry_run: bool) -> Landed:
        readable = [entry for entry in batch if entry.content is not None]
        embedded = 0
        if dry_run:
            answers: Sequence[Saved] = [Saved("unchanged")] * len(readable)
        else:
            answers, embedded = await self._write(tenant, readable)
        saved = iter(answers)
        results = tuple(
            LineResult(
                entry.line,
                _kind(entry) or "unusable",
                Saved("rejected") if entry.content is None else next(saved),
                entry.faults,
            )
            for entry in batch
            if entry.content is not None or entry.faults
        )
        return Landed(batch[-1].line, results, embedded)

    async def _write(self, tenant: str, entries: Sequence[Entry]) -> tuple[Sequence[Saved], int]:
        contents = [entry.content for entry in entries]
        if not contents:
            return (), 0
        if isinstance(contents[0], NewMemory):
            # new memories are stored like any others, with all checks
            rows = cast("list[NewMemory]", contents)
            return await self.remember(rows), sum(row.vector is None for row in rows)
        if isinstance(contents[0], KeptMemory):
            return await self._restore(tenant, cast("list[KeptMemory]", contents))
        records = cast("list[Record]", contents)
        kind: RecordType = records[0].type
        return await self._add(tenant, kind, records), 0

    async def _add(
        self, tenant: str, kind: RecordType, records: Sequence[Record]
    ) -> Sequence[Saved]:
        answers: list[Saved | None] = []
        fit: list[Record] = []
        for record in records:
            try:
                fit.append(await self.guard.record(tenant, record))
            # a refused record does not affect the others of its batch
            except InvalidInputError as error:
                answers.append(Saved("rejected", error=error.message, field=error.field))
            else:
                answers.append(None)
        saved = iter(await self.store.add(tenant, kind, fit, self.clock.now()) if fit else ())
        return [answer or next(saved) for answer in answers]

    async def _restore(
        self, tenant: str, rows: Sequence[KeptMemory]
    ) -> tuple[Sequence[Saved], int]:
        cleaned = await self.guard.kept(rows)
        fit = [row for row, guarded in cleaned if guarded.error is None]
        work = partial(self._embed_and_restore, tenant, fit)
        answers, embedded = await with_embedder_in_use(self.embedders, work)
        saved = iter(answers)
        # results are in the order of the lines
        return [_judged(guarded, saved) for _, guarded in cleaned], embedded

    async def _embed_and_restore(
        self, tenant: str, rows: Sequence[KeptMemory]
    ) -> tuple[Sequence[Saved], int]:
        now, used = self.clock.now(), self.embedders.reading
        taken = [_own_vector(row, used.embedder) for row in rows]
        # lines with a vector of this embedder are not embedded again
        texts = [row.new.text for row, own in zip(rows, taken, strict=True) if own is None]
        made = iter(await asyncio.to_thread(used.embedder.embed, texts) if texts else ())
        others = await embed_also(self.embedders.also_writing, [row.new.text for row in rows])
        answers: list[Saved | None] = []
        ready: list[Restored] = []
        for row, own, also in zip(rows, taken, others, strict=True):
            try:
                if own is None:
                    vector = slot_vector(used, next(made))
                else:
                    vector = SlotVector(used.slot, used.embedder.name, own)
            except InvalidInputError as error:
                answers.append(Saved("rejected", error=error.message, field=error.field))
            else:
                ready.append(_restored(row, vector, also, now))
                answers.append(None)
        saved = iter(await self.store.restore(tenant, ready, now) if ready else ())
        return [answer or next(saved) for answer in answers], len(texts)


def _judged(guarded: Guarded, saved: Iterator[Saved]) -> Saved:
    if guarded.error is not None:
        return Saved("rejected", error=guarded.error.message, field=guarded.error.field)
    return with_redactions(next(saved), guarded)


def _own_vector(row: KeptMemory, embedder: Embedder) -> Vector | None:
    """Return the line's vector if it is of this graph's embedder, at unit length."""
    vector = row.vector
    # another embedder's numbers mean nothing here: made anew (ADR 11)
    if vector is None or vector.shape != (embedder.dimension,):
        return None
    if row.embedder not in {None, embedder.name}:
        return None
    length = float(np.linalg.norm(vector.astype(np.float64)))
    if not np.isfinite(length) or length < 1e-6:  # no direction
        return None
    # unit length already: scaled again, its bytes would change
    if abs(length - 1.0) < _NEAR_ONE:
        return vector
    return unit_vector(vector, embedder.dimension)


async def _batches(entries: AsyncIterator[Entry]) -> AsyncGenerator[list[Entry]]:
    batch: list[Entry] = []
    kind, size = "", 0
    async for entry in entries:
        other = _kind(entry)
        full = len(batch) == BATCH_LINES or size + entry.size > BATCH_BYTES
        # a faulty line has no kind, and stays in the batch where it stands
        if batch and (full or (kind and other and other != kind)):
            yield batch
            batch, kind, size = [], "", 0
        batch.append(entry)
        kind, size = kind or other, size + entry.size
    if batch:
        yield batch


def _kind(entry: Entry) -> str:
    """Return the key of lines that share a batch: a record's type, or one of two kinds of memories."""
    match entry.content:
        case Record():
            return entry.content.type
        case KeptMemory():
            return "memory"
        case NewMemory():
            return "new memory"
        case None:
            return ""


def _restored(
    row: KeptMemory, embedding: SlotVector, also: SlotVector | None, now: datetime
) -> Restored:
    recorded_at = row.recorded_at or now
    new = replace(row.new, occurred_at=row.new.occurred_at or recorded_at)
    prepared = PreparedMemory(
        new=new,
        uid=row.uid,
        content_hash=row.content_hash or content_hash(row.new),
        recorded_at=recorded_at,
        embedding=embedding,
        also=also,
    )
    return Restored(prepared, row.life)
