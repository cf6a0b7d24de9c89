"""`events()`: heard as they happen, taken up where they broke off, given up where it is no use."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from ulid import ULID

from graph.database.events import EventStore
from graph.kernel.events import Event
from service.bootstrap import Service
from service.http.utility import events as door
from stratagraph import (
    AsyncClient,
    Client,
    ConnectionFailedError,
    InvalidRequestError,
    Retries,
    UnavailableError,
    UnexpectedAnswerError,
    wire,
)
from stratagraph.call import Caller
from stratagraph.errors import UsageError
from stratagraph.listening import Listening
from tests.client.conftest import QUICK
from tests.doors.operation.test_command_line import run
from tests.store.reading import lease_of

BUSY = b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nRetry-After: 0\r\n\r\n"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "LOOK_SECONDS", 0.02)
    monkeypatch.setattr(door, "RETRY_SECONDS", 0.01)


@pytest.fixture
def store(service: Service) -> EventStore:
    return EventStore(service.database, timedelta(minutes=60))


def event(n: int) -> Event:
    at = datetime.now(UTC)
    return Event(
        str(ULID.from_datetime(at)), "memory:tracked", "local/agent/anna", "anna", at, {"n": n}
    )


async def heard(client: AsyncClient, count: int, **options: Any) -> list[Any]:
    found: list[Any] = []
    async with asyncio.timeout(20):
        async for each in client.events(**options):
            found.append(each)
            if len(found) == count:
                break
    return found


async def test_both_clients_hear_the_same(store: EventStore, url: str, sync: Client) -> None:
    await store.save([event(n) for n in range(3)])

    def listen() -> list[Any]:
        stream: Iterator[Any] = iter(sync.events(after=0))
        return [next(stream) for _ in range(3)]

    async with AsyncClient(url, agent_id="anna") as client:
        one = await heard(client, 3, after=0)
        assert one == await asyncio.to_thread(listen)
        assert [each.id for each in one] == [1, 2, 3]
        [last] = await heard(client, 1, after=2, names=["memory:tracked"], agent="anna")
    assert last == one[-1]


@asynccontextmanager
async def scripted(*answers: bytes) -> AsyncGenerator[tuple[str, list[str]]]:
    """Answer one connection after the other, and end each; note where the listener wanted to go on."""
    left, asked = deque(answers), list[str]()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        asked.append(head.partition("last-event-id: ")[2].partition("\r\n")[0])
        writer.write(left.popleft() if left else b"")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", asked


def streamed(*numbers: int, cut: bytes = b"") -> bytes:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
    body = b"retry: 10\n: still here\nid: 0\n\n" if 1 in numbers else b""
    for number in numbers:
        view = wire.EventView(
            id=number, uid="u", name="memory:tracked", scope="shared", at=datetime.now(UTC), data={}
        )
        body += f"id: {number}\nevent: {view.name}\ndata: {view.model_dump_json()}\n\n".encode()
    # Promised to be longer than it is: the end is a failure, not an end.
    return (
        head
        + f"Content-Length: {len(body) + 99 if cut else len(body)}\r\n\r\n".encode()
        + body
        + cut
    )


async def test_what_breaks_off_is_taken_up_where_it_was() -> None:
    answers = (b"", BUSY, streamed(1, 2, cut=b"id: 3\nevent: mem"), streamed(3, 4), streamed(5))
    async with (
        scripted(*answers) as (url, asked),
        AsyncClient(url, agent_id="anna", retries=QUICK) as client,
    ):
        found = await heard(client, 5)
    assert [each.id for each in found] == [1, 2, 3, 4, 5]
    assert asked == ["", "", "", "2", "4"]


async def test_a_gap_is_told(service: Service, store: EventStore, url: str) -> None:
    await store.save([event(n) for n in range(3)])
    await store.clock("local")
    lease = await lease_of(service)
    await store.expire(datetime.now(UTC) + timedelta(hours=2), 10, lease)
    await service.leases.release(lease)
    await store.save([event(9)])
    async with AsyncClient(url, agent_id="anna") as client:
        gap, last = await heard(client, 2, after=1)
    assert gap == wire.GapView(id=3, after=1, oldest=4)
    assert last.id == 4


async def test_what_cannot_be_asked_for_is_refused_at_once(url: str) -> None:
    async with AsyncClient(url, agent_id="anna") as client:
        with pytest.raises(InvalidRequestError, match="name"):
            await heard(client, 1, names=["memory:invented"])


async def test_nobody_there_is_given_up_after_a_while() -> None:
    worn_out = Retries(first_pause=0.001, longest_pause=0.01, deadline=0.1)
    async with AsyncClient("http://127.0.0.1:9", agent_id="a", retries=worn_out) as client:
        with pytest.raises(ConnectionFailedError):
            await heard(client, 1)
    async with AsyncClient("http://127.0.0.1:9", agent_id="a", retries=0) as client:
        with pytest.raises(ConnectionFailedError):
            await heard(client, 1)


def listening(**options: Any) -> Listening:
    return Listening(Caller("anna"), (), None, None, {}, Retries(**options))


def test_it_goes_on_behind_what_it_heard_last() -> None:
    stream = listening()
    assert "Last-Event-ID" not in stream.request().headers
    for line in ("retry: 500", ": still here", "id: 41", ""):
        assert stream.take(line) is None
    assert stream.request().headers["Last-Event-ID"] == "41"
    assert stream.pause(None, "here") == 0.5
    # What a connection said last and did not end does not count.
    assert stream.take("id: 99") is None
    assert stream.request().headers["Last-Event-ID"] == "41"


def test_an_event_of_a_newer_release_is_passed_over() -> None:
    stream = listening()
    for line in ("id: 7", "event: memory:dreamt", "data: {}", ""):
        assert stream.take(line) is None
    assert stream.request().headers["Last-Event-ID"] == "7"


@pytest.mark.parametrize("lines", [("id: seven", ""), ("event: memory:tracked", "data: {}", "")])
def test_what_is_no_stream_of_events_is_told(lines: tuple[str, ...]) -> None:
    stream = listening()
    for line in lines[:-1]:
        stream.take(line)
    with pytest.raises(UnexpectedAnswerError):
        stream.take(lines[-1])


def test_a_busy_service_is_asked_again_later_and_not_for_ever() -> None:
    at = [0.0]
    stream = listening(random=lambda: 1.0, clock=lambda: at[0], deadline=10.0)
    busy = httpx.Response(503, headers={"Retry-After": "7"})
    assert stream.pause(busy, "here") == 7.0
    assert stream.pause(httpx.ReadTimeout(""), "here") == 0.4
    at[0] = 11.0
    with pytest.raises(UnavailableError):
        stream.pause(busy, "here")
    stream.take(": still here")
    assert stream.pause(httpx.ReadTimeout(""), "here") == 0.2


async def test_the_command_line_prints_them(store: EventStore, url: str) -> None:
    await store.save([event(n) for n in range(2)])
    to = ("--agent", "anna", "--url", url, "--after", "0", "--count", "2")
    said = await run("events", *to)
    assert sorted(line.split("  ")[2:] for line in said.splitlines()) == [
        ["memory:tracked", "n=0"],
        ["memory:tracked", "n=1"],
    ]
    said = await run("events", *to, "--json", "--name", "memory:tracked", "--by", "anna")
    assert '"name":"memory:tracked"' in said.splitlines()[0]
    with pytest.raises(UsageError):
        await run("events", "--url", url)


async def test_the_command_line_tells_of_a_gap(store: EventStore, url: str) -> None:
    await store.save([event(1)])
    said = await run("events", "--agent", "anna", "--url", url, "--after", "1000", "--count", "1")
    assert "gone: what came behind 1000 and before 2" in said
