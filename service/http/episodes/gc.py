"""`/v1/gc`: garbage collection of episodes, and its undo."""

from __future__ import annotations

from fastapi import APIRouter

from graph.kernel.scope import Caller, without_tenant
from graph.model.episodes.gc import Collectable, CollectionRun
from service.http.kernel.routing import serves
from service.http.kernel.runs import RunKind, serve_runs
from service.http.kernel.state import Bound
from service.http.kernel.views import view_of
from stratagraph import wire
from stratagraph.operations.episodes import COLLECT, COLLECTION, COLLECTIONS, UNDO_COLLECTION

router = APIRouter()


@serves(router, COLLECT)
async def collect(caller: Caller, body: wire.RunRequest, service: Bound) -> wire.CollectAnswer:
    done = await service.collect_episodes(
        caller, body.scope_kind, dry_run=body.dry_run, limit=body.limit
    )
    return wire.CollectAnswer(
        scope=without_tenant(done.scope),
        dry_run=body.dry_run,
        total=done.plan.total,
        counts=dict(done.plan.counts),
        items=tuple(map(_item, done.plan.items)),
        run=None if done.run is None else _run(done.run),
    )


def _run(run: CollectionRun) -> wire.CollectionView:
    return view_of(wire.CollectionView, run, run=run.uid)


def _item(item: Collectable) -> wire.CollectableView:
    return view_of(wire.CollectableView, item, why=_why(item))


def _why(item: Collectable) -> str:
    match item.reason:
        case "duplicate":
            best = f", as {item.kept} does" if item.kept else ""
            return f"says the same problem, actions, verdict and answer{best}; the better one stays"
        case "low_confidence":
            return f"confidence {item.confidence:g}, not right, and no task that it was given to went well"
        case "never_useful" if item.failure_count:
            failed = f"given to {item.failure_count} tasks that failed and none that went well"
            return f"{failed}; Q {item.q_value:.2f}"
        case "never_useful":
            return f"stored on {item.recorded_at:%Y-%m-%d} and never recalled; Q {item.q_value:.2f}"


serve_runs(
    router,
    RunKind(
        lists=COLLECTIONS,
        shows=COLLECTION,
        undoes=UNDO_COLLECTION,
        listing=lambda service: service.list_collections,
        undoing=lambda service: service.undo_collection,
        view=_run,
        item_view=_item,
    ),
)
