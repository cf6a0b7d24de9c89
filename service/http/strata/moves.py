"""`/v1/strata/moves`, `/v1/strata/promotions`: memories go up or down because somebody asks."""

from __future__ import annotations

from fastapi import APIRouter

from graph.kernel.scope import Caller
from graph.model.strata.moves import Moved, Proven
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import scope_view, value_of, views_of
from service.http.strata.gates import move_view, run_view
from stratagraph import wire
from stratagraph.operations.strata import MOVE, PROMOTE_SUCCESSFUL

router = APIRouter()


@serves(router, MOVE)
async def move_memories(
    caller: Caller, body: wire.MovesRequest, service: Bound
) -> wire.MovesAnswer:
    moved = await service.move_memories(
        caller,
        body.memories,
        *body.way,
        scope_kind=body.scope_kind,
        dry_run=body.dry_run,
    )
    return _view(moved, dry_run=body.dry_run)


@serves(router, PROMOTE_SUCCESSFUL)
async def promote_proven(
    caller: Caller, body: wire.PromotionsRequest, service: Bound
) -> wire.MovesAnswer:
    asked = value_of(Proven, body, strata=body.strata or ())
    moved = await service.promote_proven(
        caller,
        asked,
        body.to,
        scope_kind=body.scope_kind,
        dry_run=body.dry_run,
    )
    return _view(moved, dry_run=body.dry_run)


def _view(moved: Moved, *, dry_run: bool) -> wire.MovesAnswer:
    return wire.MovesAnswer(
        scope=scope_view(moved.scope),
        dry_run=dry_run,
        total=len(moved.moves),
        items=tuple(map(move_view, moved.moves)),
        refused=views_of(wire.RefusalView, moved.refused),
        run=None if moved.run is None else run_view(moved.run),
    )
