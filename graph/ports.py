"""What the use cases need from the world, named for the need and not for the technology."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from graph.model import (
        CandidatePool,
        CandidateQuery,
        Memory,
        Outcome,
        PreparedMemory,
        Retrieval,
        Saved,
        Status,
        Vector,
    )


class Embedder(Protocol):
    """Texts to vectors."""

    @property
    def name(self) -> str:
        """What the graph records, so that another embedder is noticed."""
        ...

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Vector:
        """Embed ``n`` texts: float32 of shape ``(n, dimension)``, unit length, or zero rows."""
        ...


class Clock(Protocol):
    """The time, as an argument."""

    def now(self) -> datetime:
        """Return the present, zoned in UTC."""
        ...


class Identifiers(Protocol):
    """New names for new nodes."""

    def new_uid(self, now: datetime) -> str:
        """Return a ULID of that moment."""
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

    async def delete(self, scopes: Sequence[str], name: str) -> bool:
        """Remove one memory and re-join its session's chain; say whether it was there."""
        ...

    async def vector_of(self, scopes: Sequence[str], name: str) -> tuple[str, Vector] | None:
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


class TaskStore(Protocol):
    """Tasks, what they were given, and how they ended."""

    async def record_retrieval(
        self,
        *,
        home: str,
        task_id: str,
        phase: str | None,
        retrievals: Sequence[Retrieval],
        now: datetime,
        expires_at: datetime,
    ) -> None:
        """Remember which memories a task was given."""
        ...

    async def apply_outcome(
        self,
        *,
        home: str,
        scopes: Sequence[str],
        task_id: str,
        status: Status,
        quality: float | None,
        reward: float,
        learning_rate: float,
        reward_uid: str,
        now: datetime,
    ) -> Outcome | None:
        """Move the Q of every memory the task was given, once; None for an unknown task.

        Raises
        ------
        ConflictError
            If the task ended otherwise before.
        """
        ...

    async def expire(self, now: datetime, limit: int) -> int:
        """Remove up to ``limit`` tasks whose time is over; return how many."""
        ...
