"""`GET /v1/analytics/reasoning`: attempts at large."""

from __future__ import annotations

from fastapi import APIRouter

from graph.kernel.scope import Caller
from graph.model.episodes.attempts import ALWAYS, EpisodeFilters, Names
from graph.model.episodes.questions import ReasoningAnalysis
from graph.model.recall.candidates import Window
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import value_of, view_of, views_of
from service.use_cases.episodes.analytics import ReasoningView
from stratagraph import wire
from stratagraph.operations.episodes import REASONING_ANALYTICS

router = APIRouter()


@serves(router, REASONING_ANALYTICS)
async def analyse_reasoning(
    caller: Caller, asked: wire.ReasoningAnalyticsRequest, service: Bound
) -> wire.ReasoningAnalyticsView:
    occurred = Window(asked.occurred_from or ALWAYS.start, asked.occurred_to or ALWAYS.end)
    analysis = await service.analyse_reasoning(
        caller,
        EpisodeFilters(
            domain=Names.of(asked.domain), model=Names.of(asked.model), occurred=occurred
        ),
        value_of(ReasoningView, asked),
    )
    return _view(analysis)


def _view(analysis: ReasoningAnalysis) -> wire.ReasoningAnalyticsView:
    groups = {by: views_of(wire.EpisodeGroupView, each) for by, each in analysis.groups.items()}
    return view_of(wire.ReasoningAnalyticsView, analysis, groups=groups)
