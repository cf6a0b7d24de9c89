"""`GET /v1/events` on a real socket: named, filtered, resumed on another replica, ended with the service."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio
from pydantic import SecretStr
from ulid import ULID

from graph.database.driver import Connection
from graph.database.events import EventStore
from graph.kernel.errors import DatabaseUnavailableError
from graph.kernel.events import Event, EventGap, EventName, EventPage
from graph.kernel.scope import Caller
from graph.ports.world import Embedder
from service.bootstrap import Service, open_service
from service.http.utility import events as door
from service.http.utility.events import page_part
from service.settings import Settings
from service.use_cases.utility.events import ReadEvents
from tests.served import served
from tests.store.reading import lease_of
from tests.swapping import swapped

ANNA = Caller("local", "anna")
PATIENCE = 20


@dataclass(frozen=True)
class Message:
    """What an event source would hand on."""

    id: str
    event: str
    data: dict[str, Any]


async def messages(lines: AsyncIterator[str]) -> AsyncGenerator[Message]:
    """Read server-sent events as their specification says."""
    said: dict[str, str] = {}
    async for line in lines:
        name, _, value = line.partition(":")
        if line and name:
            said[name] = value.removeprefix(" ")
        elif not line:
            if "data" in said:
                yield Message(said["id"], said.get("event", "message"), json.loads(said["data"]))
            said = {}


@asynccontextmanager
async def listening(
    url: str, *, headers: dict[str, str] | None = None, **query: Any
) -> AsyncGenerator[AsyncGenerator[Message]]:
    asked = {"agent_id": "anna", **query}
    async with (
        httpx.AsyncClient(base_url=url, timeout=PATIENCE) as client,
        client.stream("GET", "/v1/events", params=asked, headers=headers) as answer,
    ):
        assert answer.status_code == 200, await answer.aread()
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield messages(answer.aiter_lines())


async def some(stream: AsyncGenerator[Message], count: int) -> list[Message]:
    async with asyncio.timeout(PATIENCE):
        return [await anext(stream) for _ in range(count)]


@pytest.fixture
def store(service: Service) -> EventStore:
    return EventStore(service.database, timedelta(minutes=60))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "LOOK_SECONDS", 0.05)


@pytest_asyncio.fixture(loop_scope="session")
async def url(service: Service) -> AsyncGenerator[str]:
    read = ReadEvents(service.read_events.store, clock=service.clock)
    async with served(swapped(service, read_events=read)) as url:
        yield url


def event(
    n: int,
    name: EventName = "memory:qvalue_updated",
    scope: str = "agent/anna",
    agent: str = "anna",
) -> Event:
    at = datetime.now(UTC)
    return Event(str(ULID.from_datetime(at)), name, f"local/{scope}", agent, at, {"n": n})


async def test_a_change_of_the_configuration_is_heard(service: Service, url: str) -> None:
    async with listening(url) as stream:
        first = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0)
        await service.change_config(ANNA, {"learning_rate": 0.2})
        async with asyncio.timeout(PATIENCE):
            heard = await first
    await service.change_config.reset(ANNA)
    assert heard.event == "memory:utility_config_updated"
    assert heard.data["data"] == {"names": ["learning_rate"]}
    assert heard.data["scope"] == "shared"
    assert heard.data["agent_id"] == "anna"
    assert heard.data["id"] == int(heard.id) == 1


async def test_events_come_from_where_one_left_off(store: EventStore, url: str) -> None:
    await store.save([event(n) for n in range(5)])
    async with listening(url, after=0) as stream:
        heard = await some(stream, 3)
    assert [message.id for message in heard] == ["1", "2", "3"]
    async with listening(url, headers={"Last-Event-ID": heard[-1].id}, after=0) as stream:
        rest = await some(stream, 2)
    assert [message.id for message in rest] == ["4", "5"]


async def test_no_number_is_said_before_what_lies_below_it(store: EventStore, url: str) -> None:
    await store.save([event(n) for n in range(3)])
    async with (
        httpx.AsyncClient(base_url=url, timeout=PATIENCE) as client,
        client.stream("GET", "/v1/events", params={"agent_id": "anna", "after": 0}) as answer,
        asyncio.timeout(PATIENCE),
    ):
        lines = [line async for line in _until(answer.aiter_lines(), "id: 3")]
    assert [line for line in lines if line.startswith("id:")] == ["id: 1", "id: 2", "id: 3"]


async def test_only_what_is_asked_for_and_may_be_seen(store: EventStore, url: str) -> None:
    await store.save(
        [
            event(1, "memory:tracked"),
            event(2),
            event(3, scope="agent/bert"),
            event(4, scope="channel/support", agent="bert"),
            event(5, scope="shared"),
        ]
    )

    async def heard(count: int, **query: Any) -> set[int]:
        async with listening(url, after=0, **query) as stream:
            return {message.data["data"]["n"] for message in await some(stream, count)}

    assert await heard(3) == {1, 2, 5}
    assert await heard(1, name="memory:tracked") == {1}
    both = ["memory:tracked", "memory:qvalue_updated"]
    assert await heard(3, name=both, agent="anna") == {1, 2, 5}
    assert await heard(4, channel_ids="support") == {1, 2, 4, 5}
    assert await heard(1, channel_ids="support", agent="bert") == {4}


async def test_a_listener_goes_on_on_another_replica_while_eight_write(
    service: Service,
    settings: Settings,
    connection: Connection,
    embedder: Embedder,
    store: EventStore,
    url: str,
) -> None:
    count = 8 * 10

    async def write(place: int) -> None:
        for turn in range(10):
            await store.save([event(place * 10 + turn)])

    async with (
        open_service(settings, connection, embedder) as replica,
        served(replica) as other_url,
    ):
        writing = asyncio.ensure_future(asyncio.gather(*(write(place) for place in range(8))))
        heard: list[Message] = []
        async with asyncio.timeout(60):
            while len(heard) < count:
                at = heard[-1].id if heard else "0"
                async with listening(url, headers={"Last-Event-ID": at}) as stream:
                    heard += await some(stream, min(7, count - len(heard)))
                url, other_url = other_url, url
            await writing
    assert [int(message.id) for message in heard] == list(range(1, count + 1))
    assert {message.data["data"]["n"] for message in heard} == set(range(count))


async def test_a_gap_is_told_first(store: EventStore, service: Service, url: str) -> None:
    await store.save([event(n) for n in range(3)])
    await store.clock("local")
    lease = await lease_of(service)
    await store.expire(datetime.now(UTC) + timedelta(hours=2), 10, lease)
    await service.leases.release(lease)
    await store.save([event(9)])
    async with listening(url, headers={"Last-Event-ID": "1"}) as stream:
        gap, after_it = await some(stream, 2)
    assert (gap.event, gap.id, gap.data) == (
        "stream:gap",
        "3",
        {"id": 3, "name": "stream:gap", "after": 1, "oldest": 4},
    )
    assert (after_it.id, after_it.data["data"]) == ("4", {"n": 9})


@pytest.mark.parametrize(
    ("query", "headers"),
    [
        ({"name": "memory:invented"}, {}),
        ({"after": -1}, {}),
        ({"colour": "red"}, {}),
        ({"agent_id": ""}, {}),
        ({}, {"Last-Event-ID": "x1"}),
        ({}, {"Last-Event-ID": "-1"}),
        ({}, {"Last-Event-ID": "9" * 40}),
    ],
)
async def test_what_cannot_be_listened_to_is_refused_at_once(
    client: httpx.AsyncClient, query: dict[str, Any], headers: dict[str, str]
) -> None:
    answer = await client.get("/v1/events", params={"agent_id": "anna"} | query, headers=headers)
    assert answer.status_code == 422, answer.text
    assert answer.json()["errors"][0]["field"]


async def test_an_empty_last_event_id_means_from_now_on(store: EventStore, url: str) -> None:
    await store.save([event(1)])
    async with listening(url, headers={"Last-Event-ID": ""}) as stream:
        first = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0.1)
        await store.save([event(2)])
        async with asyncio.timeout(PATIENCE):
            assert (await first).data["data"] == {"n": 2}


async def test_a_key_is_needed_where_keys_are_set_and_sees_its_tenant_alone(
    service: Service, store: EventStore
) -> None:
    await store.save([event(1, scope="shared")])
    keyed = service.settings.model_copy(
        update={
            "api_keys": (("local", SecretStr("l" * 16)), ("acme", SecretStr("a" * 16))),
        }
    )
    read = ReadEvents(service.read_events.store, clock=service.clock)
    async with served(swapped(service, settings=keyed, read_events=read)) as url:
        async with httpx.AsyncClient(base_url=url) as client:
            refused = await client.get("/v1/events", params={"agent_id": "anna"})
            assert refused.status_code == 401
        async with listening(url, headers={"X-API-Key": "l" * 16}, after=0) as stream:
            [heard] = await some(stream, 1)
            assert heard.data["data"] == {"n": 1}
        acme = Event(str(ULID()), "memory:tracked", "acme/shared", "anna", datetime.now(UTC), {})
        await store.save([acme])
        async with listening(url, headers={"X-API-Key": "a" * 16}, after=0) as stream:
            [heard] = await some(stream, 1)
            assert heard.data["uid"] == acme.uid


async def test_only_so_many_listen_at_once(service: Service) -> None:
    settings = service.settings.model_copy(update={"event_streams": 2})
    async with served(swapped(service, settings=settings)) as url:
        async with listening(url), listening(url):
            async with httpx.AsyncClient(base_url=url) as client:
                refused = await client.get("/v1/events", params={"agent_id": "anna"})
            assert refused.status_code == 503
            assert refused.json()["type"].endswith("too-many-streams")
            assert refused.headers["Retry-After"]
        async with asyncio.timeout(PATIENCE):
            while True:  # a place is free as soon as it is seen that a listener has gone
                try:
                    async with listening(url):
                        break
                except AssertionError:
                    await asyncio.sleep(0.02)


async def test_listeners_are_counted(service: Service, url: str) -> None:
    async with listening(url) as stream, asyncio.timeout(PATIENCE):
        while b"\nstratagraph_event_streams 1.0\n" not in await service.exposition():
            await asyncio.sleep(0.02)
        del stream
    async with asyncio.timeout(PATIENCE):
        while b"\nstratagraph_event_streams 0.0\n" not in await service.exposition():
            await asyncio.sleep(0.02)


async def test_a_stop_ends_the_streams_by_itself(service: Service) -> None:
    asked = 0.0
    async with asyncio.timeout(PATIENCE):
        async with httpx.AsyncClient(timeout=PATIENCE) as client:
            async with served(service) as url:
                request = client.build_request(
                    "GET", f"{url}/v1/events", params={"agent_id": "anna"}
                )
                answer = await client.send(request, stream=True)
                assert answer.status_code == 200
                asked = time.monotonic()
            assert time.monotonic() - asked < 5
            # It ended as an answer ends, and was not cut off.
            assert b"still here" in await answer.aread()


async def test_a_database_that_is_away_is_waited_for(
    service: Service, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "RETRY_SECONDS", 0.02)

    class Away(ReadEvents):
        async def __call__(self, *arguments: Any) -> EventPage:
            calls.append(1)
            if len(calls) in (2, 3):
                raise DatabaseUnavailableError
            return await ReadEvents.__call__(self, *arguments)

    calls: list[int] = []
    await store.save([event(1)])
    away = swapped(service, read_events=Away(store, clock=service.clock))
    async with served(away) as url, listening(url) as stream, asyncio.timeout(PATIENCE):
        first = asyncio.ensure_future(anext(stream))
        while len(calls) < 4:
            await asyncio.sleep(0.02)
        await store.save([event(2)])
        assert (await first).data["data"] == {"n": 2}


async def test_a_quiet_stream_says_that_it_is_alive_and_how_far_it_is(
    store: EventStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "BEAT_SECONDS", 0.05)
    await store.save([event(n, scope="agent/bert") for n in range(4)])
    query = {"agent_id": "anna", "after": 0}
    async with (
        httpx.AsyncClient(base_url=url, timeout=PATIENCE) as client,
        client.stream("GET", "/v1/events", params=query) as answer,
        asyncio.timeout(PATIENCE),
    ):
        lines = [line async for line in _until(answer.aiter_lines(), "id: 4")]
    assert lines[0] == "retry: 2000"
    assert ": still here" in lines


async def _until(lines: AsyncIterator[str], last: str) -> AsyncGenerator[str]:
    async for line in lines:
        yield line
        if line == last:
            return


def test_a_page_without_anything_says_nothing() -> None:
    assert page_part(EventPage((), 7)) == b""
    assert page_part(EventPage((), 7, gap=EventGap(3, 8))) == (
        b'id: 7\nevent: stream:gap\ndata: {"id":7,"name":"stream:gap","after":3,"oldest":8}\n\n'
    )
