"""`/v1/relationships`: what agents had to do with each other."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from graph.kernel.scope import name_in
from graph.model.sharing.relationships import Relationship
from service.http.kernel.body import JsonBody
from service.http.kernel.routing import serves
from service.http.kernel.security import Tenant, caller_of
from service.http.kernel.state import Bound
from service.http.kernel.views import json_answer, view_of
from stratagraph import wire
from stratagraph.operations.sharing import RECORD_INTERACTION, RELATIONSHIPS

router = APIRouter()


@serves(router, RECORD_INTERACTION)
async def record_interaction(
    tenant: Tenant,
    body: Annotated[wire.InteractionRequest, Depends(JsonBody(wire.InteractionRequest))],
    service: Bound,
) -> Response:
    caller = caller_of(tenant, body)
    done = await service.record_interaction(caller, body.other_agent_id, body.outcome)
    return json_answer(HTTPStatus.OK, _view(done))


@serves(router, RELATIONSHIPS)
async def list_relationships(
    tenant: Tenant, asked: Annotated[wire.RelationshipsRequest, Query()], service: Bound
) -> Response:
    found = await service.list_relationships(caller_of(tenant, asked), asked.limit)
    items = tuple(map(_view, found))
    return json_answer(HTTPStatus.OK, wire.RelationshipsAnswer(items=items))


def _view(one: Relationship) -> wire.RelationshipView:
    return view_of(
        wire.RelationshipView, one, agent_id=name_in(one.agent), other_agent_id=name_in(one.other)
    )
