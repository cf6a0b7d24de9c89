"""Tasks in Neo4j and the memories they were given, until they expire."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from cypher import QUERIES
from graph.database.driver import Database
from graph.database.events import event_rows
from graph.database.leases import ExpiringStore
from graph.kernel.events import Event
from graph.kernel.scope import tenant_of
from graph.model.utility.tasks import Retrieval


class TaskStore(ExpiringStore):
    """Store of tasks and of the memories given to them."""

    expiring = QUERIES["utility.expire_tasks"]

    def __init__(self, database: Database, event_life: timedelta | None = None) -> None:
        super().__init__(database)
        self._event_life = event_life

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
        """Store which memories a task was given, and in which contexts, with an event."""
        await self._database.write_one(
            QUERIES["utility.record_retrieval"],
            {
                "scope": home,
                "tenant": tenant_of(home),
                "task_id": task_id,
                "phase": phase or "",
                "now": now,
                "expires_at": expires_at,
                "contexts": list(contexts),
                "events": event_rows(events, self._event_life),
                "rows": [
                    {"uid": given.uid, "rank": given.rank, "score": given.score}
                    # by uid, as in every writer
                    for given in sorted(retrievals, key=lambda given: given.uid)
                ],
            },
        )
