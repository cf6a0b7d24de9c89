"""Lookup of memories to move between strata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cypher import QUERIES
from graph.database.names import one_name
from graph.database.store import Store
from graph.kernel.values import Status, Stratum
from graph.model.strata.gates import StratumRows
from graph.model.strata.moves import Place, Proven
from graph.store.strata.store import stratum_rows


class PlaceStore(Store):
    """Store that finds memories to move, and the components of their weights."""

    async def named(self, scope: str, names: Sequence[str]) -> Sequence[Place]:
        """Find memories of a scope by name; unknown names are left out."""
        rows = await self._database.read(
            QUERIES["memories.find_named"].choose("places"),
            {"scope": scope, "names": [{"name": name, **one_name(name)} for name in names]},
        )
        return [Place(**row) for row in rows]

    async def proven(self, scope: str, home: str, asked: Proven) -> Sequence[str]:
        """Return the uids of a scope's active memories with successful outcomes, highest Q first.

        ``home`` is the scope that owns the tasks.
        """
        given = {
            "scope": scope,
            "strata": list(asked.strata),
            "q_value": asked.min_q,
            "successes": asked.min_successes,
            "session_id": asked.session_id or "",
            "limit": asked.limit,
        }
        if asked.task_id is None:
            rows = await self._database.read(QUERIES["strata.find_proven"].choose("scope"), given)
        else:
            of_task = {**given, "home": home, "task_id": asked.task_id}
            rows = await self._database.read(QUERIES["strata.find_proven"].choose("task"), of_task)
        return [row["uid"] for row in rows]

    async def outcome(self, home: str, task_id: str) -> tuple[bool, Status | None]:
        """Return whether a task exists, and its outcome; None: it is open."""
        rows = await self._database.read(
            QUERIES["strata.read_named"].choose("tasks"),
            {"rows": [{"scope": home, "task_id": task_id}]},
        )
        return (True, rows[0]["found"].get("status")) if rows else (False, None)

    async def rows(self, scope: str, uids: Sequence[str]) -> Mapping[Stratum, StratumRows]:
        """Read active memories of a scope, by stratum."""
        rows = await self._database.read(
            QUERIES["strata.read_memories"].choose("named"),
            {"scope": scope, "uids": sorted(uids)},
        )
        return {row["stratum"]: stratum_rows(row) for row in rows}
