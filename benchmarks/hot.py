"""Recalls on small scopes that are held in the process, beside the same recalls from the graph.

Two services in one process on one database, one of which holds nothing; the same questions to both in
turns. Then another replica writes into the scopes once a second, while they are asked.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

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
from graph.scope import Caller
from service.bootstrap import Service, open_service
from service.bootstrap.managed import running_connection
from service.settings import Settings
from service.use_cases.recall import RecallRequest

if TYPE_CHECKING:
    from collections.abc import Iterator

_SCOPES = 6
_BATCH = 500
_SESSION_SIZE = 20
_WARM_UP = 150
_BESIDE_SECONDS = 10.0
_WRITE_SECONDS = 1.0
_ASK_SECONDS = 0.02
_SEED = 7


def main() -> None:
    """Measure and end with one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="100,500,1000", help="memories of a scope, ascending")
    parser.add_argument("--queries", type=int, default=200, help="queries per figure")
    add_common_arguments(parser)
    options = parser.parse_args()
    sizes = sorted(int(size) for size in options.sizes.split(","))
    with running_service({"STRATAGRAPH_WORKER": "false"}) as running:
        figures = run_loop(_measure(running, sizes, options.queries))
    print_result(figures, as_json=options.json)


async def _measure(running: Running, sizes: list[int], queries: int) -> dict[str, float]:
    rng = np.random.default_rng(_SEED)
    words = Words.make(rng)
    connection = running_connection(running.home)
    settings = Settings(
        neo4j_uri=connection.uri, worker=False, hot_scopes=True, hot_scope_memories=max(sizes)
    )
    without = settings.model_copy(update={"hot_scopes": False})
    figures: dict[str, float] = {}
    async with AsyncExitStack() as stack:
        held = await stack.enter_async_context(open_service(settings, connection))
        plain = await stack.enter_async_context(open_service(without, connection))
        for size in sizes:
            await _fill(plain, words, rng, size)
        await asyncio.sleep(3)
        for size in sizes:
            figures |= await _compare(held, plain, words, rng, size, queries)
        for size in sizes:
            figures |= await _beside_a_writer(held, plain, words, rng, size)
    return figures


def _owner(size: int, place: int) -> Caller:
    return Caller("local", f"hot-{size}-{place % _SCOPES}")


async def _fill(service: Service, words: Words, rng: np.random.Generator, size: int) -> None:
    for place in range(_SCOPES):
        scope = _owner(size, place).writable()
        rows = [
            NewMemory(scope, words.text(rng, 8, 30), session_id=f"session {i // _SESSION_SIZE}")
            for i in range(size)
        ]
        for first in range(0, size, _BATCH):
            await service.remember(rows[first : first + _BATCH])
    say(f"  {_SCOPES} scopes of {size:,} memories")


def _requests(words: Words, rng: np.random.Generator, size: int) -> Iterator[RecallRequest]:
    place = 0
    while True:
        yield RecallRequest(_owner(size, place), text=words.text(rng, 4, 10))
        place += 1


async def _timed(service: Service, request: RecallRequest) -> float:
    started = time.perf_counter()
    await service.recall(request)
    return time.perf_counter() - started


async def _compare(
    held: Service,
    plain: Service,
    words: Words,
    rng: np.random.Generator,
    size: int,
    queries: int,
) -> dict[str, float]:
    times: dict[str, list[float]] = {"held": [], "plain": []}
    requests = _requests(words, rng, size)
    before = _recalls(held)
    for number in range(_WARM_UP + queries):
        request = next(requests)
        if number == _WARM_UP:
            before = _recalls(held)
        pair = [("held", held), ("plain", plain)]
        for name, service in pair if number % 2 else reversed(pair):
            seconds = await _timed(service, request)
            if number >= _WARM_UP:
                times[name].append(seconds)
    p50 = {name: float(np.median(values)) * 1000 for name, values in times.items()}
    hits, asked = (now - then for now, then in zip(_recalls(held), before, strict=True))
    say(f"  {size:,}: {p50['held']:.2f} ms held, {p50['plain']:.2f} ms from the graph")
    return {
        f"held_p50_ms@{size}": p50["held"],
        f"plain_p50_ms@{size}": p50["plain"],
        f"ratio@{size}": p50["held"] / p50["plain"],
        f"hit_rate@{size}": hits / asked,
    }


async def _beside_a_writer(
    held: Service, writer: Service, words: Words, rng: np.random.Generator, size: int
) -> dict[str, float]:
    """Ask one scope at a steady pace while another replica writes into it."""
    requests, owner = _requests(words, rng, size), _owner(size, 0)
    before, times = _recalls(held), list[float]()
    end = time.perf_counter() + _BESIDE_SECONDS
    write_at = 0.0
    while time.perf_counter() < end:
        if time.perf_counter() >= write_at:
            write_at = time.perf_counter() + _WRITE_SECONDS
            await writer.remember([NewMemory(owner.writable(), words.text(rng, 8, 30))])
        request = next(requests)
        times.append(await _timed(held, RecallRequest(owner, text=request.text)))
        await asyncio.sleep(_ASK_SECONDS)
    hits, asked = (now - then for now, then in zip(_recalls(held), before, strict=True))
    return {
        f"beside_hit_rate@{size}": hits / asked,
        f"beside_p50_ms@{size}": float(np.median(times)) * 1000,
        f"beside_p95_ms@{size}": float(np.percentile(times, 95)) * 1000,
    }


def _recalls(service: Service) -> tuple[float, float]:
    """Return how many recalls were answered by what is held, and how many there were."""
    lines = service.metrics.exposition().decode().splitlines()
    counts = {
        line.split('outcome="')[1].split('"')[0]: float(line.rsplit(" ", 1)[1])
        for line in lines
        if line.startswith("stratagraph_hot_scope_recalls_total{")
    }
    return counts.get("hit", 0.0), sum(counts.values())


if __name__ == "__main__":
    main()
