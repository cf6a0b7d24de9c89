"""Ports for events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from graph.model.events import Event, EventClock, EventFilter, NumberedEvent
    from graph.model.links import Lease


class EventLog(Protocol):
    """Log of events for listeners; it never waits and never fails."""

    def note(self, event: Event) -> None:
        """Keep an event; it is written some moments later, or counted as dropped."""
        ...

    def told(self, *events: Event) -> None:
        """Tell of events that a transaction has written: in the log, and as counts."""
        ...


class EventStore(Protocol):
    """Events in the graph: in an order that is the same for everybody, for as long as they are kept."""

    async def save(self, events: Sequence[Event]) -> None:
        """Write events that no transaction of their own wrote."""
        ...

    async def clock(self, tenant: str) -> EventClock:
        """Number a tenant's events that have no number yet; say how far they go, and from where."""
        ...

    async def window(
        self, tenant: str, meant: EventFilter, after: int, upto: int
    ) -> tuple[NumberedEvent, ...]:
        """Read the events that are meant with numbers above ``after`` up to ``upto``."""
        ...

    async def number_all(self) -> int:
        """Number what waits for it, of every tenant; return how many were numbered."""
        ...

    async def expire(self, now: datetime, limit: int, lease: Lease) -> int:
        """Remove up to ``limit`` numbered events whose time is over; return how many.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now; then nothing is removed.
        """
        ...


class NoEvents:
    """The log of whoever keeps no events: commands, measurements, tests."""

    def note(self, event: Event) -> None:
        """Keep nothing."""

    def told(self, *events: Event) -> None:
        """Tell nobody."""


NO_EVENTS = NoEvents()
