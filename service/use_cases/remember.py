"""Remember: check, embed, save."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from graph.errors import EmbedderChangedError, InvalidInputError
from graph.model import MAX_TEXT_BYTES, NewMemory, PreparedMemory, Saved
from graph.ports import UNWATCHED
from service.use_cases.embedding import embed_also, embed_rows, slot_vector
from service.use_cases.watched import watched

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.model import SlotVector
    from graph.ports import Clock, EmbeddersInUse, Identifiers, MemoryStore, Telemetry

_SAID = sorted(set(NewMemory.__dataclass_fields__) - {"scope", "sequence", "links", "initial_q"})


@dataclass(frozen=True, slots=True)
class Remember:
    """Store new memories; the same memory sent twice is one.

    Raises
    ------
    DatabaseUnavailableError
        If Neo4j does not answer; then nothing was written.
    EmbedderUnavailableError
        If the graph was re-embedded by a model that is not on this machine.
    """

    store: MemoryStore
    embedders: EmbeddersInUse
    clock: Clock
    identifiers: Identifiers
    telemetry: Telemetry = UNWATCHED

    @watched("remember")
    async def __call__(
        self, rows: Sequence[NewMemory], *, atomic: bool = False
    ) -> tuple[Saved, ...]:
        """Return one answer per row, in order; with ``atomic`` one bad row keeps all out."""
        try:
            answers = await self._remember(rows, atomic=atomic)
        except EmbedderChangedError:
            await self.embedders.refresh()
            answers = await self._remember(rows, atomic=atomic)
        for status, number in Counter(answer.status for answer in answers).items():
            self.telemetry.count("memories", number, status=status)
        return answers

    async def _remember(self, rows: Sequence[NewMemory], *, atomic: bool) -> tuple[Saved, ...]:
        now = self.clock.now()
        used = self.embedders.reading
        vectors = await embed_rows(used, rows)
        others = await embed_also(self.embedders.also_writing, [row.text for row in rows])
        answers: list[Saved | None] = []
        prepared: list[PreparedMemory] = []
        for row, vector, also in zip(rows, vectors, others, strict=True):
            try:
                check_content(row)
                ready = self._prepare(row, slot_vector(used, vector), also, now)
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

    def _prepare(
        self, row: NewMemory, embedding: SlotVector, also: SlotVector | None, now: datetime
    ) -> PreparedMemory:
        return PreparedMemory(
            new=row,
            uid=self.identifiers.new_uid(now),
            content_hash=content_hash(row),
            recorded_at=now,
            embedding=embedding,
            also=also,
        )


def check_content(row: NewMemory) -> None:
    """Refuse what cannot be stored, whichever door it came by.

    Raises
    ------
    InvalidInputError
        If the text is empty or too long, or a time lies before the one it must follow.
    """
    _check_text(row.text)
    _check_times(row)


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
