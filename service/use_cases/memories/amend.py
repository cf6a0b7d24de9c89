"""Change a stored memory by a JSON merge patch (RFC 7396)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import partial
from typing import Any, cast

import numpy as np

from graph.kernel.embedding import SlotVector
from graph.kernel.errors import (
    ConflictError,
    InvalidInputError,
    PreconditionFailedError,
    required,
)
from graph.kernel.scope import Caller
from graph.kernel.values import MAX_EPISODE_BYTES, MAX_JSON_BYTES, State
from graph.model.episodes.attempts import is_episode
from graph.model.episodes.episode import restated, stated_of, with_attempted
from graph.model.memories.memory import NAMES, Amended, Amendment, Memory, NewMemory, PreparedMemory
from graph.ports.embedding import EmbeddersInUse
from graph.store.memories.store import MemoryStore
from service.use_cases.kernel.embedding import embed_also, slot_vector, with_embedder_in_use
from service.use_cases.kernel.watched import RecordingUseCase, watched
from service.use_cases.memories.guarding import Guard
from service.use_cases.memories.remember import (
    check_content,
    content_hash,
    embedded,
    prepare_companion,
)
from service.use_cases.memories.single import UNKNOWN
from service.use_cases.strata.gates import MakeRoom

Vectors = tuple[SlotVector, SlotVector | None]

_DEFAULTS = {
    field.name: field.default for field in fields(NewMemory) if field.name not in {"scope", "text"}
}
_OBJECTS = ("structured", "metadata")
_IS_COPY = "this is a copy: change the memory it was published from, and the copy follows"
# fields that identify a memory without a name
_IDENTITY = ("kind", "text", "occurred_at", "structured")


@dataclass(frozen=True, slots=True)
class AmendMemory(RecordingUseCase):
    """Change fields of a memory; the former state is kept as a version.

    The memory is locked, read, changed and written in one transaction, so concurrent changes are not lost. A patch without
    effect writes nothing.

    Raises
    ------
    NotFoundError
        If there is no such memory in the caller's scopes.
    PreconditionFailedError
        If it is not at one of the revisions expected.
    InvalidInputError
        If the changed memory is invalid.
    ConflictError
        If another memory of the scope has the same identity, or it is a copy of one.
    """

    store: MemoryStore
    embedders: EmbeddersInUse
    guard: Guard
    room: MakeRoom

    @watched("amend_memory")
    async def __call__(
        self,
        caller: Caller,
        name: str,
        changes: Mapping[str, Any],
        *,
        expected: Collection[tuple[str, int]] | None = None,
    ) -> Amended:
        """Return the changed memory; a field that is null is reset to its default.

        ``expected`` holds pairs of uid and revision, one of which must be the stored one.
        """
        _check_changes(changes)
        work = partial(self._amend, caller, name, changes, expected)
        return await with_embedder_in_use(self.embedders, work)

    async def _amend(
        self,
        caller: Caller,
        name: str,
        changes: Mapping[str, Any],
        expected: Collection[tuple[str, int]] | None,
    ) -> Amended:
        # embedded before the lock, unless redaction may change the text, which depends on the stored kind
        text = changes.get("text")
        known = text is not None and not self.guard.finds(text)
        prepared = await self._vectors(text, changes) if text is not None and known else None
        redacted: Mapping[str, int] = {}

        async def amend(memory: Memory, content_hash: str) -> Amendment | None:
            # under the lock: the memory may have changed since the caller read it
            if expected is not None and (memory.uid, memory.revision) not in expected:
                raise PreconditionFailedError
            if memory.published_at is not None:
                raise ConflictError(_IS_COPY)
            nonlocal redacted
            amendment, redacted = await self._amended(memory, content_hash, changes, prepared)
            return amendment

        now = self.clock.now()
        memory = required(await self.store.amend(caller.readable, name, now, amend), UNKNOWN)
        # the memory may exceed the capacity of its stratum
        if {"stratum", "state"} & changes.keys() and memory.state == "active":
            await self.room({(memory.scope, memory.stratum)}, now, None)
        values = {field.name: getattr(memory, field.name) for field in fields(Memory)}
        return Amended(**values, redacted=redacted)

    async def _amended(
        self,
        stored: Memory,
        stored_hash: str,
        changes: Mapping[str, Any],
        prepared: Vectors | None,
    ) -> tuple[Amendment | None, Mapping[str, int]]:
        # the same time again is no change, even if the service had filled it in
        if changes.get("occurred_at") == stored.occurred_at:
            changes = {name: changes[name] for name in changes if name != "occurred_at"}
        before = _original_row(stored, stored_hash)
        patched = with_synced_episode(before, apply_patch(before, changes), changes)
        guarded = await self.guard.row(patched, set(NAMES) & changes.keys())
        new, state = guarded.row, _state(stored.state, changes)
        changed = {field.name for field in fields(NewMemory) if _differs(before, new, field.name)}
        if "vector" in changes:
            changed.add("vector")
        # no change: no version, no new revision
        if not changed and state == stored.state:
            return None, guarded.redacted
        _check(before, new, changes)
        embedding = also = None
        if {"text", "vector"} & changed:
            embedding, also = prepared or await self._vectors(new.text, changes)
        now = self.clock.now()
        joined, brought = with_attempted(new)
        amendment = Amendment(
            new=replace(joined, occurred_at=new.occurred_at or stored.occurred_at),
            state=state,
            version_uid=self.identifiers.new_uid(now),
            content_hash=_new_hash(new, changed, stored_hash),
            recorded_at=now,
            slot=self.embedders.reading.slot,
            embedding=embedding,
            also=also,
            beside=await self._prepare_companions(brought, now),
        )
        return amendment, guarded.redacted

    async def _prepare_companions(
        self, rows: Sequence[NewMemory], now: datetime
    ) -> tuple[PreparedMemory, ...]:
        if not rows:
            return ()
        made = await embedded(self.embedders, rows)
        return tuple(
            prepare_companion(row, self.identifiers.new_uid(now), each, now)
            for row, each in zip(rows, made, strict=True)
        )

    async def _vectors(self, text: str, changes: Mapping[str, Any]) -> Vectors:
        """Embed a text for each slot that is written, unless the client gave a vector."""
        used, given = self.embedders.reading, changes.get("vector")
        if given is not None:
            vector = np.asarray(given, dtype=np.float32)
        else:
            [vector] = await asyncio.to_thread(used.embedder.embed, [text])
        [also] = await embed_also(self.embedders.also_writing, [text])
        return slot_vector(used, vector), also


def with_synced_episode(before: NewMemory, new: NewMemory, changes: Mapping[str, Any]) -> NewMemory:
    """Keep the object of an episode and the fields that repeat it consistent."""
    if new.kind != "episode" or new.structured is None or not is_episode(new.structured):
        # another object of the client repeats no fields
        return new
    old, now = stated_of(before.structured or {}), stated_of(new.structured)
    moved = {name: now[name] for name in now if now[name] != old[name] and name not in changes}
    given = {name: getattr(new, name) for name in now if name in changes}
    return replace(new, **moved, structured=restated(new.structured, given))


def apply_patch(stored: NewMemory, changes: Mapping[str, Any]) -> NewMemory:
    """Apply a merge patch; null resets a field to its default."""
    values: dict[str, Any] = {}
    for name, value in changes.items():
        if name in _OBJECTS and value is not None:
            values[name] = _merge(getattr(stored, name), value)
        elif name != "state":
            values[name] = _DEFAULTS.get(name) if value is None else value
    return replace(stored, **values)


def _merge(target: object, patch: object) -> object:
    if not isinstance(patch, Mapping):
        return patch
    entries = cast("Mapping[str, object]", patch)
    result: dict[str, object] = {}
    if isinstance(target, Mapping):
        result.update(cast("Mapping[str, object]", target))
    for key, value in entries.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = _merge(result.get(key), value)
    return result


def _original_row(stored: Memory, stored_hash: str) -> NewMemory:
    """Return a memory as it was sent, without a time that the service filled in."""
    names = {field.name for field in fields(NewMemory)} & {field.name for field in fields(Memory)}
    row = replace(
        NewMemory(**{name: getattr(stored, name) for name in names}), valid_to=stored.valid_to_given
    )
    timeless = replace(row, occurred_at=None)
    return timeless if content_hash(timeless) == stored_hash else row


def _new_hash(new: NewMemory, changed: Collection[str], stored_hash: str) -> str:
    # with the same identity it is recognised when it is sent again
    if new.external_id is None and not set(_IDENTITY) & set(changed):
        return stored_hash
    return content_hash(new)


def _differs(before: NewMemory, after: NewMemory, name: str) -> bool:
    old, new = getattr(before, name), getattr(after, name)
    # True, 1 and 1.0 are equal in Python, but not in JSON
    return bool(_plain(old) != _plain(new)) if name in _OBJECTS else bool(old != new)


def _plain(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def _state(stored: State, changes: Mapping[str, Any]) -> State:
    return (changes["state"] or "active") if "state" in changes else stored


def _check_changes(changes: Mapping[str, Any]) -> None:
    for name in ("text", "occurred_at"):
        # required fields have no default
        if name in changes and changes[name] is None:
            raise InvalidInputError(f"{name}: can be changed, but not removed", field=name)


def _check(before: NewMemory, new: NewMemory, changes: Mapping[str, Any]) -> None:
    check_content(new)
    for name in _OBJECTS:
        value = getattr(new, name)
        size = len(json.dumps(value, ensure_ascii=False).encode())
        limit = MAX_EPISODE_BYTES if is_episode(new.structured) else MAX_JSON_BYTES
        if name in changes and value is not None and size > limit:
            raise InvalidInputError(
                f"{name}: at most {limit // 1024} KiB as JSON, merged", field=name
            )
    if new.content_type == "structured" and new.structured is None:
        raise InvalidInputError(
            "structured: is needed for content_type structured", field="structured"
        )
    # a text changed without its vector would be found by the old one
    silent = changes.get("vector") is None
    if (
        new.content_type == "embedding"
        and silent
        and ("vector" in changes or new.text != before.text or before.content_type != "embedding")
    ):
        raise InvalidInputError("vector: is needed for content_type embedding", field="vector")
