"""The worker on a real graph: one of several replicas works, and hands over when it ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest_asyncio

from graph.database.driver import Connection
from graph.model.memories.links import Lease
from graph.model.memories.memory import NewMemory
from graph.ports.world import Embedder
from service.app import create_app
from service.bootstrap import Service, open_service
from service.settings import Settings
from service.worker.worker import Worker, working
from tests.conftest import Run
from tests.store.reading import lease_of
from tests.swapping import swapped

HOME = "local/agent/anna"


@pytest_asyncio.fixture(loop_scope="session")
async def replicas(
    service: Service, settings: Settings, connection: Connection, embedder: Embedder
) -> AsyncGenerator[list[Service]]:
    await service.leases.release(await lease_of(service))
    quick = settings.model_copy(update={"worker": True, "worker_tick_seconds": 0.05})
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(open_service(quick, connection, embedder))
            for _ in range(2)
        ]


async def until(met: Callable[[], Any]) -> None:
    async with asyncio.timeout(20):
        while not (await found if asyncio.iscoroutine(found := met()) else found):
            await asyncio.sleep(0.02)


async def nothing_waits(service: Service) -> None:
    async with asyncio.timeout(20):
        while await service.links.count_unlinked():
            await asyncio.sleep(0.05)


def done_by(*workers: Worker) -> list[int]:
    """Return how many memories each has linked, as told after a step and its rest."""
    return [worker.states["link_memories"].done for worker in workers]


async def test_one_of_two_replicas_works_and_the_other_takes_over_at_once(
    replicas: list[Service], cypher: Run
) -> None:
    one, two = replicas
    async with working(two) as second:
        assert second is not None
        async with working(one) as first:
            assert first is not None
            await one.remember([NewMemory(HOME, f"Ada Lovelace sails boat {i}") for i in range(9)])
            await until(lambda: sorted(done_by(first, second)) == [0, 9])
            assert (first.ticks > 0) != (second.ticks > 0)
            await until(lambda: max(first.ticks, second.ticks) > 5)
            assert min(first.ticks, second.ticks) == 0
        await until(lambda: second.ticks > 5)
        await one.remember([NewMemory(HOME, "Grace Hopper sails")])
        await until(lambda: sum(done_by(first, second)) == 10)
    [row] = cypher("MATCH (l:Lease {name: 'worker'}) RETURN l.holder AS holder")
    assert row["holder"] is None


@dataclass
class Endless:
    """A job whose step never ends by itself."""

    name: str = "endless"
    pause: timedelta = timedelta(0)
    began: bool = False
    cut_off: bool = False

    async def step(self, now: datetime, lease: Lease) -> int:
        self.began = True
        try:
            await asyncio.sleep(3600)
        finally:
            self.cut_off = True
        return 0


async def test_a_stop_cuts_a_long_step_off_and_gives_the_lease_back(
    replicas: list[Service], cypher: Run
) -> None:
    job, loop = Endless(), asyncio.get_running_loop()
    async with working(swapped(replicas[0], jobs=(job,))):
        await until(lambda: job.began)
        asked = loop.time()
    assert job.cut_off
    assert loop.time() - asked < 5
    assert await replicas[1].leases.acquire("worker", "next", 1) is not None


async def test_a_worker_that_is_switched_off_does_nothing(
    replicas: list[Service], cypher: Run
) -> None:
    settings = replicas[0].settings.model_copy(update={"worker": False})
    async with working(swapped(replicas[0], settings=settings)) as none:
        assert none is None
        assert await replicas[1].leases.acquire("worker", "me", 1) is not None


async def test_the_application_works_in_the_background_while_it_runs(
    replicas: list[Service], cypher: Run
) -> None:
    app = create_app(replicas[0])
    async with app.router.lifespan_context(app):
        await replicas[0].remember([NewMemory(HOME, "Ada Lovelace sails")])
        await nothing_waits(replicas[0])
    assert cypher("MATCH (:Memory)-[:MENTIONS]->(t:Term) RETURN t.name AS n ORDER BY n") == [
        {"n": "ada lovelace"},
        {"n": "sail"},
    ]


async def test_the_lag_and_who_works_are_told(replicas: list[Service], cypher: Run) -> None:
    one = replicas[0]
    await one.remember([NewMemory(HOME, f"note {i}") for i in range(3)])
    assert b"\nstratagraph_links_pending 3.0\n" in await one.exposition()
    async with working(one):
        await nothing_waits(one)
        deadline = asyncio.get_running_loop().time() + 20
        while b'job="link_memories"' not in (told := await one.exposition()):
            assert asyncio.get_running_loop().time() < deadline, "the step is told of nowhere"
            await asyncio.sleep(0.05)  # it is, once it has ended
        assert b"\nstratagraph_links_pending 0.0\n" in told
        assert b"\nstratagraph_worker_leader 1.0\n" in told
    assert b"\nstratagraph_worker_leader 0.0\n" in await one.exposition()
