"""`/v1/loops`: outer loops over ended cycles."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from graph.model.cycles.loops import LoopRun
from service.http.kernel.body import JsonBody
from service.http.kernel.routing import serves
from service.http.kernel.runs import RunName
from service.http.kernel.security import Tenant, caller_of
from service.http.kernel.state import Bound
from service.http.kernel.views import json_answer, scope_view, view_of
from stratagraph import wire
from stratagraph.operations.cycles import LIST_LOOPS, RUN_LOOP, UNDO_LOOP

router = APIRouter()


@serves(router, RUN_LOOP)
async def run_loop(
    tenant: Tenant,
    body: Annotated[wire.LoopRequest, Depends(JsonBody(wire.LoopRequest))],
    service: Bound,
) -> Response:
    done = await service.run_loop(caller_of(tenant, body), dry_run=body.dry_run)
    moves = tuple(
        wire.LoopMoveView(
            uid=move.memory_uid,
            rule=done.rules[move.memory_uid],
            from_stratum=move.from_stratum,
            to_stratum=move.to_stratum,
            archived=move.to_state == "archived",
        )
        for move in done.moves
    )
    view = wire.LoopAnswer(**_shown(done.run).model_dump(), dry_run=done.dry_run, moves=moves)
    return json_answer(HTTPStatus.OK, view)


@serves(router, LIST_LOOPS)
async def list_loops(
    tenant: Tenant, asked: Annotated[wire.RunsRequest, Query()], service: Bound
) -> Response:
    found = await service.run_loop.listed(caller_of(tenant, asked), asked.limit)
    view = wire.LoopsAnswer(loops=tuple(map(_shown, found)))
    return json_answer(HTTPStatus.OK, view)


@serves(router, UNDO_LOOP)
async def undo_loop(
    run: RunName,
    tenant: Tenant,
    body: Annotated[wire.UndoRequest, Depends(JsonBody(wire.UndoRequest))],
    service: Bound,
) -> Response:
    caller = caller_of(tenant, body)
    done = await service.run_loop.undone(caller, run, skip_changed=body.skip_changed)
    return json_answer(HTTPStatus.OK, _shown(done))


def _shown(run: LoopRun) -> wire.LoopView:
    return view_of(wire.LoopView, run, scope=scope_view(run.scope), report=dict(run.report))
