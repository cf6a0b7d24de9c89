"""Many writers at once, from processes of their own: no update is lost, every record adds up."""

from __future__ import annotations

import asyncio
import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from graph.kernel.scope import Caller
from graph.model.utility.rewards import Track
from service.bootstrap import Connection, Service
from tests.conftest import Run
from tests.store.teaching import check_history, give, histories, stored, tracks

pytestmark = pytest.mark.slow

_ROOT = Path(__file__).parents[3]
_TASKS = 400
_TWICE = 40  # are reported by both processes


async def _write(plan: dict[str, Any]) -> dict[str, int]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.store.writing",
        cwd=_ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    said, why = await process.communicate(json.dumps(plan).encode())
    assert process.returncode == 0, why.decode()[-2000:]
    return json.loads(said)


async def test_sixteen_writers_from_two_processes_lose_no_update(
    service: Service, cypher: Run, anna: Caller, connection: Connection
) -> None:
    rng = random.Random(11)  # noqa: S311 -- a fixed mix of memories
    memories = await stored(service, 30)
    tasks = [(f"t{i}", "success" if rng.random() < 0.6 else "failure") for i in range(_TASKS)]
    for task_id, _ in tasks:
        await give(service, anna, task_id, rng.sample(memories, 20), phase="action")
    half, twice = _TASKS // 2, _TWICE // 2
    shares = (tasks[: half + twice], tasks[half - twice :])
    for share in shares:
        rng.shuffle(share)
    plans = [
        {"uri": connection.uri, "password": connection.password, "tasks": share} for share in shares
    ]
    answers = await asyncio.gather(*(_write(plan) for plan in plans))
    assert sum(answer["applied"] for answer in answers) == _TASKS
    worth, kept = tracks(cypher), histories(cypher)
    assert sum(worth[uid].count for uid in memories) == _TASKS * 20
    bases = {
        row["uid"]: row
        for row in cypher(
            "MATCH (m:Memory) RETURN m.uid AS uid, m.q_base AS value, m.q_base_count AS count, "
            "m.q_base_left AS left, m.q_base_m2 AS deviation, m.q_base_seq AS seq"
        )
    }
    for uid in memories:
        base = bases[uid]
        assert kept[uid][0]["seq"] == base["seq"] + 1  # each was trimmed on the way
        assert 100 <= len(kept[uid]) <= 125
        start = Track(base["value"], base["count"], base["left"], base["deviation"])
        check_history(kept[uid], worth[uid], start)
