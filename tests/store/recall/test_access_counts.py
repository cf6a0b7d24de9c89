"""Access counts that a flush could not write: kept, or dropped and told, and never counted twice."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime

import pytest

from graph.database.driver import Connection, Transaction, open_database
from graph.kernel.errors import DatabaseUnavailableError
from graph.model.memories.memory import NewMemory
from graph.store.memories.store import MemoryStore
from service.bootstrap import Service
from service.use_cases.recall.accesses import AccessCounter
from tests.conftest import Run
from tests.store.bolt_way import BoltWay, bolt_way

HOME = "local/agent/anna"
HIGHEST = 2**63 - 1


class Counting(MemoryStore):
    """Memories that note how many are counted in one transaction."""

    sizes: list[int]

    async def count_accesses(self, counts: Mapping[str, int], at: datetime) -> None:
        self.sizes = [*getattr(self, "sizes", []), len(counts)]
        await super().count_accesses(counts, at)


@asynccontextmanager
async def counter_over(
    service: Service, connection: Connection
) -> AsyncGenerator[tuple[BoltWay, AccessCounter, Counting]]:
    async with bolt_way(connection) as (way, over), open_database(over) as database:
        store = Counting(database, service.configs)
        yield way, AccessCounter(store, service.clock), store


async def kept(service: Service, count: int) -> list[str]:
    saved = await service.remember([NewMemory(HOME, f"note {i}") for i in range(count)])
    return [each.uid or "" for each in saved]


def counts(cypher: Run) -> list[int]:
    rows = cypher("MATCH (m:Memory) RETURN coalesce(m.access_count, 0) AS n ORDER BY m.uid")
    return [row["n"] for row in rows]


def told(caplog: pytest.LogCaptureFixture) -> list[tuple[int, int]]:
    return [
        (vars(record)["memories"], vars(record)["accesses"])
        for record in caplog.records
        if record.message == "access counts dropped"
    ]


async def test_what_was_committed_without_an_answer_is_counted_once(
    service: Service, connection: Connection, cypher: Run, caplog: pytest.LogCaptureFixture
) -> None:
    one, two = await kept(service, 2)
    async with counter_over(service, connection) as (way, counter, _):
        counter.add([one, one, two])
        way.loses_commits = True
        with caplog.at_level(logging.WARNING, "stratagraph"):
            await counter.flush()
        way.loses_commits = False
        assert counter.waiting == 0
        assert told(caplog) == [(2, 3)]
        await counter.flush()
    assert counts(cypher) == [2, 1]


async def test_what_was_never_sent_waits_for_neo4j(
    service: Service, connection: Connection, cypher: Run, caplog: pytest.LogCaptureFixture
) -> None:
    one, two = await kept(service, 2)
    async with counter_over(service, connection) as (way, counter, _):
        counter.add([one, one, two])
        way.is_down = True
        await counter.flush()
        assert counter.waiting == 2
        counter.add([two])
        way.is_down = False
        await counter.flush()
        assert counter.waiting == 0
    assert counts(cypher) == [2, 2]
    assert told(caplog) == []


async def test_what_neo4j_refuses_is_dropped_and_the_rest_is_written(
    service: Service,
    connection: Connection,
    cypher: Run,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("service.use_cases.recall.accesses.BATCH", 1)
    uids = await kept(service, 3)
    cypher("MATCH (m:Memory {uid: $uid}) SET m.access_count = $n", uid=uids[0], n=HIGHEST)
    async with counter_over(service, connection) as (_, counter, _):
        counter.add(uids)
        await counter.flush()
        assert counter.waiting == 0
        await counter.flush()
    assert counts(cypher) == [HIGHEST, 1, 1]
    assert told(caplog) == [(1, 1)]


async def test_many_are_written_a_batch_in_a_transaction(
    service: Service, connection: Connection, cypher: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.use_cases.recall.accesses.BATCH", 2)
    async with counter_over(service, connection) as (_, counter, store):
        counter.add(await kept(service, 5))
        await counter.flush()
        assert store.sizes == [2, 2, 1]
    assert counts(cypher) == [1] * 5


async def test_a_write_says_whether_it_may_be_stored(
    connection: Connection, service: Service
) -> None:
    async with bolt_way(connection) as (way, over), open_database(over) as database:

        async def nothing(_: Transaction) -> None:
            pass

        way.loses_commits = True
        with pytest.raises(DatabaseUnavailableError) as lost:
            await database.write(nothing)
        way.loses_commits, way.is_down = False, True
        with pytest.raises(DatabaseUnavailableError) as away:
            await database.write(nothing)
    assert (lost.value.may_be_stored, away.value.may_be_stored) == (True, False)
