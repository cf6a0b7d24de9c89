"""Credits that wait for the background."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from graph.model.rewards import Credit, Learned, Settlement

if TYPE_CHECKING:
    from datetime import datetime

    from graph.model.links import Lease
    from graph.ports.rewards import Trimming

Settle = Callable[[Sequence[Learned], Sequence[Credit]], Settlement]
"""Says what credits do to locked memories; called again if that transaction clashes."""


class CreditStore(Protocol):
    """Credits that rewards owe to strategies and concepts."""

    async def waiting(self, limit: int) -> tuple[Credit, ...]:
        """Read credits that wait, oldest first."""
        ...

    async def apply(
        self,
        credits: Sequence[Credit],
        settle: Settle,
        trimming: Trimming,
        lease: Lease,
        now: datetime,
    ) -> int:
        """Move memories by credits in one transaction; return how many credits are gone by that.

        One whose reward or memory is gone, or was taken back, is dropped.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now; then nothing is written.
        """
        ...

    async def count(self) -> int:
        """Count the credits that wait."""
        ...
