"""Runs of garbage collection, and their effects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from graph.model.gc import CollectionRun
from graph.ports.runs import RunStore

if TYPE_CHECKING:
    from datetime import datetime

    from graph.model.gc import Collectable, CollectionPlan, CollectionTerms
    from graph.model.links import Lease


class CollectionStore(RunStore[CollectionRun], Protocol):
    """Hides episodes, brings them back, and removes them."""

    async def plan(self, scope: str, terms: CollectionTerms, limit: int) -> CollectionPlan:
        """Return what of a scope may go, the first ``limit`` of them, in the order of their uids."""
        ...

    async def collect(
        self, run_uid: str, terms: CollectionTerms, now: datetime, limit: int, lease: Lease | None
    ) -> int | None:
        """Hide some of what may go, and return how many; 0 ends the run, None: it had ended."""
        ...

    async def purge(self, run_uid: str, now: datetime, limit: int, lease: Lease) -> int | None:
        """Remove some for good, and return how many; 0 ends the run, None: it had ended."""
        ...

    async def due(self, before: datetime) -> str | None:
        """Return a scope with episodes that was not looked at since."""
        ...

    async def note_looked(self, scope: str, now: datetime, lease: Lease) -> None:
        """Note that a scope was looked at."""
        ...

    async def hidden_by(self, run_uid: str, limit: int) -> tuple[Collectable, ...]:
        """Return what a run has hidden and not brought back."""
        ...
