"""Erase an agent, a session, a user or one memory: hidden at once, removed step by step, with a receipt."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from graph.errors import NotFoundError
from graph.model import Subject
from graph.ports import UNWATCHED
from service.use_cases.watched import watched

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from graph.model import Erasure, Lease
    from graph.ports import Clock, ErasureStore, Identifiers, Telemetry
    from graph.scope import Caller, ScopeKind

_BATCH = 1000  # nodes in one transaction
_HERE = timedelta(seconds=10)
_UNKNOWN = "no such erasure of this tenant, or its receipt is no longer kept"


class Buffer(Protocol):
    """What this process has gathered and not yet written."""

    async def flush(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Erase:
    """Erase a subject with all that was made of it; what is not done within ``most`` the worker goes on with.

    What is written about the subject until it is done goes too.

    Raises
    ------
    NotFoundError
        If nothing is there of the subject.
    """

    store: ErasureStore
    clock: Clock
    identifiers: Identifiers
    buffers: Sequence[Buffer] = ()
    most: timedelta = _HERE
    telemetry: Telemetry = UNWATCHED

    @watched("erase")
    async def __call__(self, subject: Subject) -> Erasure:
        """Return how it stands: done, or running; in both cases no answer shows the subject any more."""
        for buffer in self.buffers:
            await buffer.flush()
        began = now = self.clock.now()
        erasure = await self.store.begin(self.identifiers.new_uid(now), subject, now)
        if erasure is None:
            raise NotFoundError(f"no such {subject.kind} in the scopes of this caller")
        self.telemetry.count("erasures", kind=subject.kind)
        while erasure.state == "running" and (erasure.stage == "hide" or now - began < self.most):
            now = self.clock.now()
            erasure = await self.store.step(erasure.uid, now, _BATCH, None) or erasure
        return erasure

    async def owner(self, caller: Caller) -> Erasure:
        """Erase the one agent or user that a caller names."""
        scope = caller.home
        _, kind, name = scope.split("/", 2)
        return await self(Subject("agent" if kind == "agent" else "user", scope, name))

    async def session(
        self, caller: Caller, session_id: str, scope_kind: ScopeKind | None = None
    ) -> Erasure:
        """Erase a session of the scope that a caller writes to."""
        return await self(Subject("session", caller.writable(scope_kind), session_id))


@dataclass(frozen=True, slots=True)
class ShowErasure:
    """Show how far an erasure is, or its receipt.

    Raises
    ------
    NotFoundError
        If the tenant has none of that name.
    """

    store: ErasureStore
    telemetry: Telemetry = UNWATCHED

    @watched("show_erasure")
    async def __call__(self, tenant: str, uid: str) -> Erasure:
        """Return it."""
        erasure = await self.store.get(tenant, uid)
        if erasure is None:
            raise NotFoundError(_UNKNOWN)
        return erasure


class GoOnErasing:
    """Go on with erasures that were cut off, a step at a time; forget receipts after their time."""

    name = "erase"

    def __init__(self, store: ErasureStore, *, keep: timedelta, pause: timedelta) -> None:
        self.pause = pause
        self._store = store
        self._keep = keep

    async def step(self, now: datetime, lease: Lease) -> int:
        """See ``Job.step``."""
        uid = await self._store.unfinished(now)
        if uid is None:
            return await self._store.expire(now - self._keep, _BATCH, lease)
        await self._store.step(uid, now, _BATCH, lease)
        return 1
