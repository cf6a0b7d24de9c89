"""Contextual utility estimates in Neo4j."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cypher import QUERIES
from graph.database.store import Store
from graph.model.recall.candidates import Estimate


class EstimateStore(Store):
    """Store of contextual estimates of utility."""

    async def of(
        self, uids: Sequence[str], scopes: Sequence[str], contexts: Sequence[str]
    ) -> Mapping[str, Sequence[Estimate]]:
        """Read the estimates of readable memories in some contexts, by uid."""
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
