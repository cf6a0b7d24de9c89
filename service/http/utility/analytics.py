"""`GET /v1/utility/analytics`: utility at large."""

from __future__ import annotations

from typing import TypeVar

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
from service.http.kernel.views import scope_view, view_of
from stratagraph import wire
from stratagraph.operations.utility import UTILITY_ANALYTICS

router = APIRouter()

Shown = TypeVar("Shown", bound=wire.Answer)
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
    groups = analysis.groups
    return wire.UtilityAnalyticsView(
        distribution=_distribution(analysis.distribution),
        histogram=_bins(analysis.histogram),
        top=tuple(_ranked(ranked) for ranked in analysis.top),
        bottom=tuple(_ranked(ranked) for ranked in analysis.bottom),
        convergence=_convergence(analysis.convergence, analysis.trend),
        groups=None
        if groups is None
        else tuple(_same(wire.UtilityGroupView, group) for group in groups),
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
        scope=scope_view(memory.scope),
        q_variance=memory.variance,
        q_error=ranked.error,
        evidence=ranked.evidence,
        success_count=memory.successes,
        failure_count=memory.failures,
        history=None if moves is None else tuple(_same(wire.MoveView, move) for move in moves),
    )


def _convergence(found: Convergence, trend: tuple[RewardDay, ...]) -> wire.ConvergenceView:
    return wire.ConvergenceView(
        learned=found.learned,
        judged=found.judged,
        stable=found.stable,
        share=found.stable / found.judged if found.judged else None,
        trend=tuple(_same(wire.RewardDayView, day) for day in trend),
    )


def _same(model: type[Shown], value: object) -> Shown:
    """Show a value whose fields have the names of the view's."""
    return model(**{name: getattr(value, name) for name in model.model_fields})
