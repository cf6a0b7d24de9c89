"""Events: reading in order from any position, and expiry."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from graph.database.events import EventStore
from graph.kernel.events import EventClock, EventFilter, EventGap, EventPage
from graph.model.memories.links import Lease
from service.use_cases.kernel.watched import TimedUseCase, watched

_WINDOW = 1_000  # numbers that one read looks through
_FRESH_SECONDS = 0.25  # a look that listeners of one tenant share


@dataclass(slots=True)
class _Look:
    """The last known clock of a tenant; concurrent readers wait for the one that reads it."""

    looking: asyncio.Lock = field(default_factory=asyncio.Lock)
    clock: EventClock | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReadEvents(TimedUseCase):
    """Read the events of the caller's scopes after a number.

    Numbers grow without end and mean the same on every replica. What expired unread is told as a
    gap, never passed over in silence.
    """

    store: EventStore
    _looks: dict[str, _Look] = field(default_factory=dict[str, _Look])

    @watched("read_events")
    async def __call__(self, tenant: str, meant: EventFilter, after: int | None) -> EventPage:
        """Answer what comes next behind a number; from now on where there is none yet."""
        # *from now on* must not miss what was just written
        clock = await self._look(tenant, fresh=after is None)
        if after is None:
            return EventPage((), clock.last)
        # a replica that looked later may have given it, or it is of another graph
        if after > clock.last:
            clock = await self._look(tenant, fresh=True)
        gap = _gap(clock, after)
        # what expired is told, then skipped
        start = after if gap is None else gap.oldest - 1
        # a window, so that one look at a tenant with many events stays short
        upto = min(clock.last, start + _WINDOW)
        if upto <= start:
            return EventPage((), start, gap=gap)
        events = await self.store.window(tenant, meant, start, upto)
        return EventPage(events, upto, more=upto < clock.last, gap=gap)

    def forget_cached(self) -> None:
        """Look anew at the next question, whoever looked a moment ago."""
        self._looks.clear()

    async def _look(self, tenant: str, *, fresh: bool) -> EventClock:
        look = self._looks.setdefault(tenant, _Look())
        asked = self.clock.now()
        async with look.looking:
            if look.clock is not None and look.at is not None:
                age = (asked - look.at).total_seconds()
                # fresh is only a look that began after this question
                if age < (0 if fresh else _FRESH_SECONDS):
                    return look.clock
            # the time before the read: what commits during it may be missing there
            look.at = self.clock.now()
            look.clock = await self.store.clock(tenant)
            return look.clock


def _gap(clock: EventClock, after: int) -> EventGap | None:
    """Say what was lost: it expired, or the number is of another graph."""
    if after > clock.last:
        return EventGap(after, clock.last + 1)
    oldest = clock.last + 1 if clock.oldest is None else clock.oldest
    return EventGap(after, oldest) if oldest > after + 1 else None


@dataclass(frozen=True, slots=True)
class TendEvents:
    """Number events that no listener has read, and remove expired ones.

    One that expires has its number by then, so that whoever comes back later sees that it is gone.
    """

    name = "tend_events"

    store: EventStore
    batch: int
    pause: timedelta

    async def step(self, now: datetime, lease: Lease) -> int:
        """See ``Job.step``; a little that was done is no reason to look again at once.

        Under load there is always a little.
        """
        # numbered before they expire: a loss without a number would be told to nobody
        numbered = await self.store.number_all()
        expired = await self.store.expire(now, self.batch, lease)
        return numbered + expired if max(numbered, expired) >= self.batch else 0
