"""Versions of scopes: which writes draw another one, and that those who draw them do not wait in a ring."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio

from graph.kernel.scope import Caller
from graph.model.memories.browsing import RemovalRequest
from graph.model.memories.memory import Link, NewMemory
from graph.ports.world import Embedder
from service.bootstrap import Connection, Service, open_service
from service.settings import Settings
from service.use_cases.recall.recall import RecallRequest
from tests.conftest import Remembers, Run
from tests.store.reading import linked

HOME = "local/agent/anna"
VERSION = "MATCH (s:Scope {scope: $scope}) RETURN s.version AS version"


@pytest_asyncio.fixture(loop_scope="session")
async def replica(
    service: Service, connection: Connection, embedder: Embedder
) -> AsyncGenerator[Service]:
    """A second service on the same graph."""
    settings = Settings(neo4j_uri=connection.uri, flush_seconds=3600, worker=False)
    async with open_service(settings, connection, embedder) as second:
        yield second


def retries(service: Service) -> list[str]:
    lines = service.metrics.exposition().decode().splitlines()
    return [line for line in lines if line.startswith("stratagraph_database_retries_total")]


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
    await service.accesses.flush()
    refused = [NewMemory(HOME, "new"), NewMemory(HOME, "lost", links=(Link("USED", "x"),))]
    answers = await service.remember(refused, atomic=True)
    assert answers[1].status == "rejected"
    assert cypher(VERSION, scope=HOME) == before


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
