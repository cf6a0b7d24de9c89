"""What learned utility costs: an outcome beside a bare write, a recall with and without it, bytes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import numpy as np

from benchmarks import gsm8k
from benchmarks.floor import (
    bare_update,
    checkpoint,
    create_bare,
    reset_learned,
    reward_bare,
    uids_in,
)
from benchmarks.rounds import one_by_one
from benchmarks.runner import Running, opened_service, running_service, say
from graph.model import Filters
from service.bootstrap import migrate_schema
from service.bootstrap.managed import running_connection
from service.use_cases.recall import RecallRequest

if TYPE_CHECKING:
    from collections.abc import Awaitable
    from pathlib import Path

    from benchmarks.gsm8k import Problems
    from benchmarks.rounds import Call, Question
    from service.bootstrap import Service

_GIVEN = 20
_WARM_UP = 50
_BEFORE_UTILITY = 4
_RECORDS = ("neostore.propertystore*", "neostore.nodestore*", "neostore.relationship*")


async def time_outcomes(running: Running, problems: Problems, rounds: int) -> dict[str, float]:
    """Report outcomes of tasks with 20 memories, and write 20 rows barely, in turns."""
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
    p50 = timed["outcome"].percentile(50) / timed["bare"].percentile(50)
    say(
        f"  outcome {timed['outcome'].percentile(50):.1f} ms, bare {timed['bare'].percentile(50):.1f} ms"
    )
    return {
        "outcome_ratio_p95": timed["outcome"].percentile(95) / timed["bare"].percentile(95),
        "outcome_ratio_p50": p50,
    }


async def time_recalls(running: Running, problems: Problems, rounds: int) -> dict[str, float]:
    """Recall with the defaults and with learning off, in turns."""
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
    return {"recall_ratio": timed["with"].percentile(50) / timed["without"].percentile(50)}


def measure_bytes(memories: int) -> dict[str, float]:
    """Say how much a store grows by utility, per memory, and by a reward, per memory rewarded."""
    with running_service({"STRATAGRAPH_WORKER": "false"}) as running:
        return asyncio.run(_grown(running, memories))


async def _grown(running: Running, memories: int) -> dict[str, float]:
    async with opened_service(running, worker=False) as service:
        driver, connection = service.database.driver, running_connection(running.home)
        await migrate_schema(connection, _BEFORE_UTILITY)
        await create_bare(driver, memories)
        before = await _size(service, running.home)
        await migrate_schema(connection)
        after = await _size(service, running.home)
        await reward_bare(driver)
        rewarded = await _size(service, running.home)
    return {
        "utility_bytes": (after[0] - before[0]) / memories,
        "utility_index_bytes": (after[1] - before[1]) / memories,
        "history_bytes": (rewarded[0] - after[0]) / memories,
    }


async def _size(service: Service, home: Path) -> tuple[int, int]:
    """Return the bytes of records, and of indexes."""
    await checkpoint(service.database.driver)
    [store] = home.glob("**/databases/neo4j")
    records = [file for pattern in _RECORDS for file in store.glob(pattern)]
    indexes = [file for file in store.glob("schema/**/*") if file.is_file()]
    return sum(file.stat().st_size for file in records), sum(
        file.stat().st_size for file in indexes
    )
