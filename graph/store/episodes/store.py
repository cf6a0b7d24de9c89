"""Episodes in Neo4j: counted and listed."""

from __future__ import annotations

from collections.abc import Sequence

from cypher import QUERIES
from graph.database.store import Store
from graph.kernel.values import BEGINNING
from graph.model.episodes.episode import Attempted, EpisodeCount, EpisodeQuery
from graph.model.memories.memory import Memory
from graph.store.memories.properties import to_memory


class EpisodeStore(Store):
    """Store that counts and lists episodes; they are written as memories."""

    async def count(self, scope: str) -> EpisodeCount:
        """Count the episodes of a scope in all states, and related nodes."""
        [row] = await self._database.read(QUERIES["episodes.count_episodes"], {"scope": scope})
        runs = dict(row.pop("runs"))
        return EpisodeCount(scope, **row, runs=runs)

    async def page(self, query: EpisodeQuery) -> Sequence[tuple[Memory, int]]:
        """Read episodes by ``occurred_at``, each with its bytes in the budget."""
        after, uid = query.after or (BEGINNING, "")
        rows = await self._database.read(
            QUERIES["episodes.list_episodes"],
            {
                "scope": query.scope,
                "states": list(query.states),
                "domain": query.domain,
                "run": query.run,
                "before": query.before,
                "after": after,
                "after_uid": uid,
                "limit": query.limit,
            },
        )
        return [(to_memory(row["memory"]), row["bytes"]) for row in rows]

    async def hangs_on(self, scopes: Sequence[str], uid: str) -> tuple[Attempted, ...]:
        """Return the problem, strategies and concepts of an episode."""
        rows = await self._database.read(
            QUERIES["episodes.show_attempted"], {"scopes": list(scopes), "uid": uid}
        )
        return tuple(Attempted(**row) for row in rows)
