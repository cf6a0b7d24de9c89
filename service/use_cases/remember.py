"""Remember: check, embed, save."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from graph.errors import InvalidInputError
from graph.model import MAX_TEXT_BYTES, NewMemory, PreparedMemory, Saved, Vector
from graph.ports import UNWATCHED
from service.use_cases.watched import watched

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.ports import Clock, Embedder, Identifiers, MemoryStore, Telemetry


_SAID = sorted(set(NewMemory.__dataclass_fields__) - {"scope", "sequence", "links"})


@dataclass(frozen=True, slots=True)
class Remember:
    """Store new memories; the same memory sent twice is one.

    Raises
    ------
    DatabaseUnavailableError
        If Neo4j does not answer; then nothing was written.
    """

    store: MemoryStore
    embedder: Embedder
    clock: Clock
    identifiers: Identifiers
    telemetry: Telemetry = UNWATCHED

    @watched("remember")
    async def __call__(
        self, rows: Sequence[NewMemory], *, atomic: bool = False
    ) -> tuple[Saved, ...]:
        """Return one answer per row, in order; with ``atomic`` one bad row keeps all out."""
        answers = await self._remember(rows, atomic=atomic)
        for status, number in Counter(answer.status for answer in answers).items():
            self.telemetry.count("memories", number, status=status)
        return answers

    async def _remember(self, rows: Sequence[NewMemory], *, atomic: bool) -> tuple[Saved, ...]:
        now = self.clock.now()
        vectors = await asyncio.to_thread(self._embed, rows)
        answers: list[Saved | None] = []
        prepared: list[PreparedMemory] = []
        for row, vector in zip(rows, vectors, strict=True):
            try:
                ready = self._prepare(row, vector, now)
            except InvalidInputError as error:
                answers.append(Saved("rejected", error=error.message, field=error.field))
            else:
                prepared.append(ready)
                answers.append(None)
        if atomic and len(prepared) < len(rows):
            return tuple(
                answer or Saved("rejected", error="a row beside it is faulty") for answer in answers
            )
        saved = iter(await self.store.save(prepared, atomic=atomic))
        return tuple(answer or next(saved) for answer in answers)

    def _embed(self, rows: Sequence[NewMemory]) -> list[Vector]:
        texts = [row.text for row in rows if row.vector is None]
        embedded = iter(self.embedder.embed(texts)) if texts else iter(())
        return [
            next(embedded) if row.vector is None else np.asarray(row.vector, dtype=np.float32)
            for row in rows
        ]

    def _prepare(self, row: NewMemory, vector: Vector, now: datetime) -> PreparedMemory:
        _check_text(row.text)
        _check_times(row)
        return PreparedMemory(
            new=row,
            uid=self.identifiers.new_uid(now),
            content_hash=content_hash(row),
            recorded_at=now,
            vector=unit_vector(vector, self.embedder.dimension),
        )


def unit_vector(vector: Vector, dimension: int) -> Vector:
    """Return the vector at length 1.

    Raises
    ------
    InvalidInputError
        If it has another length than ``dimension``, holds NaN or infinities, or is zero: one such
        vector in the index would make every later recall of its scope fail.
    """
    if vector.shape != (dimension,):
        raise InvalidInputError(
            f"vector: this graph holds {dimension} numbers per vector, {vector.size} were given",
            field="vector",
        )
    norm = float(np.linalg.norm(vector.astype(np.float64)))
    if not np.isfinite(norm) or norm < 1e-6:
        raise InvalidInputError(
            "vector: must be finite and not zero (a text without any word has a zero vector)",
            field="vector",
        )
    return (vector / np.float32(norm)).astype(np.float32)


def content_hash(row: NewMemory) -> str:
    """Hash what makes two memories one.

    A named memory is the same while all that it says of itself is; one without a name while
    content, kind, session and time are.
    """
    same: object = [row.kind, row.session_id, row.text, row.occurred_at, row.structured]
    if row.external_id is not None:
        same = {name: getattr(row, name) for name in _SAID}
    return hashlib.sha256(json.dumps(same, sort_keys=True, default=_plain).encode()).hexdigest()


def _plain(value: object) -> str:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else str(value)


def _check_text(text: str) -> None:
    if not text.strip():
        raise InvalidInputError("text: must not be empty", field="text")
    if len(text.encode()) > MAX_TEXT_BYTES:
        raise InvalidInputError(
            f"text: at most {MAX_TEXT_BYTES} bytes; split it into several memories", field="text"
        )


def _check_times(row: NewMemory) -> None:
    if row.valid_from and row.valid_to and row.valid_from >= row.valid_to:
        raise InvalidInputError("valid_to: must be later than valid_from", field="valid_to")
    if row.expires_at and row.occurred_at and row.expires_at <= row.occurred_at:
        raise InvalidInputError("expires_at: must be later than occurred_at", field="expires_at")
