"""Scopes that are held: when, how long, how many, and what lets them go."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import pytest_asyncio

from graph.model import (
    CandidateQuery,
    Filters,
    Link,
    NewMemory,
    PoolLimits,
    RemovalRequest,
    Walk,
)
from graph.ports import Embedder
from graph.scope import Caller
from graph.store.hot_scopes import HotLimits, HotScopes
from graph.store.memories import Neo4jMemories
from service.bootstrap import Connection, Service, open_service
from service.settings import Settings
from service.use_cases.recall import RecallRequest
from tests.conftest import Remembers, Run
from tests.store.reading import linked

HOME = "local/agent/anna"
VERSION = "MATCH (s:Scope {scope: $scope}) RETURN s.version AS version"


@pytest_asyncio.fixture(loop_scope="session")
async def replica(
    service: Service, connection: Connection, embedder: Embedder
) -> AsyncGenerator[Service]:
    """A second service on the same graph, which holds hot scopes."""
    settings = Settings(
        neo4j_uri=connection.uri,
        flush_seconds=3600,
        worker=False,
        hot_scopes=True,
        min_relevance=0.0,
    )
    async with open_service(settings, connection, embedder) as second:
        yield second


def hot_of(service: Service) -> HotScopes:
    assert service.hot_scopes is not None
    return service.hot_scopes


def outcomes(service: Service) -> dict[str, float]:
    lines = service.metrics.exposition().decode().splitlines()
    return {
        line.split('outcome="')[1].split('"')[0]: float(line.rsplit(" ", 1)[1])
        for line in lines
        if line.startswith("stratagraph_hot_scope_recalls_total{")
    }


def retries(service: Service) -> list[str]:
    lines = service.metrics.exposition().decode().splitlines()
    return [line for line in lines if line.startswith("stratagraph_database_retries_total")]


async def texts_of(service: Service, caller: Caller, text: str = "grey cat") -> list[str]:
    answer = await service.recall(RecallRequest(caller, text=text, k=50))
    await hot_of(service).settled()
    return sorted(result.memory.text for result in answer.results)


async def hold(service: Service, caller: Caller) -> None:
    for _ in range(10):
        await texts_of(service, caller)
        if set(caller.readable) <= set(hot_of(service).scopes):
            break
    assert set(caller.readable) <= set(hot_of(service).scopes)


def query(service: Service, caller: Caller, **changes: Any) -> CandidateQuery:
    return CandidateQuery(
        scopes=caller.readable,
        embedding=service.embedders.reading.embedder.embed_query("grey cat"),
        terms=("grey", "cat"),
        filters=Filters(),
        now=datetime.now(UTC),
        hops=1,
        limits=PoolLimits(),
        slot=service.embedders.reading.slot,
        **changes,
    )


async def test_a_scope_that_is_asked_three_times_is_held(
    replica: Service, remember: Remembers, anna: Caller
) -> None:
    await remember(anna, "the grey cat")
    await texts_of(replica, anna)
    await texts_of(replica, anna)
    assert hot_of(replica).scopes == ()
    await texts_of(replica, anna)
    assert set(hot_of(replica).scopes) == set(anna.readable)
    assert await texts_of(replica, anna) == ["the grey cat"]
    assert outcomes(replica) == {"cold": 3, "hit": 1}


async def test_what_another_replica_does_is_seen_at_once(
    replica: Service, service: Service, remember: Remembers, anna: Caller
) -> None:
    kept = await remember(anna, "the grey cat")
    gone = await remember(anna, "the grey dog")
    await hold(replica, anna)
    assert await texts_of(replica, anna) == ["the grey cat", "the grey dog"]
    await service.delete_memory(anna, gone)
    assert await texts_of(replica, anna) == ["the grey cat"]
    await hold(replica, anna)
    await service.amend_memory(anna, kept, {"text": "the black cat"})
    assert await texts_of(replica, anna) == ["the black cat"]
    assert outcomes(replica)["changed"] == 2


async def saved(service: Service, caller: Caller, uid: str) -> None:
    await service.remember([NewMemory(caller.writable(), "another one")])


async def updated(service: Service, caller: Caller, uid: str) -> None:
    await service.remember([NewMemory(caller.writable(), "changed", external_id="cat")])


async def told_to_link(service: Service, caller: Caller, uid: str) -> None:
    row = NewMemory(caller.writable(), "grey", external_id="cat", links=(Link("USED", uid),))
    [answer] = await service.remember([row])
    assert answer.status == "unchanged"


async def amended(service: Service, caller: Caller, uid: str) -> None:
    await service.amend_memory(caller, uid, {"importance": 5})


async def expiring(service: Service, caller: Caller, uid: str) -> None:
    await service.amend_memory(caller, uid, {"expires_at": datetime.now(UTC) + timedelta(days=1)})


async def deleted(service: Service, caller: Caller, uid: str) -> None:
    await service.delete_memory(caller, uid)


async def emptied(service: Service, caller: Caller, uid: str) -> None:
    await service.remove_memories(caller, RemovalRequest(None, None, None, dry_run=False))


async def rewarded(service: Service, caller: Caller, uid: str) -> None:
    await service.recall(RecallRequest(caller, text="grey", task_id="t"))
    await service.report_outcome(caller, "t", "success")


async def linked_behind(service: Service, caller: Caller, uid: str) -> None:
    await linked(service)


Write = Callable[[Service, Caller, str], Awaitable[None]]
WRITES: tuple[Write, ...] = (
    saved, updated, told_to_link, amended, expiring, deleted, emptied, rewarded,
    linked_behind,
)  # fmt: skip


@pytest.mark.parametrize("write", WRITES, ids=lambda write: write.__name__)
async def test_every_write_gives_its_scope_another_version(
    service: Service, remember: Remembers, cypher: Run, anna: Caller, bert: Caller, write: Write
) -> None:
    uid = await remember(anna, "the grey cat")
    await remember(anna, "grey", external_id="cat")
    await remember(bert, "a dog")
    before = cypher(VERSION, scope=HOME), cypher(VERSION, scope=bert.writable())
    await service.links.count_unlinked()
    await write(service, anna, uid)
    after = cypher(VERSION, scope=HOME), cypher(VERSION, scope=bert.writable())
    assert after[0] != before[0]
    assert after[0][0]["version"]
    assert after[1] == before[1] or write is linked_behind


async def test_what_changes_no_answer_changes_no_version(
    service: Service, remember: Remembers, cypher: Run, anna: Caller
) -> None:
    await remember(anna, "the grey cat")
    before = cypher(VERSION, scope=HOME)
    [answer] = await service.remember([NewMemory(HOME, "the grey cat")])
    assert answer.status == "duplicate"
    await service.recall(RecallRequest(anna, text="cat", task_id="t"))
    refused = [NewMemory(HOME, "new"), NewMemory(HOME, "lost", links=(Link("USED", "x"),))]
    answers = await service.remember(refused, atomic=True)
    assert answers[1].status == "rejected"
    assert cypher(VERSION, scope=HOME) == before


async def test_what_was_counted_here_or_elsewhere_is_known(
    replica: Service, service: Service, remember: Remembers, cypher: Run, anna: Caller
) -> None:
    uid = await remember(anna, "the grey cat")
    await hold(replica, anna)
    asked = query(replica, anna)
    replica.accesses.add([uid] * 3)
    await replica.accesses.flush()
    held = await hot_of(replica).candidates(asked)
    assert held is not None
    stored = (
        "MATCH (m:Memory {uid: $uid}) "
        "RETURN m.access_count AS n, m.w0 AS weight, m.w_at.epochMillis / 86400000.0 AS day"
    )
    [row] = cypher(stored, uid=uid)
    assert held.access_count.tolist() == [row["n"]]
    assert (held.weight.tolist(), held.weight_day.tolist()) == ([row["weight"]], [row["day"]])
    assert row["n"] >= 3
    service.accesses.add([uid])
    await service.accesses.flush()
    live = await hot_of(replica).candidates(asked)
    assert live is not None
    assert live.access_count.tolist() == [row["n"] + 1]
    [row] = cypher(stored, uid=uid)
    assert (live.weight.tolist(), live.weight_day.tolist()) == ([row["weight"]], [row["day"]])


async def test_what_has_a_grace_fades_from_its_end_on(
    replica: Service, service: Service, remember: Remembers, cypher: Run, anna: Caller
) -> None:
    uid = await remember(anna, "the grey cat")
    end = datetime(2100, 1, 1, tzinfo=UTC)
    cypher("MATCH (m:Memory) SET m.grace_until = $end", end=end)
    await hold(replica, anna)
    asked = query(replica, anna)
    plain = await service.recall.store.candidates(asked)
    assert plain.weight_day.tolist() == [end.timestamp() / 86_400]
    for counting in (replica, service):  # what is held is counted on, and then read again
        counting.accesses.add([uid])
        await counting.accesses.flush()
        held = await hot_of(replica).candidates(asked)
        assert held is not None
        assert held.weight_day.tolist() == plain.weight_day.tolist()


async def test_a_load_waits_for_a_write_that_is_not_over(
    replica: Service, remember: Remembers, connection: Connection, anna: Caller
) -> None:
    await remember(anna, "the grey cat")
    async with replica.database.driver.session(database=connection.database) as session:  # pyright: ignore[reportUnknownMemberType] -- **config is untyped in the driver
        writing = await session.begin_transaction()
        await writing.run("MATCH (m:Memory) SET m.text = 'the black cat'")
        await writing.run("MATCH (s:Scope {scope: $s}) SET s.version = 'drawn'", s=HOME)
        for _ in range(3):
            await replica.recall(RecallRequest(anna, text="cat"))
        settled = asyncio.create_task(hot_of(replica).settled())
        await asyncio.sleep(0.3)
        assert not settled.done()
        assert HOME not in hot_of(replica).scopes
        await writing.commit()
    await settled
    assert await texts_of(replica, anna) == ["the black cat"]
    assert outcomes(replica)["hit"] == 1


async def test_a_scope_without_a_version_gets_one(
    replica: Service, remember: Remembers, cypher: Run, anna: Caller
) -> None:
    await remember(anna, "the grey cat")
    await asyncio.to_thread(cypher, "MATCH (s:Scope) REMOVE s.version")
    await hold(replica, anna)
    assert cypher(VERSION, scope=HOME)[0]["version"]
    assert await texts_of(replica, anna) == ["the grey cat"]
    assert outcomes(replica)["hit"] == 1


async def test_a_change_by_hand_is_seen_with_its_version_or_after_a_while(
    replica: Service, remember: Remembers, cypher: Run, anna: Caller
) -> None:
    await remember(anna, "the grey cat")
    now = 0.0
    hot = HotScopes(replica.database, HotLimits(seconds=60), clock=lambda: now)
    store = replica.remember.store
    assert isinstance(store, Neo4jMemories)
    for _ in range(3):
        assert await hot.candidates(query(replica, anna)) is None
        await hot.settled()
    await asyncio.to_thread(cypher, "MATCH (m:Memory) SET m.q_value = 0.9")
    held = await hot.candidates(query(replica, anna))
    assert held is not None
    assert held.q_value.tolist() == [0.5]
    now = 61.0
    assert await hot.candidates(query(replica, anna)) is None
    await hot.settled()
    held = await hot.candidates(query(replica, anna))
    assert held is not None
    assert held.q_value.tolist() == [0.9]
    await asyncio.to_thread(
        cypher, "MATCH (m:Memory) SET m.q_value = 0.1 WITH m MATCH (s:Scope) "
        "SET s.version = randomUUID()"
    )  # fmt: skip
    assert await hot.candidates(query(replica, anna)) is None


async def test_only_so_many_bytes_are_held_and_the_scope_asked_last_stays(
    replica: Service, remember: Remembers, anna: Caller, bert: Caller
) -> None:
    for caller in (anna, bert):
        await remember(caller, "the grey cat " + "meows " * 1000)
    hot = HotScopes(replica.database, HotLimits(bytes=20_000))
    for caller in (anna, bert):
        for _ in range(3):
            await hot.candidates(query(replica, caller))
            await hot.settled()
    assert 0 < hot.bytes <= 20_000
    assert bert.writable() in hot.scopes
    assert anna.writable() not in hot.scopes


async def test_a_scope_that_is_too_large_is_not_held(
    replica: Service, remember: Remembers, anna: Caller
) -> None:
    for number in range(4):
        await remember(anna, f"the grey cat {number}")
    hot = HotScopes(replica.database, HotLimits(memories=3))
    for _ in range(5):
        assert await hot.candidates(query(replica, anna)) is None
        await hot.settled()
    assert HOME not in hot.scopes


async def test_a_walk_that_needs_the_graph_and_another_slot_are_not_answered(
    replica: Service, remember: Remembers, anna: Caller
) -> None:
    await remember(anna, "the grey cat")
    await hold(replica, anna)
    hot, asked = hot_of(replica), query(replica, anna)
    assert await hot.candidates(asked) is not None
    assert await hot.candidates(replace(asked, walk=Walk(similar=True))) is None
    assert await hot.candidates(replace(asked, walk=Walk(mentioned=5))) is None
    other = replace(asked, slot="b" if asked.slot == "a" else "a")
    for _ in range(4):
        assert await hot.candidates(other) is None
        await hot.settled()
    assert hot.scopes == ()


async def test_a_scope_that_changes_faster_than_it_is_asked_is_seldom_loaded(
    replica: Service, service: Service, remember: Remembers, anna: Caller
) -> None:
    await remember(anna, "the grey cat")
    await hold(replica, anna)
    for number in range(20):
        await remember(anna, f"the grey cat {number}")
        await texts_of(replica, anna)
    text = replica.metrics.exposition().decode()
    [line] = [line for line in text.splitlines() if line.startswith("stratagraph_hot_scope_loads")]
    assert float(line.split()[1]) <= 8


async def test_writers_in_the_same_scopes_do_not_wait_in_a_ring(
    service: Service, replica: Service, cypher: Run
) -> None:
    scopes = ["local/agent/anna", "local/agent/bert", "local/shared"]

    async def write(number: int) -> None:
        by = (service, replica)[number % 2]
        turned = scopes[number % 3 :] + scopes[: number % 3]
        rows = [
            NewMemory(scope, f"word {number}", session_id="s", speaker=f"Ann {number}")
            for scope in turned
        ]
        await by.remember(rows)

    before = [retries(by) for by in (service, replica)]
    await asyncio.gather(*(write(number) for number in range(16)))
    [row] = cypher("MATCH (m:Memory) RETURN count(m) AS n")
    assert row["n"] == 48
    retried = [retries(by) for by in (service, replica)]
    assert retried == before


async def test_nobody_gets_what_is_held_for_another(
    replica: Service, remember: Remembers, anna: Caller, bert: Caller
) -> None:
    both = Caller("local", "anna", user_ids=("ada",))
    await remember(anna, "the grey cat of Anna")
    await remember(bert, "the grey cat of Bert")
    await remember(Caller("local", user_ids=("ada",)), "the grey cat of Ada")
    for caller in (anna, bert, both):
        await hold(replica, caller)
    assert await texts_of(replica, anna) == ["the grey cat of Anna"]
    assert await texts_of(replica, bert) == ["the grey cat of Bert"]
    assert await texts_of(replica, both) == ["the grey cat of Ada", "the grey cat of Anna"]
    assert outcomes(replica)["hit"] >= 3
