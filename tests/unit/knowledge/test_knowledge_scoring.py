"""Refused input of the equations of knowledge, and their limits."""

from __future__ import annotations

import numpy as np
import pytest

from graph.scoring.confidence import shrunk_share, thompson_sample, wilson_lower
from graph.scoring.dependence import importance, lift_bound
from graph.scoring.noise import noised_counts
from graph.scoring.resonance import pairwise_embedded_resonance
from graph.scoring.running import (
    MOST_BUCKETS,
    bucket_of,
    merged_buckets,
    merged_moments,
    percentile,
)
from graph.scoring.softmax import fit_softmax, softmax

ONE, TWO = np.array([1.0]), np.array([2.0])
ZERO = np.zeros(1)


def test_counts_and_strengths_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="z must be positive"):
        wilson_lower(ONE, TWO, z=0.0)
    with pytest.raises(ValueError, match="each count"):
        wilson_lower(TWO, ONE)
    with pytest.raises(ValueError, match="strength"):
        shrunk_share(ONE, TWO, ZERO, strength=0.0)
    with pytest.raises(ValueError, match="strength"):
        thompson_sample(ONE, TWO, ZERO, strength=0.0, seed=0)
    with pytest.raises(ValueError, match="negative"):
        importance(-ONE, ONE)
    with pytest.raises(ValueError, match="total"):
        lift_bound(ONE, ONE, ONE, 0.0)
    with pytest.raises(ValueError, match="negative"):
        merged_moments(-ONE, ONE, ONE)


def test_percentiles_have_ends() -> None:
    with pytest.raises(ValueError, match="finite"):
        bucket_of(float("nan"))
    with pytest.raises(ValueError, match="share"):
        percentile({1: 1}, 1.5)
    assert percentile({}, 0.5) == 0.0
    with pytest.raises(ValueError, match="negative"):
        merged_buckets({1: -1}, {})
    many = merged_buckets({place: 1 for place in range(MOST_BUCKETS + 3)}, {})
    assert len(many) == MOST_BUCKETS
    assert sum(many.values()) == MOST_BUCKETS + 3


def test_a_softmax_is_fitted_to_labelled_rows_alone() -> None:
    with pytest.raises(ValueError, match="shape"):
        softmax(ONE)
    rows = np.zeros((2, 1))
    with pytest.raises(ValueError, match="labels"):
        fit_softmax(rows, np.array([0, 5]), classes=2, penalty=1.0)
    with pytest.raises(ValueError, match="penalty"):
        fit_softmax(rows, np.array([0, 1]), classes=2, penalty=0.0)
    assert np.isfinite(fit_softmax(rows, np.array([0, 1]), classes=2, penalty=1.0)).all()


def test_a_softmax_leaves_what_its_offset_explains() -> None:
    rows, labels = np.eye(2), np.array([0, 1])
    alone = fit_softmax(rows, labels, classes=2, penalty=0.01)
    beside = fit_softmax(rows, labels, classes=2, penalty=0.01, offset=8.0 * np.eye(2))
    assert np.abs(beside).max() < 0.1 * np.abs(alone).max()


def test_a_single_vector_resembles_nothing() -> None:
    with pytest.raises(ValueError, match="two axes"):
        pairwise_embedded_resonance(ONE)


def test_noise_has_the_spread_that_is_asked_for_and_no_count_falls_below_zero() -> None:
    rng = np.random.default_rng(5)
    drawn = noised_counts(np.full(20_000, 1000.0), scale=4.0, rng=rng) - 1000
    assert abs(drawn.mean()) < 0.2
    assert drawn.std() == pytest.approx(np.sqrt(2) * 4.0, rel=0.05)
    assert noised_counts(np.zeros(1000), scale=9.0, rng=rng).min() == 0
    with pytest.raises(ValueError, match="negative"):
        noised_counts(np.array([-1.0]), scale=1.0, rng=rng)
    with pytest.raises(ValueError, match="scale"):
        noised_counts(np.array([1.0]), scale=0.0, rng=rng)
