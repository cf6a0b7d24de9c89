"""`DELETE /v1/agents`, `/v1/users` and `/v1/sessions`: erased, with a receipt at `/v1/erasures`."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from graph.model import Erasure
from graph.scope import Caller
from service.http.errors import problem_responses
from service.http.security import Tenant, caller_of
from service.http.state import Bound
from service.http.views import json_answer
from stratagraph import wire

router = APIRouter(tags=["erasure"])

RECEIPTS = "/v1/erasures"
OwnerName = Annotated[
    str, Path(max_length=256, description="The id that callers name.", examples=["planner"])
]
SessionName = Annotated[
    str, Path(max_length=256, description="The `session_id`.", examples=["monday-call"])
]
ErasureName = Annotated[
    str,
    Path(
        max_length=64,
        description="The `erasure` of an answer.",
        examples=["01JZ8M5Q0V7Y3T2N4R6W8X9ABC"],
    ),
]
ERASED = {
    200: {"model": wire.ErasureView, "description": "Nothing is left"},
    202: {"model": wire.ErasureView, "description": "Hidden; the rest goes in the background"},
    **problem_responses(401, 404, 422, 503),
}


@router.delete(
    "/v1/agents/{name:path}", summary="Erase an agent and all it wrote", responses=ERASED
)
async def erase_agent(name: OwnerName, tenant: Tenant, service: Bound) -> Response:
    return erasure_answer(await service.erase.owner(Caller(tenant, agent_id=name)))


@router.delete(
    "/v1/users/{name:path}", summary="Erase a user and all that names it", responses=ERASED
)
async def erase_user(name: OwnerName, tenant: Tenant, service: Bound) -> Response:
    return erasure_answer(await service.erase.owner(Caller(tenant, user_ids=(name,))))


@router.delete("/v1/sessions/{name:path}", summary="Erase a session", responses=ERASED)
async def erase_session(
    name: SessionName,
    tenant: Tenant,
    asked: Annotated[wire.EraseSessionRequest, Query()],
    service: Bound,
) -> Response:
    erasure = await service.erase.session(caller_of(tenant, asked), name, asked.scope_kind)
    return erasure_answer(erasure)


@router.get(
    RECEIPTS + "/{name}",
    summary="How far an erasure is, or its receipt",
    responses={200: {"model": wire.ErasureView}, **problem_responses(401, 404, 422, 503)},
)
async def show_erasure(name: ErasureName, tenant: Tenant, service: Bound) -> Response:
    return json_answer(HTTPStatus.OK, _view(await service.show_erasure(tenant, name)))


def receipt_of(erasure: Erasure) -> dict[str, str]:
    """Say in a header where the receipt is, of an answer that has no body."""
    return {"Location": f"{RECEIPTS}/{erasure.uid}"}


def erasure_answer(erasure: Erasure) -> Response:
    status = HTTPStatus.OK if erasure.state == "done" else HTTPStatus.ACCEPTED
    return json_answer(status, _view(erasure), receipt_of(erasure))


def _view(erasure: Erasure) -> wire.ErasureView:
    return wire.ErasureView(
        erasure=erasure.uid,
        kind=erasure.kind,
        state=erasure.state,
        stage=erasure.stage,
        subject=erasure.digest,
        started_at=erasure.started_at,
        finished_at=erasure.finished_at,
        hidden=erasure.hidden,
        counts=dict(erasure.counts),
    )
