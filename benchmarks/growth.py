"""Growth of a store of attempts, with and without concepts.

Real attempts are added in steps; after each step background work is completed, as in a service that has caught up, and
the same random questions are asked. One store archives what its concepts cover, the other has no concepts.
"""

from __future__ import annotations

import argparse
import asyncio
import os
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.attempts import OWNER, load_attempts, load_questions
from benchmarks.floor import count_states
from benchmarks.reasoning import QUIET, ask, fill
from benchmarks.runner import (
    Running,
    add_common_arguments,
    cpu_seconds,
    opened_service,
    print_result,
    progress,
    run_loop,
    running_service,
)
from service.worker.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import timedelta

    from benchmarks.attempts import Attempts, Question
    from graph.model.memories.links import Lease
    from service.bootstrap import Service
    from service.use_cases.operation.jobs import Job

_SEED = 7
_MODES = {"m1a": "dual", "all": "all"}
_JOBS = ("extract_concepts", "tend_concepts")
_QUIET_TICKS = 8
PROFILES: Mapping[str, Mapping[str, Any]] = {
    "without": {"concepts": False},
    "with": {"concepts": True, "concept_archive": True},
}
Row = dict[str, float]


@dataclass(slots=True)
class TimedJob:
    """A job whose steps are timed, in milliseconds of processor time; steps without work are left out.

    Other processes do not count, but work of Neo4j does.
    """

    job: Job
    clock: Callable[[], float]
    steps: list[float] = field(default_factory=list[float])

    @property
    def name(self) -> str:
        """See ``Job.name``."""
        return self.job.name

    @property
    def pause(self) -> timedelta:
        """See ``Job.pause``."""
        return self.job.pause

    async def step(self, now: datetime, lease: Lease) -> int:
        """See ``Job.step``."""
        begun = self.clock()
        done = await self.job.step(now, lease)
        if done:
            self.steps.append((self.clock() - begun) * 1000)
        return done


def main() -> None:
    """Add, measure, print the curve, and end with one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of GSM8K (*.jsonl)")
    parser.add_argument("--episodes", default="500,1000,2000,4000,8000", help="after how many")
    parser.add_argument("--queries", type=int, default=60, help="problems that are asked each time")
    parser.add_argument("--profiles", default=",".join(PROFILES), help="which; unset: both")
    parser.add_argument("--seed", type=int, default=_SEED, help="of order, questions and numbers")
    add_common_arguments(parser)
    options = parser.parse_args()
    sizes = sorted(int(size) for size in options.episodes.split(","))
    attempts = load_attempts(options.data, options.seed, sizes[-1])
    questions = load_questions(options.data, options.seed, options.queries)
    curves: dict[str, list[Row]] = {}
    for name in options.profiles.split(","):
        with running_service({"STRATAGRAPH_WORKER": "false"}) as running:
            curves[name] = run_loop(_grow(running, PROFILES[name], attempts, questions, sizes))
        print_curve(name, curves[name])
    print_result(summary(curves), as_json=options.json)


async def _grow(
    running: Running,
    settings: Mapping[str, Any],
    attempts: Attempts,
    questions: Sequence[Question],
    sizes: Sequence[int],
) -> list[Row]:
    async with opened_service(running, **QUIET, **settings, episodes_max=0) as service:
        jobs = [
            TimedJob(job, lambda: sum(cpu_seconds(running, os.getpid()))) for job in service.jobs
        ]
        rows: list[Row] = []
        for size in sizes:
            await fill(service, replace(attempts, records=attempts.records[:size]))
            await _catch_up(service, jobs)
            row = {"given": float(size), **await _stored(service, size)}
            row |= await _recalled(service, attempts, questions)
            rows.append(row | _times(jobs))
            print_curve(f"so far, {size:,}", rows[-1:])
    return rows


async def _catch_up(service: Service, jobs: Sequence[TimedJob]) -> None:
    """Tick until there was no work for a while."""
    worker = Worker(service.leases, jobs, "benchmark")
    total, quiet = await service.links.count_unlinked(), 0
    while quiet < _QUIET_TICKS:
        if await worker.tick(datetime.now(UTC)):
            quiet = 0
            left = await service.links.count_unlinked()
            if left:
                progress("linked", total - left, total)
        else:
            quiet += not await service.links.count_unlinked()
            await asyncio.sleep(0.2)
    await worker.release()
    if failed := {name: state.failures for name, state in worker.states.items() if state.failures}:
        raise SystemExit(f"jobs failed: {failed}")


async def _stored(service: Service, size: int) -> Row:
    """Count all and active memories, and the share of attempts with a concept."""
    rows = await count_states(service.database.driver, OWNER.writable())
    active = [row for row in rows if row["state"] == "active"]
    return {
        "nodes": float(sum(row["nodes"] for row in rows)),
        "active": float(sum(row["nodes"] for row in active)),
        "active_ep": float(sum(row["nodes"] for row in active if row["kind"] == "episode")),
        "concepts": float(sum(row["nodes"] for row in active if row["kind"] == "concept")),
        "covered": sum(row["covered"] for row in rows) / size,
        "mb": sum(row["bytes"] for row in rows) / 2**20,
        "active_mb": sum(row["bytes"] for row in active) / 2**20,
    }


async def _recalled(service: Service, attempts: Attempts, questions: Sequence[Question]) -> Row:
    """Ask the questions: candidates, results, and their relevance."""
    row: Row = {}
    for name in _MODES:
        pool, given, hits, good = list[int](), list[int](), list[bool](), list[float]()
        for place, question in enumerate(questions):
            answer = await ask(service, name, question)
            names = [result.content.external_id or "" for result in answer.results]
            right = [attempts.answers(each, question) for each in names]
            pool.append(sum(answer.nodes.values()))
            given.append(len(names) + len(answer.concepts) + len(answer.strategies))
            hits.append(any(right))
            good.append(float(np.mean(right or [False])))
            progress(f"questions of {name}", place + 1, len(questions))
        row |= {f"pool_{name}": float(np.mean(pool)), f"given_{name}": float(np.mean(given))}
        row |= {f"hit5_{name}": float(np.mean(hits)), f"prec5_{name}": float(np.mean(good))}
    return row


def _times(jobs: Sequence[TimedJob]) -> Row:
    """Return the durations of the last steps of the concepts' jobs, and reset them."""
    row: Row = {}
    for job in jobs:
        short = job.name.partition("_")[0]
        if job.name in _JOBS:
            row |= {f"{short}_p50": 0.0, f"{short}_max": 0.0}
        if job.name in _JOBS and job.steps:
            row |= {f"{short}_p50": float(np.median(job.steps)), f"{short}_max": max(job.steps)}
        job.steps.clear()
    return row


def print_curve(name: str, rows: Sequence[Row]) -> None:
    """Print a row for each step."""
    print(name)
    columns = list(rows[0])
    print("".join(f"{column:>13}" for column in columns))
    for row in rows:
        shown = (f"{row[column]:>13,.3f}".replace(".000", "") for column in columns)
        print("".join(f"{cell:>13}" for cell in shown), flush=True)


def growth(rows: Sequence[Row], name: str) -> float:
    """Return the exponent with which a figure grows with what was given: the slope of logarithms."""
    given, values = ([row[key] for row in rows] for key in ("given", name))
    if len(rows) < 2 or min(values) <= 0:
        return float("nan")
    return float(np.polyfit(np.log(given), np.log(values), 1)[0])


def summary(curves: Mapping[str, Sequence[Row]]) -> Row:
    """Return the last line: how active memory, its attempts and what is looked at grow."""
    return {
        f"{short}_{profile}": growth(rows, name)
        for profile, rows in curves.items()
        for short, name in (("active", "active"), ("episodes", "active_ep"), ("pool", "pool_all"))
    }


if __name__ == "__main__":
    main()
