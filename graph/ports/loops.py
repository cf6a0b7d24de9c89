"""Ended cycles, and the outer loops over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from graph.model.links import Lease
    from graph.model.loops import EndedCycle, LoopRule, LoopRun


class LoopStore(Protocol):
    """Reads what an outer loop looks at, and keeps its reports."""

    async def ended(self, scope: str, since: datetime, limit: int) -> Sequence[EndedCycle]:
        """Read the latest cycles of a scope that ended since."""
        ...

    async def rated(self, scope: str, now: datetime, limit: int) -> Mapping[str, LoopRule]:
        """Find the memories that the rules of an outer loop move, each with its rule."""
        ...

    async def waiting(self, every: int) -> Sequence[tuple[str, int]]:
        """Return scopes where so many cycles ended since their last outer loop, and how many."""
        ...

    async def note(
        self, run: LoopRun, looked: int, weights: Sequence[float] | None, lease: Lease | None
    ) -> None:
        """Keep the report of a run, and the weights that a scope learned; ``looked`` cycles wait no longer.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now; then nothing is written.
        """
        ...

    async def runs(
        self, scopes: Sequence[str], limit: int, uid: str | None = None
    ) -> Sequence[LoopRun]:
        """Return the latest runs, or the one of a uid."""
        ...

    async def set_state(self, run_uid: str, state: str) -> None:
        """Note that a run was undone."""
        ...
