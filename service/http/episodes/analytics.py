"""`GET /v1/analytics/reasoning`: attempts at large."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from graph.model.episodes.attempts import ALWAYS, EpisodeFilters, Names
from graph.model.episodes.questions import FailureCluster, ReasoningAnalysis
from graph.model.recall.candidates import Window
from service.http.episodes.queries import group_view
from service.http.kernel.routing import serves
from service.http.kernel.security import Tenant, caller_of
from service.http.kernel.state import Bound
from service.http.kernel.views import json_answer, view_of
from service.use_cases.episodes.analytics import ReasoningView
from stratagraph import wire
from stratagraph.operations.episodes import REASONING_ANALYTICS

router = APIRouter()


@serves(router, REASONING_ANALYTICS)
async def analyse_reasoning(
    tenant: Tenant, asked: Annotated[wire.ReasoningAnalyticsRequest, Query()], service: Bound
) -> Response:
    occurred = Window(asked.occurred_from or ALWAYS.start, asked.occurred_to or ALWAYS.end)
    analysis = await service.analyse_reasoning(
        caller_of(tenant, asked),
        EpisodeFilters(
            domain=Names.of(asked.domain), model=Names.of(asked.model), occurred=occurred
        ),
        ReasoningView(
            by=asked.by,
            over=asked.over,
            limit=asked.limit,
            clusters=asked.clusters,
            similarity=asked.similarity,
            own=asked.own,
            time_zone=asked.time_zone,
        ),
    )
    return json_answer(HTTPStatus.OK, _view(analysis))


def _view(analysis: ReasoningAnalysis) -> wire.ReasoningAnalyticsView:
    return wire.ReasoningAnalyticsView(
        total=group_view(analysis.total),
        groups={
            by: tuple(group_view(group) for group in groups)
            for by, groups in analysis.groups.items()
        },
        trend=tuple(group_view(group) for group in analysis.trend),
        clusters=tuple(_cluster(cluster) for cluster in analysis.clusters),
    )


def _cluster(cluster: FailureCluster) -> wire.FailureClusterView:
    return wire.FailureClusterView(
        failures=cluster.failures,
        successes=cluster.successes,
        problems=tuple(view_of(wire.FailedProblemView, problem) for problem in cluster.problems),
        domains=dict(cluster.domains),
        actions=dict(cluster.actions),
        models=dict(cluster.models),
    )
