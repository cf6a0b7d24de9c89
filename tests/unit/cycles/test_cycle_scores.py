"""Confidence and promotion of cycles: examples and edges."""

from __future__ import annotations

import numpy as np
import pytest

from graph.scoring.cycles import (
    answer_shares,
    blended,
    extra_observations,
    fitted_weights,
    historical_accuracy,
    log_odds,
    pair_counts,
    pattern_agreement,
    promotion_value,
    smoothed_rate,
)

NONE = np.zeros(0)


def test_a_rate_is_drawn_to_what_is_usual_where_little_was_seen() -> None:
    assert smoothed_rate(0, 0, prior=0.3, weight=2) == pytest.approx(0.3)
    assert smoothed_rate(100, 100, prior=0.3, weight=2) > 0.98
    for successes, total, prior, weight in (
        (2, 1, 0.5, 1),
        (-1, 1, 0.5, 1),
        (0, 1, 2, 1),
        (0, 1, 0.5, 0),
    ):
        with pytest.raises(ValueError, match="successes"):
            smoothed_rate(successes, total, prior=prior, weight=weight)


def test_similar_attempts_count_more() -> None:
    near = historical_accuracy(np.array([1.0, 0.5]), np.array([1.0, 0.0]), prior=0.5, weight=1)
    far = historical_accuracy(np.array([0.5, 1.0]), np.array([1.0, 0.0]), prior=0.5, weight=1)
    assert near > 0.7 > 0.3 > far
    assert historical_accuracy(NONE, NONE, prior=0.4, weight=1) == pytest.approx(0.4)
    with pytest.raises(ValueError, match="similarities"):
        historical_accuracy(np.ones(2), np.ones(1), prior=0.5, weight=1)


def test_steps_of_right_attempts_agree() -> None:
    right, wrong = np.array([5.0, 4.0]), np.array([0.0, 1.0])
    assert pattern_agreement(right, wrong, 5, 5) > 0.7
    assert pattern_agreement(wrong, right, 5, 5) < 0.3
    assert pattern_agreement(NONE, NONE, 5, 5) == 0.5
    with pytest.raises(ValueError, match="counts"):
        pattern_agreement(np.ones(2), np.ones(1), 1, 1)


def test_parts_that_say_nothing_leave_the_confidence_as_it_is() -> None:
    weights = np.array([0.0, 0.5, 2.0])
    assert blended(np.full((2, 2), 0.5), weights).tolist() == [0.5, 0.5]
    assert np.isfinite(log_odds(np.array([0.0, 1.0]))).all()
    with pytest.raises(ValueError, match="shares"):
        log_odds(np.array([1.1]))
    for parts in (np.ones(2), np.ones((1, 3))):
        with pytest.raises(ValueError, match="weights"):
            blended(parts, weights)


def test_weights_learn_which_part_tells_the_outcome() -> None:
    rng = np.random.default_rng(3)
    outcomes = (rng.random(400) < 0.4).astype(np.float64)
    telling = np.clip(0.3 + 0.4 * outcomes + rng.normal(0, 0.15, 400), 0, 1)
    parts = np.column_stack([telling, rng.random(400)])
    start = np.zeros(3)
    weights = fitted_weights(parts, outcomes, start, ridge=1.0)
    assert weights[1] > 5 * abs(weights[2])
    told = blended(parts, weights)
    assert np.mean((told - outcomes) ** 2) < 0.7 * outcomes.var()
    assert fitted_weights(np.zeros((0, 2)), NONE, start, ridge=1.0).tolist() == [0, 0, 0]
    with pytest.raises(ValueError, match="rows"):
        fitted_weights(parts, NONE, start, ridge=1.0)
    with pytest.raises(ValueError, match="rows"):
        fitted_weights(parts, outcomes, start, ridge=0.0)


def test_an_answer_counts_by_how_often_those_are_right_who_gave_it() -> None:
    alike = answer_shares(np.array([0, 1, 1]), np.array([0.5, 0.5, 0.5]))
    assert alike[1] > alike[0]
    trusted = answer_shares(np.array([0, 1, 1]), np.array([0.95, 0.2, 0.2]))
    assert trusted[0] > trusted[1]
    assert answer_shares(np.array([0]), np.array([1.0]))[0] < 1.0
    one = answer_shares(np.array([0, 1, 2]), np.array([0.4, 0.4, 0.4]), wrong_answers=1)
    assert one.sum() < 1.0
    for answers, rates, wrong in (([0, 1], [0.5], 10), ([], [], 10), ([0], [0.5], 0)):
        with pytest.raises(ValueError, match="one shape"):
            answer_shares(np.array(answers, dtype=np.int64), np.array(rates), wrong_answers=wrong)


def test_a_high_surprise_asks_for_up_to_three_observations() -> None:
    scores = (0.0, 0.69, 0.7, 0.8, 0.9, 1.0)
    assert [extra_observations(score) for score in scores] == [0, 0, 1, 2, 3, 3]
    with pytest.raises(ValueError, match="surprise"):
        extra_observations(1.5)


def test_a_promotion_is_what_the_source_says() -> None:
    assert promotion_value(1, 1, used_tools=True, repaired=False) == pytest.approx(0.9)
    assert promotion_value(0, 0, used_tools=False, repaired=True) == pytest.approx(-0.1)
    with pytest.raises(ValueError, match="surprise"):
        promotion_value(2, 0, used_tools=True, repaired=True)


def test_a_pair_counts_once_in_an_attempt() -> None:
    pairs, attempts = np.array([0, 0, 1, 0]), np.array([1, 1, 1, 2])
    assert pair_counts(pairs, attempts, 3).tolist() == [2, 1, 0]
    empty = np.zeros(0, dtype=np.int64)
    assert pair_counts(empty, empty, 2).tolist() == [0, 0]
    with pytest.raises(ValueError, match="pairs"):
        pair_counts(pairs, empty, 3)
