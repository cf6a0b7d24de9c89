"""Events of utility, concepts and strata."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, get_args

from stratagraph.vocabulary import EventName

EVENT_NAMES: tuple[EventName, ...] = get_args(EventName)
# Those of answered recalls and of observations are the most frequent, and name no memory by its
# uid.
NAMELESS_EVENTS: tuple[EventName, ...] = ("memory:utility_retrieval_completed", "agent:surprised")
NAMING_EVENTS = tuple(name for name in EVENT_NAMES if name not in NAMELESS_EVENTS)


@dataclass(frozen=True, slots=True)
class Event:
    """One event; ``data`` holds ids and numbers, never a text.

    It is visible to readers of its ``scope``. Names of utility events are those of *Memory Utility Learning System*.
    """

    uid: str
    name: EventName
    scope: str
    agent_id: str
    at: datetime
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NumberedEvent:
    """An event with its number, which grows within its tenant."""

    seq: int
    event: Event


@dataclass(frozen=True, slots=True)
class EventClock:
    """Last number of a tenant's events, and the oldest that is stored."""

    last: int
    oldest: int | None


@dataclass(frozen=True, slots=True)
class EventGap:
    """Removed events after ``after``; those from ``oldest`` on exist."""

    after: int
    oldest: int


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Filter for events: by scopes, names, and agent, if any."""

    scopes: tuple[str, ...]
    names: tuple[EventName, ...] = EVENT_NAMES
    agent_id: str | None = None


@dataclass(frozen=True, slots=True)
class EventPage:
    """Events in order; all up to ``after`` were read."""

    events: tuple[NumberedEvent, ...]
    after: int
    more: bool = False
    gap: EventGap | None = None
