"""A memory that every task is given: many write its edges at once, and none stands in another's way."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta

import pytest

from graph.kernel.scope import Caller
from graph.model.utility.tasks import Retrieval
from service.bootstrap import Service
from tests.conftest import Remembers

TASKS = 240
AT_ONCE = 16


async def test_many_give_count_and_reward_one_memory_and_nobody_has_to_try_again(
    service: Service,
    anna: Caller,
    remember: Remembers,
    now: datetime,
    caplog: pytest.LogCaptureFixture,
) -> None:
    uid = await remember(anna, "measure twice, cut once")

    async def work(tasks: list[int]) -> None:
        for number in tasks:
            await service.recall.tasks.record_retrieval(
                home=anna.home,
                task_id=f"task {number}",
                phase=None,
                retrievals=[Retrieval(uid, 1, 0.5)],
                now=now,
                expires_at=now + timedelta(days=1),
            )
            service.accesses.add([uid])
            if number % 10 == 0:
                await service.accesses.flush()
            await service.report_outcome(anna, f"task {number}", "success")

    numbers = list(range(TASKS))
    with caplog.at_level(logging.WARNING, "neo4j"):
        await asyncio.gather(*(work(numbers[place::AT_ONCE]) for place in range(AT_ONCE)))
    assert "retried" not in caplog.text
    memory = await service.get_memory(anna, uid)
    assert (memory.q_count, memory.success_count) == (TASKS, TASKS)
