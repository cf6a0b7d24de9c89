"""Events on their way: told in the log and as counts, and gathered where nothing else writes them."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Mapping
from typing import Any

from graph.database.events import EventStore
from graph.kernel.errors import DatabaseError, DatabaseUnavailableError, DiskFullError
from graph.kernel.events import Event
from graph.ports.telemetry import UNWATCHED, Telemetry

log = logging.getLogger("stratagraph.events")

MOST_KEPT = 10_000  # a database that stays away must not fill this process
_BATCH = 1_000
_WORDS = frozenset({"kind", "source", "phase", "status"})  # words of ours, not of a caller


class EventBuffer:
    """The ``EventLog`` of a service; ``flush`` writes what was noted.

    What a killed process gathered last is lost, and so is what finds it full; both are only events
    that change nothing in the graph.
    """

    def __init__(
        self, store: EventStore, telemetry: Telemetry = UNWATCHED, *, most: int = MOST_KEPT
    ) -> None:
        self._store = store
        self._telemetry = telemetry
        self._events: deque[Event] = deque()
        self._most = most
        self._writing = asyncio.Lock()

    @property
    def waiting(self) -> int:
        """Number of events that wait to be written."""
        return len(self._events)

    def note(self, event: Event) -> None:
        """See ``EventLog.note``."""
        if len(self._events) >= self._most:
            self._telemetry.count("events_dropped")
        else:
            self._events.append(event)
        self.told(event)

    def told(self, *events: Event) -> None:
        """See ``EventLog.told``."""
        for event in events:
            self._telemetry.count("events", event=event.name)
            facts: dict[str, Any] = {"action": event.name, **_facts(event.data)}
            log.info("utility event", extra=facts)

    async def flush(self) -> None:
        """Write what was gathered; what Neo4j does not take is kept for the next time."""
        async with self._writing:
            while self._events:
                batch = [self._events.popleft() for _ in range(min(_BATCH, len(self._events)))]
                if not await self._save(batch):
                    return

    async def _save(self, batch: list[Event]) -> bool:
        try:
            await self._store.save(batch)
        except (DatabaseUnavailableError, DiskFullError):
            self._events.extendleft(reversed(batch))
            return False
        except DatabaseError:
            # Perhaps they were written, and only the answer was lost: then they cannot be again.
            self._telemetry.count("events_dropped", len(batch))
        return True


def _facts(data: Mapping[str, Any]) -> dict[str, Any]:
    """Keep numbers, counts and our own words; ids are for those who may read the events."""
    facts: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, bool | int | float) or name in _WORDS:
            facts[name] = value
        elif isinstance(value, list | tuple):
            facts[f"{name}_count"] = len(value)  # pyright: ignore[reportUnknownArgumentType] -- JSON
    return facts
