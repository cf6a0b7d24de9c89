"""Consolidation on a real server: its duration, and the latency of concurrent recalls."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.rounds import percentile
from benchmarks.runner import Running, opened_service, progress, say
from benchmarks.stores import Words
from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from service.use_cases.recall.request import RecallRequest

if TYPE_CHECKING:
    from service.bootstrap import Service

_SEED = 17
_BATCH = 500
_WORDS = (8, 60)
QUIET = {
    "worker": False,
    "working_capacity": 0,
    "short_term_capacity": 0,
    "episodic_capacity": 0,
}


async def measure_consolidation(
    running: Running, few: int, agents: int, rounds: int, warm: int
) -> dict[str, float]:
    """Time one agent's memories, median after ``warm`` agents, and those of many with concurrent recalls."""
    async with opened_service(running, **QUIET) as service:
        seconds = [
            await _of_a_new_agent(service, f"one-{place}", few) for place in range(warm + rounds)
        ]
        alone = float(np.median(seconds[warm:]))
        told = ", ".join(f"{each:.2f}" for each in seconds)
        say(f"  {few:,} memories of one agent: {alone:.2f} s (from the first: {told})")
        await _fill(service, "asked", few)
        for agent in range(agents):
            await _fill(service, f"many-{agent}", few)
            progress("filled", agent + 1, agents)
        before = await _recalled(service, 300)
        took, beside = await _beside(service, agents)
    p95 = {"before": percentile(before, 95), "beside": percentile(beside, 95)}
    say(
        f"  {agents * few:,} of {agents} agents: {took:.1f} s; recall p95 {p95['before']:.1f} ms before, "
        f"{p95['beside']:.1f} ms beside ({len(beside)} recalls)"
    )
    return {
        "consolidate_1k_s": alone,
        "consolidate_100k_s": took,
        "recall_before_p95_ms": p95["before"],
        "recall_beside_p95_ms": p95["beside"],
        "recall_beside_ratio": p95["beside"] / p95["before"],
    }


async def _of_a_new_agent(service: Service, agent: str, memories: int) -> float:
    await _fill(service, agent, memories)
    return await consolidated(service, agent)


_WORDY = Words.make(np.random.default_rng(_SEED))


async def _fill(service: Service, agent: str, memories: int) -> None:
    """Write memories of an agent with its own texts, which no cache contains."""
    rng, words = np.random.default_rng([_SEED, *agent.encode()]), _WORDY
    for start in range(0, memories, _BATCH):
        rows = [
            NewMemory(
                f"local/agent/{agent}",
                words.text(rng, *_WORDS),
                agent_id=agent,
                stratum="episodic",
                session_id=f"session {place // 20}",
            )
            for place in range(start, min(start + _BATCH, memories))
        ]
        await service.remember(rows)


async def consolidated(service: Service, agent: str) -> float:
    """Consolidate all of an agent's memories, and return the seconds."""
    caller, at_work = Caller("local", agent), service.consolidate
    started = time.perf_counter()
    done = await at_work(caller, everything=True, dry_run=False, limit=0)
    run = done.run
    while run is not None and run.state == "running":
        await at_work.consolidation.step(run, datetime.now(UTC), None)
        [run] = await service.list_consolidations(caller, 1)
    if run is None or not run.counts.get("condensed"):
        raise SystemExit(f"nothing was condensed: {done}")
    return time.perf_counter() - started


async def _recalled(service: Service, times: int) -> list[float]:
    return [await _recall(service, place) for place in range(times)]


async def _recall(service: Service, place: int) -> float:
    text = _WORDY.text(np.random.default_rng(_SEED + place), 4, 9)
    started = time.perf_counter()
    await service.recall(RecallRequest(Caller("local", "asked"), text, k=10))
    return time.perf_counter() - started


async def _beside(service: Service, agents: int) -> tuple[float, list[float]]:
    """Recall all the time while one agent after the other is consolidated."""
    ended = asyncio.Event()
    seconds: list[float] = []

    async def ask() -> None:
        place = 0
        while not ended.is_set():
            seconds.append(await _recall(service, place := place + 1))
            await asyncio.sleep(0.02)

    asking = asyncio.create_task(ask())
    started = time.perf_counter()
    for agent in range(agents):
        await consolidated(service, f"many-{agent}")
        progress("consolidated", agent + 1, agents)
    took = time.perf_counter() - started
    ended.set()
    await asking
    return took, seconds
