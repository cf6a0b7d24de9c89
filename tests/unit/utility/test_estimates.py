from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from graph.scoring.estimates import evidence, in_contexts, means, priors, utilities
from graph.scoring.exploration import bonus, errors, sampled

EMPTY = np.zeros(0)


def floats(*values: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array(values, dtype=np.float64)


def ints(*values: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(values, dtype=np.int64)


HALF = floats(0.5)


def test_evidence_grows_with_each_reward_and_never_beyond_what_an_average_remembers() -> None:
    left = np.power(0.9, np.arange(200, dtype=np.float64))
    known = evidence(left, learning_rate=0.1)
    assert known[:3].tolist() == pytest.approx([0, 1, 1.9])
    assert (np.diff(known) >= 0).all()
    assert known[-1] == pytest.approx(10)


def test_the_mean_is_that_of_the_rewards_alone() -> None:
    """Three successes from 0.5 at 0.1: Q is 0.6355, and what was had is 1."""
    q = 0.5
    for _ in range(3):
        q += 0.1 * (1 - q)
    mean = means(floats(q, 0.5, 0.0), floats(0.9**3, 1, 0.9), floats(0.5, 0.5, 0.5))
    assert mean.tolist() == pytest.approx([1, 0.5, 0])
    assert means(EMPTY, EMPTY, EMPTY).tolist() == []


def test_a_first_success_counts_as_one_of_three() -> None:
    """With two rewards' worth of doubt: (2·0.5 + 1)/3."""
    known = utilities(floats(0.55), floats(0.9), HALF, HALF, learning_rate=0.1, prior_count=2)
    assert known.tolist() == pytest.approx([2 / 3])


def test_without_a_prior_the_utility_is_q_and_not_shared() -> None:
    q = floats(0.55, 0.2)
    known = utilities(q, floats(0.9, 1), q, q, learning_rate=0.1, prior_count=0)
    assert known.tolist() == q.tolist()
    assert known is not q


def test_what_nothing_taught_is_worth_its_prior() -> None:
    known = utilities(HALF, floats(1), HALF, floats(0.8), learning_rate=0.1, prior_count=2)
    assert known.tolist() == pytest.approx([0.8])


def test_a_q_that_was_clamped_stays_inside() -> None:
    low = utilities(floats(0), floats(0.9), HALF, HALF, learning_rate=0.1, prior_count=2)
    high = utilities(floats(1), floats(0.9), HALF, HALF, learning_rate=0.1, prior_count=2)
    assert (low.tolist(), high.tolist()) == ([0], [1])


def test_lenders_count_by_what_they_know_and_none_leaves_what_it_was() -> None:
    initial = floats(0.5, 0.4, 0.5)
    drawn = priors(initial, ints(0, 0, 2), floats(1, 0, 0.9), floats(9, 1, 0), prior_count=10)
    assert drawn.tolist() == pytest.approx([0.5 + 0.4 * 0.5, 0.4, 0.5])
    sure = priors(initial, ints(0, 2), floats(0.9, 0.9), floats(1, 0), prior_count=0)
    assert sure.tolist() == pytest.approx([0.9, 0.4, 0.5])
    assert priors(EMPTY, ints(), EMPTY, EMPTY, prior_count=10).tolist() == []


def test_contexts_count_as_their_mean_and_fall_back_to_what_is_known_at_large() -> None:
    utility = floats(0.5, 0.5, 0.7)
    here, known = in_contexts(
        utility, ints(0, 0, 1), floats(1, 0.5, 0), floats(4, 4, 2), prior_count=2
    )
    assert here.tolist() == pytest.approx([(1 + 4 * 0.75) / 6, 0.25, 0.7])
    assert known.tolist() == pytest.approx([4, 2, 0])
    without, _ = in_contexts(utility, ints(0), floats(0.9), floats(0), prior_count=0)
    assert without.tolist() == utility.tolist()


def test_the_error_falls_with_evidence_and_rises_with_variance() -> None:
    few, many, steady = errors(floats(0.25, 0.25, 0.0), floats(1, 9, 9), prior_count=2).tolist()
    assert few == pytest.approx(math.sqrt(0.25 / 3))
    assert few > many > steady > 0
    assert errors(floats(0), floats(0), prior_count=0).tolist() == [0.5]
    assert errors(floats(0.16), floats(4), prior_count=0).tolist() == pytest.approx([0.2])


def test_the_bonus_is_for_what_is_little_known() -> None:
    gains = bonus(floats(0, 3, 10), weight=0.1)
    assert (np.diff(gains) < 0).all()
    assert gains[0] == pytest.approx(0.1 * math.sqrt(math.log(14)))
    assert bonus(floats(0, 0), weight=0.1).tolist() == [0, 0]
    assert bonus(floats(5), weight=0.0).tolist() == [0]
    assert bonus(EMPTY, weight=0.1).tolist() == []


def test_a_sample_is_as_wide_as_what_is_not_known() -> None:
    draws = np.array(
        [
            sampled(floats(0.8, 0.8), floats(0, 50), np.random.default_rng(seed), prior_count=2)
            for seed in range(400)
        ]
    )
    assert draws.mean(axis=0).tolist() == pytest.approx([0.8, 0.8], abs=0.05)
    assert draws[:, 0].std() > 2 * draws[:, 1].std()
    same = [
        sampled(floats(0.8), floats(1), np.random.default_rng(7), prior_count=2).tolist()
        for _ in range(2)
    ]
    assert same[0] == same[1]


def test_a_sample_needs_neither_evidence_nor_doubt() -> None:
    drawn = sampled(floats(0, 1, 0.5), floats(0, 0, 0), np.random.default_rng(7), prior_count=0)
    assert np.isfinite(drawn).all()
    assert sampled(EMPTY, EMPTY, np.random.default_rng(7), prior_count=2).tolist() == []


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: evidence(HALF, learning_rate=0), "learning_rate must lie in"),
        (lambda: evidence(HALF, learning_rate=1.1), "learning_rate must lie in"),
        (lambda: means(HALF, EMPTY, HALF), "differ in length"),
        (lambda: priors(HALF, ints(0), HALF, HALF, prior_count=-1), "must not be negative"),
        (lambda: priors(HALF, ints(0), EMPTY, HALF, prior_count=1), "differ in length"),
        (
            lambda: utilities(HALF, HALF, HALF, EMPTY, learning_rate=0.1, prior_count=2),
            "differ in length",
        ),
        (
            lambda: utilities(HALF, HALF, HALF, HALF, learning_rate=0.1, prior_count=-2),
            "must not be negative",
        ),
        (lambda: in_contexts(HALF, ints(0), HALF, EMPTY, prior_count=2), "differ in length"),
        (lambda: errors(HALF, HALF, prior_count=-1), "must not be negative"),
        (lambda: bonus(HALF, weight=-1), "must not be negative"),
        (
            lambda: sampled(HALF, EMPTY, np.random.default_rng(7), prior_count=1),
            "differ in length",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(call: Callable[[], object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()
