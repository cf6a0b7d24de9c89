"""How fast the background links what was stored: memories per second, and foreground writes beside it.

One process, the worker's own steps, at several sizes of one scope; texts as in the latency benchmark.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from datetime import UTC, datetime

import numpy as np

from benchmarks.runner import (
    Running,
    add_common_arguments,
    print_result,
    run_loop,
    running_service,
    say,
)
from benchmarks.stores import Words
from graph.model import NewMemory
from service.bootstrap import Service, open_service
from service.bootstrap.managed import running_connection
from service.settings import Settings
from service.worker.worker import Worker

_SCOPE = "local/agent/one"
_BATCH = 500
_SEED = 7


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
    connection = running_connection(running.home)
    figures: dict[str, float] = {}
    async with open_service(Settings(neo4j_uri=connection.uri), connection) as service:
        stored = 0
        for size in sizes:
            for first in range(stored, size, _BATCH):
                texts = [words.text(rng, 8, 30) for _ in range(min(_BATCH, size - first))]
                await service.remember([NewMemory(_SCOPE, text) for text in texts])
            count, stored = size - stored, size
            seconds, writes = await _link(service, words, rng)
            figures[f"links_per_s@{size}"] = count / seconds
            figures[f"write_beside_p50_ms@{size}"] = float(np.median(writes)) * 1000
            figures[f"write_beside_max_ms@{size}"] = max(writes) * 1000
            say(f"  {size:,}: {count / seconds:.0f}/s")
    return figures


async def _link(
    service: Service, words: Words, rng: np.random.Generator
) -> tuple[float, list[float]]:
    """Work until nothing waits; time single writes of the foreground beside it."""
    worker = Worker(service.leases, service.jobs, "benchmark")
    started, writes = time.perf_counter(), list[float]()
    while await service.links.count_unlinked([_SCOPE]):
        step = asyncio.create_task(worker.tick(datetime.now(UTC)))
        begun = time.perf_counter()
        await service.remember([NewMemory("local/agent/other", words.text(rng, 8, 30))])
        writes.append(time.perf_counter() - begun)
        if not await step:
            await asyncio.sleep(0.05)
    await worker.release()
    return time.perf_counter() - started, writes


if __name__ == "__main__":
    main()
