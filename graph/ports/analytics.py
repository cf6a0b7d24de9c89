"""Utility at large, measured over what a caller reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from graph.model.analytics import (
        Convergence,
        Distribution,
        LearnedMemory,
        QMove,
        RewardDay,
        UtilityGroup,
        UtilityGrouping,
    )


class UtilityMeasures(Protocol):
    """Measures of Q over scopes."""

    async def distribution(self, scopes: Sequence[str]) -> Distribution:
        """Measure how Q is distributed."""
        ...

    async def histogram(self, scopes: Sequence[str], bins: int) -> tuple[int, ...]:
        """Count the memories in each of equal bins of [0, 1]."""
        ...

    async def highest(self, scopes: Sequence[str], limit: int) -> tuple[LearnedMemory, ...]:
        """Read the learned memories with the highest Q, the highest first."""
        ...

    async def lowest(self, scopes: Sequence[str], limit: int) -> tuple[LearnedMemory, ...]:
        """Read the learned memories with the lowest Q, the lowest first."""
        ...

    async def moves(
        self, scopes: Sequence[str], uids: Sequence[str], limit: int
    ) -> Mapping[str, tuple[QMove, ...]]:
        """Read the newest moves of some memories' Q, the newest first."""
        ...

    async def convergence(self, scopes: Sequence[str], last: int, band: float) -> Convergence:
        """Count whose last rewards moved Q within a band, among those rewarded last."""
        ...

    async def trend(self, scopes: Sequence[str], since: datetime) -> tuple[RewardDay, ...]:
        """Sum up rewards and moves by day, of the memories rewarded last."""
        ...

    async def groups(self, scopes: Sequence[str], by: UtilityGrouping) -> tuple[UtilityGroup, ...]:
        """Measure Q by a property; at most 1,000 groups, the largest first."""
        ...
