"""Pages and counts of memories, their versions, and their neighbourhood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from cypher import QUERIES
from graph.database.driver import Database
from graph.database.filters import filter_parameters
from graph.database.names import either_name
from graph.database.rows import from_row
from graph.database.store import Store
from graph.kernel.scope import tenant_of
from graph.kernel.values import END, STRATA
from graph.model.memories.browsing import (
    Count,
    Edge,
    Grouping,
    Neighbourhood,
    Node,
    PagePosition,
    PageQuery,
    Standing,
    Surroundings,
    Version,
)
from graph.model.memories.memory import Memory
from graph.model.recall.candidates import Filters
from graph.ports.utility import StrataConfigs
from graph.store.memories.properties import to_memory, to_version
from graph.store.recall.candidates import HUB_DEGREE

_PAGES = QUERIES["memories.list_memories"]
_IN_SCOPE = {"newest": "newest", "oldest": "oldest"}
_IN_SESSION = {"newest": "session_newest", "oldest": "session_oldest"}
_LONG_SESSION = 2_000  # memories; in longer sessions a walk by time finds a page sooner
_MAX_GROUPS = 1_000
_FAN_OUT = 25  # neighbours of one node in a drawing
_EXCERPT = 280  # characters of a text in a drawing


class MemoryBrowser(Store):
    """Store of pages, counts, versions and neighbourhoods of memories."""

    def __init__(
        self,
        database: Database,
        configs: StrataConfigs | None = None,
        long_session: int = _LONG_SESSION,
    ) -> None:
        super().__init__(database)
        self._configs = configs
        self._long_session = long_session

    async def page(self, query: PageQuery) -> tuple[Memory, ...]:
        """Read at most ``limit`` memories after a position, in the given order."""
        choice = _IN_SESSION if await self._in_short_session(query) else _IN_SCOPE
        rows = await self._database.read(
            _PAGES.choose(choice[query.order]),
            {
                **self._filtered(query.scopes, query.filters, query.now),
                **_after(query),
                "limit": query.limit,
            },
        )
        return tuple(to_memory(row["memory"]) for row in rows)

    async def _in_short_session(self, query: PageQuery) -> bool:
        if not query.filters.session_id:
            return False
        [row] = await self._database.read(
            QUERIES["memories.measure_session"],
            {
                "scopes": list(query.scopes),
                "session_id": query.filters.session_id,
                "limit": self._long_session,
            },
        )
        return row["counted"] < self._long_session

    def _filtered(self, scopes: Sequence[str], filters: Filters, now: datetime) -> dict[str, Any]:
        tenant = tenant_of(scopes[0])
        strata = STRATA if self._configs is None else self._configs.strata_of(tenant).order
        parameters = {
            "scopes": list(scopes),
            "access_count_min": filters.access_count_min,
            # a page includes superseded memories (ADR 45)
            **filter_parameters(replace(filters, superseded=True), now, strata),
        }
        if filters.session_id:
            parameters["session_id"] = filters.session_id
        return parameters

    async def scope_page(
        self, scope: str, until: datetime, after: PagePosition, limit: int
    ) -> tuple[Standing, ...]:
        """Read all memories of a scope, oldest first, in all states."""
        rows = await self._database.read(
            QUERIES["memories.list_scope"].choose("page"),
            {
                "scope": scope,
                "until": until,
                "after_at": after.at.astimezone(UTC),
                "after_uid": after.uid,
                "limit": limit,
            },
        )
        return tuple(
            Standing(row["uid"], row["revision"], row["recorded_at"].to_native()) for row in rows
        )

    async def count_scope(self, scope: str, until: datetime) -> int:
        """Count all memories of a scope."""
        rows = await self._database.read(
            QUERIES["memories.list_scope"].choose("count"), {"scope": scope, "until": until}
        )
        return rows[0]["total"]

    async def count(
        self, scopes: Sequence[str], filters: Filters, now: datetime, by: Grouping | None
    ) -> Count:
        """Count memories by group; at most 1,000 groups, the largest first."""
        [row] = await self._database.read(
            _PAGES.choose("session_counted" if filters.session_id else "counted"),
            {**self._filtered(scopes, filters, now), "grouping": by or "", "limit": _MAX_GROUPS},
        )
        groups = dict(zip(row["names"], row["counts"], strict=True))
        return Count(row["total"], groups if by else None)

    async def versions(
        self, scopes: Sequence[str], uid: str, limit: int, start: PagePosition | None
    ) -> tuple[Version, ...]:
        """Read the versions of a memory, newest first, from a position on, inclusive."""
        rows = await self._database.read(
            QUERIES["memories.list_versions"],
            {
                "scopes": list(scopes),
                "uid": uid,
                "start_at": start.at if start else END,
                "start_uid": start.uid if start else "",
                "limit": limit,
            },
        )
        return tuple(to_version(row["version"]) for row in rows)

    async def neighbourhood(self, asked: Surroundings) -> Neighbourhood | None:
        """Read at most ``limit`` nodes around a memory, all in the scopes.

        None if the memory itself is in none of them. Hubs and common terms are included, but not their neighbours.
        """
        rows = await self._database.read(
            QUERIES["memories.show_neighbourhood"],
            {
                "scopes": list(asked.scopes),
                **either_name(asked.name),
                "types": list(asked.types),
                "hops": asked.hops,
                "hub_degree": HUB_DEGREE,
                "mentioned": asked.mentioned,
                "fan_out": _FAN_OUT,
                "limit": asked.limit,
            },
        )
        if not rows:
            return None
        return Neighbourhood(
            nodes=tuple(
                from_row(Node, node, text=node["text"][:_EXCERPT]) for node in rows[0]["nodes"]
            ),
            edges=tuple(Edge(**edge) for edge in rows[0]["edges"]),
            truncated=rows[0]["truncated"],
        )


def _after(query: PageQuery) -> dict[str, Any]:
    """Return the position after which the page starts; the first page starts at the end of the time window.

    Neo4j orders equal instants by their zones, and its own times have another zone than ours.
    """
    if query.after is not None:
        return {"after_at": query.after.at.astimezone(UTC), "after_uid": query.after.uid}
    recorded = query.filters.recorded
    newest = query.order == "newest"
    return {"after_at": recorded.end if newest else recorded.start, "after_uid": ""}
