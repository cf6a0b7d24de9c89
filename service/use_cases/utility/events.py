"""Events: reading in order from any position, and expiry."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from graph.database.events import EventStore
from graph.kernel.events import EventClock, EventFilter, EventGap, EventPage
from graph.model.memories.links import Lease
from service.use_cases.kernel.watched import TimedUseCase, watched

_WINDOW = 1_000  # event numbers that one read covers
_FRESH_SECONDS = 0.25  # age of a clock that listeners of one tenant share


@dataclass(slots=True)
class _Look:
    """The last known clock of a tenant; concurrent readers wait for the one that reads it."""

    looking: asyncio.Lock = field(default_factory=asyncio.Lock)
    clock: EventClock | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReadEvents(TimedUseCase):
    """Read the events of the caller's scopes after a number.

    Numbers grow without end and are the same on every replica. Events that expired unread are reported as a gap.
    """

    store: EventStore
    _looks: dict[str, _Look] = field(default_factory=dict[str, _Look])

    @watched("read_events")
    async def __call__(self, tenant: str, meant: EventFilter, after: int | None) -> EventPage:
        """Return the next events after a number; without a number, the present position."""
        # the present position must include events just written
        clock = await self._look(tenant, fresh=after is None)
        if after is None:
            return EventPage((), clock.last)
        # the number is of a replica with a newer clock, or of another graph
        if after > clock.last:
            clock = await self._look(tenant, fresh=True)
        gap = _gap(clock, after)
        # expired events are reported as a gap, then skipped
        start = after if gap is None else gap.oldest - 1
        # a window bounds the read of a tenant with many events
        upto = min(clock.last, start + _WINDOW)
        if upto <= start:
            return EventPage((), start, gap=gap)
        events = await self.store.window(tenant, meant, start, upto)
        return EventPage(events, upto, more=upto < clock.last, gap=gap)

    def forget_cached(self) -> None:
        """Drop the cached clocks."""
        self._looks.clear()

    async def _look(self, tenant: str, *, fresh: bool) -> EventClock:
        look = self._looks.setdefault(tenant, _Look())
        asked = self.clock.now()
        async with look.looking:
            if look.clock is not None and look.at is not None:
                age = (asked - look.at).total_seconds()
                # fresh is only a clock read after this request began
                if age < (0 if fresh else _FRESH_SECONDS):
                    return look.clock
            # the time before the read: events committed during it may be missing
            look.at = self.clock.now()
            look.clock = await self.store.clock(tenant)
            return look.clock


def _gap(clock: EventClock, after: int) -> EventGap | None:
    """Return the gap after a number: events expired, or the number is of another graph."""
    if after > clock.last:
        return EventGap(after, clock.last + 1)
    oldest = clock.last + 1 if clock.oldest is None else clock.oldest
    return EventGap(after, oldest) if oldest > after + 1 else None


@dataclass(frozen=True, slots=True)
class TendEvents:
    """Number unread events, and remove expired ones.

    Expired events have a number, so that a listener sees the gap.
    """

    name = "tend_events"

    store: EventStore
    batch: int
    pause: timedelta

    async def step(self, now: datetime, lease: Lease) -> int:
        """See ``Job.step``; a partial batch returns 0, as under load there is always one."""
        # numbered before they expire: a loss without a number would go unnoticed
        numbered = await self.store.number_all()
        expired = await self.store.expire(now, self.batch, lease)
        return numbered + expired if max(numbered, expired) >= self.batch else 0
