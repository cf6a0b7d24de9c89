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

    Whatever it writes is fenced by the lease, and where it stands is in the graph alone: a step that
    was cut off is done again by whoever works next.
    """

    @property
    def name(self) -> str:
        """Name in logs and metrics."""
        ...

    @property
    def pause(self) -> timedelta:
        """Pause after a step that found nothing to do."""
        ...

    async def step(self, now: datetime, lease: Lease) -> int:
        """Do a step of a second at most; return how much was done, 0 for nothing.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now.
        """
        ...


@dataclass(frozen=True, slots=True)
class Expire:
    """Remove what a store holds and whose time is over, so many nodes at a time."""

    name: str
    store: TaskStore | SurpriseStore
    batch: int
    pause: timedelta

    async def step(self, now: datetime, lease: Lease) -> int:
        """See ``Job.step``."""
        return await self.store.expire(now, self.batch, lease)
