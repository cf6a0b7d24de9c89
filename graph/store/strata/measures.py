"""Statistics of strata, in Neo4j."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from cypher import QUERIES
from graph.database.rows import from_row
from graph.database.store import Store
from graph.kernel.scope import tenant_of
from graph.kernel.values import Stratum
from graph.model.strata.analytics import (
    ConsolidationSum,
    Flow,
    Population,
    SourceStep,
    SurpriseGroup,
    SurpriseGrouping,
    WeightColumns,
)
from graph.store.strata.store import fading_columns, in_days

_MAX_GROUPS = 1_000
_PROPERTIES: Mapping[SurpriseGrouping, str] = {
    "agent": "agent_id",
    "channel": "channel_id",
    "type": "type",
}


class StrataMeasures(Store):
    """Store of statistics of strata over scopes, and of the sources of memories."""

    async def population(
        self, scopes: Sequence[str], strata: Sequence[Stratum]
    ) -> tuple[Population, ...]:
        """Count the memories of some strata."""
        rows = await self._database.read(
            QUERIES["strata.measure_population"].choose("scopes"),
            {"scopes": list(scopes), "strata": list(strata)},
        )
        found = {row["stratum"]: Population(**row) for row in rows}
        return tuple(found.get(stratum, Population(stratum, 0, 0, 0)) for stratum in strata)

    async def flow(self, scopes: Sequence[str], since: datetime) -> tuple[Flow, ...]:
        """Count new, moved and removed memories by day."""
        rows = await self._database.read(
            QUERIES["strata.measure_flow"],
            {"tenant": tenant_of(scopes[0]), "scopes": list(scopes), "since": since},
        )
        return tuple(
            Flow(row["day"], row["action"], row["from"], row["to"], row["memories"]) for row in rows
        )

    async def weights(self, scopes: Sequence[str], stratum: Stratum, limit: int) -> WeightColumns:
        """Read the components of the weights of a stratum's latest memories."""
        [row] = await self._database.read(
            QUERIES["strata.measure_weights"],
            {"scopes": list(scopes), "stratum": stratum, "limit": limit},
        )
        return WeightColumns(**fading_columns(row), recorded_at=in_days(row["recorded_at"]))

    async def surprises(
        self, scopes: Sequence[str], since: datetime, by: SurpriseGrouping
    ) -> tuple[SurpriseGroup, ...]:
        """Count events and surprises by a property; at most 1,000 groups, the most surprising first."""
        rows = await self._database.read(
            QUERIES["strata.measure_surprises"],
            {
                "scopes": list(scopes),
                "since": since,
                "grouping": _PROPERTIES[by],
                "limit": _MAX_GROUPS,
            },
        )
        return tuple(SurpriseGroup(**row) for row in rows)

    async def consolidation(self, scopes: Sequence[str], since: datetime) -> ConsolidationSum:
        """Sum up the consolidations."""
        [row] = await self._database.read(
            QUERIES["strata.measure_consolidation"],
            {"tenant": tenant_of(scopes[0]), "scopes": list(scopes), "since": since},
        )
        return ConsolidationSum(**row)

    async def sources(
        self, uids: Sequence[str], scopes: Sequence[str], limit: int
    ) -> Sequence[SourceStep]:
        """Read the direct sources of memories."""
        rows = await self._database.read(
            QUERIES["memories.find_sources"],
            {"uids": sorted(uids), "scopes": list(scopes), "limit": limit},
        )
        return [from_row(SourceStep, row) for row in rows]
