"""Lookup and undo of runs."""

from __future__ import annotations

from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol, TypeVar

from graph.errors import DatabaseUnavailableError, LeaseLostError, NotFoundError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from datetime import datetime

    from graph.model import Lease
    from graph.ports import Clock, PutsOff, RunStore
    from graph.scope import Caller


class Scoped(Protocol):
    """An object that belongs to one scope."""

    @property
    def scope(self) -> str:
        """Which scope that is."""
        ...


R = TypeVar("R", bound=Scoped)
PUT_OFF = timedelta(minutes=10)


@asynccontextmanager
async def going_on(
    store: PutsOff, run_uid: str, now: datetime, lease: Lease
) -> AsyncGenerator[None]:
    """Go on with a run; one that fails is put off, so that the runs of others are not kept waiting."""
    try:
        yield
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


async def undo_run(
    store: RunStore[R],
    clock: Clock,
    caller: Caller,
    run_uid: str,
    skip_changed: bool,
    at_once: int,
    unknown: str,
) -> R:
    """Take a run back, so much ``at_once``, and return it as it is then.

    Raises
    ------
    NotFoundError
        If the caller reads no such run.
    InvalidInputError
        If the caller reads its scope and does not write to it: it names several channels or users.
    """
    scope = (await find_run(store, caller, run_uid, unknown)).scope
    caller.check_writes(scope)
    found = await store.begin_undo([scope], run_uid, clock.now(), skip_changed=skip_changed)
    if found is None:
        raise NotFoundError(unknown)
    while await store.restore(run_uid, clock.now(), at_once, None):
        pass
    return await find_run(store, caller, run_uid, unknown)
