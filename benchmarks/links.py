"""Rate of linking in the background, alone and beside foreground writes.

One process, the worker's own steps, at several sizes of one scope; texts as in the latency benchmark.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.runner import (
    Running,
    add_common_arguments,
    opened_service,
    print_result,
    run_loop,
    running_service,
    say,
)
from benchmarks.stores import Words
from graph.model.memories.memory import NewMemory
from service.worker.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from service.bootstrap import Service

_SCOPE = "local/agent/one"
_BATCH = 500
_SEED = 7
_QUIET_SECONDS = 3.0  # after which the linker no longer yields to writes


def main() -> None:
    """Measure and end with one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000", help="memories, ascending")
    add_common_arguments(parser)
    options = parser.parse_args()
    sizes = sorted(int(size) for size in options.sizes.split(","))
    with running_service({"STRATAGRAPH_WORKER": "false"}) as running:
        print_result(run_loop(_measure(running, sizes)), as_json=options.json)


async def _measure(running: Running, sizes: list[int]) -> dict[str, float]:
    rng = np.random.default_rng(_SEED)
    words = Words.make(rng)
    figures: dict[str, float] = {}
    async with opened_service(running) as service:
        stored = 0
        for size in sizes:
            half = (stored + size) // 2
            await _fill(service, words, rng, half - stored)
            await asyncio.sleep(_QUIET_SECONDS)
            alone = await _link(service)
            await _fill(service, words, rng, size - half)
            writes = list[float]()
            beside = await _link(service, partial(_write, service, words, rng, writes))
            figures[f"links_per_s@{size}"] = (half - stored) / alone
            figures[f"links_beside_per_s@{size}"] = (size - half) / beside
            figures[f"write_beside_p50_ms@{size}"] = float(np.median(writes)) * 1000
            figures[f"write_beside_max_ms@{size}"] = max(writes) * 1000
            stored = size
            rates = (figures[f"links_per_s@{size}"], figures[f"links_beside_per_s@{size}"])
            say("  {:,}: {:.0f}/s, beside writes {:.0f}/s".format(size, *rates))
    return figures


async def _fill(service: Service, words: Words, rng: np.random.Generator, count: int) -> None:
    for first in range(0, count, _BATCH):
        texts = [words.text(rng, 8, 30) for _ in range(min(_BATCH, count - first))]
        await service.remember([NewMemory(_SCOPE, text) for text in texts])


async def _write(
    service: Service, words: Words, rng: np.random.Generator, seconds: list[float]
) -> None:
    text = words.text(rng, 8, 30)
    begun = time.perf_counter()
    await service.remember([NewMemory("local/agent/other", text)])
    seconds.append(time.perf_counter() - begun)


async def _link(service: Service, beside: Callable[[], Awaitable[None]] | None = None) -> float:
    """Work until nothing waits, with an action beside each step; return the seconds."""
    worker = Worker(service.leases, service.jobs, "benchmark")
    started = time.perf_counter()
    while await service.links.count_unlinked([_SCOPE]):
        step = asyncio.create_task(worker.tick(datetime.now(UTC)))
        if beside is not None:
            await beside()
        if not await step:
            await asyncio.sleep(0.05)
    await worker.release()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
