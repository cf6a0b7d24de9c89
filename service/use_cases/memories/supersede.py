"""State by hand that one memory replaces another, or that it does not."""

from __future__ import annotations

from dataclasses import dataclass

from graph.kernel.errors import NotFoundError, required
from graph.kernel.scope import Caller
from graph.store.memories.superseding import SupersessionStore
from service.use_cases.kernel.watched import TimedUseCase, watched
from service.use_cases.memories.link import SupersessionEvents
from service.use_cases.memories.single import UNKNOWN


@dataclass(frozen=True, slots=True)
class StateSupersession(TimedUseCase):
    """State that one memory replaces another: the older ends when the newer begins.

    Raises
    ------
    NotFoundError
        If one of the two is not in the caller's scopes.
    InvalidInputError
        If they are one memory, lie in two scopes, or the newer begins to hold before the older.
    ConflictError
        If the older already replaces the newer, or one of them is a copy.
    """

    store: SupersessionStore
    emitter: SupersessionEvents

    @watched("state_supersession")
    async def __call__(self, caller: Caller, newer: str, older: str) -> bool:
        """Return whether it is new; both names are a uid or ``external:<id>``."""
        now = self.clock.now()
        stated = required(await self.store.state(caller.readable, newer, older, now), UNKNOWN)
        scope, new = stated
        if new is not None:
            self.emitter.emit(scope, new, now)
        return new is not None


@dataclass(frozen=True, slots=True)
class UndoSupersession(TimedUseCase):
    """State that one memory does not replace another: the older holds again, and it is not detected again.

    Raises
    ------
    NotFoundError
        If one of the two is not in the caller's scopes.
    InvalidInputError
        If they are one memory, or lie in two scopes.
    """

    store: SupersessionStore

    @watched("undo_supersession")
    async def __call__(self, caller: Caller, newer: str, older: str) -> None:
        """Undo it; both names are a uid or ``external:<id>``."""
        if not await self.store.part(caller.readable, newer, older, self.clock.now()):
            raise NotFoundError(UNKNOWN)
