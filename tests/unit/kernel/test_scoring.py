from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from functools import partial
from typing import get_args

import numpy as np
import pytest

from graph.scoring.relevance import (
    answered_anew,
    answering,
    brought_forward,
    confidence,
    interference,
    matched_words,
    meaning,
    named_by,
    nearness_in_time,
    rarity,
    session_strength,
    share_of_best,
    takes_over,
    with_unseen,
)
from graph.scoring.spreading import answers_gain, spread
from graph.scoring.utility import (
    Normalization,
    best_first,
    composite,
    min_max,
    normalised,
    softmax,
    z_scores,
)
from graph.scoring.weights import RankingWeights

EMPTY = np.zeros(0)
NO_EDGES = np.zeros((0, 2), dtype=np.int64)
INFINITY = float("inf")
METHODS: tuple[Normalization, ...] = get_args(Normalization)


def floats(*values: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array(values, dtype=np.float64)


def ints(*values: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(values, dtype=np.int64)


def test_share_of_best_scales_to_the_best_and_takes_negatives_as_0() -> None:
    assert share_of_best(floats(2, 4, -3, 0)).tolist() == [0.5, 1, 0, 0]


def test_share_of_best_of_nothing_positive_is_0() -> None:
    assert share_of_best(floats(-1, 0)).tolist() == [0, 0]
    assert share_of_best(EMPTY).tolist() == []
    assert share_of_best(floats(0.2)).tolist() == [1]


def test_names_of_one_dimension_are_refused() -> None:
    with pytest.raises(ValueError, match="two dimensions are needed, not 1"):
        named_by(np.array([True, False]))


def test_a_reader_changes_strength_within_its_limits_and_unread_counts_as_the_least() -> None:
    changed = answering(floats(9, -1, math.nan, -9), gain=0.1, middle=-1.0, limits=(-4.0, 2.0))
    assert changed.tolist() == pytest.approx([0.3, 0.0, -0.3, -0.3])


def test_where_nothing_was_read_nothing_changes() -> None:
    changed = answering(floats(math.nan, math.nan), gain=0.1, middle=-1.0, limits=(-4.0, 2.0))
    assert changed.tolist() == [0, 0]


@pytest.mark.parametrize(("gain", "limits"), [(-0.1, (-4.0, 2.0)), (0.1, (2.0, -4.0))])
def test_a_negative_gain_or_limits_out_of_order_are_refused(
    gain: float, limits: tuple[float, float]
) -> None:
    with pytest.raises(ValueError, match="out of range"):
        answering(floats(1), gain=gain, middle=0.0, limits=limits)


def test_successions_refuse_shares_and_leads_out_of_range() -> None:
    with pytest.raises(ValueError, match="share 0 or lead 1 is out of range"):
        answered_anew(floats(1, 1), floats(1, 1), NO_EDGES, share=0, lead=1)
    with pytest.raises(ValueError, match="share 1 or lead -1 is out of range"):
        answered_anew(floats(1, 1), floats(1, 1), NO_EDGES, share=1, lead=-1)


def test_a_newer_note_takes_over_by_five_weights() -> None:
    weights = (-1.0, 1.0, 1.0, 1.0, 1.0)
    one, far = floats(1, 1), floats(100, -100)
    assert takes_over(one, one, 2.0, floats(1, 0.5), weights=weights).tolist() == [0, -0.5]
    assert takes_over(far, one, 0.0, floats(0, 0), weights=weights).tolist() == [4, -6]
    with pytest.raises(ValueError, match="expected 5"):
        takes_over(one, one, 0.0, one, weights=(1.0,))


def test_shares_of_the_other_are_refused_out_of_range() -> None:
    with pytest.raises(ValueError, match=r"share 1\.5 is out of range"):
        brought_forward(floats(1, 1), NO_EDGES, share=1.5)


@pytest.mark.parametrize("value", [math.nan, INFINITY, -INFINITY])
def test_scores_that_are_not_finite_are_refused(value: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        share_of_best(floats(0.5, value))
    with pytest.raises(ValueError, match="finite"):
        meaning(floats(1, value), unrelated=0.1, related=0.5)


def test_meaning_puts_unrelated_at_03_and_answers_at_072() -> None:
    near = meaning(floats(0.2, 0.5, 0.9, -1), unrelated=0.2, related=0.5)
    assert near.tolist() == pytest.approx([0.3, 0.72, 1.2, 0])
    assert meaning(EMPTY, unrelated=0.2, related=0.5).tolist() == []
    with pytest.raises(ValueError, match="above unrelated"):
        meaning(floats(0.1), unrelated=0.5, related=0.5)


def test_matched_words_are_the_covered_share_for_the_best() -> None:
    assert matched_words(floats(8, 4, 0), covered=0.5).tolist() == [0.5, 0.25, 0]
    assert matched_words(floats(0, 0), covered=0.5).tolist() == [0, 0]
    with pytest.raises(ValueError, match="covered"):
        matched_words(floats(1), covered=1.1)


def test_a_rare_term_weighs_more_than_a_common_one() -> None:
    rare, common = rarity(np.array([[True, True], [False, True], [False, True]]))
    assert rare > common > 0
    with pytest.raises(ValueError, match="two dimensions"):
        rarity(np.array([True]))


def test_interference_takes_from_the_older_at_most_what_is_allowed() -> None:
    overlap = np.array([[0, 1, 0.1], [1, 0, 0.1], [0.1, 0.1, 0]], dtype=np.float64)
    lost = interference(overlap, floats(1, 2, 3), least=0.2, gain=1.2, most=0.8)
    assert lost.tolist() == pytest.approx([0.8, 0, 0])
    same_day = interference(overlap, floats(1, 1, 1), least=0.2, gain=1.2, most=0.8)
    assert same_day.tolist() == [0, 0, 0]
    assert interference(np.zeros((0, 0)), EMPTY, least=0.2, gain=1, most=1).tolist() == []
    with pytest.raises(ValueError, match="out of range"):
        interference(overlap, floats(1, 2, 3), least=1.0, gain=1, most=1)
    with pytest.raises(ValueError, match="shape"):
        interference(overlap, floats(1, 2), least=0.2, gain=1, most=1)


def test_confidence_is_one_half_in_the_middle() -> None:
    assert confidence(0.56, middle=0.56, slope=8) == 0.5
    assert confidence(0.9, middle=0.56, slope=8) > 0.9
    assert confidence(0.2, middle=0.56, slope=8) < 0.1
    with pytest.raises(ValueError, match="slope"):
        confidence(0.5, middle=0.5, slope=0)


def test_what_a_cut_off_arm_did_not_return_lies_between_nothing_and_its_last() -> None:
    assert with_unseen(floats(8, 0, 4), 4.0, share=0.25).tolist() == [8, 1, 4]
    assert with_unseen(floats(8, 0, 4), 4.0, share=0.0).tolist() == [8, 0, 4]
    assert with_unseen(floats(8, 0, 4), 0.0, share=0.5).tolist() == [8, 0, 4]
    assert with_unseen(EMPTY, 0.0, share=0.5).tolist() == []


@pytest.mark.parametrize(("floor", "share"), [(-0.1, 0.5), (1.0, -0.1), (1.0, 1.1)])
def test_a_floor_or_share_out_of_range_is_refused(floor: float, share: float) -> None:
    with pytest.raises(ValueError, match="out of range"):
        with_unseen(floats(1, 0), floor, share=share)


def test_nearness_in_time_is_1_inside_and_falls_by_e_in_a_scale() -> None:
    spans = np.array([[10.0, 20.0], [100.0, 101.0]])
    near = nearness_in_time(floats(10, 15, 20, 27, 3, 101), spans, scale_days=7)
    assert near.tolist() == pytest.approx([1, 1, 1, math.exp(-1), math.exp(-1), 1])


def test_without_a_date_nothing_is_near_in_time() -> None:
    assert nearness_in_time(floats(1, 2), np.zeros((0, 2)), scale_days=7).tolist() == [0, 0]
    assert nearness_in_time(EMPTY, np.array([[1.0, 2.0]]), scale_days=7).tolist() == []


@pytest.mark.parametrize("scale", [0.0, -1.0])
def test_a_scale_of_no_days_is_refused(scale: float) -> None:
    with pytest.raises(ValueError, match="scale_days must be positive"):
        nearness_in_time(floats(1), np.zeros((0, 2)), scale_days=scale)


def test_a_session_is_as_strong_as_its_best_candidates_together() -> None:
    relevance = floats(0.9, 0.1, 0.5, 0.4, 0.3, 1.0)
    strength = session_strength(relevance, ints(0, 0, 1, 1, 1, -1), best=2)
    assert strength.tolist() == pytest.approx([1, 1, 0.9, 0.9, 0.9, 0])


def test_without_sessions_none_is_strong() -> None:
    assert session_strength(floats(0.9, 0.1), ints(-1, -1), best=3).tolist() == [0, 0]
    assert session_strength(EMPTY, ints(), best=3).tolist() == []
    assert session_strength(floats(0.0), ints(0), best=3).tolist() == [0]


def test_a_session_of_no_candidates_is_refused() -> None:
    with pytest.raises(ValueError, match="best must be at least 1, not 0"):
        session_strength(floats(1), ints(0), best=0)


def test_relevance_spreads_both_ways_weighted_by_type_and_by_who_passes() -> None:
    edges = np.array([[0, 1], [2, 0]])
    gained = spread(floats(1, 0.5, 0), floats(0.5, 1, 1), edges, floats(1, 0.4), gains=(0.1,))
    assert gained.tolist() == pytest.approx([0.1 * 0.5, 0.1 * 0.5, 0.1 * 0.4 * 0.5])


def test_what_is_two_edges_away_gains_and_nothing_returns_to_its_source() -> None:
    chain = np.array([[0, 1], [1, 2]])
    gained = spread(floats(1, 0, 0), np.ones(3), chain, np.ones(2), gains=(0.5, 0.25))
    assert gained.tolist() == [0, 0.5, 0.25]


def test_a_triangle_reaches_its_corners_over_both_ways() -> None:
    triangle = np.array([[0, 1], [1, 2], [0, 2]])
    gained = spread(floats(1, 0, 0), np.ones(3), triangle, np.ones(3), gains=(0.5, 0.25))
    assert gained.tolist() == pytest.approx([0, 0.75, 0.75])


def test_without_edges_or_gains_nothing_spreads() -> None:
    assert spread(floats(1, 1), np.ones(2), NO_EDGES, EMPTY, gains=(0.5,)).tolist() == [0, 0]
    edge = np.array([[0, 1]])
    assert spread(floats(1, 1), np.ones(2), edge, np.ones(1), gains=()).tolist() == [0, 0]
    assert spread(EMPTY, EMPTY, NO_EDGES, EMPTY, gains=(0.5,)).tolist() == []


def test_more_than_two_hops_are_refused() -> None:
    with pytest.raises(ValueError, match="at most two hops are spread over, not 3"):
        spread(floats(1), np.ones(1), NO_EDGES, EMPTY, gains=(1, 1, 1))


@pytest.mark.parametrize("edge", [[0, 2], [-1, 0]])
def test_an_edge_out_of_the_pool_is_refused(edge: list[int]) -> None:
    with pytest.raises(ValueError, match="an edge points out of the pool of 2"):
        spread(floats(1, 1), np.ones(2), np.array([edge]), np.ones(1), gains=(0.5,))


def test_only_the_turn_right_after_a_question_gains_from_it() -> None:
    edges = np.array([[0, 1], [1, 2], [0, 3]])
    follows = np.array([True, True, False])
    asks = np.array([True, False, True, False])
    gained = answers_gain(floats(0.8, 0.4, 0, 0), floats(0.5, 1, 1, 1), edges, follows, asks)
    assert gained.tolist() == [0, 0.4, 0, 0]


def test_without_edges_nothing_answers() -> None:
    none = np.zeros(0, dtype=np.bool_)
    gained = answers_gain(floats(1, 1), np.ones(2), NO_EDGES, none, np.array([True, True]))
    assert gained.tolist() == [0, 0]


def test_an_edge_without_its_flag_is_refused() -> None:
    none = np.zeros(0, dtype=np.bool_)
    with pytest.raises(ValueError, match="1 edges but 0 flags"):
        answers_gain(floats(1, 1), np.ones(2), np.array([[0, 1]]), none, np.array([True, True]))


def test_z_scores_are_deviations_in_units_of_the_standard_deviation() -> None:
    z = z_scores(floats(1, 2, 3), deviation_floor=0, limit=INFINITY)
    assert z.tolist() == pytest.approx([-math.sqrt(1.5), 0, math.sqrt(1.5)])


@pytest.mark.parametrize("values", [[], [0.7], [0.5, 0.5], [0.1] * 7])
def test_z_scores_of_none_one_or_equals_are_0(values: list[float]) -> None:
    assert z_scores(floats(*values), deviation_floor=0, limit=3).tolist() == [0.0] * len(values)


def test_one_q_of_0_505_among_twenty_at_one_half_counts_next_to_nothing() -> None:
    values = floats(0.505, *[0.5] * 19)
    assert z_scores(values, deviation_floor=0.1, limit=3)[0] == pytest.approx(0.0475)
    assert z_scores(values, deviation_floor=0, limit=3)[0] == 3
    assert z_scores(values, deviation_floor=0, limit=INFINITY)[0] == pytest.approx(19**0.5)


def test_places_are_between_the_least_and_the_greatest() -> None:
    assert min_max(floats(0.2, 1, 0.6), deviation_floor=0.1).tolist() == pytest.approx([0, 1, 0.5])
    assert min_max(floats(0.5, 0.5), deviation_floor=0).tolist() == [0.5, 0.5]
    assert min_max(floats(0.7), deviation_floor=0.1).tolist() == [0.5]
    assert min_max(EMPTY, deviation_floor=0.1).tolist() == []
    near = min_max(floats(0.505, *[0.5] * 19), deviation_floor=0.1)
    assert near[0] - near[1] == pytest.approx(0.0125)
    assert min_max(floats(0.505, 0.5), deviation_floor=0).tolist() == pytest.approx([1, 0])
    with pytest.raises(ValueError, match="out of range"):
        min_max(floats(1), deviation_floor=-0.1)


def test_a_softmax_shares_one_among_all() -> None:
    shares = softmax(floats(700, 700, -700))
    assert shares.tolist() == pytest.approx([0.5, 0.5, 0])
    assert softmax(EMPTY).tolist() == []
    with pytest.raises(ValueError, match="finite"):
        softmax(floats(math.nan))


def test_what_is_normalised_says_how() -> None:
    values = floats(1, 2, 4)
    scaled = {
        method: normalised(values, method=method, deviation_floor=0.1, limit=3).tolist()
        for method in METHODS
    }
    assert scaled["z-score"] == z_scores(values, deviation_floor=0.1, limit=3).tolist()
    assert scaled["min-max"] == min_max(values, deviation_floor=0.1).tolist()
    assert scaled["softmax"] == softmax(values).tolist()


@pytest.mark.parametrize(("floor", "limit"), [(-0.1, 3), (0.1, 0), (0.1, -1)])
def test_a_negative_floor_or_no_limit_is_refused(floor: float, limit: float) -> None:
    with pytest.raises(ValueError, match="out of range"):
        z_scores(floats(1, 2), deviation_floor=floor, limit=limit)


@pytest.mark.parametrize(
    ("utility_weight", "scores"), [(0, [1, -1]), (0.2, [0.4, -0.6]), (0.5, [-0.5, 0]), (1, [-2, 1])]
)
def test_the_composite_is_a_share_of_each(utility_weight: float, scores: list[float]) -> None:
    made = composite(floats(1, -1), floats(-2, 1), utility_weight=utility_weight)
    assert made.tolist() == pytest.approx(scores)


@pytest.mark.parametrize("utility_weight", [-0.01, 1.01, math.nan])
def test_a_utility_weight_outside_0_and_1_is_refused(utility_weight: float) -> None:
    with pytest.raises(ValueError, match="utility_weight must lie in"):
        composite(floats(1), floats(1), utility_weight=utility_weight)


def test_best_first_breaks_ties_by_the_next_criterion_and_then_by_place() -> None:
    assert best_first(floats(1, 2, 2, 2), floats(9, 0, 1, 1)).tolist() == [2, 3, 1, 0]
    assert best_first(floats(1, 1)).tolist() == [0, 1]
    assert best_first(EMPTY).tolist() == []


def test_a_criterion_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="shape of the scores"):
        best_first(floats(1, 2), floats(1))


def test_the_weights_cannot_be_changed() -> None:
    weights = RankingWeights()
    with pytest.raises(FrozenInstanceError):
        weights.note_words = 1.0  # pyright: ignore[reportAttributeAccessIssue] -- the point
    with pytest.raises(TypeError):
        weights.edge_weights["NEXT"] = 2.0  # pyright: ignore[reportIndexIssue] -- the point


def arguments() -> dict[Callable[..., object], tuple[object, ...]]:
    edge = np.array([[0, 1]])
    yes = np.array([True, True])
    return {
        share_of_best: (floats(1, 2),),
        partial(meaning, unrelated=0.1, related=0.5): (floats(1, 0.2),),
        partial(matched_words, covered=0.5): (floats(2, 1),),
        rarity: (np.array([[True], [False]]),),
        partial(session_strength, best=1): (floats(1, 2), ints(0, 1)),
        partial(spread, gains=(0.1, 0.1)): (
            floats(1, 2),
            floats(1, 1),
            edge,
            floats(1),
        ),
        answers_gain: (floats(1, 2), floats(1, 1), edge, np.array([True]), yes),
        partial(normalised, method="min-max", deviation_floor=0.1, limit=3): (floats(1, 2),),
        partial(normalised, method="softmax", deviation_floor=0.1, limit=3): (floats(1, 2),),
        partial(z_scores, deviation_floor=0.1, limit=3): (floats(1, 2),),
        partial(composite, utility_weight=0.5): (floats(1, 2), floats(1, 2)),
        best_first: (floats(1, 2), floats(1, 2)),
    }


@pytest.mark.parametrize("case", range(len(arguments())))
def test_no_function_changes_what_it_is_given(case: int) -> None:
    function, given = list(arguments().items())[case]
    for array in given:
        assert isinstance(array, np.ndarray)
        array.flags.writeable = False
    function(*given)
