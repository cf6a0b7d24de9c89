"""The loop around the worker: it sleeps, ticks, and ends when asked."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

from graph.ports.world import Clock
from service.bootstrap import Service
from service.worker.worker import Worker

STOP_SECONDS = 2.0


@asynccontextmanager
async def working(service: Service) -> AsyncGenerator[Worker | None]:
    """Work in the background while the context is open, unless the settings forbid it."""
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
    """Tick until asked to stop: at once where more waits, else after a pause."""
    while not stopping.is_set():
        if not await worker.tick(clock.now()):
            with suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), seconds)


async def _end(task: asyncio.Task[None]) -> None:
    """Let the step that runs end, or cut it off: its transaction is rolled back."""
    await asyncio.wait({task}, timeout=STOP_SECONDS)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
