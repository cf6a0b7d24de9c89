"""Where events go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from graph.model import Event


class EventLog(Protocol):
    """Takes events that no transaction of their own writes; it never waits and never fails."""

    def note(self, event: Event) -> None:
        """Keep an event; it is written some moments later, or counted as dropped."""
        ...


class NoEvents:
    """The log of whoever keeps no events: commands, measurements, tests."""

    def note(self, event: Event) -> None:
        """Keep nothing."""


NO_EVENTS = NoEvents()
