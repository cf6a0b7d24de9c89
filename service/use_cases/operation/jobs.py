"""Background jobs: each does one bounded step at a time, under a lease."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from graph.model.memories.links import Lease
from graph.store.strata.surprises import SurpriseStore
from graph.store.utility.tasks import TaskStore


class Job(Protocol):
    """One kind of background work.

    Its writes are fenced by the lease, and its progress is only in the graph: an interrupted step is repeated by the next
    worker.
    """

    @property
    def name(self) -> str:
        """Name in logs and metrics."""
        ...

    @property
    def pause(self) -> timedelta:
        """Pause after a step without work."""
        ...

    async def step(self, now: datetime, lease: Lease) -> int:
        """Do a step of at most a second; return the amount of work done.

        Raises
        ------
        LeaseLostError
            If another worker has the lease.
        """
        ...


@dataclass(frozen=True, slots=True)
class Expire:
    """Remove expired nodes of a store in batches."""

    name: str
    store: TaskStore | SurpriseStore
    batch: int
    pause: timedelta

    async def step(self, now: datetime, lease: Lease) -> int:
        """See ``Job.step``."""
        return await self.store.expire(now, self.batch, lease)
