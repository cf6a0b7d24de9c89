"""Events: logged, counted, and buffered until they are written."""

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

MOST_KEPT = 10_000  # during a long unavailability of the database
_BATCH = 1_000
_WORDS = frozenset({"kind", "source", "phase", "status"})  # fields of a known set, not from callers


class EventBuffer:
    """The ``EventLog`` of a service; ``flush`` writes its buffer.

    Events in the buffer of a killed process, or beyond its limit, are lost; they report nothing that changes the graph.
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
        """Number of buffered events."""
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
        """Write the buffer; events that Neo4j refuses are kept for the next flush."""
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
            # The write may have succeeded without an answer: a repeat would fail.
            self._telemetry.count("events_dropped", len(batch))
        return True


def _facts(data: Mapping[str, Any]) -> dict[str, Any]:
    """Keep numbers, counts and known words; ids are only for readers of events."""
    facts: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, bool | int | float) or name in _WORDS:
            facts[name] = value
        elif isinstance(value, list | tuple):
            facts[f"{name}_count"] = len(value)  # pyright: ignore[reportUnknownArgumentType] -- JSON
    return facts
