"""Calls on a cycle, and an outer loop, in a store with many cycles.

One cycle goes through the service; the others are copies of it, its visit and its step, made in the database in
batches.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from ulid import ULID

from benchmarks.rounds import percentile
from benchmarks.runner import progress
from graph.kernel.scope import Caller
from graph.model.cycles.cycle import NewStep, ToolCall
from service.use_cases.cycles.complete import CycleReport
from service.use_cases.recall.recall import RecallRequest

if TYPE_CHECKING:
    from collections.abc import Awaitable, Sequence

    from service.bootstrap import Service

OWNER = Caller("local", "keeper")
FEW = 1000
_CALLS = 300
_BATCH = 2000
_GOAL = "How many eggs are left for the market?"
_COPY = """
MATCH (c:Cycle {uid: $uid})-[:HAS_PHASE]->(p:CyclePhase), (c)-[:HAS_STEP]->(s:CycleStep)
WITH c, p, s LIMIT 1
UNWIND $rows AS row
CREATE (n:Cycle)
SET n = c {.*, uid: row.uid, cycle_id: row.uid, status: row.status, started_at: row.at, touched_at: row.at, ended_at: row.at}
CREATE (n)-[:HAS_PHASE]->(q:CyclePhase)
SET q = p {.*, uid: row.uid, cycle_uid: row.uid}
CREATE (n)-[:HAS_STEP]->(t:CycleStep)
SET t = s {.*, uid: row.uid, cycle_uid: row.uid}
"""


async def measure(service: Service, most: int) -> dict[str, float]:
    """Return the durations of calls and of an outer loop with 1,000 stored cycles, and with ``most``."""
    pattern = await _pattern(service)
    figures: dict[str, float] = {}
    await _keep(service, pattern, 0, FEW)
    await _calls(service, "warm")
    await service.run_loop(OWNER)  # so that its statements are planned
    for name, first, kept in (("few", 0, FEW), ("many", FEW, most)):
        if first:
            await _keep(service, pattern, first, kept)
            await _calls(service, "warm again")
        figures |= {
            f"{call}_p95_ms_{name}": ms for call, ms in (await _calls(service, name)).items()
        }
        begun = time.perf_counter()
        looped = await service.run_loop(OWNER, dry_run=False)
        figures[f"loop_seconds_{name}"] = time.perf_counter() - begun
        figures[f"loop_cycles_{name}"] = float(looped.run.report["cycles"])
        figures[f"kept_{name}"] = float(kept)
    for call in ("phase", "step", "recall"):
        figures[f"{call}_ratio"] = figures[f"{call}_p95_ms_many"] / figures[f"{call}_p95_ms_few"]
    return figures


async def _pattern(service: Service) -> str:
    cycle, _ = await service.open_cycle(OWNER, _GOAL, "pattern")
    await service.enter_phase(OWNER, cycle.uid, "action", key="act")
    calls = (ToolCall("count", "success", result="9"),)
    await service.report_step(OWNER, cycle.uid, NewStep("s", calls=calls))
    await service.complete_cycle(OWNER, cycle.uid, CycleReport("success", answer="9"))
    return cycle.uid


async def _keep(service: Service, pattern: str, first: int, last: int) -> None:
    """Copy the pattern, spread over the last sixty days, two of three with success."""
    now = datetime.now(UTC)
    for begin in range(first, last, _BATCH):
        rows = [
            {
                "uid": str(ULID()),
                "status": "failure" if number % 3 == 0 else "success",
                "at": now - timedelta(minutes=(number * 7919) % 86_400),
            }
            for number in range(begin, min(begin + _BATCH, last))
        ]
        await service.database.driver.execute_query(
            _COPY, {"uid": pattern, "rows": rows}, database_="neo4j"
        )
        progress("kept", begin + len(rows), last)


async def _calls(service: Service, name: str) -> dict[str, float]:
    """Return the 95th percentile of each call, in turn, in milliseconds."""
    cycle, _ = await service.open_cycle(OWNER, _GOAL, name)
    took: dict[str, list[float]] = {"phase": [], "step": [], "recall": []}
    for number in range(_CALLS):
        text = f"How many eggs are left after {number} days?"
        step = NewStep(f"s{number}", calls=(ToolCall("count", "success", result=str(number)),))
        asked: Sequence[tuple[str, Awaitable[Any]]] = (
            ("recall", service.recall(RecallRequest(OWNER, text=text, k=5, task_id=name))),
            (
                "phase",
                service.enter_phase(OWNER, cycle.uid, "planning", key=f"p{number}", query=text),
            ),
            ("step", service.report_step(OWNER, cycle.uid, step)),
        )
        for call, waiting in asked:
            begun = time.perf_counter()
            await waiting
            took[call].append(time.perf_counter() - begun)
    return {call: percentile(each, 95) for call, each in took.items()}
