"""`GET /v1/strata/analytics`: statistics of strata."""

from __future__ import annotations

from fastapi import APIRouter

from graph.kernel.scope import Caller
from graph.model.strata.analytics import StrataAnalysis, StratumDecay
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import view_of, views_of
from stratagraph import wire
from stratagraph.operations.strata import STRATA_ANALYTICS

router = APIRouter()


@serves(router, STRATA_ANALYTICS)
async def analyse_strata(
    caller: Caller, asked: wire.StrataAnalyticsRequest, service: Bound
) -> wire.StrataAnalyticsView:
    found = await service.analyse_strata(caller, days=asked.days)
    return _view(found)


def _view(found: StrataAnalysis) -> wire.StrataAnalyticsView:
    strata = [each.stratum for each in found.population]
    return view_of(
        wire.StrataAnalyticsView,
        found,
        days=tuple(
            wire.PopulationDayView(day=each.day, active=dict(zip(strata, each.active, strict=True)))
            for each in found.days
        ),
        decay=tuple(map(_decay, found.decay)),
        surprises={by: views_of(wire.SurpriseGroupView, groups) for by, groups in found.surprises},
    )


def _decay(found: StratumDecay) -> wire.DecayView:
    ahead = tuple(wire.AheadView(days=days, mean=mean) for days, mean in found.ahead)
    return view_of(wire.DecayView, found, ahead=ahead)
