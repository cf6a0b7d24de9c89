"""Events on a real graph: in one order for everybody, seen only by whoever may, gone after their time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import pytest_asyncio
from ulid import ULID

from graph.database.driver import Connection
from graph.database.events import EventStore, event_rows
from graph.kernel.errors import LeaseLostError
from graph.kernel.events import EVENT_NAMES, Event, EventFilter, EventName, EventPage, NumberedEvent
from graph.kernel.scope import Caller
from graph.model.memories.links import Lease
from graph.ports.world import Embedder
from service.bootstrap import Service, open_service
from service.settings import Settings
from service.use_cases.utility.events import ReadEvents, TendEvents
from tests.conftest import Run
from tests.store.reading import lease_of

ANNA = Caller("local", "anna", channel_ids=("support",))
BERT = Caller("local", "bert")
LIFE = timedelta(minutes=60)


@pytest_asyncio.fixture(loop_scope="session")
async def other(
    service: Service, settings: Settings, connection: Connection, embedder: Embedder
) -> AsyncGenerator[Service]:
    async with open_service(settings, connection, embedder) as replica:
        yield replica


@pytest.fixture
def store(service: Service) -> EventStore:
    return EventStore(service.database, LIFE)


@pytest.fixture
def read(service: Service, store: EventStore) -> ReadEvents:
    return ReadEvents(store, clock=service.clock)


def event(
    scope: str = "local/agent/anna",
    name: EventName = "memory:qvalue_updated",
    agent: str = "anna",
    at: datetime | None = None,
    **data: Any,
) -> Event:
    at = at or datetime.now(UTC)
    return Event(str(ULID.from_datetime(at)), name, scope, agent, at, data)


def seen_by(caller: Caller, *names: EventName, agent: str | None = None) -> EventFilter:
    return EventFilter(caller.readable, names or EVENT_NAMES, agent)


async def all_behind(
    read: ReadEvents, meant: EventFilter, after: int, tenant: str = "local"
) -> list[NumberedEvent]:
    found: list[NumberedEvent] = []
    while True:
        page = await read(tenant, meant, after)
        assert page.gap is None
        found += page.events
        after = page.after
        if not page.more:
            return found


async def tended(service: Service, now: datetime, batch: int = 1000) -> int:
    lease = await lease_of(service)
    job = TendEvents(EventStore(service.database, LIFE), batch=batch, pause=timedelta(0))
    done = await job.step(now, lease)
    await service.leases.release(lease)
    return done


async def test_an_event_comes_as_it_was_written(
    service: Service, read: ReadEvents, store: EventStore
) -> None:
    given = event(old=0.5, new=0.55, moves=[["a", 0.5, 0.6]])
    await store.save([given])
    [found] = await all_behind(read, seen_by(ANNA), 0)
    assert found == NumberedEvent(1, given)


async def test_without_a_place_it_goes_on_from_now(
    service: Service, read: ReadEvents, store: EventStore
) -> None:
    await store.save([event(n=1), event(n=2)])
    page = await read("local", seen_by(ANNA), None)
    assert page == EventPage((), 2)
    await store.save([event(n=3)])
    [found] = await all_behind(ReadEvents(store, clock=service.clock), seen_by(ANNA), page.after)
    assert (found.seq, found.event.data) == (3, {"n": 3})


async def test_what_others_own_is_not_seen(
    service: Service, read: ReadEvents, store: EventStore
) -> None:
    mine = event(n=1)
    shared = event("local/shared", n=2)
    channel = event("local/channel/support", n=3)
    await store.save(
        [mine, event("local/agent/bert", n=4), shared, channel, event("acme/shared", n=5)]
    )
    found = await all_behind(read, seen_by(ANNA), 0)
    assert {each.event.uid for each in found} == {mine.uid, shared.uid, channel.uid}
    assert [
        e.event.data["n"] for e in await all_behind(read, seen_by(Caller("local", "x")), 0)
    ] == [2]
    # Scopes of one tenant asked for through another's numbers.
    assert await all_behind(read, seen_by(ANNA), 0, tenant="acme") == []


async def test_only_some_names_or_one_agent(
    service: Service, read: ReadEvents, store: EventStore
) -> None:
    await store.save(
        [
            event(name="memory:tracked", n=1),
            event(name="memory:qvalue_updated", n=2),
            event("local/channel/support", "memory:tracked", agent="bert", n=3),
        ]
    )
    for meant, expected in (
        (seen_by(ANNA, "memory:tracked"), {1, 3}),
        (seen_by(ANNA, agent="anna"), {1, 2}),
        (seen_by(ANNA, "memory:tracked", agent="bert"), {3}),
        (seen_by(ANNA, "memory:utility_config_updated"), set[int]()),
    ):
        found = await all_behind(read, meant, 0)
        assert {each.event.data["n"] for each in found} == expected


async def test_a_filter_that_nothing_meets_moves_on_all_the_same(
    service: Service, read: ReadEvents, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.use_cases.utility.events._WINDOW", 4)
    await store.save([event(n=n) for n in range(9)])
    page = await read("local", seen_by(ANNA, "memory:tracked"), 0)
    assert page == EventPage((), 4, more=True)
    page = await read("local", seen_by(ANNA, "memory:tracked"), 8)
    assert page == EventPage((), 9)
    found = await all_behind(read, seen_by(ANNA), 0)
    assert [each.seq for each in found] == list(range(1, 10))


async def test_a_listener_that_changes_replicas_misses_nothing_and_hears_nothing_twice(
    service: Service, other: Service, connection: Connection
) -> None:
    writers = [EventStore(each.database, LIFE) for each in (service, other) * 4]
    written: list[str] = []

    async def write(place: int, writer: EventStore) -> None:
        for turn in range(12):
            # Uids of a clock that goes wrong: they say nothing about when they are committed.
            at = datetime.now(UTC) - timedelta(seconds=(place * 7 + turn) % 5)
            given = [event(at=at, turn=turn) for _ in range(1 + turn % 3)]
            await writer.save(given)
            written.extend(each.uid for each in given)

    async def listen(first: Service, second: Service) -> list[NumberedEvent]:
        heard: list[NumberedEvent] = []
        after = 0
        while not (writing.done() and {each.event.uid for each in heard} >= set(written)):
            page = await first.read_events("local", seen_by(ANNA), after)
            assert page.gap is None
            heard += page.events
            after = page.after
            first, second = second, first
            await asyncio.sleep(0)
        return heard

    writing = asyncio.ensure_future(
        asyncio.gather(*(write(place, writer) for place, writer in enumerate(writers)))
    )
    async with asyncio.timeout(60):
        one, two = await asyncio.gather(listen(service, other), listen(other, service))
        await writing
    assert [each.seq for each in one] == list(range(1, len(written) + 1))
    assert {each.event.uid for each in one} == set(written)
    assert one == two


async def test_events_go_after_their_time_and_the_gap_is_told(
    service: Service, read: ReadEvents, store: EventStore, cypher: Run
) -> None:
    now = datetime.now(UTC)
    old = [event(at=now - LIFE - timedelta(seconds=n), n=n) for n in range(3)]
    fresh = event(at=now, n=9)
    await store.save([*old, fresh])
    assert await tended(service, now, batch=3) == 4 + 3
    assert await tended(service, now) == 0
    assert cypher("MATCH (e:Event) RETURN e.seq AS seq") == [{"seq": 4}]
    page = await read("local", seen_by(ANNA), 1)
    assert page.gap is not None
    assert (page.gap.after, page.gap.oldest) == (1, 4)
    assert [each.event for each in page.events] == [fresh]
    assert (await read("local", seen_by(ANNA), 3)).gap is None
    await tended(service, now + 2 * LIFE)
    page = await ReadEvents(store, clock=service.clock)("local", seen_by(ANNA), 2)
    assert page.gap is not None
    assert (page.gap.oldest, page.after, page.events) == (5, 4, ())


async def test_what_expired_without_a_listener_is_a_gap_too(
    service: Service, read: ReadEvents, store: EventStore
) -> None:
    past = datetime.now(UTC) - 2 * LIFE
    await store.save([event(at=past, n=1)])
    page = await read("local", seen_by(ANNA), None)
    await store.save([event(at=past, n=2)])
    await tended(service, datetime.now(UTC))
    page = await ReadEvents(store, clock=service.clock)("local", seen_by(ANNA), page.after)
    assert page.gap is not None
    assert (page.gap.after, page.gap.oldest) == (1, 3)


async def test_a_number_of_another_graph_is_a_gap(
    service: Service, read: ReadEvents, store: EventStore
) -> None:
    await store.save([event()])
    page = await read("local", seen_by(ANNA), 1_000)
    assert page.gap is not None
    assert (page.gap.oldest, page.after, page.events) == (2, 1, ())


async def test_the_lease_is_needed_to_remove_events(service: Service, store: EventStore) -> None:
    await store.save([event(at=datetime.now(UTC) - 2 * LIFE)])
    lease = await lease_of(service)
    with pytest.raises(LeaseLostError):
        await store.expire(datetime.now(UTC), 10, Lease(lease.name, lease.holder, lease.token - 1))
    # One without a number stays: who comes back later could not be told.
    assert await store.expire(datetime.now(UTC), 10, lease) == 0
    assert await store.number_all() == 1
    assert await store.expire(datetime.now(UTC), 10, lease) == 1
    await service.leases.release(lease)


async def test_many_that_wait_are_numbered_in_parts(
    service: Service, read: ReadEvents, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.database.events._NUMBERED", 3)
    given = [event(n=n) for n in range(8)]
    await store.save(given)
    found = await all_behind(read, seen_by(ANNA), 0)
    assert [each.event.uid for each in found] == sorted(each.uid for each in given)
    assert [each.seq for each in found] == list(range(1, 9))


async def test_listeners_of_one_tenant_share_a_look(
    service: Service, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[str] = []
    clock = EventStore.clock

    async def counted(self: EventStore, tenant: str) -> Any:
        looks.append(tenant)
        return await clock(self, tenant)

    monkeypatch.setattr(EventStore, "clock", counted)
    read = ReadEvents(store, clock=service.clock)
    await asyncio.gather(*(read("local", seen_by(ANNA), 0) for _ in range(20)))
    await read("acme", seen_by(ANNA), 0)
    assert looks == ["local", "acme"]


async def test_without_a_life_time_nothing_is_written(service: Service, cypher: Run) -> None:
    assert event_rows([event()], None) == []
    await EventStore(service.database, None).save([event()])
    assert cypher("MATCH (e:Event) RETURN count(e) AS n") == [{"n": 0}]
