"""What holds for every history of rewards."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from graph.kernel.values import Floats
from graph.scoring.credit import passed_on, rank_gains, shares
from graph.scoring.learning import Scale, moved, replayed, steps, targets
from tests.laws.test_scoring_laws import law

SHARES = st.floats(0, 1)
SIGNED = st.floats(-1, 1)
SCALES = st.sampled_from(cast("list[Scale]", ["unit", "signed"]))
RATES = st.floats(0.01, 1)


@st.composite
def histories(draw: st.DrawFn) -> tuple[Floats, Floats]:
    """Targets and steps of one track."""
    size = draw(st.integers(0, 60))
    rewards, strengths, parts = (
        draw(arrays(np.float64, size, elements=each)) for each in (SIGNED, SHARES, SHARES)
    )
    rate, scale = draw(RATES), draw(SCALES)
    return (
        targets(rewards, strengths, scale=scale),
        steps(parts, strengths, rate=rate, scale=scale),
    )


def one_by_one(start: tuple[float, float, float], aims: Floats, by: Floats) -> list[list[float]]:
    track = tuple(np.array([value]) for value in start)
    seen = [[float(value[0]) for value in track]]
    for aim, step in zip(aims, by, strict=True):
        track = moved(track[0], track[1], track[2], np.array([aim]), np.array([step]))
        seen.append([float(value[0]) for value in track])
    return seen


@law
@given(start=SHARES, history=histories())
def test_every_track_stays_within_its_bounds(start: float, history: tuple[Floats, Floats]) -> None:
    for value, left, deviation in one_by_one((start, 1.0, 0.0), *history):
        assert 0 <= value <= 1
        assert 0 <= left <= 1
        assert 0 <= deviation <= 1  # a quarter of the width of [-1, 1], squared


@law
@given(start=SHARES, history=histories())
def test_a_replay_is_what_was_applied_to_the_last_bit(
    start: float, history: tuple[Floats, Floats]
) -> None:
    birth = (start, 1.0, 0.0)
    assert replayed(birth, *history).tolist() == one_by_one(birth, *history)[-1]


@law
@given(start=SHARES, history=histories())
def test_without_the_last_reward_a_track_is_as_before_it(
    start: float, history: tuple[Floats, Floats]
) -> None:
    aims, by = history
    if len(aims):
        before = one_by_one((start, 1.0, 0.0), aims, by)[-2]
        assert replayed((start, 1.0, 0.0), aims[:-1], by[:-1]).tolist() == before


@law
@given(start=SHARES, history=histories(), at=st.integers(0, 60))
def test_a_replay_can_be_cut_anywhere(
    start: float, history: tuple[Floats, Floats], at: int
) -> None:
    aims, by = history
    first = replayed((start, 1.0, 0.0), aims[:at], by[:at])
    checkpoint = (float(first[0]), float(first[1]), float(first[2]))
    whole = replayed((start, 1.0, 0.0), aims, by)
    assert replayed(checkpoint, aims[at:], by[at:]).tolist() == whole.tolist()


@law
@given(start=SHARES, quality=SHARES, share=SHARES, rate=RATES)
def test_on_the_unit_scale_success_never_lowers_and_failure_never_raises(
    start: float, quality: float, share: float, rate: float
) -> None:
    strengths, parts = np.array([quality]), np.array([share])
    by = steps(parts, strengths, rate=rate, scale="unit")
    track = np.array([start]), np.ones(1), np.zeros(1)
    better = moved(*track, targets(np.array([1.0]), strengths, scale="unit"), by)[0]
    worse = moved(*track, targets(np.array([-1.0]), strengths, scale="unit"), by)[0]
    assert worse[0] <= start <= better[0]


@law
@given(reward=SIGNED, rate=st.floats(0.01, 0.5), count=st.integers(50, 200), scale=SCALES)
def test_q_comes_as_near_to_its_mean_reward_as_a_moving_average_promises(
    reward: float, rate: float, count: int, scale: Scale
) -> None:
    whole = np.ones(count)
    aims = targets(np.full(count, reward), whole, scale=scale)
    by = steps(whole, whole, rate=rate, scale=scale)
    aim = (reward + 1) / 2 if scale == "unit" else max(0.0, reward)
    value = replayed((0.5, 1.0, 0.0), aims, by)[0]
    assert abs(value - aim) <= (1 - rate) ** count * abs(0.5 - aim) + 0.01


@law
@given(start=SHARES, history=histories())
def test_q_is_a_mean_of_its_start_and_its_targets(
    start: float, history: tuple[Floats, Floats]
) -> None:
    """Without a clip, what is left of the initial value tells what the rewards alone say."""
    aims, by = np.clip(history[0], 0, 1), history[1]
    value, left, _ = replayed((start, 1.0, 0.0), aims, by).tolist()
    if 1 - left > 1e-6:
        learned = (value - left * start) / (1 - left)
        assert aims.min() - 1e-6 <= learned <= aims.max() + 1e-6


@law
@given(
    given_=st.lists(
        st.tuples(st.integers(0, 5), st.sampled_from([0.15, 0.2, 0.3]), st.integers(1, 50)),
        max_size=40,
    )
)
def test_every_share_lies_in_bounds_and_one_is_whole(given_: list[tuple[int, float, int]]) -> None:
    places = {memory: place for place, memory in enumerate(sorted({row[0] for row in given_}))}
    result = shares(
        np.array([places[row[0]] for row in given_], dtype=np.int64),
        np.array([row[1] for row in given_]),
        rank_gains(np.array([row[2] for row in given_], dtype=np.int64)),
    )
    assert len(result) == len(places)
    assert bool(np.all((result > 0) & (result <= 1)))
    assert not given_ or result.max() == 1


@law
@given(users=arrays(np.float64, st.integers(0, 20), elements=st.floats(0.01, 1)), damping=SHARES)
def test_what_is_passed_on_is_damped(users: Floats, damping: float) -> None:
    found = passed_on(np.zeros(len(users), dtype=np.int64), users, damping=damping)
    assert found.tolist() == ([damping * users.max()] if len(users) else [])


@pytest.mark.parametrize("quality", [0.0, 0.5, 1.0])
def test_a_weak_success_lowers_q_on_the_signed_scale_as_the_literal_form_does(
    quality: float,
) -> None:
    one = np.ones(1)
    aims = targets(one, quality * one, scale="signed")
    value = moved(
        0.6 * one, one, 0 * one, aims, steps(one, quality * one, rate=0.1, scale="signed")
    )
    assert value[0][0] == 0.6 + 0.1 * (quality - 0.6)
