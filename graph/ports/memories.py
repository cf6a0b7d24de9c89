"""Memories in the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from graph.model import (
        CandidatePool,
        CandidateQuery,
        Memory,
        PreparedMemory,
        Saved,
        Slot,
        Vector,
    )


class MemoryStore(Protocol):
    """Memories in the graph."""

    async def save(self, rows: Sequence[PreparedMemory], *, atomic: bool) -> tuple[Saved, ...]:
        """Write rows in one transaction; one answer per row, in order.

        With ``atomic``, a row that cannot be written leaves nothing written.
        """
        ...

    async def get(self, scopes: Sequence[str], name: str) -> Memory | None:
        """Read one memory by uid or ``external:<id>``, if it lies in one of the scopes."""
        ...

    async def delete(self, scopes: Sequence[str], name: str) -> bool:
        """Remove one memory and re-join its session's chain; say whether it was there."""
        ...

    async def vector_of(
        self, scopes: Sequence[str], name: str, slot: Slot
    ) -> tuple[str, Vector] | None:
        """Read text and vector of one memory, for a recall of what is like it."""
        ...

    async def candidates(self, query: CandidateQuery) -> CandidatePool:
        """Fetch the pool of one recall in one statement."""
        ...

    async def speakers(self, scopes: Sequence[str]) -> frozenset[str]:
        """Return the names of those who speak in these scopes, as last known."""
        ...

    async def count_accesses(self, counts: Mapping[str, int], at: datetime) -> None:
        """Add to the access counts of many memories."""
        ...
