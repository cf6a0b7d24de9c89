"""The background worker: one of several replicas runs due jobs in steps, in a loop."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from graph.database.leases import LeaseStore
from graph.kernel.errors import LeaseLostError, StratagraphError
from graph.model.memories.links import Lease
from graph.ports.telemetry import UNWATCHED, Telemetry
from graph.ports.world import Clock
from service.bootstrap import Service
from service.use_cases.operation.jobs import Job

logger = logging.getLogger("stratagraph.worker")

LEASE = "worker"
LEASE_SECONDS = 15
_LONGEST_PAUSE = timedelta(minutes=1)


@dataclass(slots=True)
class JobState:
    """State of a job: counts since the start, and its next time."""

    steps: int = 0
    done: int = 0
    failures: int = 0
    failures_in_row: int = 0
    due_at: datetime | None = None

    def succeed(self, done: int, now: datetime, pause: timedelta) -> None:
        """Record a step; one with work is followed by the next at once."""
        self.steps += 1
        self.done += done
        self.failures_in_row = 0
        self.due_at = now if done else now + pause

    def fail(self, now: datetime) -> None:
        """Record a failure; repeated ones double the pause, up to a minute."""
        self.failures += 1
        self.failures_in_row += 1
        self.due_at = now + min(
            _LONGEST_PAUSE, timedelta(seconds=2.0 ** min(self.failures_in_row, 6))
        )


@dataclass(slots=True)
class Worker:
    """Jobs under one lease; the caller passes the time, and does the sleeping.

    ``ticks`` counts the ticks in which this replica held the lease.
    """

    leases: LeaseStore
    jobs: Sequence[Job]
    holder: str
    telemetry: Telemetry = UNWATCHED
    lease: Lease | None = None
    ticks: int = 0
    states: dict[str, JobState] = field(default_factory=dict[str, JobState])
    _silent: bool = False

    def __post_init__(self) -> None:
        self.states = {job.name: JobState() for job in self.jobs}

    async def tick(self, now: datetime) -> bool:
        """Renew the lease and do a step of each due job; return whether more waits.

        Without the lease nothing is done. Failures are logged once and retried later.
        """
        lease = await self._hold()
        self.telemetry.gauge("worker_leader", 0 if lease is None else 1)
        if lease is None:
            return False
        self.ticks += 1
        due = [job for job in self.jobs if (self.states[job.name].due_at or now) <= now]
        worked = False
        for job in due:
            worked = await self._step(job, now, lease) > 0 or worked
            if self.lease is None:
                return False
        return worked

    async def release(self) -> None:
        """Release the lease, so that another replica takes over at once."""
        lease, self.lease = self.lease, None
        if lease is None:
            return
        self.telemetry.gauge("worker_leader", 0)
        try:
            await self.leases.release(lease)
        except StratagraphError as error:
            logger.warning(
                "lease not given back", extra={"action": "release", "why": error.message}
            )

    async def _hold(self) -> Lease | None:
        had = self.lease
        try:
            self.lease = await self.leases.acquire(LEASE, self.holder, LEASE_SECONDS)
        except StratagraphError as error:
            self.lease = None
            if not self._silent:
                logger.warning(
                    "the worker waits for Neo4j", extra={"action": "lease", "why": error.message}
                )
            self._silent = True
            return None
        if self._silent:
            logger.info("the worker goes on", extra={"action": "lease"})
        self._silent = False
        if had is None and self.lease is not None:
            logger.debug("this replica works", extra={"action": "lease", "token": self.lease.token})
        return self.lease

    async def _step(self, job: Job, now: datetime, lease: Lease) -> int:
        state = self.states[job.name]
        try:
            with self.telemetry.span("job", job.name):
                done = await job.step(now, lease)
        except LeaseLostError:
            self.lease = None
            logger.debug("another replica has taken over", extra={"action": "lease"})
            return 0
        except Exception as error:  # noqa: BLE001 -- one job that fails must not stop the others
            self._note_failure(job, state, error, now)
            return 0
        if state.failures_in_row:
            logger.info("a job goes on", extra={"action": job.name})
        state.succeed(done, now, job.pause)
        return done

    def _note_failure(self, job: Job, state: JobState, error: Exception, now: datetime) -> None:
        known = isinstance(error, StratagraphError)
        if not state.failures_in_row:
            why = error.message if known else type(error).__name__
            logger.warning(
                "a job failed", extra={"action": job.name, "why": why}, exc_info=not known
            )
        state.fail(now)


STOP_SECONDS = 2.0


@asynccontextmanager
async def working(service: Service) -> AsyncGenerator[Worker | None]:
    """Run in the background while the context is open, unless disabled by the settings."""
    if not service.settings.worker:
        yield None
        return
    worker = Worker(service.leases, service.jobs, uuid.uuid4().hex, service.telemetry)
    stopping = asyncio.Event()
    task = asyncio.create_task(
        run(worker, service.clock, service.settings.worker_tick_seconds, stopping)
    )
    try:
        yield worker
    finally:
        stopping.set()
        await _end(task)
        with suppress(TimeoutError):
            await asyncio.wait_for(worker.release(), STOP_SECONDS)


async def run(worker: Worker, clock: Clock, seconds: float, stopping: asyncio.Event) -> None:
    """Tick until stopped: at once if more waits, else after a pause."""
    while not stopping.is_set():
        if not await worker.tick(clock.now()):
            with suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), seconds)


async def _end(task: asyncio.Task[None]) -> None:
    """Wait for the running step, or cancel it: its transaction is rolled back."""
    await asyncio.wait({task}, timeout=STOP_SECONDS)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
