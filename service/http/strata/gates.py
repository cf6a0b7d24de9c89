"""`/v1/strata/gates`, `moves` and `promotions`: moves of memories by gates and on request."""

from __future__ import annotations

from fastapi import APIRouter

from graph.kernel.scope import Caller, without_tenant
from graph.model.strata.gates import GateRun, Transition
from graph.model.strata.moves import Moved, Proven
from service.http.kernel.routing import serves
from service.http.kernel.runs import RunKind, serve_runs
from service.http.kernel.state import Bound
from service.http.kernel.views import value_of, view_of, views_of
from stratagraph import wire
from stratagraph.operations import strata as operations

router = APIRouter()


@serves(router, operations.RUN_GATES)
async def run_gates(caller: Caller, body: wire.RunRequest, service: Bound) -> wire.GatesAnswer:
    done = await service.run_gates(caller, body.scope_kind, dry_run=body.dry_run, limit=body.limit)
    return view_of(
        wire.GatesAnswer,
        done.plan,
        scope=without_tenant(done.scope),
        dry_run=body.dry_run,
        items=tuple(map(move_view, done.plan.moves)),
        run=None if done.run is None else run_view(done.run),
    )


def run_view(run: GateRun) -> wire.GateRunView:
    """Return the view of a run."""
    return view_of(wire.GateRunView, run, run=run.uid)


def move_view(move: Transition) -> wire.TransitionView:
    """Return the view of a move."""
    return view_of(wire.TransitionView, move, uid=move.memory_uid, why=_why(move))


def _why(move: Transition) -> str:
    match move.reason:
        case "score_reached":
            return f"score {move.measured:.3g}, at least {move.limit:g}"
        case "score_too_low":
            return f"score {move.measured:.3g}, below {move.limit:g}"
        case "time_over":
            return f"its time in {move.from_stratum} is over, at score {move.measured:.3g}"
        case "over_capacity":
            return f"{move.limit:.0f} too many in {move.from_stratum}; {move.measured:.0f}. from the lowest score, {move.score:.3g}"
        case "over_capacity_evidence":
            return (
                f"{move.limit:.0f} too many in {move.from_stratum}, and nothing else is left but "
                "what active memories rest on, as they do on this"
            )
        case "asked" if move.limit:
            return f"asked for: Q {move.measured:.3g}, at least {move.limit:g}"
        case "asked":
            return "asked for"


serve_runs(
    router,
    RunKind(
        lists=operations.GATE_RUNS,
        shows=operations.GATE_RUN,
        undoes=operations.UNDO_GATE_RUN,
        listing=lambda service: service.list_gate_runs,
        undoing=lambda service: service.undo_gate_run,
        view=run_view,
        item_view=move_view,
    ),
)


@serves(router, operations.MOVE)
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
    return _moved_view(moved, dry_run=body.dry_run)


@serves(router, operations.PROMOTE_SUCCESSFUL)
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
    return _moved_view(moved, dry_run=body.dry_run)


def _moved_view(moved: Moved, *, dry_run: bool) -> wire.MovesAnswer:
    return wire.MovesAnswer(
        scope=without_tenant(moved.scope),
        dry_run=dry_run,
        total=len(moved.moves),
        items=tuple(map(move_view, moved.moves)),
        refused=views_of(wire.RefusalView, moved.refused),
        run=None if moved.run is None else run_view(moved.run),
    )
