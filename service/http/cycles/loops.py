"""`/v1/loops`: outer loops over ended cycles."""

from __future__ import annotations

from fastapi import APIRouter

from graph.kernel.scope import Caller
from graph.model.cycles.loops import LoopRun
from service.http.kernel.routing import serves
from service.http.kernel.runs import RunName
from service.http.kernel.state import Bound
from service.http.kernel.views import view_of
from stratagraph import wire
from stratagraph.operations.cycles import LIST_LOOPS, RUN_LOOP, UNDO_LOOP

router = APIRouter()


@serves(router, RUN_LOOP)
async def run_loop(caller: Caller, body: wire.LoopRequest, service: Bound) -> wire.LoopAnswer:
    done = await service.run_loop(caller, dry_run=body.dry_run)
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
    return wire.LoopAnswer(**_shown(done.run).model_dump(), dry_run=done.dry_run, moves=moves)


@serves(router, LIST_LOOPS)
async def list_loops(caller: Caller, asked: wire.RunsRequest, service: Bound) -> wire.LoopsAnswer:
    found = await service.run_loop.listed(caller, asked.limit)
    return wire.LoopsAnswer(loops=tuple(map(_shown, found)))


@serves(router, UNDO_LOOP)
async def undo_loop(
    run: RunName, caller: Caller, body: wire.UndoRequest, service: Bound
) -> wire.LoopView:
    done = await service.run_loop.undone(caller, run, skip_changed=body.skip_changed)
    return _shown(done)


def _shown(run: LoopRun) -> wire.LoopView:
    return view_of(wire.LoopView, run)
