"""Agents that recall for a task, follow the first result, and report the outcome."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graph.model.utility.rewards import UsedName

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from service.bootstrap import Service
    from service.use_cases.recall.recall import RecallRequest

_AT_ONCE = 16
_BATCH = 32
_LEASE_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Trial:
    """One task: its question, the quality of each answer, and whether the outcome is reported wrongly.

    ``worth`` maps the external id of what is followed to its chance of success; ``luck``, in [0, 1), decides it.
    """

    request: RecallRequest
    worth: Callable[[str], float]
    luck: float = 0.0
    flipped: bool = False


async def follow(service: Service, trial: Trial) -> float:
    """Recall, follow the first result, report the outcome if it is a task; return its worth."""
    answer = await service.recall(trial.request)
    first = answer.results[0].memory
    worth = trial.worth(first.external_id or "")
    if trial.request.task_id is not None:
        helped = (trial.luck < worth) != trial.flipped
        await service.report_outcome(
            trial.request.caller,
            trial.request.task_id,
            "success" if helped else "failure",
            used=[UsedName(first.uid)],
        )
    return worth


async def follow_all(service: Service, trials: Sequence[Trial], batch: int = _BATCH) -> list[float]:
    """Do all trials concurrently; after each batch background work is completed."""
    worths: list[float] = []
    places = asyncio.Semaphore(_AT_ONCE)

    async def one(trial: Trial) -> float:
        async with places:
            return await follow(service, trial)

    for first in range(0, len(trials), batch):
        part = trials[first : first + batch]
        worths += await asyncio.gather(*map(one, part))
        if part[0].request.task_id is not None:
            await fold_credits(service)
    return worths


async def fold_credits(service: Service) -> None:
    """Apply pending credits until there are none."""
    jobs = [job for job in service.jobs if job.name == "fold_credits"]
    lease = await service.leases.acquire("worker", "benchmark", _LEASE_SECONDS) if jobs else None
    for job in jobs:
        while lease is not None and await job.step(service.clock.now(), lease):
            pass
