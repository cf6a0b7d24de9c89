"""`/v1/strata/moves`, `/v1/strata/promotions`: memories go up or down because somebody asks."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.responses import Response

from graph.model.strata.moves import Moved, Proven
from service.http.kernel.body import JsonBody
from service.http.kernel.routing import serves
from service.http.kernel.security import Tenant, caller_of
from service.http.kernel.state import Bound
from service.http.kernel.views import json_answer, scope_view
from service.http.strata.gates import move_view, run_view
from stratagraph import wire
from stratagraph.operations.strata import MOVE, PROMOTE_SUCCESSFUL

router = APIRouter()


@serves(router, MOVE)
async def move_memories(
    tenant: Tenant,
    body: Annotated[wire.MovesRequest, Depends(JsonBody(wire.MovesRequest))],
    service: Bound,
) -> Response:
    moved = await service.move_memories(
        caller_of(tenant, body),
        body.memories,
        *body.way,
        scope_kind=body.scope_kind,
        dry_run=body.dry_run,
    )
    return json_answer(HTTPStatus.OK, _view(moved, dry_run=body.dry_run))


@serves(router, PROMOTE_SUCCESSFUL)
async def promote_proven(
    tenant: Tenant,
    body: Annotated[wire.PromotionsRequest, Depends(JsonBody(wire.PromotionsRequest))],
    service: Bound,
) -> Response:
    asked = Proven(
        min_q=body.min_q,
        min_successes=body.min_successes,
        strata=body.strata or (),
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
