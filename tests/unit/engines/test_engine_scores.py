"""Laws of memory: numbers written by hand, of the household trace, and of pyactr."""

from __future__ import annotations

import numpy as np
import pytest

from graph.scoring.base_level import base_level, base_level_hybrid, base_level_standard
from graph.scoring.basic import basic_ranking
from graph.scoring.generative import between_extremes, generative_score, hourly_recency
from graph.scoring.human_centric import (
    WeightedSum,
    initial_importance,
    linear_recency,
    saliency,
    tag_match,
    weighted_sum,
)
from graph.scoring.resonance import (
    embedded_resonance,
    pairwise_resonance,
    resonance,
    retroactive_interference,
)
from graph.scoring.retention import importance_share
from graph.scoring.stores import consolidates, long_term_eviction, working_eviction

DISASTER, ROUTINE = 0, 1
AGE = np.array([10.0, 1.0])
IMPORTANCE = np.array([1.0, 0.1])


def test_the_household_trace_under_saliency() -> None:
    scores = saliency(IMPORTANCE, AGE)
    assert scores[DISASTER] == pytest.approx(0.368, abs=5e-4)  # the source cuts it to 0.36
    assert scores[ROUTINE] == pytest.approx(0.0905, abs=5e-5)


def test_the_household_trace_under_the_weighted_law() -> None:
    context = tag_match(
        np.array([[True, False, False, False], [False, False, False, True]]),
        np.array([True, True, True, False]),
    )
    scores = weighted_sum(linear_recency(AGE), saliency(IMPORTANCE, AGE), context)
    assert scores[DISASTER] == pytest.approx(0.368 * 0.5 + 0.2, abs=3e-4)  # 0.38 in the source
    assert scores[ROUTINE] == pytest.approx(0.315, abs=5e-4)
    assert scores.round(3).tolist() == [0.384, 0.315]


def test_weights_of_the_weighted_law_are_those_of_the_source() -> None:
    assert WeightedSum() == WeightedSum(0.3, 0.5, 0.2, 0.0, 0.0)
    one = np.ones(1)
    weights = WeightedSum(0.1, 0.2, 0.3, 0.4, 0.5)
    assert weighted_sum(one, one, one, one, one, weights=weights) == pytest.approx([0.5])


def test_importance_is_emotion_times_source() -> None:
    found = initial_importance(np.array([1.0, 0.8, 0.0]), np.array([0.5, 0.25, 1.0]))
    assert found == pytest.approx([0.5, 0.2, 0.0])


def test_recency_against_an_age_that_is_given() -> None:
    assert linear_recency(np.array([0.0, 5.0, 20.0]), oldest=10.0).tolist() == [1.0, 0.5, 0.0]
    assert linear_recency(np.zeros(3)).tolist() == [1.0, 1.0, 1.0]
    assert linear_recency(np.array([4.0, 1.0, np.inf])).tolist() == [0.0, 0.75, 0.0]
    assert linear_recency(np.zeros(0)).tolist() == []


def test_basic_ranking_takes_five_recent_and_two_important_others() -> None:
    age = np.arange(10.0)
    left = np.array([0.9, 0.1, 0.1, 0.1, 0.1, 0.2, 0.1, 0.8, 0.1, 0.3])
    assert basic_ranking(age, left).tolist() == [0, 1, 2, 3, 4, 7, 9]


def test_basic_ranking_says_where_memories_are_too_few() -> None:
    age = np.array([[2.0, 1.0, np.inf], [3.0, 2.0, 1.0]])
    left = np.array([[0.5, 0.5, 0.0], [0.9, 0.1, 0.2]])
    assert basic_ranking(age, left, recent=2, important=1).tolist() == [[1, 0, -1], [2, 1, 0]]
    assert basic_ranking(np.zeros(0), np.zeros(0), recent=1, important=1).tolist() == [-1, -1]


def test_resonance_is_the_overlap_coefficient() -> None:
    question = np.array([True, True, True, True, False])
    memories = np.array([[1, 1, 0, 0, 0], [1, 0, 0, 0, 1], [0, 0, 0, 0, 0]], dtype=np.bool_)
    assert resonance(question, memories).tolist() == [1.0, 0.5, 0.0]
    assert pairwise_resonance(memories)[0].tolist() == [1.0, 0.5, 0.0]
    assert embedded_resonance(np.array([0.0, 1.0]), np.array([[0.6, 0.8]])) == pytest.approx([0.8])


def test_only_newer_memories_interfere_and_at_most_by_the_cap() -> None:
    alike = np.array([[1.0, 1.0, 0.5], [1.0, 1.0, 0.25], [0.5, 0.25, 1.0]])
    stored = np.array([1.0, 2.0, 3.0])
    assert retroactive_interference(alike, stored) == pytest.approx([0.8, 0.2, 0.0])
    assert retroactive_interference(alike, stored, cap=0.5) == pytest.approx([0.5, 0.125, 0.0])
    assert retroactive_interference(alike, np.ones(3)).tolist() == [0.0, 0.0, 0.0]


def test_what_has_replaced_a_memory_does_not_interfere_again() -> None:
    alike = np.array([[1.0, 1.0, 0.5], [1.0, 1.0, 0.25], [0.5, 0.25, 1.0]])
    settled = np.zeros((3, 3), dtype=np.bool_)
    settled[0, 1] = True
    found = retroactive_interference(alike, np.array([1.0, 2.0, 3.0]), settled=settled)
    assert found == pytest.approx([0.4, 0.2, 0.0])


# now, times of the accesses, d, and the B that pyactr 0.3.2 gives (utilities.baselevel_learning).
PYACTR = [
    (10.0, [0.0], 0.5, -1.1512925464970227),
    (10.0, [0.0, 5.0, 9.0], 0.5, 0.5672672189456704),
    (100.0, [1.0, 2.0, 50.0, 97.0, 99.5], 0.5, 0.8477995447145054),
    (30.0, [0.0, 10.0, 20.0, 29.0], 0.3, 0.8192260207536982),
    (365.0, [0.0, 30.0, 60.0, 90.0, 364.0], 0.8, 0.039163834905838864),
]


@pytest.mark.parametrize(("now", "times", "decay", "activation"), PYACTR)
def test_base_level_gives_the_numbers_of_pyactr(
    now: float, times: list[float], decay: float, activation: float
) -> None:
    ages = now - np.array(times)
    assert base_level(ages, decay=decay) == pytest.approx(activation, abs=1e-12)
    hybrid = base_level_hybrid(ages, np.array(len(times)), ages.max(), decay=decay)
    assert hybrid == pytest.approx(activation, abs=1e-12)


# pyactr takes the age of the newest access as L, where ACT-R takes that of the first.
@pytest.mark.parametrize(
    ("count", "newest", "decay", "activation"),
    [(1, 10.0, 0.5, -0.45814536593706777), (5, 0.5, 0.5, 2.6491586832740186)],
)
def test_the_standard_form_gives_the_numbers_of_pyactr(
    count: int, newest: float, decay: float, activation: float
) -> None:
    found = base_level_standard(np.array(count), np.array(newest), decay=decay)
    assert found == pytest.approx(activation, abs=1e-12)


def test_the_hybrid_form_by_hand() -> None:
    found = base_level_hybrid(np.array([[1.0, 4.0]]), np.array([5]), np.array([9.0]))
    # 1 + 1/2 + 3·(3 − 2)/(0.5·5) = 2.7
    assert found == pytest.approx([np.log(2.7)])
    at_one = base_level_hybrid(np.array([1.0]), np.array(3), np.array(np.e), decay=1.0)
    assert at_one == pytest.approx(np.log(1 + 2 / (np.e - 1)))


def test_the_hybrid_form_is_near_the_exact_one_for_even_accesses() -> None:
    ages = np.arange(1.0, 1001.0)
    exact = base_level(ages)
    hybrid = base_level_hybrid(ages[:1], np.array(1000), np.array(1000.0))
    assert hybrid == pytest.approx(exact, abs=0.02)


def test_generative_score_by_hand() -> None:
    assert hourly_recency(np.array([1.0, 2.0])) == pytest.approx([0.995, 0.990025])
    recency = hourly_recency(np.array([0.0, 10.0, 20.0]))
    middle = (0.995**10 - 0.995**20) / (1 - 0.995**20)
    scores = generative_score(recency, np.array([1.0, 3.0, 2.0]), np.array([0.0, 0.0, 1.0]))
    assert scores == pytest.approx([1.0, middle + 1.0, 1.5])


def test_extremes_of_memories_that_are_there() -> None:
    values = np.array([[1.0, 3.0, np.nan], [2.0, 2.0, 2.0]])
    present = np.array([[True, True, False], [False, False, False]])
    assert between_extremes(values, present=present).tolist() == [[0, 1, 0], [0, 0, 0]]
    assert between_extremes(np.zeros(0)).tolist() == []


def test_consolidation_gate_with_a_seed() -> None:
    importance = np.full(10_000, 0.6)
    first = consolidates(importance, np.random.default_rng(42))
    assert first.tolist() == consolidates(importance, np.random.default_rng(42)).tolist()
    assert first.mean() == pytest.approx(0.8, abs=0.02)
    assert not consolidates(np.full(100, 0.59), np.random.default_rng(42)).any()


def test_orders_of_eviction() -> None:
    consolidated = np.array([[False, True, True, False], [False, False, False, False]])
    age = np.array([[9.0, 1.0, 2.0, -np.inf], [1.0, 2.0, 3.0, 4.0]])
    assert working_eviction(consolidated, age).tolist() == [[2, 1, 0, 3], [3, 2, 1, 0]]
    importance = np.array([[0.3, 0.1, 0.1, np.inf]])
    assert long_term_eviction(importance, age[1:]).tolist() == [[2, 1, 0, 3]]


@pytest.mark.parametrize(
    "call",
    [
        lambda: saliency(np.array([1.1]), np.zeros(1)),
        lambda: saliency(np.ones(1), np.array([-1.0])),
        lambda: saliency(np.ones(1), np.ones(1), decay=-0.1),
        lambda: initial_importance(np.ones(1), np.array([np.nan])),
        lambda: linear_recency(np.ones(1), oldest=0.0),
        lambda: tag_match(np.ones((1, 2), np.bool_), np.ones(3, np.bool_)),
        lambda: weighted_sum(np.ones(1), np.ones(1), np.full(1, 2.0)),
        lambda: weighted_sum(np.ones(1), np.ones(1), np.ones(1), 1.5),
        lambda: basic_ranking(np.ones(1), np.ones(2)),
        lambda: basic_ranking(np.ones(1), np.ones(1), recent=-1),
        lambda: resonance(np.ones(2, np.bool_), np.ones((1, 3), np.bool_)),
        lambda: pairwise_resonance(np.ones(2, np.bool_)),
        lambda: embedded_resonance(np.ones(2), np.ones((1, 3))),
        lambda: retroactive_interference(np.ones((2, 2)), np.ones(2), cap=1.1),
        lambda: retroactive_interference(np.ones((2, 3)), np.ones(2)),
        lambda: base_level(np.array([0.0])),
        lambda: base_level(np.ones(1), decay=0.0),
        lambda: base_level_standard(np.array([0]), np.ones(1)),
        lambda: base_level_standard(np.array([1]), np.ones(1), decay=1.0),
        lambda: base_level_hybrid(np.array([[np.inf]]), np.array([1]), np.ones(1)),
        lambda: base_level_hybrid(np.ones((1, 1)), np.array([0]), np.ones(1)),
        lambda: hourly_recency(np.array([-1.0])),
        lambda: hourly_recency(np.ones(1), decay=0.0),
        lambda: between_extremes(np.array([np.nan])),
        lambda: generative_score(np.ones(1), np.ones(1), np.ones(1), weights=(1.0, -1.0, 1.0)),
        lambda: consolidates(np.ones(1), np.random.default_rng(1), gate=1.1),
        lambda: working_eviction(np.ones(1, np.bool_), np.ones(2)),
        lambda: long_term_eviction(np.ones(1), np.ones(2)),
    ],
)
def test_what_is_out_of_range_is_refused(call: object) -> None:
    assert callable(call)
    with pytest.raises(ValueError, match=r"."):
        call()


@pytest.mark.parametrize("importance", [0.5, 5.5, np.nan])
def test_an_importance_that_no_memory_has_is_refused(importance: float) -> None:
    with pytest.raises(ValueError, match=r"must lie in \[1, 5\]"):
        importance_share(np.array([3.0, importance]))
