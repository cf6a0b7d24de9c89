"""Ports for events."""

from __future__ import annotations

from typing import Protocol

from graph.kernel.events import Event


class EventLog(Protocol):
    """Log of events for listeners; it never waits and never fails."""

    def note(self, event: Event) -> None:
        """Keep an event; it is written some moments later, or counted as dropped."""
        ...

    def told(self, *events: Event) -> None:
        """Tell of events that a transaction has written: in the log, and as counts."""
        ...


class NoEvents:
    """The log of whoever keeps no events: commands, measurements, tests."""

    def note(self, event: Event) -> None:
        """Keep nothing."""

    def told(self, *events: Event) -> None:
        """Tell nobody."""


NO_EVENTS = NoEvents()
