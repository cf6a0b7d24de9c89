"""Runs of one kind: begin, find and undo."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol, TypeVar

from graph.model.memories.links import Lease

R = TypeVar("R")


class PutsOff(Protocol):
    """Store of runs that may have to wait for others."""

    async def put_off(self, run_uid: str, until: datetime, lease: Lease) -> None:
        """Let a run wait until then before it is ``unfinished`` again."""
        ...


class RunStore(PutsOff, Protocol[R]):
    """Runs that change many memories and can be undone; each call is one short transaction.

    Where a call takes a lease, it writes nothing once another holds it; None is somebody's own wish.
    """

    async def begin(self, run: R, lease: Lease | None) -> R:
        """Note a run, or return the one that is at work in the scope already."""
        ...

    async def runs(
        self, scopes: Sequence[str], limit: int, uid: str | None = None
    ) -> tuple[R, ...]:
        """Return the latest runs, or the one of a uid."""
        ...

    async def unfinished(self, now: datetime) -> R | None:
        """Return a run that was cut off, or that is to remove for good what it kept for an undo."""
        ...

    async def begin_undo(
        self, scopes: Sequence[str], run_uid: str, now: datetime, *, skip_changed: bool = False
    ) -> R | None:
        """Stop a run for good, if all that it did is as it left it; None if there is no such run.

        Raises
        ------
        ConflictError
            If the time for it is over, or what it needs was removed for good; or if something of it was
            changed since (of the gates also moved again, of a consolidation also rewarded, moved or
            condensed again), and that is not to be passed over.
        """
        ...

    async def restore(
        self, run_uid: str, now: datetime, limit: int, lease: Lease | None
    ) -> int | None:
        """Take some of it back, and return how much was looked at; 0 ends the undo, None: it had ended."""
        ...
