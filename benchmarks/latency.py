"""Recalls beside the bare vector query, on the same driver and pool.

Latency of one client and throughput of many, in two shapes of store: many scopes of a few hundred memories, and one
scope with all. Profiles: no hops, the defaults, everything (two hops, twenty results, explained), and the defaults over
HTTP.
"""

from __future__ import annotations

import argparse
import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from benchmarks.floor import bare_search, settle_links
from benchmarks.lean_http import connected
from benchmarks.rounds import many_at_once, one_by_one
from benchmarks.runner import (
    Running,
    add_common_arguments,
    add_home_argument,
    memory_megabytes,
    opened_service,
    print_result,
    run_loop,
    running_service,
    say,
)
from benchmarks.stores import SHAPES, Store, refill
from graph.kernel.scope import Caller
from service.use_cases.recall.recall import RecallRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.lean_http import LeanConnection
    from benchmarks.rounds import Call, Question
    from service.bootstrap import Service

    Row = dict[str, float]

_SETTLE_SECONDS = 3.0
_ROUNDS = 6
_PROFILES: dict[str, dict[str, Any]] = {
    "hops0": {"hops": 0},
    "default": {},
    "all": {"hops": 2, "k": 20, "explain": True},
}
_NAMES = ("floor", *_PROFILES, "http")
_TOGETHER = ("floor", "default", "http")


def main() -> None:
    """Measure, print, and end with one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000", help="memories, one store for each")
    parser.add_argument("--shapes", default=",".join(SHAPES), help="many, one, or both")
    parser.add_argument("--queries", type=int, default=200, help="queries per figure")
    parser.add_argument("--warm-up", type=int, default=300, help="queries before any is timed")
    parser.add_argument("--clients", type=int, default=16, help="clients at once; 0: only one")
    parser.add_argument(
        "--worker", action="store_true", help="let the background link the memories meanwhile"
    )
    add_home_argument(parser)
    add_common_arguments(parser)
    options = parser.parse_args()
    sizes = sorted(int(size) for size in options.sizes.split(","))
    shapes = options.shapes.split(",")
    figures: dict[str, Row] = {}
    for shape in shapes:
        for size in sizes:
            store = Store.of(shape, size)
            home = store.home(options.home) if options.home else None
            with running_service(_environment(worker=options.worker), home) as run:
                figures[f"{shape}@{size}"] = run_loop(_measure(run, store, options))
    print_latencies(figures)
    if options.clients:
        print_throughput(figures, options.clients)
    print_result(summary(figures, shapes, sizes), as_json=options.json)


def _environment(*, worker: bool) -> dict[str, str]:
    """No cache of question vectors: the bare query embeds each time, too."""
    return {"STRATAGRAPH_WORKER": str(worker).lower(), "STRATAGRAPH_EMBEDDING_CACHE": "0"}


async def _measure(running: Running, store: Store, options: argparse.Namespace) -> Row:
    queries, clients, warm_up = options.queries, options.clients, options.warm_up
    async with opened_service(running, embedding_cache=0) as service, AsyncExitStack() as stack:
        database = service.database
        rate = await refill(service, store)
        if not options.worker:
            await settle_links(database.driver)
        say(f"  {store.shape}: {store.size:,} memories; measuring")
        await asyncio.sleep(_SETTLE_SECONDS)
        connections = [
            await stack.enter_async_context(connected(running.url)) for _ in range(clients or 1)
        ]
        calls = _calls(service, connections)
        row: Row = {"ingest_per_s": rate}
        timed = await one_by_one(calls, store.questions(warm_up + queries), warm_up)
        for name, each in timed.items():
            row |= {f"{name}_p50": each.percentile(50), f"{name}_p95": each.percentile(95)}
        if clients:
            asked = store.questions((_ROUNDS + 1) * queries)
            rounds = (asked[first : first + queries] for first in range(0, len(asked), queries))
            together = {name: calls[name] for name in _TOGETHER}
            for name, each in (await many_at_once(together, rounds, clients)).items():
                row |= {f"{name}_rate": each.rate, f"{name}_many_p95": each.percentile(95)}
        row["service_mb"], row["server_mb"] = memory_megabytes(running)
    return row


def _calls(service: Service, connections: Sequence[LeanConnection]) -> dict[str, Call]:
    async def floor(_client: int, question: Question) -> object:
        owner, text = question
        embedding = service.embedders.reading.embedder.embed_query(text)
        scopes = Caller("local", owner).readable[:1]
        return await bare_search(service.database.driver, embedding, scopes)

    async def over_http(client: int, question: Question) -> object:
        owner, text = question
        return await connections[client].post("/v1/recall", {"agent_id": owner, "text": text})

    def in_process(extra: dict[str, Any]) -> Call:
        def call(_client: int, question: Question) -> Any:
            owner, text = question
            return service.recall(RecallRequest(Caller("local", owner), text=text, **extra))

        return call

    profiles = {name: in_process(extra) for name, extra in _PROFILES.items()}
    return {"floor": floor, **profiles, "http": over_http}


def print_latencies(figures: dict[str, Row]) -> None:
    """Print the latency of one client."""
    print(f"{'store':>12} " + "".join(f"{name + ' p50 / p95 / ratio':>27}" for name in _NAMES))
    for store, row in figures.items():
        cells = [
            f"{row[f'{n}_p50']:.2f} / {row[f'{n}_p95']:.2f} / {_ratio(row, n):.2f}" for n in _NAMES
        ]
        filled = f"   ingest {row['ingest_per_s']:.0f}/s" if row["ingest_per_s"] else ""
        print(f"{store:>12} " + "".join(f"{cell:>27}" for cell in cells) + filled)


def print_throughput(figures: dict[str, Row], clients: int) -> None:
    """Print the throughput of many clients, and memory use."""
    print(f"{clients} clients: recalls per second / p95 in ms / ratio of the rates")
    print(f"{'store':>12} " + "".join(f"{name:>24}" for name in (*_TOGETHER, "service, server MB")))
    for store, row in figures.items():
        cells = [
            f"{row[f'{n}_rate']:.0f} / {row[f'{n}_many_p95']:.0f} / "
            f"{row[f'{n}_rate'] / row['floor_rate']:.2f}"
            for n in _TOGETHER
        ]
        memory = f"{row['service_mb']:.0f}, {row['server_mb']:.0f}"
        print(f"{store:>12} " + "".join(f"{cell:>24}" for cell in (*cells, memory)))


def _ratio(row: Row, name: str) -> float:
    return row[f"{name}_p50"] / row["floor_p50"]


def summary(figures: dict[str, Row], shapes: Sequence[str], sizes: Sequence[int]) -> Row:
    """Return the last line: each figure by shape, and at each size that of the worse shape."""
    out: Row = {}
    for size in sizes:
        by_shape = {shape: _named(figures[f"{shape}@{size}"]) for shape in shapes}
        for shape, named in by_shape.items():
            out |= {f"{_at(name, size)}_{shape}": value for name, value in named.items()}
        for name in next(iter(by_shape.values())):
            worse = min if name.endswith("throughput_ratio") else max
            out[_at(name, size)] = worse(named[name] for named in by_shape.values())
    return out


def _at(name: str, size: int) -> str:
    return f"{name}@{size}"


def _named(row: Row) -> Row:
    out = {
        "inprocess_ratio": _ratio(row, "default"),
        "hops0_ratio": _ratio(row, "hops0"),
        "all_ratio": _ratio(row, "all"),
        "http_ratio": _ratio(row, "http"),
        "http_p95_over_p50": row["http_p95"] / row["http_p50"],
        "p50_ms": row["default_p50"],
        "p95_ms": row["default_p95"],
        "floor_p50_ms": row["floor_p50"],
        "service_mb": row["service_mb"],
        "server_mb": row["server_mb"],
    }
    if "floor_rate" in row:
        out["throughput_ratio"] = row["default_rate"] / row["floor_rate"]
        out["http_throughput_ratio"] = row["http_rate"] / row["floor_rate"]
    return out


if __name__ == "__main__":
    main()
