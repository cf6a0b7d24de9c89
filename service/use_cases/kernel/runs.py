"""Lookup and undo of runs."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from graph.kernel.errors import DatabaseUnavailableError, LeaseLostError, NotFoundError, required
from graph.kernel.runs import Run
from graph.kernel.scope import Caller
from graph.model.memories.links import Lease
from graph.ports.runs import PutsOff, RunStore
from service.use_cases.kernel.watched import TimedUseCase, UseCase, watched

R = TypeVar("R", bound=Run)
Item = TypeVar("Item")
PUT_OFF = timedelta(minutes=10)


@asynccontextmanager
async def going_on(
    store: PutsOff, run_uid: str, now: datetime, lease: Lease
) -> AsyncGenerator[None]:
    """Continue a run; a failing run is postponed, so that it does not block others."""
    try:
        yield
    # no fault of the run: it is not put off for that
    except (LeaseLostError, DatabaseUnavailableError):
        raise
    except Exception:
        await store.put_off(run_uid, now + PUT_OFF, lease)
        raise


async def find_run(store: RunStore[R], caller: Caller, run_uid: str, unknown: str) -> R:
    """Return a run in the scopes of a caller; ``unknown`` is the message where there is none."""
    runs = await store.runs(caller.readable, 1, run_uid)
    if not runs:
        raise NotFoundError(unknown)
    return runs[0]


async def _unchanged(run: R) -> R:
    return run


@dataclass(frozen=True, slots=True)
class ListRuns(UseCase, Generic[R, Item]):
    """List the runs of one kind in the scopes of a caller.

    ``items`` returns the first things that a run did, ``refreshed`` a run with what it did so far;
    ``unknown`` is the message where there is no such run.

    Raises
    ------
    NotFoundError
        If one is asked for that is not there.
    """

    store: RunStore[R]
    items: Callable[[str, int], Awaitable[Sequence[Item]]]
    unknown: str
    refreshed: Callable[[R], Awaitable[R]] = _unchanged

    @watched("list_runs")
    async def __call__(self, caller: Caller, limit: int = 20) -> Sequence[R]:
        """Return the latest, newest first."""
        return await self.store.runs(caller.readable, limit)

    async def one(self, caller: Caller, run_uid: str, limit: int) -> tuple[R, Sequence[Item]]:
        """Return a run, and its first items."""
        run = await find_run(self.store, caller, run_uid, self.unknown)
        items = await self.items(run_uid, limit)
        return await self.refreshed(run), items


@dataclass(frozen=True, slots=True)
class UndoRun(TimedUseCase, Generic[R]):
    """Undo a run, ``at_once`` things in a transaction.

    Raises
    ------
    NotFoundError
        If the caller reads no such run.
    InvalidInputError
        If the caller reads its scope and does not write to it: it names several channels or users.
    ConflictError
        If the time for it is over, or some of it was changed or removed since.
    """

    store: RunStore[R]
    at_once: int
    unknown: str

    @watched("undo_run")
    async def __call__(self, caller: Caller, run_uid: str, *, skip_changed: bool = False) -> R:
        """Return the undone run; undoing twice has no effect."""
        # read first: who reads a run need not write to its scope
        scope = (await find_run(self.store, caller, run_uid, self.unknown)).scope
        caller.check_writes(scope)
        now = self.clock.now()
        begun = await self.store.begin_undo([scope], run_uid, now, skip_changed=skip_changed)
        required(begun, self.unknown)
        # to the end, in transactions of their own; one that is cut off is finished by the worker
        while await self.store.restore(run_uid, self.clock.now(), self.at_once, None):
            pass
        return await find_run(self.store, caller, run_uid, self.unknown)
