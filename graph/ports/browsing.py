"""Memories to look through, without a question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from graph.model.browsing import (
        Count,
        Grouping,
        Neighbourhood,
        PagePosition,
        PageQuery,
        Standing,
        Surroundings,
        Version,
    )
    from graph.model.memories import Memory
    from graph.model.recall import Filters


class MemoryBrowser(Protocol):
    """Memories in pages, counted, with their past and their surroundings."""

    async def page(self, query: PageQuery) -> tuple[Memory, ...]:
        """Read memories in the order asked for, at most ``limit``, after the position given."""
        ...

    async def scope_page(
        self, scope: str, until: datetime, after: PagePosition, limit: int
    ) -> tuple[Standing, ...]:
        """Read all memories of a scope, the oldest first, whatever their state and validity."""
        ...

    async def count_scope(self, scope: str, until: datetime) -> int:
        """Count all memories of a scope."""
        ...

    async def count(
        self, scopes: Sequence[str], filters: Filters, now: datetime, by: Grouping | None
    ) -> Count:
        """Count memories, and those of each group; at most 1,000 groups, the largest first."""
        ...

    async def versions(
        self, scopes: Sequence[str], uid: str, limit: int, start: PagePosition | None
    ) -> tuple[Version, ...]:
        """Read what a memory said before, the newest first, from the position itself on."""
        ...

    async def neighbourhood(self, asked: Surroundings) -> Neighbourhood | None:
        """Read what surrounds a memory, at most ``limit`` nodes, all in the scopes.

        None if the memory itself is in none of them. What has more links than a recall passes
        over is shown, but not what lies behind it; so is a term that many mention.
        """
        ...
