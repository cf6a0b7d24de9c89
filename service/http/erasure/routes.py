"""`DELETE /v1/agents`, `/v1/users` and `/v1/sessions`: erasures, with receipts at `/v1/erasures`."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path
from starlette.responses import Response

from graph.kernel.scope import Caller
from graph.model.erasure.receipts import Erasure
from service.http.kernel.routing import serves
from service.http.kernel.security import Tenant
from service.http.kernel.state import Bound
from service.http.kernel.views import json_answer, uid_of, view_of
from stratagraph import wire
from stratagraph.operations.erasure import ERASE_AGENT, ERASE_SESSION, ERASE_USER, ERASURE

router = APIRouter()

RECEIPTS = "/v1/erasures"
OwnerName = Annotated[
    str, Path(max_length=256, description="The id that callers name.", examples=["planner"])
]
SessionName = Annotated[
    str, Path(max_length=256, description="The `session_id`.", examples=["monday-call"])
]
ErasureName = Annotated[str, uid_of("The `erasure` of an answer.")]
ERASED = {
    200: {"model": wire.ErasureView, "description": "Nothing is left"},
    202: {"model": wire.ErasureView, "description": "Hidden; the rest goes in the background"},
}


@serves(router, ERASE_AGENT, responses=ERASED)
async def erase_agent(agent_id: OwnerName, tenant: Tenant, service: Bound) -> Response:
    return erasure_answer(await service.erase.owner(Caller(tenant, agent_id=agent_id)))


@serves(router, ERASE_USER, responses=ERASED)
async def erase_user(user_id: OwnerName, tenant: Tenant, service: Bound) -> Response:
    return erasure_answer(await service.erase.owner(Caller(tenant, user_ids=(user_id,))))


@serves(router, ERASE_SESSION, responses=ERASED)
async def erase_session(
    session_id: SessionName, caller: Caller, asked: wire.EraseSessionRequest, service: Bound
) -> Response:
    erasure = await service.erase.session(caller, session_id, asked.scope_kind)
    return erasure_answer(erasure)


@serves(router, ERASURE)
async def show_erasure(name: ErasureName, tenant: Tenant, service: Bound) -> wire.ErasureView:
    return _view(await service.show_erasure(tenant, name))


def receipt_of(erasure: Erasure) -> dict[str, str]:
    """Set a header with the address of the receipt, for an answer without a body."""
    return {"Location": f"{RECEIPTS}/{erasure.uid}"}


def erasure_answer(erasure: Erasure) -> Response:
    status = HTTPStatus.OK if erasure.state == "done" else HTTPStatus.ACCEPTED
    return json_answer(status, _view(erasure), receipt_of(erasure))


def _view(erasure: Erasure) -> wire.ErasureView:
    return view_of(
        wire.ErasureView,
        erasure,
        erasure=erasure.uid,
        subject=erasure.digest,
    )
