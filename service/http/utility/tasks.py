"""`/v1/tasks`: tell how a task ended."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Path
from starlette.responses import Response

from graph.kernel.errors import InvalidInputError
from graph.model.utility.rewards import UsedName
from graph.model.utility.tasks import Outcome, Reward
from service.http.kernel.body import JsonBody
from service.http.kernel.routing import serves
from service.http.kernel.security import Tenant, caller_of
from service.http.kernel.state import Bound
from service.http.kernel.views import json_answer, view_of
from service.use_cases.utility.signals import SignalReport
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
    tenant: Tenant,
    task_id: TaskId,
    body: Annotated[wire.OutcomeRequest, Depends(JsonBody(wire.OutcomeRequest))],
    service: Bound,
) -> Response:
    _check_task_id(task_id)
    caller = caller_of(tenant, body)
    used = used_names(body.used)
    outcome = await service.report_outcome(caller, task_id, body.status, body.quality, used)
    return json_answer(HTTPStatus.OK, outcome_view(outcome))


@serves(router, REPORT_SIGNAL)
async def report_signal(
    tenant: Tenant,
    task_id: TaskId,
    body: Annotated[wire.SignalRequest, Depends(JsonBody(wire.SignalRequest))],
    service: Bound,
) -> Response:
    _check_task_id(task_id)
    report = SignalReport(
        task_id=task_id,
        signal=body.signal,
        status=body.status,
        value=body.value,
        quality=body.quality,
        signal_id=body.id,
        phase=body.phase,
        used=used_names(body.used),
    )
    done = await service.report_signal(caller_of(tenant, body), report)
    view = view_of(
        wire.SignalView,
        done,
        task_id=task_id,
        signal=body.signal,
        rewarded=reward_views(done.rewarded),
    )
    return json_answer(HTTPStatus.OK, view)


def _check_task_id(task_id: str) -> None:
    if not task_id.strip() or not task_id.isprintable():
        raise InvalidInputError("task_id: must be printable characters", field="task_id")


def used_names(used: Sequence[wire.UsedRequest] | None) -> tuple[UsedName, ...] | None:
    return None if used is None else tuple(UsedName(each.name, each.share) for each in used)


def reward_views(rewards: Sequence[Reward]) -> tuple[wire.RewardView, ...]:
    return tuple(view_of(wire.RewardView, each) for each in rewards)


def outcome_view(outcome: Outcome) -> wire.OutcomeView:
    return view_of(wire.OutcomeView, outcome, rewarded=reward_views(outcome.rewarded))
