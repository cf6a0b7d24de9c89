"""Cost of learned utility: outcomes beside bare writes, recalls with and without it, bytes on disk."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks import gsm8k
from benchmarks.floor import (
    bare_update,
    create_bare,
    reset_learned,
    reward_bare,
    uids_in,
)
from benchmarks.rounds import one_by_one
from benchmarks.runner import Running, opened_service, run_loop, running_service, say
from graph.model.recall.candidates import Filters
from service.bootstrap import migrate_schema
from service.bootstrap.managed import running_connection
from service.use_cases.recall.recall import RecallRequest

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Sequence

    from benchmarks.gsm8k import Problems
    from benchmarks.rounds import Call, Question
    from service.bootstrap import Service

_GIVEN = 20
_WARM_UP = 50
_BEFORE_UTILITY = 4
_RECORDS = ("neostore.propertystore*", "neostore.nodestore*", "neostore.relationship*")


async def time_outcomes(running: Running, problems: Problems, rounds: int) -> dict[str, float]:
    """Time outcomes of tasks with 20 memories, and bare writes of 20 rows, in turns."""
    rng = np.random.default_rng(rounds)
    scope = gsm8k.OWNER.writable()
    async with opened_service(running, worker=False) as service:
        driver = service.database.driver
        await reset_learned(driver, scope)
        uids = await uids_in(driver, scope)
        asked = [
            problems.questions[int(i)] for i in rng.integers(len(problems), size=rounds + _WARM_UP)
        ]
        for number, text in enumerate(asked):
            filters = Filters(kinds=("episode",))
            await service.recall(
                RecallRequest(
                    gsm8k.OWNER, text=text, filters=filters, k=_GIVEN, task_id=f"cost-{number}"
                )
            )

        async def outcome(_client: int, question: Question) -> object:
            status = "success" if rng.random() < 0.5 else "failure"
            return await service.report_outcome(gsm8k.OWNER, question[0], status)

        async def bare(_client: int, _question: Question) -> object:
            chosen = rng.choice(len(uids), _GIVEN, replace=False)
            rows = [{"uid": uids[int(i)], "q": float(rng.random()), "n": 1} for i in chosen]
            return await bare_update(driver, sorted(rows, key=lambda row: row["uid"]))

        questions = [(f"cost-{number}", text) for number, text in enumerate(asked)]
        timed = await one_by_one({"bare": bare, "outcome": outcome}, questions, _WARM_UP)
        await reset_learned(driver, scope)
    ratios = {
        f"outcome_ratio_p{share}": timed["outcome"].percentile(share)
        / timed["bare"].percentile(share)
        for share in (95, 50)
    }
    for name, each in timed.items():
        say(f"  {name}: p50 {each.percentile(50):.1f} ms, p95 {each.percentile(95):.1f} ms")
    return ratios


async def time_recalls(running: Running, problems: Problems, rounds: int) -> dict[str, float]:
    """Time recalls with the defaults and with learning off, in turns."""
    async with (
        opened_service(running, worker=False) as learning,
        opened_service(running, worker=False, utility_learning=False) as plain,
    ):

        def call(service: Service) -> Call:
            def ask(_client: int, question: Question) -> Awaitable[object]:
                return service.recall(RecallRequest(gsm8k.OWNER, text=question[1]))

            return ask

        rng = np.random.default_rng(rounds)
        places = rng.integers(len(problems), size=rounds + _WARM_UP)
        questions = [("", problems.questions[int(place)]) for place in places]
        calls = {"with": call(learning), "without": call(plain)}
        timed = await one_by_one(calls, questions, _WARM_UP)
    ratio = timed["with"].percentile(50) / timed["without"].percentile(50)
    say(f"  recall: p50 {timed['with'].percentile(50):.1f} ms, {ratio:.3f} of one without utility")
    return {"recall_ratio": ratio}


def measure_bytes(memories: int) -> dict[str, float]:
    """Measure the growth of a store by utility, per memory, and by a reward, per rewarded memory.

    A server writes everything to its files when it stops, so each size is taken between two runs.
    """
    with tempfile.TemporaryDirectory(prefix="stratagraph-bench-") as folder:
        home = Path(folder) / "home"
        before = size_after(home, lambda running: _fill_bare(running, memories))
        after = size_after(home, _migrated)
        rewarded = size_after(home, _reward_all)
    return {
        "utility_bytes": (after[0] - before[0]) / memories,
        "utility_index_bytes": (after[1] - before[1]) / memories,
        "history_bytes": (rewarded[0] - after[0]) / memories,
    }


async def _fill_bare(running: Running, memories: int) -> None:
    async with opened_service(running, worker=False) as service:
        await migrate_schema(running_connection(running.home), _BEFORE_UTILITY)
        await create_bare(service.database.driver, memories)


async def _migrated(running: Running) -> None:
    """Return whether the start has migrated the schema."""
    async with opened_service(running, worker=False) as service:
        if problems := await service.readiness():
            raise SystemExit(f"the service is not ready: {problems}")


async def _reward_all(running: Running) -> None:
    async with opened_service(running, worker=False) as service:
        await reward_bare(service.database.driver)


def size_after(home: Path, work: Callable[[Running], Coroutine[Any, Any, None]]) -> tuple[int, int]:
    """Do some work, stop the server, and return the bytes of records and of indexes."""
    with running_service({"STRATAGRAPH_WORKER": "false"}, home) as running:
        run_loop(work(running))
    [store] = home.glob("**/databases/neo4j")
    records = [file for pattern in _RECORDS for file in store.glob(pattern)]
    indexes = [file for file in store.glob("schema/**/*") if file.is_file()]
    return _bytes(records), _bytes(indexes)


def _bytes(files: Sequence[Path]) -> int:
    return sum(file.stat().st_size for file in files)
