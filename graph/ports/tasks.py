"""Tasks in the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from graph.model.events import Event
    from graph.model.links import Lease
    from graph.model.tasks import Retrieval


class TaskStore(Protocol):
    """Tasks, what they were given."""

    async def record_retrieval(
        self,
        *,
        home: str,
        task_id: str,
        phase: str | None,
        retrievals: Sequence[Retrieval],
        now: datetime,
        expires_at: datetime,
        contexts: Sequence[str] = (),
        events: Sequence[Event] = (),
    ) -> None:
        """Remember which memories a task was given, and in which contexts; tell of it."""
        ...

    async def expire(self, now: datetime, limit: int, lease: Lease) -> int:
        """Remove up to ``limit`` tasks whose time is over; return how many.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now; then nothing is removed.
        """
        ...
