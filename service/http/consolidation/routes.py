"""`/v1/consolidations` and `/v1/profiles`: condensing of memories, its undo, and profiles of subjects."""

from __future__ import annotations

from fastapi import APIRouter

from graph.kernel.scope import Caller, without_tenant
from graph.model.consolidation.agreements import Dispute
from graph.model.consolidation.clusters import Cluster, ConsolidationRun
from graph.model.sharing.agreements import Saying
from service.http.kernel.routing import serves
from service.http.kernel.runs import RunKind, serve_runs
from service.http.kernel.state import Bound
from service.http.kernel.views import view_of, views_of
from stratagraph import wire
from stratagraph.operations import consolidation as operations
from stratagraph.operations.recall import PROFILE

router = APIRouter()


@serves(router, operations.CONSOLIDATE)
async def consolidate(
    caller: Caller, body: wire.ConsolidateRequest, service: Bound
) -> wire.ConsolidateAnswer:
    done = await service.consolidate(
        caller,
        body.scope_kind,
        strata=body.strata,
        everything=body.everything,
        dry_run=body.dry_run,
        limit=body.limit,
    )
    return view_of(
        wire.ConsolidateAnswer,
        done.plan,
        scope=without_tenant(done.scope),
        dry_run=body.dry_run,
        items=tuple(map(_cluster, done.plan.clusters)),
        agreements=views_of(wire.GatheredView, done.plan.agreements.gathered),
        disagreements=tuple(map(dispute_view, done.plan.agreements.disputes)),
        run=None if done.run is None else run_view(done.run),
        reason=done.reason,
    )


def run_view(run: ConsolidationRun) -> wire.ConsolidationView:
    return view_of(
        wire.ConsolidationView,
        run,
        run=run.uid,
        counts={name: count for name, count in run.counts.items() if count},
    )


def dispute_view(found: Dispute) -> wire.DisputeView:
    return wire.DisputeView(
        one=saying_view(found.one), other=saying_view(found.other), similarity=found.similarity
    )


def saying_view(saying: Saying) -> wire.SayingView:
    return view_of(wire.SayingView, saying, agent_id=saying.agent)


def _cluster(cluster: Cluster) -> wire.ClusterView:
    made = None if cluster.state == "skipped" else cluster.condensed_uid
    return view_of(wire.ClusterView, cluster, condensed=made)


serve_runs(
    router,
    RunKind(
        lists=operations.CONSOLIDATIONS,
        shows=operations.CONSOLIDATION,
        undoes=operations.UNDO_CONSOLIDATION,
        listing=lambda service: service.list_consolidations,
        undoing=lambda service: service.undo_consolidation,
        view=run_view,
        item_view=_cluster,
    ),
)


@serves(router, PROFILE)
async def show_profile(
    caller: Caller, subject: wire.Name, asked: wire.ProfileRequest, service: Bound
) -> wire.ProfileView:
    found = await service.show_profile(caller, subject, asked.as_of, asked.max_tokens)
    return view_of(wire.ProfileView, found)
