from __future__ import annotations

import numpy as np
import pytest

from graph.scoring.credit import passed_on, rank_gains, shares
from graph.scoring.learning import moved, replayed, steps, targets

ONE = np.ones(1)


@pytest.mark.parametrize(
    ("reward", "unit", "signed"), [(1.0, 1.0, 0.8), (-1.0, 0.0, -0.8), (0.3, 0.65, 0.24)]
)
def test_targets_of_both_scales(reward: float, unit: float, signed: float) -> None:
    found = [
        targets(reward * ONE, 0.8 * ONE, scale="unit"),
        targets(reward * ONE, 0.8 * ONE, scale="signed"),
    ]
    assert np.allclose(np.concatenate(found), [unit, signed])


def test_quality_scales_the_step_on_the_unit_scale_only() -> None:
    assert steps(ONE, 0.5 * ONE, rate=0.1, scale="unit")[0] == 0.05
    assert steps(ONE, 0.5 * ONE, rate=0.1, scale="signed")[0] == 0.1


def test_a_result_of_no_quality_moves_nothing_on_the_unit_scale() -> None:
    by = steps(ONE, 0 * ONE, rate=0.1, scale="unit")
    assert [float(part[0]) for part in moved(0.3 * ONE, ONE, 0.1 * ONE, ONE, by)] == [0.3, 1.0, 0.1]


def test_a_negative_target_is_clipped() -> None:
    assert moved(0.02 * ONE, ONE, 0 * ONE, -1 * ONE, 0.1 * ONE)[0][0] == 0.0


def test_no_reward_leaves_a_track_as_it_is() -> None:
    assert replayed((0.5, 1.0, 0.0), np.zeros(0), np.zeros(0)).tolist() == [0.5, 1.0, 0.0]


def test_what_lies_outside_is_refused() -> None:
    with pytest.raises(ValueError, match="reward must lie in"):
        targets(1.1 * ONE, ONE, scale="unit")
    with pytest.raises(ValueError, match="strength must lie in"):
        targets(ONE, -0.1 * ONE, scale="unit")
    with pytest.raises(ValueError, match="rate must lie in"):
        steps(ONE, ONE, rate=0.0, scale="unit")
    with pytest.raises(ValueError, match="share must lie in"):
        steps(np.array([np.nan]), ONE, rate=0.1, scale="unit")
    with pytest.raises(ValueError, match="step must lie in"):
        moved(ONE, ONE, ONE, ONE, 2 * ONE)
    with pytest.raises(ValueError, match="targets, but"):
        replayed((0.5, 1.0, 0.0), ONE, np.ones(2))


def test_shares_follow_phase_and_rank() -> None:
    gains = rank_gains(np.array([1, 2, 3]))
    assert np.allclose(gains, [1.0, 1 / np.log2(3), 0.5])
    found = shares(np.array([0, 1, 1]), np.array([0.3, 0.15, 0.1]), np.array([1.0, 1.0, 0.5]))
    assert np.allclose(found, [1.0, 0.2 / 0.3])


def test_nobody_was_given_nothing() -> None:
    none = np.zeros(0, dtype=np.int64)
    assert shares(none, np.zeros(0), np.zeros(0)).tolist() == []
    assert passed_on(none, np.zeros(0), damping=0.5).tolist() == []


def test_what_credit_cannot_be_made_of_is_refused() -> None:
    with pytest.raises(ValueError, match="ranks count from 1"):
        rank_gains(np.array([0]))
    for weights, gains in ((0 * ONE, ONE), (ONE, 0 * ONE)):
        with pytest.raises(ValueError, match="must be positive"):
            shares(np.array([0]), weights, gains)
    with pytest.raises(ValueError, match="damping must lie in"):
        passed_on(np.array([0]), ONE, damping=1.5)
