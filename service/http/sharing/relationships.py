"""`/v1/relationships`: what agents had to do with each other."""

from __future__ import annotations

from fastapi import APIRouter

from graph.kernel.scope import Caller, name_in
from graph.model.sharing.relationships import Relationship
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import view_of
from stratagraph import wire
from stratagraph.operations.sharing import RECORD_INTERACTION, RELATIONSHIPS

router = APIRouter()


@serves(router, RECORD_INTERACTION)
async def record_interaction(
    caller: Caller, body: wire.InteractionRequest, service: Bound
) -> wire.RelationshipView:
    done = await service.record_interaction(caller, body.other_agent_id, body.outcome)
    return _view(done)


@serves(router, RELATIONSHIPS)
async def list_relationships(
    caller: Caller, asked: wire.RelationshipsRequest, service: Bound
) -> wire.RelationshipsAnswer:
    found = await service.list_relationships(caller, asked.limit)
    items = tuple(map(_view, found))
    return wire.RelationshipsAnswer(items=items)


def _view(one: Relationship) -> wire.RelationshipView:
    return view_of(
        wire.RelationshipView, one, agent_id=name_in(one.agent), other_agent_id=name_in(one.other)
    )
