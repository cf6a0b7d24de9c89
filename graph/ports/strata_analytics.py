"""Strata at large, measured over what a caller reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from graph.model.strata_analytics import (
        ConsolidationSum,
        Flow,
        Population,
        SourceStep,
        SurpriseGroup,
        SurpriseGrouping,
        WeightColumns,
    )
    from graph.model.values import Stratum


class StrataMeasures(Protocol):
    """Measures of strata over scopes, and the sources of memories."""

    async def population(self, scopes: Sequence[str]) -> tuple[Population, ...]:
        """Count what each stratum holds."""
        ...

    async def flow(self, scopes: Sequence[str], since: datetime) -> tuple[Flow, ...]:
        """Count what came, moved and left by day."""
        ...

    async def weights(self, scopes: Sequence[str], stratum: Stratum, limit: int) -> WeightColumns:
        """Read what the weights of a stratum's latest memories are made of."""
        ...

    async def surprises(
        self, scopes: Sequence[str], since: datetime, by: SurpriseGrouping
    ) -> tuple[SurpriseGroup, ...]:
        """Count events and surprises by a property; at most 1,000 groups, the most surprising first."""
        ...

    async def consolidation(self, scopes: Sequence[str], since: datetime) -> ConsolidationSum:
        """Sum up what consolidation did."""
        ...

    async def sources(
        self, uids: Sequence[str], scopes: Sequence[str], limit: int
    ) -> Sequence[SourceStep]:
        """Read what memories came from, one step down."""
        ...
