"""Statistics of Q, in Neo4j."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from cypher import QUERIES, Query
from graph.database.rows import from_row
from graph.database.store import Store
from graph.model.utility.analytics import (
    Convergence,
    Distribution,
    LearnedMemory,
    QMove,
    RewardDay,
    UtilityGroup,
    UtilityGrouping,
)

_MOST = 10_000  # memories whose rewards are read
_MAX_GROUPS = 1_000
_PROPERTIES: Mapping[UtilityGrouping, str] = {
    "agent": "agent_id",
    "channel": "channel_id",
    "phase": "phase",
    "stratum": "stratum",
    "kind": "kind",
}


class UtilityMeasures(Store):
    """Store of statistics of Q over scopes."""

    async def distribution(self, scopes: Sequence[str]) -> Distribution:
        """Return the distribution of Q."""
        [row] = await self._read(QUERIES["utility.measure_values"].choose("all"), scopes)
        percentiles = tuple(row["percentiles"]) if row["memories"] else None
        return replace(Distribution(**row), percentiles=percentiles)

    async def histogram(self, scopes: Sequence[str], bins: int) -> tuple[int, ...]:
        """Count the memories in each of equal bins of [0, 1]."""
        rows = await self._read(QUERIES["utility.measure_values"].choose("bins"), scopes, bins=bins)
        counted = {row["bin"]: row["memories"] for row in rows}
        return tuple(counted.get(place, 0) for place in range(bins))

    async def highest(self, scopes: Sequence[str], limit: int) -> tuple[LearnedMemory, ...]:
        """Read the learned memories with the highest Q, the highest first."""
        return await self._ranked("highest", scopes, limit)

    async def lowest(self, scopes: Sequence[str], limit: int) -> tuple[LearnedMemory, ...]:
        """Read the learned memories with the lowest Q, the lowest first."""
        return await self._ranked("lowest", scopes, limit)

    async def _ranked(
        self, end: str, scopes: Sequence[str], limit: int
    ) -> tuple[LearnedMemory, ...]:
        query = QUERIES["utility.rank_memories"].choose(end)
        rows = await self._read(query, scopes, limit=limit)
        return tuple(from_row(LearnedMemory, row, left=row["q_left"]) for row in rows)

    async def moves(
        self, scopes: Sequence[str], uids: Sequence[str], limit: int
    ) -> Mapping[str, tuple[QMove, ...]]:
        """Read the latest updates of the Q of memories, newest first."""
        rows = await self._read(QUERIES["utility.list_moves"], scopes, uids=list(uids), limit=limit)
        return {row["uid"]: tuple(from_row(QMove, move) for move in row["moves"]) for row in rows}

    async def convergence(self, scopes: Sequence[str], last: int, band: float) -> Convergence:
        """Count memories whose last updates of Q were within a band, among those rewarded last."""
        [row] = await self._read(
            QUERIES["utility.measure_rewards"].choose("convergence"),
            scopes,
            most=_MOST,
            last=last,
            band=band,
        )
        return Convergence(**row)

    async def trend(self, scopes: Sequence[str], since: datetime) -> tuple[RewardDay, ...]:
        """Sum up rewards and updates by day, for the memories rewarded last."""
        rows = await self._read(
            QUERIES["utility.measure_rewards"].choose("trend"), scopes, most=_MOST, since=since
        )
        return tuple(RewardDay(**row) for row in rows)

    async def groups(self, scopes: Sequence[str], by: UtilityGrouping) -> tuple[UtilityGroup, ...]:
        """Return statistics of Q by a property; at most 1,000 groups, the largest first."""
        rows = await self._read(
            QUERIES["utility.measure_values"].choose("groups"),
            scopes,
            grouping=_PROPERTIES[by],
            limit=_MAX_GROUPS,
        )
        return tuple(UtilityGroup(**row) for row in rows)

    async def _read(self, query: Query, scopes: Sequence[str], **more: Any) -> list[dict[str, Any]]:
        return await self._database.read(query, {"scopes": list(scopes), **more})
