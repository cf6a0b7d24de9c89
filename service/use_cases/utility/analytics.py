"""Analytics of utility: distribution, extremes and convergence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np

from graph.kernel.scope import Caller
from graph.model.utility.analytics import (
    LearnedMemory,
    QMove,
    RankedMemory,
    UtilityAnalysis,
    UtilityGrouping,
)
from graph.model.utility.config import UtilityConfig
from graph.ports.utility import UtilityConfigs
from graph.scoring.estimates import evidence
from graph.scoring.exploration import errors
from graph.store.utility.analytics import UtilityMeasures
from service.use_cases.kernel.watched import TimedUseCase, watched

BINS = 20
# At rest: the last rewards moved Q within a band that one reward can cross at the usual step.
LAST_REWARDS = 10
BAND = 0.1
_MOVES = 20  # of a memory that is shown with its history


@dataclass(frozen=True, slots=True)
class AnalyseUtility(TimedUseCase):
    """Measure the utility of all that a caller reads."""

    measures: UtilityMeasures
    configs: UtilityConfigs

    @watched("analyse_utility")
    async def __call__(
        self,
        caller: Caller,
        *,
        top_n: int = 10,
        days: int = 30,
        by: UtilityGrouping | None = None,
        include_history: bool = False,
    ) -> UtilityAnalysis:
        """Return the analysis; the trend goes back ``days``, and ``by`` adds groups."""
        scopes, measures = caller.readable, self.measures
        top = await measures.highest(scopes, top_n)
        bottom = await measures.lowest(scopes, top_n)
        moves = await self._moves(scopes, (*top, *bottom)) if include_history else None
        config = self.configs.of(caller.tenant)
        return UtilityAnalysis(
            distribution=await measures.distribution(scopes),
            histogram=await measures.histogram(scopes, BINS),
            top=_ranked(top, config, moves),
            bottom=_ranked(bottom, config, moves),
            convergence=await measures.convergence(scopes, LAST_REWARDS, BAND),
            trend=await measures.trend(scopes, self.clock.now() - timedelta(days=days)),
            groups=await measures.groups(scopes, by) if by else None,
        )

    async def _moves(
        self, scopes: Sequence[str], memories: Sequence[LearnedMemory]
    ) -> Mapping[str, tuple[QMove, ...]]:
        uids = sorted({memory.uid for memory in memories})
        return await self.measures.moves(scopes, uids, _MOVES)


def _ranked(
    memories: Sequence[LearnedMemory],
    config: UtilityConfig,
    moves: Mapping[str, tuple[QMove, ...]] | None,
) -> tuple[RankedMemory, ...]:
    left = np.array([memory.left for memory in memories], dtype=np.float64)
    variance = np.array([memory.variance for memory in memories], dtype=np.float64)
    # by the usual step: how many rewards each Q rests on
    rests_on = evidence(left, learning_rate=config.learning_rate)
    off_by = errors(variance, rests_on, prior_count=config.q_prior_count)
    return tuple(
        RankedMemory(
            memory,
            float(rests_on[place]),
            float(off_by[place]),
            None if moves is None else moves.get(memory.uid, ()),
        )
        for place, memory in enumerate(memories)
    )
