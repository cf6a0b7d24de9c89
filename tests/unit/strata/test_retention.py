"""Decay, anchors, rewards and scores of the strata, by example."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from graph.kernel.values import STRATA as STORED_STRATA
from graph.scoring.retention import (
    apply_reward,
    decay_rates,
    decay_weight,
    elapsed_days,
    promotion_scores,
    reanchored,
    retention_scores,
    slowed,
)
from graph.scoring.strata import POLICIES, STRATA, due
from graph.scoring.weights import RankingWeights

if TYPE_CHECKING:
    from graph.kernel.values import Floats

NEVER = -math.inf


def floats(*values: float) -> Floats:
    return np.array(values, dtype=np.float64)


def test_decay_slows_with_importance_and_use() -> None:
    """*Nested Learning*: w·exp(−base·t / (1 + importance + ln(1 + accesses)))."""
    rates = decay_rates(
        floats(0.8, 0.8, 0.3, 0.05), floats(1, 5, 3, 3), floats(0, 0, math.e - 1, 0)
    )
    weights = decay_weight(floats(1, 1, 0.5, 1), np.full(4, 10.0), rates)
    expected = [math.exp(-4), math.exp(-8 / 6), 0.5 * math.exp(-0.6), math.exp(-0.125)]
    assert weights.tolist() == pytest.approx(expected)


def test_a_memory_of_the_future_has_not_decayed() -> None:
    assert decay_weight(floats(0.7), floats(-3), floats(0.4)).tolist() == [0.7]
    assert elapsed_days(floats(8), floats(NEVER), 5).tolist() == [0]


@pytest.mark.parametrize("bad", [-0.1, math.nan])
@pytest.mark.parametrize("wrong", range(3))
def test_a_negative_rate_importance_or_count_is_refused(wrong: int, bad: float) -> None:
    columns = [floats(0.1), floats(3), floats(0)]
    columns[wrong] = floats(bad)
    with pytest.raises(ValueError, match="must not be negative"):
        decay_rates(*columns)


def test_a_weight_that_would_grow_is_refused() -> None:
    with pytest.raises(ValueError, match="rates must not be negative"):
        decay_weight(floats(1), floats(1), floats(-0.1))


def test_nothing_in_nothing_out() -> None:
    empty = floats()
    rates = slowed(decay_rates(empty, empty, empty), empty, empty)
    assert decay_weight(empty, elapsed_days(empty, empty, 3), rates).tolist() == []


def test_utility_takes_its_share_of_the_decay_away() -> None:
    rates = slowed(floats(0.2, 0.2, 0.2), floats(0, 0.5, 1), floats(0.4, 0.4, 0.4))
    assert rates.tolist() == pytest.approx([0.2, 0.16, 0.12])


@pytest.mark.parametrize(
    ("utility", "factor"), [(1.2, 0.4), (-0.5, 0.4), (0.5, 1.1), (math.nan, 0)]
)
def test_a_z_score_is_no_utility(utility: float, factor: float) -> None:
    with pytest.raises(ValueError, match=r"must lie in \[0, 1\]"):
        slowed(floats(0.2), floats(utility), floats(factor))


def test_decay_stands_still_while_grace_lasts() -> None:
    grace = floats(15, 15, NEVER)
    assert elapsed_days(floats(10, 10, 10), grace, 12).tolist() == [0, 0, 2]
    assert elapsed_days(floats(10, 18, 10), grace, 20).tolist() == [5, 2, 10]


@pytest.mark.parametrize("now", [math.nan, math.inf])
def test_no_present_no_age(now: float) -> None:
    with pytest.raises(ValueError, match="present finite"):
        elapsed_days(floats(1), floats(NEVER), now)


def test_an_access_now_does_not_make_the_past_cheaper() -> None:
    """Without an anchor a hundred accesses on day 40 would win back what 40 days had taken."""
    one = floats(1)
    before = decay_rates(0.1 * one, 3 * one, 0 * one)
    initial, anchored_at = reanchored(one, 0 * one, NEVER * one, before, now=40)
    assert initial.tolist() == pytest.approx([math.exp(-1)])
    after = decay_rates(0.1 * one, 3 * one, 100 * one)
    assert decay_weight(initial, elapsed_days(anchored_at, NEVER * one, 40), after) == initial
    cheapened = decay_weight(one, floats(40), after)
    assert cheapened[0] > initial[0] * 1.5


def test_a_reward_raises_and_has_a_ceiling_which_it_does_not_press_down() -> None:
    assert apply_reward(floats(0, 0.4, 1, 1.8, 2.5)).tolist() == pytest.approx(
        [0, 0.6, 1.5, 2, 2.5]
    )
    assert apply_reward(floats(0.4), factor=1).tolist() == [0.4]


@pytest.mark.parametrize(("factor", "cap"), [(0.9, 2), (1.5, 0.5), (math.nan, 2)])
def test_a_reward_that_takes_is_refused(factor: float, cap: float) -> None:
    if math.isnan(factor):
        factor = 0.0
    with pytest.raises(ValueError, match="at least 1"):
        apply_reward(floats(1), factor=factor, cap=cap)


def test_scores_are_those_of_nested_learning() -> None:
    assert retention_scores(floats(3, 5), floats(0.5, 0)).tolist() == [4.5, 5]
    made = promotion_scores(floats(4, 4, 3, 2), floats(0, 0.25, 1, 0), floats(1, 0.9, 1, 2))
    assert made.tolist() == pytest.approx([0.8, 0.9, 1.2, 0.8])


def test_each_stratum_has_the_numbers_it_promises() -> None:
    assert STRATA == STORED_STRATA == tuple(POLICIES)
    rates = RankingWeights().decay_rates
    assert [rates[name] for name in STRATA] == [0.8, 0.3, 0.1, 0.05, 0.05]
    assert [POLICIES[name].utility_factor for name in STRATA] == [0.1, 0.2, 0.3, 0.4, 0.4]
    assert [POLICIES[name].capacity for name in STRATA] == [50, 500, 10_000, math.inf, math.inf]
    minutes = [POLICIES[name].retention * 1440 for name in STRATA]
    assert minutes == pytest.approx([30, 1440, 43_200, math.inf, math.inf])


def test_who_is_to_dwell_can_dwell_before_the_time_is_over() -> None:
    assert all(policy.min_dwell < policy.retention for policy in POLICIES.values())


def test_policies_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        POLICIES["working"].capacity = 3  # pyright: ignore[reportAttributeAccessIssue] -- the point
    with pytest.raises(TypeError):
        POLICIES["working"] = POLICIES["semantic"]  # pyright: ignore[reportIndexIssue] -- the point


@pytest.mark.parametrize(
    "wrong",
    [
        {"utility_factor": 1.5},
        {"capacity": -1},
        {"retention": math.nan},
        {"update_every": 0},
        {"reward_cap": 0.5},
        {"promote_at": -0.1},
        {"demote_below": 0.9},
    ],
)
def test_a_policy_out_of_range_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"out of range|rise and sink"):
        replace(POLICIES["episodic"], **wrong)  # pyright: ignore[reportArgumentType] -- the point


def test_the_more_lasting_the_less_often_it_is_looked_at() -> None:
    assert due(0, POLICIES) == STRATA
    assert due(1, POLICIES) == ("working",)
    assert due(3, POLICIES) == ("working", "short_term")
    assert due(10, POLICIES) == ("working", "episodic")
    assert due(150, POLICIES) == STRATA
    assert due(10, {"episodic": POLICIES["episodic"]}) == ("episodic",)
    with pytest.raises(ValueError, match="no run -1"):
        due(-1, POLICIES)
