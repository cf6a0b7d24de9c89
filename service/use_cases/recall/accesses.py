"""Access counts, buffered in the process and written in batches."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice

from graph.kernel.errors import DatabaseError, DatabaseUnavailableError, DiskFullError
from graph.ports.world import Clock
from graph.store.memories.store import MemoryStore

_log = logging.getLogger("stratagraph.accesses")

_MOST_KEPT = (
    100_000  # memories; bounds the memory of this process while the database is unavailable
)
BATCH = 1_000  # memories in one transaction


class AccessCounter:
    """Buffer of access counts, written by ``flush``; a killed process loses its buffer."""

    def __init__(self, store: MemoryStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._counts: Counter[str] = Counter()
        self._writing = asyncio.Lock()

    @property
    def waiting(self) -> int:
        """Number of memories with unwritten counts."""
        return len(self._counts)

    def add(self, uids: Iterable[str]) -> None:
        """Count one access of each memory."""
        if len(self._counts) < _MOST_KEPT:
            self._counts.update(uids)

    async def flush(self) -> None:
        """Write the buffer in batches, after a flush in progress.

        While Neo4j is unavailable, uncommitted batches are kept. A batch that may have been committed, or is refused, is
        dropped and logged: a missing count does less harm than one counted twice, or failing each time.
        """
        async with self._writing:
            # as many batches as at the start: concurrent accesses must not keep it busy
            for _ in range(-(-len(self._counts) // BATCH)):
                if not await self._write(self._next_batch()):
                    return

    def _next_batch(self) -> dict[str, int]:
        uids = list(islice(self._counts, BATCH))
        return {uid: self._counts.pop(uid) for uid in uids}

    async def _write(self, batch: Mapping[str, int]) -> bool:
        """Write a batch, keep or drop it; return False if the others have to wait too."""
        try:
            await self._store.count_accesses(batch, self._clock.now())
        except DatabaseError as error:
            if error.may_be_stored:
                _note_dropped(batch, "the answer to the commit was lost")
            elif isinstance(error, DatabaseUnavailableError | DiskFullError):
                self._counts.update(batch)
                return False
            else:
                _note_dropped(batch, error.message)
        # a cancelled write may have been committed, so its counts are dropped as well
        except BaseException as error:
            _note_dropped(batch, type(error).__name__)
            raise
        return True


def _note_dropped(batch: Mapping[str, int], why: str) -> None:
    facts = {"memories": len(batch), "accesses": sum(batch.values()), "why": why}
    _log.warning("access counts dropped", extra={"action": "count_accesses", **facts})
