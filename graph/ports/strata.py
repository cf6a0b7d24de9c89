"""Where memories stand in their strata, and what moves them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from graph.model import GateRun, Lease, Stratum, StratumRows, Transition


class StrataStore(Protocol):
    """Reads strata, moves memories, and moves them back; each call is one short transaction.

    Where a call takes a lease, it writes nothing once another holds it; None is somebody's own wish.
    """

    async def rows(self, scope: str, stratum: Stratum) -> StratumRows:
        """Read the active memories of a stratum, but for what was put into ``long_term`` at once."""
        ...

    async def count(self, scope: str, stratum: Stratum) -> int:
        """Count the same."""
        ...

    async def begin(self, run: GateRun, lease: Lease | None) -> GateRun:
        """Note a run, or return the one that is at work in the scope already."""
        ...

    async def move(
        self,
        scope: str,
        run_uid: str | None,
        moves: Sequence[Transition],
        now: datetime,
        lease: Lease | None,
    ) -> Mapping[str, int]:
        """Move those that are still as they were read, and return how many by action.

        With a run that no longer runs, nothing is moved.
        """
        ...

    async def move_at_once(
        self, run: GateRun, moves: Sequence[Transition], now: datetime
    ) -> GateRun:
        """Make a run and its moves together, and return it; who is no longer as it was read stays."""
        ...

    async def finish(self, run_uid: str, looked: int, now: datetime, lease: Lease | None) -> None:
        """Note that a run looked at so many, and that it is done."""
        ...

    async def begin_undo(
        self, scopes: Sequence[str], run_uid: str, now: datetime, *, skip_changed: bool = False
    ) -> GateRun | None:
        """Stop a run for good, if all that it moved is as it left it; None if there is no such run.

        Raises
        ------
        ConflictError
            If the time for it is over; or if some of it was changed, moved again or deleted, and that
            is not to be passed over.
        """
        ...

    async def move_back(
        self, run_uid: str, now: datetime, limit: int, lease: Lease | None
    ) -> int | None:
        """Move some back, and return how many were looked at; 0 ends the undo, None: it had ended."""
        ...

    async def unfinished(self, now: datetime) -> GateRun | None:
        """Return a run that was cut off."""
        ...

    async def due(
        self, now: datetime, seconds: float, own: Mapping[str, float]
    ) -> tuple[str, int] | None:
        """Return a scope whose gates are due, and how often they were looked at before.

        ``seconds`` lie between two looks, ``own`` has those of tenants that set others; below 0: never.
        """
        ...

    async def note_gated(self, scope: str, now: datetime, lease: Lease) -> None:
        """Note that the gates of a scope were looked at."""
        ...

    async def forget(self, before: datetime, limit: int, lease: Lease) -> int:
        """Forget moves that are older, and return how many."""
        ...

    async def runs(
        self, scopes: Sequence[str], limit: int, uid: str | None = None
    ) -> tuple[GateRun, ...]:
        """Return the latest runs, or the one of a uid."""
        ...

    async def moves(self, run_uid: str, limit: int) -> tuple[Transition, ...]:
        """Return the first of what a run moved and has not moved back."""
        ...
