"""`/v1/consolidations`: memories become one, and can come back."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.responses import Response

from graph.model.consolidation.clusters import Cluster, ConsolidationRun
from graph.model.consolidation.patterns import FoundPattern
from service.http.kernel.body import JsonBody
from service.http.kernel.routing import serves
from service.http.kernel.runs import RunKind, serve_runs
from service.http.kernel.security import Tenant, caller_of
from service.http.kernel.state import Bound
from service.http.kernel.views import json_answer, scope_view
from stratagraph import wire
from stratagraph.operations.consolidation import (
    CONSOLIDATE,
    CONSOLIDATION,
    CONSOLIDATIONS,
    UNDO_CONSOLIDATION,
)

router = APIRouter()


@serves(router, CONSOLIDATE)
async def consolidate(
    tenant: Tenant,
    body: Annotated[wire.ConsolidateRequest, Depends(JsonBody(wire.ConsolidateRequest))],
    service: Bound,
) -> Response:
    done = await service.consolidate(
        caller_of(tenant, body),
        body.scope_kind,
        strata=body.strata,
        everything=body.everything,
        dry_run=body.dry_run,
        limit=body.limit,
    )
    view = wire.ConsolidateAnswer(
        scope=scope_view(done.scope),
        dry_run=body.dry_run,
        looked=done.plan.looked,
        total=done.plan.total,
        sources=done.plan.sources,
        items=tuple(map(_cluster, done.plan.clusters)),
        patterns=tuple(map(_pattern, done.plan.patterns)),
        run=None if done.run is None else _run(done.run),
    )
    return json_answer(HTTPStatus.OK, view)


def _run(run: ConsolidationRun) -> wire.ConsolidationView:
    return wire.ConsolidationView(
        run=run.uid,
        scope=scope_view(run.scope),
        by=run.by,
        state=run.state,
        strata=run.strata,
        everything=run.everything,
        started_at=run.started_at,
        finished_at=run.finished_at,
        undo_until=run.undo_until,
        purge_at=run.purge_at,
        counts={name: count for name, count in run.counts.items() if count},
    )


def _pattern(found: FoundPattern) -> wire.PatternView:
    return wire.PatternView(
        type=found.type,
        text=found.text,
        support=found.support,
        confidence=found.confidence,
        signature=found.signature,
    )


def _cluster(cluster: Cluster) -> wire.ClusterView:
    return wire.ClusterView(
        condensed=cluster.condensed_uid,
        state=cluster.state,
        from_stratum=cluster.from_stratum,
        to_stratum=cluster.to_stratum,
        sources=cluster.sources,
        chars_before=cluster.chars_before,
        chars_after=cluster.chars_after,
    )


serve_runs(
    router,
    RunKind(
        lists=CONSOLIDATIONS,
        shows=CONSOLIDATION,
        undoes=UNDO_CONSOLIDATION,
        listing=lambda service: service.list_consolidations,
        undoing=lambda service: service.undo_consolidation,
        view=_run,
        item_view=_cluster,
    ),
)
