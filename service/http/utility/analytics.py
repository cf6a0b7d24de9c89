"""`GET /v1/utility/analytics`: statistics of utility."""

from __future__ import annotations

from fastapi import APIRouter

from graph.kernel.scope import Caller
from graph.model.utility.analytics import (
    Convergence,
    Distribution,
    RankedMemory,
    RewardDay,
    UtilityAnalysis,
)
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import view_of, views_of
from stratagraph import wire
from stratagraph.operations.utility import UTILITY_ANALYTICS

router = APIRouter()

_PERCENTILES = ("p10", "p25", "p50", "p75", "p90", "p99")


@serves(router, UTILITY_ANALYTICS)
async def analyse_utility(
    caller: Caller, asked: wire.AnalyticsRequest, service: Bound
) -> wire.UtilityAnalyticsView:
    analysis = await service.analyse_utility(
        caller,
        top_n=asked.top_n,
        days=asked.days,
        by=asked.by,
        include_history=asked.include_history,
    )
    return _view(analysis)


def _view(analysis: UtilityAnalysis) -> wire.UtilityAnalyticsView:
    return view_of(
        wire.UtilityAnalyticsView,
        analysis,
        distribution=_distribution(analysis.distribution),
        histogram=_bins(analysis.histogram),
        top=tuple(_ranked(ranked) for ranked in analysis.top),
        bottom=tuple(_ranked(ranked) for ranked in analysis.bottom),
        convergence=_convergence(analysis.convergence, analysis.trend),
    )


def _distribution(found: Distribution) -> wire.DistributionView:
    return view_of(
        wire.DistributionView,
        found,
        percentiles=None
        if found.percentiles is None
        else dict(zip(_PERCENTILES, found.percentiles, strict=True)),
    )


def _bins(counts: tuple[int, ...]) -> tuple[wire.BinView, ...]:
    bins = len(counts)
    return tuple(
        wire.BinView(low=place / bins, high=(place + 1) / bins, memories=memories)
        for place, memories in enumerate(counts)
    )


def _ranked(ranked: RankedMemory) -> wire.RankedMemoryView:
    memory, moves = ranked.memory, ranked.moves
    return view_of(
        wire.RankedMemoryView,
        memory,
        q_variance=memory.variance,
        q_error=ranked.error,
        evidence=ranked.evidence,
        success_count=memory.successes,
        failure_count=memory.failures,
        history=None if moves is None else views_of(wire.MoveView, moves),
    )


def _convergence(found: Convergence, trend: tuple[RewardDay, ...]) -> wire.ConvergenceView:
    return view_of(
        wire.ConvergenceView,
        found,
        share=found.stable / found.judged if found.judged else None,
        trend=views_of(wire.RewardDayView, trend),
    )
