"""Whatever two replicas write, each answers from what it holds as one that holds nothing does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from graph.model import (
    KINDS,
    LINK_TYPES,
    PHASES,
    STATUSES,
    Filters,
    Link,
    NewMemory,
    RecallAnswer,
    RemovalRequest,
    Window,
)
from graph.ports import Embedder
from graph.scope import Caller
from graph.store.memories import Neo4jMemories
from service.app import create_app
from service.bootstrap import Connection, Service, open_service
from service.settings import Settings
from service.use_cases.recall import RecallRequest
from tests.conftest import Run
from tests.doors.moving import WIPE, exported, imported, of
from tests.store.reading import linked

WORDS = [
    "harbour",
    "lantern",
    "copper",
    "violin",
    "glacier",
    "orchard",
    "compass",
    "thunder",
    "velvet",
    "saffron",
]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
TAGS = st.lists(st.sampled_from(["red", "blue", "green"]), max_size=2, unique=True).map(tuple)
NOW = datetime.now(UTC)
OFTEN = 12
CALLERS = (
    Caller("local", "anna"),
    Caller("local", "anna", user_ids=("ada",)),
    Caller("local", "bert"),
)


@dataclass(frozen=True)
class Replicas:
    """Two services that hold hot scopes, one that does not, and the uids that they gave."""

    writers: tuple[Service, Service]
    plain: Service

    def forget(self) -> None:
        for service in (*self.writers, self.plain):
            store = service.remember.store
            assert isinstance(store, Neo4jMemories)
            store.forget_cached()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def replicas(
    shared_service: Service, connection: Connection, embedder: Embedder
) -> AsyncGenerator[Replicas]:
    holding = Settings(
        neo4j_uri=connection.uri,
        flush_seconds=3600,
        worker=False,
        hot_scopes=True,
        min_relevance=0.0,
    )
    async with AsyncExitStack() as stack:
        a, b = [
            await stack.enter_async_context(open_service(holding, connection, embedder))
            for _ in range(2)
        ]
        yield Replicas((a, b), shared_service)


def shown(answer: RecallAnswer) -> dict[str, Any]:
    results = {
        result.memory.uid: (
            *(result.memory, result.importance, result.occurred_at),
            *(result.replaced, result.superseded_by),
        )
        for result in answer.results
    }
    return {
        "results": results,
        "candidates": answer.candidates,
        "misses": {(miss.uid, miss.text) for miss in answer.near_misses},
    }


def numbers(answer: RecallAnswer) -> dict[str, list[float]]:
    rows = {r.memory.uid: [r.score, r.relevance, r.similarity, r.q_value] for r in answer.results}
    for result in answer.results:
        assert result.explanation is not None
        rows[result.memory.uid] += [v for _, v in sorted(result.explanation.components.items())]
    return rows


async def same(service: Service, plain: Service, request: RecallRequest) -> None:
    """Compare two answers; the vector index, which only one of them asks, lags a moment."""
    deadline = asyncio.get_running_loop().time() + 20
    while True:
        held, asked = await service.recall(request), await plain.recall(request)
        if shown(held) == shown(asked) or asyncio.get_running_loop().time() > deadline:
            break
        await asyncio.sleep(0.05)
    assert shown(held) == shown(asked)
    expected = numbers(asked)
    for uid, values in numbers(held).items():
        assert values == pytest.approx(expected[uid], abs=2e-5), uid


async def warmed(service: Service, request: RecallRequest) -> None:
    """Recall until all scopes of the caller are held."""
    hot = service.hot_scopes
    assert hot is not None
    for _ in range(OFTEN):
        await service.recall(request)
        await hot.settled()
        if set(request.caller.readable) <= set(hot.scopes):
            return
    raise AssertionError(f"{request.caller.readable}: only {hot.scopes} are held")


@st.composite
def rows(draw: st.DrawFn, caller: Caller) -> NewMemory:
    session = draw(st.none() | st.sampled_from(["s", "t"]))
    return NewMemory(
        scope=draw(st.sampled_from(caller.readable)),
        text=draw(TEXTS),
        kind=draw(st.sampled_from(KINDS)),
        external_id=draw(st.none() | st.sampled_from(["x", "y"])),
        agent_id=caller.agent_id,
        session_id=session,
        sequence=draw(st.none() | st.integers(0, 5)) if session else None,
        speaker=draw(st.none() | st.sampled_from(["Ann", "Bob"])),
        importance=draw(st.integers(1, 5)),
        tags=draw(TAGS),
        domain=draw(st.none() | st.just("sea")),
        phase=draw(st.none() | st.sampled_from(PHASES[2:3])),
        correct=draw(st.none() | st.booleans()),
        valid_to=draw(st.none() | st.just(NOW - timedelta(days=1))),
        expires_at=draw(st.none() | st.just(NOW + timedelta(days=1))),
    )


@st.composite
def filters(draw: st.DrawFn) -> Filters:
    return draw(
        st.sampled_from(
            [
                Filters(),
                Filters(kinds=KINDS[:4]),
                Filters(states=("active", "archived")),
                Filters(tags_any=("red", "blue")),
                Filters(tags_all=("green",)),
                Filters(importance_min=3),
                Filters(session_id="s"),
                Filters(domain="sea"),
                Filters(phase="planning"),
                Filters(correct=True),
                Filters(agent_id="anna"),
                Filters(recorded=Window(start=NOW - timedelta(minutes=1))),
                Filters(valid_at=NOW - timedelta(days=2)),
            ]
        )
    )


Step = Callable[["Replicas", Service, Caller, st.DataObject, list[str]], Awaitable[None]]


async def remember(
    _r: Replicas, by: Service, who: Caller, d: st.DataObject, uids: list[str]
) -> None:
    links = tuple(Link(d.draw(st.sampled_from(LINK_TYPES)), uid) for uid in uids[-1:])
    drawn = d.draw(st.lists(rows(who), min_size=1, max_size=3))
    found = [await by.remember([row]) for row in drawn]
    found.append(await by.remember([replace(drawn[0], links=links)]))
    uids += [answer.uid for answers in found for answer in answers if answer.uid]


async def amend(_r: Replicas, by: Service, who: Caller, d: st.DataObject, uids: list[str]) -> None:
    change = d.draw(
        st.sampled_from(
            [
                {"text": "copper violin anew"},
                {"tags": ["blue"]},
                {"importance": 5},
                {"state": "archived"},
                {"expires_at": NOW - timedelta(seconds=1)},
            ]
        )
    )
    if uids:
        await by.amend_memory(who, d.draw(st.sampled_from(uids)), change)


async def erase(_r: Replicas, by: Service, who: Caller, d: st.DataObject, uids: list[str]) -> None:
    if uids:
        uid = uids.pop(d.draw(st.integers(0, len(uids) - 1)))
        uids[:] = [other for other in uids if other != uid]
        await by.delete_memory(who, uid)


async def erase_tagged(
    _r: Replicas, by: Service, who: Caller, d: st.DataObject, uids: list[str]
) -> None:
    request = RemovalRequest(Filters(tags_any=("red",)), None, None, dry_run=False)
    await by.remove_memories(who, request)
    left = await by.remember.store.find(who.readable, uids)
    uids[:] = [uid for uid in uids if uid in left]


async def reward(_r: Replicas, by: Service, who: Caller, d: st.DataObject, uids: list[str]) -> None:
    task = f"task {d.draw(st.integers(0, 10**9))}"
    await by.recall(RecallRequest(who, text=d.draw(TEXTS), task_id=task))
    await by.report_outcome(who, task, d.draw(st.sampled_from(STATUSES)))


async def count(_r: Replicas, by: Service, who: Caller, d: st.DataObject, uids: list[str]) -> None:
    await by.accesses.flush()


async def link(_r: Replicas, by: Service, who: Caller, d: st.DataObject, uids: list[str]) -> None:
    await linked(by)


async def move(_r: Replicas, by: Service, who: Caller, d: st.DataObject, uids: list[str]) -> None:
    """Export all, remove all, and import it again."""
    transport = httpx.ASGITransport(app=create_app(by), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        lines = await exported(client, scope="tenant", vectors=True)
        everyone = RemovalRequest(None, None, None, dry_run=False)
        await by.remove_memories(who, everyone)
        answer = await imported(client, lines)
        assert not of(answer, "rejected"), answer


STEPS: tuple[Step, ...] = (
    remember,
    remember,
    amend,
    erase,
    erase_tagged,
    reward,
    count,
    link,
    move,
)


@given(data=st.data())
@settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_what_is_held_answers_as_the_graph_does(
    replicas: Replicas, cypher: Run, data: st.DataObject
) -> None:
    await asyncio.to_thread(cypher, WIPE)
    replicas.forget()
    who = data.draw(st.sampled_from(CALLERS))
    uids: list[str] = []
    await remember(replicas, replicas.writers[0], who, data, uids)
    for _ in range(data.draw(st.integers(3, 6))):
        request = RecallRequest(
            who,
            text=data.draw(TEXTS),
            filters=data.draw(filters()),
            hops=data.draw(st.integers(0, 2)),
            k=data.draw(st.sampled_from([3, 10])),
            explain=True,
        )
        for service in replicas.writers:
            await warmed(service, request)
            await same(service, replicas.plain, request)
        step = data.draw(st.sampled_from(STEPS))
        await step(replicas, data.draw(st.sampled_from(replicas.writers)), who, data, uids)
        for service in replicas.writers:
            await same(service, replicas.plain, request)


async def test_what_is_replaced_is_answered_as_the_graph_does(
    replicas: Replicas, cypher: Run
) -> None:
    await asyncio.to_thread(cypher, WIPE)
    replicas.forget()
    who, by = CALLERS[0], replicas.writers[0]
    days = [NOW - timedelta(days=days) for days in (30, 20, 10)]
    rows = [NewMemory(who.writable(), f"harbour {n}", occurred_at=at) for n, at in enumerate(days)]
    uids = [saved.uid or "" for saved in await by.remember(rows)]
    asked: list[dict[str, Any]] = [
        {},
        {"hops": 0},
        {"filters": Filters(superseded=True)},
        {"filters": Filters(superseded=True, tags_any=("red",))},
        {"as_of": days[1] + timedelta(days=1)},
        {"as_of": days[1] + timedelta(days=1), "filters": Filters(superseded=True)},
    ]
    requests = [RecallRequest(who, text="harbour", k=10, explain=True, **each) for each in asked]
    steps = [
        lambda: by.state_supersession(who, uids[1], uids[0]),
        lambda: by.state_supersession(who, uids[2], uids[1]),
        lambda: by.amend_memory(who, uids[0], {"valid_to": days[2]}),
        lambda: by.undo_supersession(who, uids[2], uids[1]),
        lambda: by.delete_memory(who, uids[1]),
    ]
    for step in steps:
        await step()
        for service in replicas.writers:
            await warmed(service, requests[0])
            for request in requests:
                await same(service, replicas.plain, request)
