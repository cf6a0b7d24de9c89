"""`/v1/strata/config`: what is in force of strata, set and taken back while the service runs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from graph.model import STRATA_SETTINGS
from service.http.body import JsonBody
from service.http.config import EnteredBy, changes_answer, config_answer
from service.http.errors import problem_responses
from service.http.openapi import request_body
from service.http.security import QueryCaller, Tenant, caller_of
from service.http.state import Bound
from stratagraph import wire

router = APIRouter(prefix="/v1/strata/config", tags=["strata"])


@router.get(
    "",
    summary="What is in force of strata, and where each value comes from",
    responses={200: {"model": wire.ConfigView}, **problem_responses(401, 503)},
)
async def show_strata_config(tenant: Tenant, service: Bound) -> Response:
    return config_answer(await service.show_strata_config(tenant))


@router.patch(
    "",
    summary="Set values of strata while the service runs",
    responses={
        200: {"model": wire.ConfigView},
        **problem_responses(400, 401, 413, 415, 422, 503),
    },
    openapi_extra=request_body(
        {
            "capacity": (
                "More room for working memories",
                {"agent_id": "planner", "working_capacity": 100},
            ),
            "reset": ("One value left to the environment", {"agent_id": "a", "expired": None}),
        },
        wire.StrataConfigRequest,
    ),
)
async def change_strata_config(
    tenant: Tenant,
    body: Annotated[wire.StrataConfigRequest, Depends(JsonBody(wire.StrataConfigRequest))],
    door: EnteredBy,
    service: Bound,
) -> Response:
    named = [name for name in STRATA_SETTINGS if name in body.model_fields_set]
    changes = {name: getattr(body, name) for name in named}
    caller = caller_of(tenant, body)
    return config_answer(await service.change_strata_config(caller, changes, door=door))


@router.delete(
    "",
    summary="Leave every value of strata to the environment again",
    responses={200: {"model": wire.ConfigView}, **problem_responses(401, 422, 503)},
)
async def reset_strata_config(caller: QueryCaller, door: EnteredBy, service: Bound) -> Response:
    return config_answer(await service.change_strata_config.reset(caller, door=door))


@router.get(
    "/changes",
    summary="Who set what of strata, newest first",
    responses={200: {"model": wire.ConfigChangePage}, **problem_responses(401, 422, 503)},
)
async def list_strata_config_changes(
    tenant: Tenant, asked: Annotated[wire.ConfigChangesRequest, Query()], service: Bound
) -> Response:
    page = await service.list_strata_config_changes(tenant, limit=asked.limit, cursor=asked.cursor)
    return changes_answer(page)
