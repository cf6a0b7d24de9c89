"""Decision between two kinds of candidates that both seem to answer a question."""

from __future__ import annotations

import math

import pytest

from graph.scoring.contest import behind, lead
from graph.scoring.weights import RankingWeights

WEIGHTS = RankingWeights().contest


def test_more_relevance_and_a_better_reading_count_for_a_kind() -> None:
    assert lead((0.6, 0.5), (1.0, 1.0), weights=WEIGHTS) > lead(
        (0.5, 0.5), (1.0, 1.0), weights=WEIGHTS
    )
    assert lead((0.5, 0.5), (2.0, 1.0), weights=WEIGHTS) > lead(
        (0.5, 0.5), (1.0, 1.0), weights=WEIGHTS
    )


@pytest.mark.parametrize("read", [None, (math.nan, 1.0), (1.0, math.nan)])
def test_one_that_was_not_read_leaves_it_to_the_relevance(read: tuple[float, float] | None) -> None:
    assert lead((0.5, 0.5), read, weights=WEIGHTS) == WEIGHTS[3]


def test_certain_relevances_have_finite_log_odds() -> None:
    assert math.isfinite(lead((1.0, 0.0), None, weights=WEIGHTS))


@pytest.mark.parametrize("relevance", [(1.1, 0.5), (0.5, -0.1), (math.nan, 0.5)])
def test_a_relevance_out_of_range_is_refused(relevance: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="relevance: must be in"):
        lead(relevance, None, weights=WEIGHTS)


def test_the_less_likely_kind_stays_behind_the_best_of_the_other() -> None:
    for ratio in (0.2, 1.0, 3.0):
        for ahead in (0.0, 0.5, 40.0):
            assert 0.0 < behind(ahead, ratio, floor=0.6) < ratio


def test_a_ratio_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="ratio: must be above 0"):
        behind(1.0, 0.0, floor=0.6)
