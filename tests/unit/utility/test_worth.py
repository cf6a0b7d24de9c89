from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from graph.kernel.values import Floats
from graph.model.recall.candidates import CandidatePool, Estimate
from graph.model.utility.config import UtilityConfig
from graph.scoring.weights import RankingWeights, UtilityWeights
from service.use_cases.recall.ranking import Cut, Ranking
from service.use_cases.utility.worth import Valuation, utility_weights, worth
from tests.unit.pools import CUT, NOTHING_ASKED, TODAY, pool_of, rank

WEIGHTS = RankingWeights()


def valued(estimates: Mapping[str, Sequence[Estimate]] = {}, **weights: Any) -> Cut:
    return replace(CUT, valuation=Valuation(UtilityWeights(**weights), estimates))


def ranked(pool: CandidatePool, cut: Cut = CUT, hops: int = 1) -> Ranking:
    return rank(pool, NOTHING_ASKED, TODAY, hops, WEIGHTS, cut)


def order(pool: CandidatePool, cut: Cut = CUT, hops: int = 1) -> list[int]:
    return ranked(pool, cut, hops).chosen.tolist()


def test_the_weights_of_a_tenant_are_those_it_set() -> None:
    assert utility_weights(UtilityConfig()) == UtilityWeights()
    config = UtilityConfig(
        q_default=0.0, utility_normalization="softmax", exploration="ucb", q_prior_count=0
    )
    weights = utility_weights(config)
    assert (weights.neutral, weights.normalization) == (0.5, "softmax")
    assert (weights.exploration, weights.prior_count) == ("ucb", 0)
    assert utility_weights(UtilityConfig(q_default=0.3)).neutral == 0.3


def test_equal_qs_change_nothing() -> None:
    cosines = [0.9, 0.8, 0.7, 0.6]
    alike = pool_of(cosines, q_value=[0.5] * 4, q_count=[0] * 4)
    for method in ("z-score", "min-max", "softmax"):
        cut = valued(normalization=method)
        assert order(alike, cut) == order(alike, replace(cut, utility_weight=0.0)) == [0, 1, 2, 3]
        assert np.isfinite(ranked(alike, cut).score[:4]).all()


@pytest.mark.parametrize("method", ["z-score", "min-max", "softmax"])
@pytest.mark.parametrize("exploration", ["none", "ucb", "thompson"])
@pytest.mark.parametrize("size", [0, 1, 2])
def test_small_pools_have_an_order_and_finite_scores(
    method: str, exploration: str, size: int
) -> None:
    pool = pool_of([0.9, 0.8][:size], q_value=[0.2, 0.9][:size], q_count=[4, 9][:size])
    ranking = ranked(pool, valued(normalization=method, exploration=exploration))
    assert sorted(ranking.chosen.tolist()) == list(range(size))
    assert np.isfinite(ranking.score).all()


def test_a_memory_without_rewards_borrows_from_what_it_used() -> None:
    pool = pool_of([0.80, 0.79, 0.7, 0.6], lenders=[(0, 0.1, 20), (1, 0.9, 20)])
    assert order(pool)[0] == 1
    assert order(replace(pool, lenders=pool_of([]).lenders))[0] == 0
    known = worth(pool, Valuation())
    assert known.utility[1] > 0.6 > 0.5 > known.utility[0]
    assert known.utility[2] == 0.5
    assert known.evidence.tolist() == [0, 0, 0, 0]


def test_own_rewards_take_over_from_what_was_borrowed() -> None:
    pool = pool_of([0.8, 0.8], q_value=[0.1, 0.5], q_count=[40, 0], lenders=[(0, 0.9, 40)])
    assert worth(pool, Valuation()).utility[0] < 0.3


def test_with_the_literal_form_nothing_is_borrowed_and_no_context_counts() -> None:
    pool = pool_of([0.8, 0.8], lenders=[(0, 0.9, 40)], q_value=[0.6, 0.7], q_count=[3, 3])
    estimates = {"m0": [Estimate("m0", "domain:tea", 1.0, 0.2, 0.5)]}
    assert worth(pool, valued(estimates, prior_count=0).valuation).utility.tolist() == [0.6, 0.7]


def test_a_q_that_nothing_moved_is_what_the_memory_began_with() -> None:
    """Whatever the release that stored it took for the default."""
    pool = replace(pool_of([0.8]), q_value=np.array([0.3]))
    assert worth(pool, Valuation()).utility.tolist() == pytest.approx([0.3])


def test_the_same_memory_is_worth_something_else_in_another_context() -> None:
    pool = pool_of([0.80, 0.79], q_value=[0.5, 0.5], q_count=[20, 20])
    tea = {
        "m0": [Estimate("m0", "domain:tea", 0.1, 0.5, 0.5)],
        "m1": [Estimate("m1", "domain:tea", 0.9, 0.5, 0.5)],
    }
    here = worth(pool, valued(tea).valuation)
    assert here.utility[0] < 0.3
    assert here.utility[1] > 0.7
    assert worth(pool, Valuation()).utility.tolist() == pytest.approx([0.5, 0.5])


def test_what_lends_is_worth_something_else_in_another_context_too() -> None:
    pool = pool_of([0.8], lenders=[(0, 0.5, 20)])
    tea = {"s0": [Estimate("s0", "domain:tea", 0.95, 0.1, 0.5)]}
    assert worth(pool, Valuation()).utility[0] == pytest.approx(0.5)
    assert worth(pool, valued(tea).valuation).utility[0] > 0.65


LEARNED = pool_of(
    [0.9, 0.5, 0.49, 0.3],
    q_value=[0.0, 0.9, 0.1, 1.0],
    q_count=[30, 30, 30, 30],
    edges=[(0, 2, "USED"), (1, 2, "SIMILAR_TO"), (3, 1, "NEXT")],
    lenders=[(2, 0.95, 30)],
)
FRESH = replace(
    LEARNED,
    q_value=np.full(4, 0.5),
    q_left=np.ones(4),
    lenders=pool_of([]).lenders,
)


@pytest.mark.parametrize("hops", [0, 1, 2])
@pytest.mark.parametrize("method", ["z-score", "min-max", "softmax"])
@pytest.mark.parametrize("exploration", ["none", "ucb", "thompson"])
def test_disabled_and_at_weight_0_no_q_says_anything_anywhere(
    hops: int, method: str, exploration: str
) -> None:
    """Not in the second phase, and not in what neighbours pass on."""
    usual = ranked(FRESH, replace(CUT, learn=False), hops)
    for change in ({"learn": False, "utility_weight": 1.0}, {"utility_weight": 0.0}):
        cut = replace(valued(normalization=method, exploration=exploration), **change)
        ranking = ranked(LEARNED, cut, hops)
        assert ranking.chosen.tolist() == usual.chosen.tolist()
        assert ranking.relevance.tolist() == usual.relevance.tolist()
        by_relevance = np.argsort(-ranking.relevance, kind="stable")
        assert ranking.chosen.tolist() == by_relevance[: len(ranking.chosen)].tolist()


def test_learned_utility_reaches_what_neighbours_pass_on() -> None:
    assert ranked(LEARNED).relevance.tolist() != ranked(FRESH).relevance.tolist()


def test_exploring_lifts_what_is_little_known_and_carries_nothing() -> None:
    pool = pool_of(
        [0.80, 0.79, 0.78],
        q_value=[0.6, 0.6, 0.5],
        q_count=[40, 40, 0],
        edges=[(0, 1, "USED"), (1, 2, "USED")],
    )
    cut = valued(exploration="ucb", exploration_weight=5.0)
    assert order(pool)[0] != 2
    assert order(pool, cut)[0] == 2
    assert ranked(pool, cut).relevance.tolist() == ranked(pool).relevance.tolist()


def test_samples_come_from_the_generator_that_is_given() -> None:
    pool = pool_of([0.80, 0.79, 0.78], q_value=[0.5, 0.5, 0.5])
    seeds = itertools.count()

    def scores(seed: int) -> Floats:
        valuation = Valuation(
            UtilityWeights(exploration="thompson"), random=lambda: np.random.default_rng(seed)
        )
        return ranked(pool, replace(CUT, valuation=valuation)).score

    assert scores(7).tolist() == scores(7).tolist()
    firsts = {int(np.argmax(scores(next(seeds)))) for _ in range(40)}
    assert firsts == {0, 1, 2}
