"""Analytics of strata (population, flow, decay, surprises), and the provenance of a memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import numpy as np

from graph.kernel.errors import required
from graph.kernel.scope import Caller
from graph.kernel.values import Floats, Stratum
from graph.model.strata.analytics import (
    AgeWeights,
    Flow,
    Population,
    PopulationDay,
    Provenance,
    SourceEdge,
    SourceNode,
    StrataAnalysis,
    StratumDecay,
    SurpriseGrouping,
    WeightColumns,
)
from graph.model.strata.config import Fading
from graph.ports.utility import StrataConfigs
from graph.scoring.retention import decay_rates, decay_weight, elapsed_days, slowed
from graph.store.memories.store import MemoryStore
from graph.store.strata.measures import StrataMeasures
from service.use_cases.kernel.watched import TimedUseCase, UseCase, watched
from service.use_cases.memories.single import UNKNOWN
from service.use_cases.strata.gates import days_of

MOST = 20_000  # latest memories of a stratum whose weights are read
AGES = (0.0, 1.0, 3.0, 7.0, 14.0, 30.0, 90.0)  # days; the last has no end
AHEAD = (0.0, 1.0, 7.0, 30.0, 90.0, 365.0)
_BY: tuple[SurpriseGrouping, ...] = ("agent", "channel", "type")
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class AnalyseStrata(TimedUseCase):
    """Measure the strata of all that a caller reads."""

    measures: StrataMeasures
    configs: StrataConfigs

    @watched("analyse_strata")
    async def __call__(self, caller: Caller, *, days: int = 30) -> StrataAnalysis:
        """Return the analysis; time series go back ``days``."""
        now, scopes, measures = self.clock.now(), caller.readable, self.measures
        since = now - timedelta(days=days)
        fading = self.configs.fading_of(caller.tenant)
        population = await measures.population(scopes, tuple(fading))
        flow = await measures.flow(scopes, since)
        return StrataAnalysis(
            population=population,
            days=populations(population, flow, since.date(), now.date()),
            flow=flow,
            decay=tuple(
                [
                    _decay(each, await measures.weights(scopes, each, MOST), fades, now)
                    for each, fades in fading.items()
                ]
            ),
            surprises=tuple([(by, await measures.surprises(scopes, since, by)) for by in _BY]),
            consolidation=await measures.consolidation(scopes, since),
        )


def populations(
    now: Sequence[Population], flow: Sequence[Flow], first: date, last: date
) -> tuple[PopulationDay, ...]:
    """Return the population of each stratum at the end of each day, computed backwards from the present.

    Deleted memories are missing, and moves older than the kept ones.
    """
    held = {each.stratum: each.active for each in now}
    by_day: dict[str, list[Flow]] = {}
    for each in flow:
        by_day.setdefault(each.day, []).append(each)
    found: list[PopulationDay] = []
    day = last
    while day >= first:
        found.append(PopulationDay(day.isoformat(), tuple(max(each, 0) for each in held.values())))
        for each in by_day.get(day.isoformat(), ()):
            # backwards: memories that entered on that day were not there before
            if each.to_stratum in held:
                held[each.to_stratum] -= each.memories
            if each.from_stratum in held:
                held[each.from_stratum] += each.memories
        day -= timedelta(days=1)
    return tuple(reversed(found))


def _decay(stratum: Stratum, columns: WeightColumns, fading: Fading, now: datetime) -> StratumDecay:
    today, size = days_of(now), len(columns.initial)
    base, spared = np.full(size, fading.decay), np.full(size, fading.spared)
    rate = slowed(decay_rates(base, columns.importance, columns.accesses), columns.utility, spared)

    def at(day: float) -> Floats:
        days = elapsed_days(columns.anchored_at, columns.grace_until, day)
        return decay_weight(columns.initial, days, rate)

    weights, ages = at(today), np.maximum(today - columns.recorded_at, 0.0)
    ahead = tuple((days, float(at(today + days).mean())) for days in AHEAD) if size else ()
    return StratumDecay(stratum, size, _by_age(weights, ages), ahead)


def _by_age(weights: Floats, ages: Floats) -> tuple[AgeWeights, ...]:
    found: list[AgeWeights] = []
    for place, start in enumerate(AGES):
        end = AGES[place + 1] if place + 1 < len(AGES) else None
        of_age = weights[(ages >= start) & (ages < (np.inf if end is None else end))]
        if len(of_age):
            low, middle, high = (float(each) for each in np.percentile(of_age, (10, 50, 90)))
            mean = float(of_age.mean())
            found.append(AgeWeights(start, end, len(of_age), mean, low, middle, high))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class ShowProvenance(UseCase):
    """Return the sources of a memory: what it was condensed or derived from, or is a copy of.

    Raises
    ------
    NotFoundError
        If the memory is not in the caller's scopes.
    """

    store: MemoryStore
    measures: StrataMeasures

    @watched("show_provenance")
    async def __call__(self, caller: Caller, name: str, limit: int = 200) -> Provenance:
        """Return at most ``limit`` sources, up to eight steps away."""
        memory = required(await self.store.get(caller.readable, name), UNKNOWN)
        nodes: dict[str, SourceNode] = {}
        edges: list[SourceEdge] = []
        withheld = truncated = False
        asked: list[str] = [memory.uid]
        for depth in range(1, _DEEPEST + 1):
            steps = await self.measures.sources(asked, caller.readable, limit + 1)
            asked = []
            for step in steps:
                if step.source is None:
                    withheld = True
                elif step.source.uid not in nodes and len(nodes) >= limit:
                    truncated = True
                else:
                    if step.source.uid not in nodes and step.source.uid != memory.uid:
                        asked.append(step.source.uid)
                        nodes[step.source.uid] = step.source
                    edges.append(SourceEdge(step.uid, step.source.uid, step.type, step.run, depth))
            truncated = truncated or len(steps) > limit
            if not asked:
                break
        else:
            truncated = True
        return Provenance(memory.uid, [*nodes.values()], edges, withheld, truncated)
