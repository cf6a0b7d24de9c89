"""Memories by stratum, and the runs that move them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from graph.model.gates import GateRun
from graph.ports.runs import RunStore

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from graph.model.gates import StratumRows, Transition
    from graph.model.links import Lease
    from graph.model.values import Stratum


class StrataStore(RunStore[GateRun], Protocol):
    """Reads strata, moves memories, and moves them back."""

    async def rows(self, scope: str, stratum: Stratum, *, put: bool = False) -> StratumRows:
        """Read the active memories of a stratum, only with ``put`` what was put into ``long_term`` at once."""
        ...

    async def count(self, scope: str, stratum: Stratum, *, put: bool = False) -> int:
        """Count the same."""
        ...

    async def move(
        self,
        scope: str,
        run_uid: str,
        moves: Sequence[Transition],
        now: datetime,
        lease: Lease | None,
    ) -> Mapping[str, int]:
        """Move those that are still as they were read, and return how many by action.

        With a run that no longer runs, nothing is moved.
        """
        ...

    async def move_at_once(
        self, run: GateRun, moves: Sequence[Transition], now: datetime, lease: Lease | None
    ) -> GateRun:
        """Make a run and its moves together, and return it; who is no longer as it was read stays.

        A run that does not say how many it looked at looked at those that it was to move.
        """
        ...

    async def finish(self, run_uid: str, looked: int, now: datetime, lease: Lease | None) -> None:
        """Note that a run looked at so many, and that it is done."""
        ...

    async def due(
        self, now: datetime, seconds: float, own: Mapping[str, float]
    ) -> tuple[str, int] | None:
        """Return a scope whose gates are due, and how often they were looked at before.

        ``seconds`` lie between two looks, ``own`` has those of tenants that set others; below 0: never.
        """
        ...

    async def note_gated(self, scope: str, now: datetime, lease: Lease) -> None:
        """Note that the gates of a scope are looked at: no other look comes between."""
        ...

    async def count_look(self, scope: str, lease: Lease) -> None:
        """Note that a look came to its end; one that was cut off is made again with the same strata."""
        ...

    async def report_quiet(self, run: GateRun, now: datetime, lease: Lease) -> None:
        """Note a run that had nothing to move, in the place of the one before it in its scope."""
        ...

    async def forget(self, before: datetime, now: datetime, limit: int, lease: Lease) -> int:
        """Forget moves that are older and that no undo can ask for, and return how many."""
        ...

    async def moves(self, run_uid: str, limit: int) -> tuple[Transition, ...]:
        """Return the first of what a run moved and has not moved back."""
        ...
