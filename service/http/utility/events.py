"""`GET /v1/events`: server-sent events."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Header, Request
from starlette.responses import StreamingResponse

from graph.kernel.errors import InvalidInputError, StratagraphError, TooManyStreamsError
from graph.kernel.events import EVENT_NAMES, EventFilter, EventPage, NumberedEvent
from graph.kernel.scope import Caller
from service.bootstrap import Service
from service.http.kernel.routing import serves
from service.http.kernel.security import Tenant
from service.http.kernel.state import Bound, Streams, streams_of
from service.http.kernel.views import view_of
from stratagraph import wire
from stratagraph.operations.utility import EVENTS

router = APIRouter()

EVENT_STREAM = "text/event-stream"
LOOK_SECONDS = 0.5
BEAT_SECONDS = 15.0
RETRY_SECONDS = 2.0
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_MAX_NUMBER = 2**62

LastEventId = Annotated[
    str | None, Header(description="The `id` that came last; the stream goes on behind it.")
]


@serves(
    router,
    EVENTS,
    responses={200: {"content": {EVENT_STREAM: {}}, "description": "Server-sent events"}},
    response_class=StreamingResponse,
)
async def events(
    request: Request,
    caller: Caller,
    tenant: Tenant,
    asked: wire.EventsRequest,
    service: Bound,
    last_event_id: LastEventId = None,
) -> StreamingResponse:
    streams = streams_of(request)
    if streams.open >= service.settings.event_streams:
        raise TooManyStreamsError
    meant = EventFilter(caller.readable, asked.name or EVENT_NAMES, asked.agent)
    after = asked.after if last_event_id is None else _number(last_event_id)
    first = await service.read_events(
        tenant, meant, after
    )  # errors before the stream can still set the status
    stream = _Stream(service, tenant, meant, request, streams)
    return StreamingResponse(stream.parts(first), media_type=EVENT_STREAM, headers=_HEADERS)


@dataclass(slots=True)
class _Stream:
    """One listener, served until it disconnects or the service ends."""

    service: Service
    tenant: str
    meant: EventFilter
    request: Request
    streams: Streams

    async def parts(self, page: EventPage) -> AsyncGenerator[bytes]:
        with self.streams.one_more(self.service.telemetry):
            yield f"retry: {RETRY_SECONDS * 1000:.0f}\n\n".encode()
            loop = asyncio.get_running_loop()
            said_at = -math.inf  # a new listener gets its position at once
            while True:
                if part := page_part(page):
                    yield part
                    said_at = loop.time()
                elif loop.time() - said_at > BEAT_SECONDS:
                    yield heartbeat(page.after)
                    said_at = loop.time()
                if not page.more and await self._ends(LOOK_SECONDS):
                    return
                page = await self._next(page.after)

    async def _next(self, after: int) -> EventPage:
        """Read more events; while the database is unavailable, wait."""
        try:
            return await self.service.read_events(self.tenant, self.meant, after)
        except StratagraphError:
            await self._ends(RETRY_SECONDS)
            return EventPage((), after)

    async def _ends(self, seconds: float) -> bool:
        return await self.streams.closes_within(seconds) or await self.request.is_disconnected()


def page_part(page: EventPage) -> bytes:
    """Return a page as text, or nothing for an empty one."""
    parts: list[str] = []
    if page.gap is not None:
        after, oldest = page.gap.after, page.gap.oldest
        gap = wire.GapView(id=oldest - 1, after=after, oldest=oldest)
        parts.append(_message(gap.id, gap.name, gap.model_dump_json()))
    parts += [
        _message(each.seq, each.event.name, event_view(each).model_dump_json())
        for each in page.events
    ]
    return "".join(parts).encode()


def heartbeat(after: int) -> bytes:
    """Return a heartbeat with the position up to which nothing was missed."""
    return f": still here\nid: {after}\n\n".encode()


def event_view(numbered: NumberedEvent) -> wire.EventView:
    event = numbered.event
    return view_of(wire.EventView, event, id=numbered.seq, agent_id=event.agent_id or None)


def _message(number: int, name: str, data: str) -> str:
    return f"id: {number}\nevent: {name}\ndata: {data}\n\n"


def _number(last_event_id: str) -> int | None:
    """Parse `Last-Event-ID`, which clients send empty at first."""
    said = last_event_id.strip()
    if not said:
        return None
    if not (said.isascii() and said.isdecimal() and int(said[:20]) <= _MAX_NUMBER):
        raise InvalidInputError(
            "Last-Event-ID: must be the id of an event of this stream", field="Last-Event-ID"
        )
    return int(said)
