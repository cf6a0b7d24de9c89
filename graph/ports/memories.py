"""Memories in the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from graph.model.browsing import Removed
    from graph.model.embedding import Slot
    from graph.model.memories import Amendment, Memory, PreparedMemory, Saved
    from graph.model.recall import CandidatePool, CandidateQuery
    from graph.model.superseding import Succession
    from graph.model.values import Vector


class Amend(Protocol):
    """Decides, under a memory's lock, what it says from now on."""

    async def __call__(self, memory: Memory, content_hash: str) -> Amendment | None:
        """Return what to write, or None to leave all as it is."""
        ...


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

    async def get_with_supersessions(self, scopes: Sequence[str], name: str) -> Memory | None:
        """Read one memory with what it replaces and what replaces it."""
        ...

    async def successions(self, uids: Sequence[str]) -> Mapping[str, Succession]:
        """Return what memories have replaced and what has replaced them, by uid."""
        ...

    async def amend(
        self, scopes: Sequence[str], name: str, now: datetime, amend: Amend
    ) -> Memory | None:
        """Let one memory be amended under its lock; return what it says then.

        ``amend`` may be called again after a clash. None if the memory is not there.

        Raises
        ------
        ConflictError
            If another memory of the scope says the same already.
        """
        ...

    async def find(self, scopes: Sequence[str], names: Sequence[str]) -> Mapping[str, int]:
        """Return uid and revision of each memory of these names that lies in the scopes."""
        ...

    async def remove(self, revisions: Mapping[str, int], now: datetime) -> Removed:
        """Remove memories by uid, but none that is at another revision by now, or that others were made of.

        Their sessions are joined again; all in one transaction.
        """
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
