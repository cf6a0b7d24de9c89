"""The worker's rules, on jobs and leases that are a few lines each; the real ones are in tests/store."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, cast

import pytest

from graph.kernel.errors import DatabaseUnavailableError, LeaseLostError
from graph.model.memories.links import Lease
from service.worker.worker import Worker, run

if TYPE_CHECKING:
    from graph.database.leases import LeaseStore

NOW = datetime(2027, 1, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@dataclass
class Leases:
    """One lease that another may hold, in a database that may be dead."""

    taken: bool = False
    dead: bool = False
    released: list[Lease] = field(default_factory=list[Lease])

    async def acquire(self, name: str, holder: str, seconds: int) -> Lease | None:
        if self.dead:
            raise DatabaseUnavailableError
        return None if self.taken else Lease(name, holder, 1)

    async def release(self, lease: Lease) -> None:
        if self.dead:
            raise DatabaseUnavailableError
        self.released.append(lease)


@dataclass
class Counting:
    """A job with so much to do, that may fail."""

    name: str = "counting"
    left: int = 0
    pause: timedelta = 5 * SECOND
    error: Exception | None = None
    steps: int = 0

    async def step(self, now: datetime, lease: Lease) -> int:
        self.steps += 1
        if self.error is not None:
            raise self.error
        done = min(self.left, 10)
        self.left -= done
        return done


def worker(*jobs: Counting, leases: Leases | None = None) -> Worker:
    return Worker(cast("LeaseStore", leases or Leases()), jobs, "me")


async def test_a_tick_does_a_step_of_each_job_and_says_whether_more_waits() -> None:
    busy, idle = Counting("busy", left=15), Counting("idle")
    working = worker(busy, idle)
    assert [await working.tick(NOW) for _ in range(3)] == [True, True, False]
    assert (busy.left, working.states["busy"].done, working.states["busy"].steps) == (0, 15, 3)
    assert idle.steps == 1


async def test_a_job_without_work_rests() -> None:
    job = Counting()
    working = worker(job)
    for seconds in (0, 1, 4, 5, 6):
        await working.tick(NOW + seconds * SECOND)
    assert job.steps == 2


async def test_without_the_lease_nothing_is_done() -> None:
    job = Counting(left=5)
    working = worker(job, leases=Leases(taken=True))
    assert await working.tick(NOW) is False
    assert (job.steps, working.ticks) == (0, 0)


async def test_a_job_that_fails_is_logged_once_and_rests_longer_each_time(
    caplog: pytest.LogCaptureFixture,
) -> None:
    bad, good = Counting("bad", error=DatabaseUnavailableError()), Counting("good", left=99)
    working = worker(bad, good)
    with caplog.at_level(logging.INFO, "stratagraph.worker"):
        for seconds in range(16):
            await working.tick(NOW + seconds * SECOND)
    assert bad.steps == 4  # after 0, 2, 6 and 14 seconds
    assert good.steps == 12  # ten with work, one without, one after its rest
    failed = [record for record in caplog.records if record.message == "a job failed"]
    assert len(failed) == 1
    assert working.states["bad"].failures == 4
    bad.error = None
    with caplog.at_level(logging.INFO, "stratagraph.worker"):
        await working.tick(NOW + timedelta(minutes=2))
    assert caplog.records[-1].message == "a job goes on"


async def test_an_unforeseen_error_does_not_stop_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    bad, good = Counting("bad", error=ZeroDivisionError("secret")), Counting("good", left=5)
    assert await worker(bad, good).tick(NOW) is True
    assert good.left == 0
    [record] = [record for record in caplog.records if record.message == "a job failed"]
    assert record.exc_info
    assert getattr(record, "why", None) == "ZeroDivisionError"


async def test_who_is_overtaken_stops_at_once() -> None:
    first, second = Counting("first", error=LeaseLostError()), Counting("second", left=5)
    working = worker(first, second)
    assert await working.tick(NOW) is False
    assert (second.steps, working.lease) == (0, None)
    assert working.states["first"].failures == 0


async def test_a_dead_database_is_logged_once_and_work_goes_on_after(
    caplog: pytest.LogCaptureFixture,
) -> None:
    leases, job = Leases(dead=True), Counting(left=5)
    working = worker(job, leases=leases)
    with caplog.at_level(logging.INFO, "stratagraph.worker"):
        assert [await working.tick(NOW) for _ in range(3)] == [False] * 3
        await working.release()
        leases.dead = False
        assert await working.tick(NOW) is True
    said = [record.message for record in caplog.records]
    assert said == ["the worker waits for Neo4j", "the worker goes on"]


async def test_a_lease_that_cannot_be_given_back_is_no_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    leases = Leases()
    working = worker(leases=leases)
    await working.tick(NOW)
    leases.dead = True
    await working.release()
    assert working.lease is None
    assert "lease not given back" in caplog.text


class Stepping:
    """A clock that goes on by a second whenever it is read."""

    def __init__(self) -> None:
        self.time = NOW

    def now(self) -> datetime:
        self.time += SECOND
        return self.time


async def test_the_loop_ticks_on_while_there_is_work_and_ends_when_asked() -> None:
    job, stopping = Counting(left=95), asyncio.Event()
    working = worker(job)
    loop = asyncio.create_task(run(working, Stepping(), 3600, stopping))
    async with asyncio.timeout(5):
        while job.left:
            await asyncio.sleep(0)
    assert not loop.done()
    stopping.set()
    await asyncio.wait_for(loop, 5)
    assert job.steps == 11
