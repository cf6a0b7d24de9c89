"""Counts of what was recalled, gathered here and written in batches, off the recall's path."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

from graph.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from graph.ports import Clock, MemoryStore

_MOST_KEPT = 100_000  # memories; a database that stays away must not fill this process


class AccessCounter:
    """Gathers accesses; ``flush`` writes them. What a killed process gathered last is lost."""

    def __init__(self, store: MemoryStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._counts: Counter[str] = Counter()
        self._writing = asyncio.Lock()

    @property
    def waiting(self) -> int:
        """How many memories' counts wait to be written."""
        return len(self._counts)

    def add(self, uids: Iterable[str]) -> None:
        """Count one access of each memory."""
        if len(self._counts) < _MOST_KEPT:
            self._counts.update(uids)

    async def flush(self) -> None:
        """Write what was gathered, after a flush that is under way.

        What Neo4j does not take is kept for the next time.
        """
        async with self._writing:
            await self._flush()

    async def _flush(self) -> None:
        counts, self._counts = self._counts, Counter()
        if not counts:
            return
        try:
            await self._store.count_accesses(counts, self._clock.now())
        except DatabaseError:
            self._counts.update(counts)
