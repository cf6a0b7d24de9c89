"""Erase an agent, a session, a user or one memory: hide it at once, remove it in steps, keep a receipt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol

from graph.kernel.errors import required
from graph.kernel.scope import Caller, ScopeKind, kind_in, name_in
from graph.model.erasure.receipts import Erasure, Subject
from graph.model.memories.browsing import Removed
from graph.model.memories.links import Lease
from graph.store.erasure.store import ErasureStore
from graph.store.memories.store import MemoryStore
from service.use_cases.kernel.runs import going_on
from service.use_cases.kernel.watched import RecordingUseCase, UseCase, watched

BATCH = 1000  # nodes in one transaction
_HERE = timedelta(seconds=10)
_UNKNOWN = "no such erasure of this tenant, or its receipt is no longer kept"


class Buffer(Protocol):
    """Data that this process has buffered and not yet written."""

    async def flush(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Erase(RecordingUseCase):
    """Erase a subject and all that was derived from it; after ``most`` the worker continues.

    Memories of the subject written until it is done are erased too.

    Raises
    ------
    NotFoundError
        If there is nothing of the subject.
    """

    store: ErasureStore
    buffers: Sequence[Buffer] = ()
    most: timedelta = _HERE

    @watched("erase")
    async def __call__(self, subject: Subject) -> Erasure:
        """Return the erasure, done or running; in both cases the subject is hidden."""
        now = self.clock.now()
        erasure = await self._begin(self.identifiers.new_uid(now), subject, now)
        return await self._go_on(erasure, now + self.most)

    @watched("erase_memories")
    async def memories(self, scope: str, revisions: Mapping[str, int]) -> Erasure:
        """Erase memories of a scope that are still at these revisions, completely."""
        now = self.clock.now()
        uid = self.identifiers.new_uid(now)
        erasure = await self._begin(uid, Subject("memories", scope, uid), now, revisions)
        return await self._go_on(erasure, None)

    async def _begin(
        self, uid: str, subject: Subject, now: datetime, revisions: Mapping[str, int] | None = None
    ) -> Erasure:
        # buffered data must not be written after the erasure
        for buffer in self.buffers:
            await buffer.flush()
        erasure = required(
            await self.store.begin(uid, subject, now, revisions),
            f"no such {subject.kind} in the scopes of this caller",
        )
        self.telemetry.count("erasures", kind=subject.kind)
        return erasure

    async def _go_on(self, erasure: Erasure, until: datetime | None) -> Erasure:
        now = self.clock.now()
        while erasure.state == "running" and (
            # hiding is always completed before the answer
            erasure.stage in {"hide", "spread"} or until is None or now < until
        ):
            erasure = await self.store.step(erasure.uid, now, BATCH, None) or erasure
            now = self.clock.now()
        return erasure

    async def owner(self, caller: Caller) -> Erasure:
        """Erase the one agent or user that a caller names."""
        scope = caller.home
        kind = "agent" if kind_in(scope) == "agent" else "user"
        return await self(Subject(kind, scope, name_in(scope)))

    async def session(
        self, caller: Caller, session_id: str, scope_kind: ScopeKind | None = None
    ) -> Erasure:
        """Erase a session of the scope that a caller writes to."""
        return await self(Subject("session", caller.writable(scope_kind), session_id))


async def remove_with_derived(
    store: MemoryStore, erase: Erase, scope: str, revisions: Mapping[str, int], now: datetime
) -> tuple[Removed, Counter[str]]:
    """Remove memories of a scope and all that was derived from them, by an erasure if needed.

    Return the removed memories, and the counts of all removed nodes.
    """
    # memories without derived ones are removed at once
    removed = await store.remove(revisions, now)
    counts = Counter({**removed.counts, "copies": removed.copies})
    if removed.quoted:
        # the others by an erasure, which follows derivations (ADR 40)
        erased = await erase.memories(
            scope, {uid: revisions[uid] for uid in sorted(removed.quoted)}
        )
        counts.update(erased.counts)
    return replace(removed, uids=removed.uids | removed.quoted), +counts


@dataclass(frozen=True, slots=True)
class ShowErasure(UseCase):
    """Show the progress of an erasure, or its receipt.

    Raises
    ------
    NotFoundError
        If the tenant has none of that name.
    """

    store: ErasureStore

    @watched("show_erasure")
    async def __call__(self, tenant: str, uid: str) -> Erasure:
        """Return it."""
        return required(await self.store.get(tenant, uid), _UNKNOWN)


@dataclass(frozen=True, slots=True)
class GoOnErasing:
    """Resume interrupted erasures step by step, and delete expired receipts."""

    name = "erase"

    store: ErasureStore
    keep: timedelta
    pause: timedelta

    async def step(self, now: datetime, lease: Lease) -> int:
        """See ``Job.step``."""
        uid = await self.store.unfinished(now)
        if uid is None:
            # receipts expire only when nothing is left to erase
            return await self.store.expire(now - self.keep, BATCH, lease)
        async with going_on(self.store, uid, now, lease):
            await self.store.step(uid, now, BATCH, lease)
        return 1
