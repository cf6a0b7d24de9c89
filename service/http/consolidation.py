"""`/v1/consolidations`: memories become one, and can come back."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from graph.model import Cluster, ConsolidationRun
from graph.model.patterns import FoundPattern
from service.http.body import JsonBody
from service.http.collect import RunName
from service.http.routing import serves
from service.http.security import Tenant, caller_of
from service.http.state import Bound
from service.http.views import json_answer, scope_view
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


@serves(router, CONSOLIDATIONS)
async def list_consolidations(
    tenant: Tenant, asked: Annotated[wire.ConsolidationsRequest, Query()], service: Bound
) -> Response:
    runs = await service.list_consolidations(caller_of(tenant, asked), asked.limit)
    return json_answer(HTTPStatus.OK, wire.ConsolidationsAnswer(items=tuple(map(_run, runs))))


@serves(router, CONSOLIDATION)
async def show_consolidation(
    run: RunName,
    tenant: Tenant,
    asked: Annotated[wire.ConsolidationRequest, Query()],
    service: Bound,
) -> Response:
    caller = caller_of(tenant, asked)
    found, clusters = await service.list_consolidations.one(caller, run, asked.limit)
    items = tuple(map(_cluster, clusters))
    view = wire.ConsolidationAnswer(**_run(found).model_dump(), items=items)
    return json_answer(HTTPStatus.OK, view)


@serves(router, UNDO_CONSOLIDATION)
async def undo_consolidation(
    run: RunName,
    tenant: Tenant,
    body: Annotated[
        wire.ConsolidationUndoRequest, Depends(JsonBody(wire.ConsolidationUndoRequest))
    ],
    service: Bound,
) -> Response:
    caller = caller_of(tenant, body)
    done = await service.undo_consolidation(caller, run, skip_changed=body.skip_changed)
    return json_answer(HTTPStatus.OK, _run(done))


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
