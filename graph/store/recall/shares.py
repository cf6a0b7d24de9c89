"""Detection of scopes that hold most of the graph; they need another full-text query."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from cachetools import TTLCache

from cypher import QUERIES
from graph.database.driver import Database
from graph.database.store import Store
from graph.kernel.errors import DatabaseError

logger = logging.getLogger(__name__)

LEAST = 20_000  # memories; in fewer the other form gains nothing
_CACHED = 10_000
_SECONDS = 600.0
_GRAPH = "graph"
_GRAPH_SECONDS = 60.0


class ScopeShares(Store):
    """Remembers for ten minutes whether scopes hold most of the graph."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._small = TTLCache[str, bool](1, _GRAPH_SECONDS)
        self._most = TTLCache[tuple[str, ...], bool](_CACHED, _SECONDS)

    def hold_most(self, scopes: Sequence[str]) -> bool:
        """Say what is known; without a measurement they do not."""
        return self._most.get(tuple(scopes), False)

    def are_measured(self, scopes: Sequence[str]) -> bool:
        """Say whether that was measured of late, or need not be in a graph so small."""
        return self._small.get(_GRAPH, False) or tuple(scopes) in self._most

    async def measure(self, scopes: Sequence[str]) -> None:
        """Count the memories of scopes and of the graph; recalls go on without what was not counted."""
        self._most[tuple(scopes)] = False  # one recall counts, those beside it do not
        try:
            await self._count(scopes)
        except DatabaseError as error:
            logger.debug("not counted", extra={"action": "measure_scopes", "why": error.message})

    async def _count(self, scopes: Sequence[str]) -> None:
        [row] = await self._database.read(
            QUERIES["recall.measure_scopes"], {"scopes": sorted(set(scopes)), "least": LEAST}
        )
        self._small[_GRAPH] = row["total"] < LEAST
        self._most[tuple(scopes)] = row["total"] >= LEAST and 2 * row["held"] > row["total"]
