"""Store memories: redact, check, embed, save."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from graph.kernel.embedding import SlotVector
from graph.kernel.errors import InvalidInputError
from graph.kernel.values import MAX_TEXT_BYTES, Vector
from graph.model.episodes.episode import with_attempted
from graph.model.memories.memory import NewMemory, PreparedMemory, Saved
from graph.ports.embedding import EmbeddersInUse, SlotEmbedder
from graph.ports.events import NO_EVENTS, EventLog
from graph.store.memories.store import MemoryStore
from service.use_cases.kernel.embedding import (
    any_direction,
    embed_also,
    embed_rows,
    slot_vector,
    with_embedder_in_use,
)
from service.use_cases.kernel.watched import RecordingUseCase, watched
from service.use_cases.memories.guarding import Guard, Guarded
from service.use_cases.memories.link import SupersessionEvents
from service.use_cases.strata.gates import MakeRoom

_IDENTITY_FIELDS = sorted(
    set(NewMemory.__dataclass_fields__)
    - {"scope", "sequence", "links", "supersedes", "initial_q", "surprised"}
)


@dataclass(frozen=True, slots=True)
class Remember(RecordingUseCase):
    """Store new memories; the same memory sent twice is one.

    Episodes also create their problem and strategy.

    Raises
    ------
    DatabaseUnavailableError
        If Neo4j does not answer; then nothing was written.
    EmbedderUnavailableError
        If the graph was re-embedded by a model that is not on this machine.
    """

    store: MemoryStore
    embedders: EmbeddersInUse
    guard: Guard
    make_room: MakeRoom
    events: EventLog = NO_EVENTS

    @watched("remember")
    async def __call__(
        self, rows: Sequence[NewMemory], *, atomic: bool = False
    ) -> tuple[Saved, ...]:
        """Return one result per row, in order; with ``atomic`` one invalid row rejects all."""
        # before embedding: personal data must not enter a vector
        guarded = await self.guard.rows(rows)
        work = partial(self._remember, guarded, atomic=atomic)
        answers = await with_embedder_in_use(self.embedders, work)
        for status, number in Counter(answer.status for answer in answers).items():
            self.telemetry.count("memories", number, status=status)
        if evicted := sum(len(answer.evicted) for answer in answers):
            self.telemetry.count("episodes_evicted", evicted)
        return answers

    async def _remember(self, guarded: Sequence[Guarded], *, atomic: bool) -> tuple[Saved, ...]:
        now = self.clock.now()
        joined, beside = join_attempts([one.row for one in guarded])
        # problems and strategies are embedded with their episodes, in one call of the model
        texts = await embedded(self.embedders, [*joined, *beside])
        answers: list[Saved | None] = []
        prepared: list[PreparedMemory] = []
        for one, row, made in zip(guarded, joined, texts, strict=False):
            try:
                if one.error is not None:
                    raise one.error
                check_content(row)
                ready = self._prepare(row, made, now)
            except InvalidInputError as error:
                answers.append(Saved("rejected", error=error.message, field=error.field))
            else:
                prepared.append(ready)
                answers.append(None)
        if atomic and len(prepared) < len(guarded):
            return tuple(
                answer or Saved("rejected", error="a row beside it is faulty") for answer in answers
            )
        prepared += [
            prepare_companion(row, self.identifiers.new_uid(now), made, now)
            for row, made in zip(beside, texts[len(joined) :], strict=True)
        ]
        stored = await self.store.save(prepared, atomic=atomic)
        emitter = SupersessionEvents(self.identifiers, self.events, telemetry=self.telemetry)
        for row, one in zip(prepared, stored, strict=True):
            emitter.emit_saved(row.new.scope, one, now)
        saved = iter(stored)
        # in a transaction right after: the last of two writers keeps the stratum within its capacity (ADR 30)
        await self.make_room({(one.new.scope, one.new.stratum) for one in prepared}, now, None)
        return tuple(
            answer or with_redactions(next(saved), one)
            for answer, one in zip(answers, guarded, strict=True)
        )

    def _prepare(self, row: NewMemory, made: Embedded, now: datetime) -> PreparedMemory:
        return PreparedMemory(
            new=row,
            uid=self.identifiers.new_uid(now),
            content_hash=content_hash(row),
            recorded_at=now,
            embedding=slot_vector(made.used, made.vector),
            also=made.also,
        )


def with_redactions(saved: Saved, guarded: Guarded) -> Saved:
    """Add the redactions of a row to its result, unless it was rejected."""
    kept_out = saved.status == "rejected" or not guarded.redacted
    return saved if kept_out else replace(saved, redacted=guarded.redacted)


@dataclass(frozen=True, slots=True)
class Embedded:
    """A text's vector for the slot in use, and for the slot that a re-embedding fills."""

    used: SlotEmbedder
    vector: Vector
    also: SlotVector | None


async def embedded(embedders: EmbeddersInUse, rows: Sequence[NewMemory]) -> list[Embedded]:
    """Embed rows for all slots that are written."""
    used = embedders.reading
    vectors = await embed_rows(used, rows)
    others = await embed_also(embedders.also_writing, [row.text for row in rows])
    return [Embedded(used, *pair) for pair in zip(vectors, others, strict=True)]


def prepare_companion(row: NewMemory, uid: str, made: Embedded, now: datetime) -> PreparedMemory:
    """Prepare a problem or strategy of an episode, which may have no words."""
    # *2 + 2 = ?* is a problem, but has a zero vector by some embedders
    vector = made.vector if made.vector.any() else any_direction(made.used.embedder.dimension)
    return PreparedMemory(
        new=row,
        uid=uid,
        content_hash=content_hash(row),
        recorded_at=now,
        embedding=slot_vector(made.used, vector),
        also=made.also,
        beside=True,
    )


def join_attempts(rows: Sequence[NewMemory]) -> tuple[list[NewMemory], list[NewMemory]]:
    """Link episodes to their problems and strategies; return the rows, and each problem and strategy once."""
    joined: list[NewMemory] = []
    beside: dict[tuple[str, str | None], NewMemory] = {}
    for row in rows:
        one, brought = with_attempted(row)
        joined.append(one)
        for each in brought:
            beside.setdefault((each.scope, each.external_id), each)
    return joined, list(beside.values())


def check_content(row: NewMemory) -> None:
    """Refuse invalid text or times.

    Raises
    ------
    InvalidInputError
        If the text is empty or too long, or a time lies before the one it must follow.
    """
    _check_text(row.text)
    _check_times(row)


def content_hash(row: NewMemory) -> str:
    """Hash the identity of a memory: rows with the same hash are one memory.

    The identity of a named memory is all of its fields; of one without a name, content, kind, session and time.
    """
    same: object = [row.kind, row.session_id, row.text, row.occurred_at, row.structured]
    # named: any changed field is a change of the memory
    if row.external_id is not None:
        same = {name: getattr(row, name) for name in _IDENTITY_FIELDS}
    # the order of keys does not matter
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
