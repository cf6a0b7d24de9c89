"""Learned utility comes to a large graph and leaves it again, also when it is cut off on the way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from datetime import datetime
from typing import Any

import pytest
import pytest_asyncio

from graph.database.driver import Database
from graph.kernel.embedding import EmbedderIdentity
from graph.kernel.scope import Caller
from graph.store.operation import migrate as migrations
from graph.store.operation.migrate import LATEST, index_problems, migrate, schema_state
from service.bootstrap import Service
from tests.conftest import Run

pytestmark = pytest.mark.slow

IDENTITY = EmbedderIdentity("bge-small-en-v1.5-int8", 384)
MEMORIES = 100_000
BEFORE = 4
LEARNED = 100  # memories that had rewards before

CREATE = """
UNWIND range(1, $memories) AS place
CALL (place) {
  CREATE (m:Memory)
  SET m.uid = 'm' + place, m.tenant = 'local', m.scope = $scope, m.metadata = 'note ' + place
} IN TRANSACTIONS OF 20000 ROWS
"""
LEARN = """
UNWIND range(1, $learned) AS place
MATCH (m:Memory {uid: 'm' + place})
SET m.q_value = 0.8, m.q_count = 3, m.q_m2 = 0.01, m.success_count = 3
"""
REMOVE = "MATCH (n) WHERE NOT n:Schema AND NOT n:Lease CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 20000 ROWS"
COUNT = "MATCH (m:Memory) WHERE m.initialized_from IS NOT NULL RETURN count(m) AS count"
STATES = """
MATCH (m:Memory)
RETURN m.q_value AS q_value, m.q_count AS q_count, m.q_m2 AS q_m2, m.q_left AS q_left, m.q_seq AS q_seq,
       m.initialized_from AS initialized_from, m.retrieval_count AS retrieval_count,
       m.success_count AS success_count, m.failure_count AS failure_count, count(*) AS memories
ORDER BY memories DESC
"""
SAID = """
MATCH (m:Memory)
WITH properties(m) AS said
RETURN count(*) AS memories, sum(size(keys(said))) AS properties,
       count(CASE WHEN said.metadata = 'note ' + substring(said.uid, 1) AND said.scope = $scope
                   AND said.tenant = 'local' THEN 1 END) AS unchanged
"""
ADDED = {
    "config_change_tenant_changed_at",
    "event_waiting",
    "memory_agent_q_value",
    "memory_q_value",
}


@pytest_asyncio.fixture(loop_scope="session")
async def filled(
    service: Service, cypher: Run, now: datetime, anna: Caller
) -> AsyncGenerator[Database]:
    """A graph of the release before, with memories that hold nothing of utility but for a few."""
    database = service.database
    await migrate(database, IDENTITY, now, target=BEFORE)
    await asyncio.to_thread(cypher, CREATE, memories=MEMORIES, scope=anna.writable())
    await asyncio.to_thread(cypher, LEARN, learned=LEARNED)
    yield database
    await asyncio.to_thread(cypher, REMOVE)
    await migrate(database, IDENTITY, now)


def names(cypher: Run) -> set[str]:
    return {row["name"] for row in cypher("SHOW INDEXES YIELD name")}


async def cut_off(
    work: Callable[[], Awaitable[object]], cypher: Run, until: Callable[[int], bool]
) -> int:
    """Begin, stop as soon as some memories are done, and say how many have utility then."""
    task = asyncio.ensure_future(work())
    while not until((await asyncio.to_thread(cypher, COUNT))[0]["count"]):
        assert not task.done()
        await asyncio.sleep(0.01)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    return int((await asyncio.to_thread(cypher, COUNT))[0]["count"])


async def test_utility_comes_to_a_large_graph_and_leaves_it_and_goes_on_where_it_was_cut_off(
    filled: Database, cypher: Run, now: datetime, anna: Caller
) -> None:
    def up() -> Awaitable[object]:
        return migrate(filled, IDENTITY, now)

    def down() -> Awaitable[object]:
        return migrate(filled, IDENTITY, now, target=BEFORE)

    assert 0 < await cut_off(up, cypher, lambda done: done > 0) < MEMORIES
    assert (await schema_state(filled)).version == BEFORE
    await up()
    fresh, learned = cypher(STATES)
    first = {"q_value": 0.5, "q_count": 0, "q_m2": 0.0, "q_left": None, "q_seq": None}
    counts = {"retrieval_count": 0, "success_count": 0, "failure_count": 0}
    rest = {**counts, "initialized_from": "default"}
    assert fresh == {**first, **rest, "memories": MEMORIES - LEARNED}
    assert learned.pop("q_left") == pytest.approx(0.9**3)
    old = {"q_value": 0.8, "q_count": 3, "q_m2": 0.01, "q_seq": 3}
    assert learned == {**old, **rest, "success_count": 3, "memories": LEARNED}
    assert names(cypher) >= ADDED
    assert (await schema_state(filled)).version == LATEST
    assert await index_problems(filled) == []

    assert 0 < await cut_off(down, cypher, lambda left: left < MEMORIES) < MEMORIES
    await down()
    [said] = cypher(SAID, scope=anna.writable())
    assert said == {"memories": MEMORIES, "properties": 4 * MEMORIES, "unchanged": MEMORIES}
    assert not names(cypher) & ADDED
    assert (await schema_state(filled)).version == BEFORE


async def test_a_long_migration_keeps_its_lease(
    service: Service, cypher: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrations, "_LEASE_SECONDS", 1)
    until: list[Any] = []
    async with migrations._lease(service.database):  # pyright: ignore[reportPrivateUsage] -- no statement is long enough
        deadline = asyncio.get_running_loop().time() + 10
        while len(set(until)) < 3:  # the first, and two renewals
            assert asyncio.get_running_loop().time() < deadline
            [row] = await asyncio.to_thread(
                cypher, "MATCH (l:Lease {name: 'migration'}) RETURN toString(l.until) AS until"
            )
            until.append(row["until"])
            await asyncio.sleep(0.05)
