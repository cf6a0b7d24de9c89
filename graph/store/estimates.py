"""Contextual utility estimates in Neo4j."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cypher import QUERIES
from graph.model.recall import Estimate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.store.driver import Database


class Neo4jEstimates:
    """The ``EstimateStore`` of this project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(
        self, uids: Sequence[str], scopes: Sequence[str], contexts: Sequence[str]
    ) -> Mapping[str, Sequence[Estimate]]:
        """See ``EstimateStore.of``."""
        rows = await self._database.read(
            QUERIES["utility.read_estimates"],
            {"uids": list(uids), "scopes": list(scopes), "contexts": list(contexts)},
        )
        found: dict[str, list[Estimate]] = {}
        for row in rows:
            estimate = Estimate(
                row["uid"], row["context"], row["q_value"], row["q_left"], row["q_init"]
            )
            found.setdefault(estimate.uid, []).append(estimate)
        return found
