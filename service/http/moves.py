"""`/v1/strata/moves`, `/v1/strata/promotions`: memories go up or down because somebody asks."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.responses import Response

from graph.model import Moved, Proven
from service.http.body import JsonBody
from service.http.errors import problem_responses
from service.http.gates import move_view, run_view
from service.http.openapi import request_body
from service.http.security import Tenant, caller_of
from service.http.state import Bound
from service.http.views import json_answer, scope_view
from stratagraph import wire

router = APIRouter(prefix="/v1/strata", tags=["strata"])


@router.post(
    "/moves",
    summary="Move named memories to another stratum",
    responses={
        200: {"model": wire.MovesAnswer},
        **problem_responses(400, 401, 409, 413, 415, 422, 503),
    },
    openapi_extra=request_body(
        {
            "promote": (
                "One stratum up",
                {"agent_id": "planner", "direction": "promote", "names": ["external:rule-7"]},
            ),
            "demote": (
                "Down to a named one",
                {
                    "agent_id": "planner",
                    "direction": "demote",
                    "names": ["external:rule-7"],
                    "to": "short_term",
                },
            ),
        },
        wire.MovesRequest,
    ),
)
async def move_memories(
    tenant: Tenant,
    body: Annotated[wire.MovesRequest, Depends(JsonBody(wire.MovesRequest))],
    service: Bound,
) -> Response:
    moved = await service.move_memories(
        caller_of(tenant, body),
        body.names,
        body.direction,
        body.to,
        scope_kind=body.scope_kind,
        dry_run=body.dry_run,
    )
    return json_answer(HTTPStatus.OK, _view(moved, dry_run=body.dry_run))


@router.post(
    "/promotions",
    summary="Move up what proved itself, or only say what would",
    responses={
        200: {"model": wire.MovesAnswer},
        **problem_responses(400, 401, 404, 409, 413, 415, 422, 503),
    },
    openapi_extra=request_body(
        {
            "dry": ("A try", {"agent_id": "planner"}),
            "task": (
                "What helped a task",
                {"agent_id": "planner", "task_id": "ticket-17", "dry_run": False},
            ),
        },
        wire.PromotionsRequest,
    ),
)
async def promote_proven(
    tenant: Tenant,
    body: Annotated[wire.PromotionsRequest, Depends(JsonBody(wire.PromotionsRequest))],
    service: Bound,
) -> Response:
    asked = Proven(
        min_q=body.min_q,
        min_successes=body.min_successes,
        strata=body.strata,
        task_id=body.task_id,
        session_id=body.session_id,
        limit=body.limit,
    )
    moved = await service.promote_proven(
        caller_of(tenant, body),
        asked,
        body.to,
        scope_kind=body.scope_kind,
        dry_run=body.dry_run,
    )
    return json_answer(HTTPStatus.OK, _view(moved, dry_run=body.dry_run))


def _view(moved: Moved, *, dry_run: bool) -> wire.MovesAnswer:
    return wire.MovesAnswer(
        scope=scope_view(moved.scope),
        dry_run=dry_run,
        total=len(moved.moves),
        items=tuple(map(move_view, moved.moves)),
        refused=tuple(wire.RefusalView(name=each.name, why=each.why) for each in moved.refused),
        run=None if moved.run is None else run_view(moved.run),
    )
