"""Events of utility, concepts and strata for listeners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

EventName = Literal[
    "memory:qvalue_updated",
    "memory:qvalue_batch_updated",
    "memory:reward_attributed",
    "memory:tracked",
    "memory:utility_retrieval_completed",
    "memory:utility_config_updated",
    "concept:extracted",
    "concept:archived",
    "memory:strata_config_updated",
    "memory:surprised",
    "memory:superseded",
    "agent:surprised",
]
EVENT_NAMES: tuple[EventName, ...] = get_args(EventName)
# Those of answered recalls and of observations are most of all, and tell of no memory by its uid.
NAMELESS_EVENTS: tuple[EventName, ...] = ("memory:utility_retrieval_completed", "agent:surprised")
NAMING_EVENTS = tuple(name for name in EVENT_NAMES if name not in NAMELESS_EVENTS)


@dataclass(frozen=True, slots=True)
class Event:
    """One event; ``data`` holds ids and numbers, never a text.

    It is seen by whoever reads its ``scope``. The names of what happens to
    utility are those of *Memory Utility Learning System*.
    """

    uid: str
    name: EventName
    scope: str
    agent_id: str
    at: datetime
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NumberedEvent:
    """An event in its place among those of its tenant: numbers grow without end."""

    seq: int
    event: Event


@dataclass(frozen=True, slots=True)
class EventClock:
    """Last number of a tenant's events, and the oldest that is kept."""

    last: int
    oldest: int | None


@dataclass(frozen=True, slots=True)
class EventGap:
    """Events behind ``after`` that are gone; those from ``oldest`` on are there."""

    after: int
    oldest: int


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Filter for events: of some scopes and names, and by one agent or any."""

    scopes: tuple[str, ...]
    names: tuple[EventName, ...] = EVENT_NAMES
    agent_id: str | None = None


@dataclass(frozen=True, slots=True)
class EventPage:
    """Events in their order; all up to ``after`` have been looked at."""

    events: tuple[NumberedEvent, ...]
    after: int
    more: bool = False
    gap: EventGap | None = None
