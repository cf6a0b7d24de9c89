"""`GET /v1/strata/analytics`: strata at large."""

from __future__ import annotations

from typing import TypeVar

from fastapi import APIRouter

from graph.kernel.scope import Caller
from graph.model.strata.analytics import StrataAnalysis, StratumDecay
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from stratagraph import wire
from stratagraph.operations.strata import STRATA_ANALYTICS

router = APIRouter()

Shown = TypeVar("Shown", bound=wire.Answer)


@serves(router, STRATA_ANALYTICS)
async def analyse_strata(
    caller: Caller, asked: wire.StrataAnalyticsRequest, service: Bound
) -> wire.StrataAnalyticsView:
    found = await service.analyse_strata(caller, days=asked.days)
    return _view(found)


def _view(found: StrataAnalysis) -> wire.StrataAnalyticsView:
    strata = [each.stratum for each in found.population]
    return wire.StrataAnalyticsView(
        population=tuple(_same(wire.PopulationView, each) for each in found.population),
        days=tuple(
            wire.PopulationDayView(day=each.day, active=dict(zip(strata, each.active, strict=True)))
            for each in found.days
        ),
        flow=tuple(_same(wire.FlowView, each) for each in found.flow),
        decay=tuple(map(_decay, found.decay)),
        surprises={
            by: tuple(_same(wire.SurpriseGroupView, each) for each in groups)
            for by, groups in found.surprises
        },
        consolidation=_same(wire.ConsolidationSumView, found.consolidation),
    )


def _decay(found: StratumDecay) -> wire.DecayView:
    return wire.DecayView(
        stratum=found.stratum,
        memories=found.memories,
        ages=tuple(_same(wire.AgeWeightsView, each) for each in found.ages),
        ahead=tuple(wire.AheadView(days=days, mean=mean) for days, mean in found.ahead),
    )


def _same(model: type[Shown], value: object) -> Shown:
    """Show a value whose fields have the names of the view's."""
    return model(**{name: getattr(value, name) for name in model.model_fields})
