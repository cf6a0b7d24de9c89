"""Erasure of an agent with many memories: seconds until it is hidden, until it is erased, and remains."""

from __future__ import annotations

import argparse
import asyncio
import time
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import TYPE_CHECKING, Any, LiteralString

import numpy as np

from benchmarks.runner import (
    Running,
    add_common_arguments,
    cpu_seconds,
    opened_service,
    print_result,
    progress,
    run_loop,
    running_service,
    say,
)
from benchmarks.stores import Words
from graph.kernel.scope import Caller
from graph.model.erasure.receipts import Subject
from graph.model.memories.memory import NewMemory
from service.use_cases.erasure.erase import BATCH

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from service.bootstrap import Service

GONE, STAYS = "gone-7f3a", "stays"
_SEED = 19
_ROWS = 500
_WORDS = (8, 60)
_SESSION = 20
_LOOK_SECONDS = 0.2
_NAMING = """
MATCH (n) WHERE NOT n:Lease AND NOT n:Schema
WITH n, [key IN keys(n) WHERE valueType(n[key]) STARTS WITH 'STRING' AND n[key] CONTAINS $name
  OR valueType(n[key]) STARTS WITH 'LIST<STRING' AND any(said IN n[key] WHERE said CONTAINS $name)] AS said
WHERE size(said) > 0
RETURN count(n) AS left, collect(DISTINCT labels(n)) AS labels"""
_PICTURE = """
MATCH (m:Memory) WHERE m.scope = $scope
OPTIONAL MATCH (m)-[e]->(o)
WITH m, [type(e), coalesce(o.uid, o.scope)] AS edge ORDER BY edge[0], edge[1]
RETURN m {.*, access_count: null, last_accessed_at: null, w0: null, w_at: null} AS memory, collect(edge) AS edges
ORDER BY memory.uid"""
_SHOWN = (
    "MATCH (m:Memory) WHERE m.scope = $scope AND m.state <> 'hidden' RETURN count(m) AS memories"
)
_HEAP = "CALL dbms.queryJmx('java.lang:type=Memory') YIELD attributes RETURN attributes"


def main() -> None:
    """Fill, erase, check, and print one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000, help="memories of the agent")
    parser.add_argument("--beside", type=int, help="memories of another; unset: a tenth")
    parser.add_argument("--heap", help="heap of Neo4j; unset: as the service sets it")
    add_common_arguments(parser)
    options = parser.parse_args()
    beside = max(1, options.memories // 10) if options.beside is None else options.beside
    environment = {"STRATAGRAPH_WORKER": "false"}
    if options.heap:
        environment["STRATAGRAPH_NEO4J_HEAP"] = options.heap
    with running_service(environment) as running:
        figures = run_loop(_measure(running, options.memories, beside))
    print_result(figures, as_json=options.json)


async def _measure(running: Running, memories: int, beside: int) -> dict[str, float]:
    async with opened_service(running, worker=False) as service:
        await _fill(service, STAYS, beside)
        await _fill(service, GONE, memories)
        before = await _picture(service)
        async with _heap_watched(service) as heap:
            hidden, removed, cpu = await _erase(running, service, memories)
        left = await _left(service)
        changed = float(await _picture(service) != before)
    say(
        f"  {memories:,} memories: hidden in {hidden:.1f} s, gone after {removed:.1f} s; "
        f"at most {heap[0]:.0f} MB of heap; {left:g} nodes name it; "
        f"the other agent's {beside:,} are {'changed' if changed else 'as they were'}"
    )
    return {
        "hidden_s": hidden,
        "hidden_per_s": memories / hidden,
        "removed_s": removed,
        "removed_per_s": memories / (removed - hidden),
        "hidden_cpu_ms": cpu[0] * 1000 / memories,
        "removed_cpu_ms": cpu[1] * 1000 / memories,
        "heap_mb": heap[0],
        "left": left,
        "others_changed": changed,
    }


async def _fill(service: Service, agent: str, memories: int) -> None:
    rng = np.random.default_rng(_SEED)
    words = Words.make(rng)
    for start in range(0, memories, _ROWS):
        places = range(start, min(start + _ROWS, memories))
        rows = [
            NewMemory(
                f"local/agent/{agent}",
                f"{place} {words.text(rng, *_WORDS)}",
                agent_id=agent,
                speaker=agent,
                session_id=f"session {place // _SESSION}",
            )
            for place in places
        ]
        saved = await service.remember(rows)
        if any(answer.status != "created" for answer in saved):
            raise SystemExit("a memory could not be stored")
        progress(f"stored of {agent}", places.stop, memories)


async def _erase(
    running: Running, service: Service, memories: int
) -> tuple[float, float, tuple[float, float]]:
    """Erase the agent; return seconds until it was hidden and erased, and those in Neo4j."""
    used = [cpu_seconds(running)[1]]
    caller, store, now = Caller("local", GONE), service.erase.store, service.clock.now()
    uid = service.remember.identifiers.new_uid(now)
    started = time.perf_counter()
    erasure = await store.begin(uid, Subject("agent", caller.home, GONE), now)
    while erasure is not None and erasure.stage == "hide":
        erasure = await store.step(uid, service.clock.now(), BATCH, None)
        progress("hidden", erasure.hidden if erasure else 0, memories)
    hidden = time.perf_counter() - started
    used.append(cpu_seconds(running)[1])
    [shown] = await _read(service, _SHOWN, scope=caller.home)
    if shown["memories"]:
        raise SystemExit(f"{shown['memories']} memories are not hidden")
    while erasure is not None and erasure.state == "running":
        erasure = await store.step(uid, service.clock.now(), BATCH, None)
        progress("removed", erasure.counts.get("Memory", 0) if erasure else 0, memories)
    removed = time.perf_counter() - started
    used.append(cpu_seconds(running)[1])
    return hidden, removed, (used[1] - used[0], used[2] - used[1])


@asynccontextmanager
async def _heap_watched(service: Service) -> AsyncGenerator[list[float]]:
    """Sample the heap of Neo4j; the list holds its maximum in megabytes."""
    most = [0.0]

    async def look() -> None:
        while True:
            [row] = await _read(service, _HEAP)
            used = row["attributes"]["HeapMemoryUsage"]["value"]["properties"]["used"]
            most[0] = max(most[0], used / 2**20)
            await asyncio.sleep(_LOOK_SECONDS)

    looking = asyncio.create_task(look())
    try:
        yield most
    finally:
        looking.cancel()


async def _left(service: Service) -> float:
    [row] = await _read(service, _NAMING, name=GONE)
    if row["left"]:
        say(f"  it is named by {row['labels']}")
    return float(row["left"])


async def _picture(service: Service) -> str:
    rows = await _read(service, _PICTURE, scope=f"local/agent/{STAYS}")
    return sha256(repr(rows).encode()).hexdigest()


async def _read(
    service: Service, statement: LiteralString, **parameters: Any
) -> list[dict[str, Any]]:
    driver = service.database.driver
    answer = await driver.execute_query(statement, parameters, database_="neo4j")
    return [record.data() for record in answer.records]


if __name__ == "__main__":
    main()
