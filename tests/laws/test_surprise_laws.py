"""What holds of surprise, whatever was expected and whatever came."""

from __future__ import annotations

import json
from math import isfinite

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from graph.kernel.values import Floats
from graph.scoring.differences import DifferenceWeights, Spread, difference
from graph.scoring.forecasts import (
    FixedForm,
    Outcomes,
    SwitchWeights,
    learned_surprise,
    observed_in,
)
from graph.scoring.momentum import Familiarity, Momentum, SurpriseWeights, measured, usual
from graph.scoring.outcomes import Numbers, OutcomeWeights, tail_surprise
from graph.scoring.surprise import Comparison, novelty, surprise
from tests.laws.test_scoring_laws import SHARES, law

WEIGHTS = SurpriseWeights()
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12)
VALUES = st.recursive(
    SCALARS,
    lambda held: (
        st.lists(held, max_size=4)
        | st.dictionaries(st.sampled_from(["a", "b", "status", "error"]), held, max_size=4)
    ),
    max_leaves=12,
)
MOMENTA = st.lists(SHARES, max_size=30)


def met(sizes: list[float]) -> Momentum:
    momentum = Momentum()
    for size in sizes:
        momentum = momentum.updated(size, at=0.0, weights=WEIGHTS)
    return momentum


@law
@given(VALUES, VALUES)
def test_a_difference_is_a_share_made_of_shares(expected: object, actual: object) -> None:
    found = difference(expected, actual, spreads={}, compare=None, weights=DifferenceWeights())
    assert 0 <= found.size <= 1
    assert all(0 <= one.distance <= 1 and 0 <= one.share <= 1 for one in found.contributions)
    total = sum(one.share for one in found.contributions)
    assert total == pytest.approx(1.0 if found.size else 0.0)
    again = difference(expected, actual, spreads={}, compare=None, weights=DifferenceWeights())
    assert repr(again) == repr(found)


@law
@given(
    st.recursive(
        st.booleans() | st.integers() | st.text(max_size=12),
        lambda held: st.lists(held, max_size=4) | st.dictionaries(st.text(max_size=3), held),
        max_leaves=12,
    )
)
def test_what_comes_as_expected_does_not_differ(value: object) -> None:
    assert difference(value, value, spreads={}, compare=None, weights=DifferenceWeights()).size == 0


@law
@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.floats(0, 1), st.lists(st.floats(-1e6, 1e6)))
def test_the_farther_off_a_number_the_more_it_differs(
    expected: float, actual: float, share: float, past: list[float]
) -> None:
    spread = Spread()
    for value in past:
        spread = spread.updated(value)
    between = expected + share * (actual - expected)
    near, far = (
        difference(
            expected,
            value,
            spreads={"value": spread},
            compare=None,
            weights=DifferenceWeights(greatest_share=1.0),
        ).size
        for value in (between, actual)
    )
    if expected * actual >= 0 and abs(actual) <= abs(expected):
        assert near <= far + 1e-9  # both are measured against the expectation alone


@law
@given(MOMENTA, MOMENTA, SHARES, SHARES, st.floats(0, 400))
def test_surprise_rises_with_the_difference_and_stays_below_1(
    own: list[float], pooled: list[float], size: float, more: float, at: float
) -> None:
    known = usual(met(own), met(pooled), at=at, weights=WEIGHTS)
    assert WEIGHTS.momentum_floor <= known.mean <= 1
    assert known.deviation >= WEIGHTS.momentum_floor
    low, high = sorted((size, more))
    less, greater = (measured(one, known, weights=WEIGHTS).surprise for one in (low, high))
    assert 0 <= less <= greater < 1
    assert measured(0.0, known, weights=WEIGHTS).surprise == 0


@law
@given(MOMENTA, SHARES, st.floats(0, 400))
def test_having_met_a_difference_draws_the_usual_to_it(
    own: list[float], size: float, gap: float
) -> None:
    old = met(own)
    new = old.updated(size, at=gap, weights=WEIGHTS)
    before, after = (usual(each, None, at=gap, weights=WEIGHTS).mean for each in (old, new))
    trusted = old.trust(at=gap, weights=WEIGHTS) <= 1 / WEIGHTS.smoothing - 1
    known = before if trusted else max(before, old.mean)
    if size >= known:
        assert after >= before - 1e-12
    else:
        assert after <= known + 1e-12


@law
@given(arrays(np.float64, st.integers(0, 10), elements=st.floats(-1, 1)), st.floats(-1, 1))
def test_knowing_more_makes_nothing_newer(similarities: Floats, another: float) -> None:
    assert 0 <= novelty(np.append(similarities, another)) <= novelty(similarities) <= 1


@law
@given(VALUES, VALUES, SHARES, st.integers(0, 20))
def test_the_more_often_the_less_surprising(
    expected: object, actual: object, size: float, times: int
) -> None:
    known = usual(Momentum(), None, at=0.0, weights=WEIGHTS)
    side = measured(size, known, weights=WEIGHTS)
    compared = Comparison(expected, actual, violation=side, novelty=None, difference=None)
    scores: list[float] = []
    for repeats in (times, times + 1):
        found = surprise(
            compared,
            familiar=Familiarity(float(repeats), 0.0),
            at=0.0,
            weights=WEIGHTS,
        )
        assert found.surprising == (found.score > found.threshold)
        scores.append(found.score)
    assert 0 <= scores[1] <= scores[0] < 1


@law
@given(st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=8))
def test_whatever_comes_is_learned_and_read_again(pairs: list[tuple[object, object]]) -> None:
    """No outcome breaks what is learned: losses, tails and what is stored stay numbers, and the same after storing."""
    weights, switch = OutcomeWeights(), SwitchWeights()
    fixed = FixedForm(usual(Momentum(), None, at=0.0, weights=WEIGHTS), {}, DifferenceWeights())
    outcomes = Outcomes()
    for expected, actual in pairs:
        apart = (
            None
            if expected is None
            else difference(expected, actual, spreads={}, compare=None, weights=DifferenceWeights())
        )
        seen = observed_in(expected, actual, apart, code={}, known=outcomes.paths.keys())
        parts = outcomes.parts(seen, weights)
        losses = [(fixed.loss(part), part.judged.loss) for part in parts]
        gains = [other - own for other, own in losses if other is not None]
        assert all(isfinite(gain) for gain in gains)
        score, each = learned_surprise(parts)
        assert 0 <= score < 1
        assert all(0 < part.judged.tail <= 1 for part in parts)
        assert all(0 < one <= 1 for one in each)
        outcomes = outcomes.updated(seen, gains, weights, switch)
        assert isfinite(outcomes.lead)
        assert Outcomes.read(json.loads(json.dumps(outcomes.stored))) == outcomes


@law
@given(st.lists(st.floats(-1e6, 1e6), max_size=20), st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_the_farther_from_the_usual_the_rarer(past: list[float], one: float, other: float) -> None:
    numbers = Numbers()
    for value in past:
        numbers = numbers.updated(value, 10.0, OutcomeWeights())
    forecast = numbers.forecast(10.0, OutcomeWeights())
    assert forecast is not None
    near, far = sorted((one, other), key=lambda value: abs(forecast.place(value) - forecast.mean))
    # The cell of a whole number is wider than that of one that is not: what is compared is of one sort.
    near, far = (value + 0.5 if value.is_integer() else value for value in (near, far))
    if abs(forecast.place(near) - forecast.mean) * 1.5 <= abs(forecast.place(far) - forecast.mean):
        assert forecast.judge(far).tail <= forecast.judge(near).tail


@law
@given(st.floats(0, 1), st.floats(0, 1))
def test_what_is_rarer_surprises_more(one: float, other: float) -> None:
    rare, usual_one = sorted((one, other))
    assert 0 < tail_surprise(usual_one) <= tail_surprise(rare) <= 1
