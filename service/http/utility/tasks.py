"""`/v1/tasks`: outcomes and signals of tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Path

from graph.kernel.errors import InvalidInputError
from graph.kernel.scope import Caller
from graph.model.utility.rewards import UsedName
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import value_of, view_of
from service.use_cases.utility.outcome import SignalReport
from stratagraph import wire
from stratagraph.operations.utility import REPORT_OUTCOME, REPORT_SIGNAL

router = APIRouter()

TaskId = Annotated[
    str,
    Path(
        max_length=256,
        description="The task_id that recalls were made with.",
        examples=["answer-ticket-17"],
    ),
]


@serves(router, REPORT_OUTCOME)
async def report_outcome(
    caller: Caller, task_id: TaskId, body: wire.OutcomeRequest, service: Bound
) -> wire.OutcomeView:
    _check_task_id(task_id)
    used = used_names(body.used)
    outcome = await service.report_outcome(caller, task_id, body.status, body.quality, used)
    return view_of(wire.OutcomeView, outcome)


@serves(router, REPORT_SIGNAL)
async def report_signal(
    caller: Caller, task_id: TaskId, body: wire.SignalRequest, service: Bound
) -> wire.SignalView:
    _check_task_id(task_id)
    used = used_names(body.used)
    report = value_of(SignalReport, body, task_id=task_id, signal_id=body.id, used=used)
    done = await service.report_signal(caller, report)
    return view_of(wire.SignalView, done, task_id=task_id, signal=body.signal)


def _check_task_id(task_id: str) -> None:
    if not task_id.strip() or not task_id.isprintable():
        raise InvalidInputError("task_id: must be printable characters", field="task_id")


def used_names(used: Sequence[wire.UsedRequest] | None) -> tuple[UsedName, ...] | None:
    return None if used is None else tuple(UsedName(each.name, each.share) for each in used)
