"""What holds for every pool, whatever its numbers are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from graph.kernel.values import Floats, Ints
from graph.model.recall.candidates import CandidatePool
from graph.scoring.estimates import utilities
from graph.scoring.relevance import (
    matched_words,
    meaning,
    nearness_in_time,
    put_behind,
    session_strength,
    share_of_best,
)
from graph.scoring.spreading import answers_gain, spread
from graph.scoring.utility import best_first, composite, normalised, z_scores
from graph.scoring.weights import RankingWeights
from tests.unit.pools import CUT, NOTHING_ASKED, TODAY, pool_of, rank

settings.register_profile("laws", derandomize=True, max_examples=60, database=None)
law = settings.get_profile("laws")

SIZES = st.integers(0, 25)
SHARES = st.floats(0, 1)


@st.composite
def columns(draw: st.DrawFn, *bounds: tuple[float, float]) -> list[Floats]:
    """Columns of one pool, each within its bounds."""
    size = draw(SIZES)
    return [draw(arrays(np.float64, size, elements=st.floats(low, high))) for low, high in bounds]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[Floats, Floats, Ints, Floats]:
    """Relevance, carry, edges and their weights."""
    size = draw(st.integers(1, 12))
    relevance = draw(arrays(np.float64, size, elements=st.floats(0, 1)))
    carry = draw(arrays(np.float64, size, elements=st.floats(0, 2)))
    count = draw(st.integers(0, 20))
    edges = draw(arrays(np.int64, (count, 2), elements=st.integers(0, size - 1)))
    weights = draw(arrays(np.float64, count, elements=st.floats(0, 1)))
    return relevance, carry, edges, weights


@st.composite
def pools(draw: st.DrawFn) -> CandidatePool:
    size = draw(st.integers(0, 30))
    numbers = st.floats(-1, 1)
    cosine = draw(st.lists(numbers, min_size=size, max_size=size))
    lexical = draw(st.lists(st.floats(0, 30), min_size=size, max_size=size))
    values = draw(st.lists(SHARES, min_size=size, max_size=size))
    counts = draw(st.lists(st.integers(0, 50), min_size=size, max_size=size))
    places = st.integers(0, max(size - 1, 0))
    edges = draw(st.lists(st.tuples(places, places, st.sampled_from(["NEXT", "USED"]))))
    return pool_of(
        cosine, lexical=lexical, q_value=values, q_count=counts, edges=edges if size else ()
    )


def orders(size: int) -> st.SearchStrategy[Ints]:
    return st.permutations(range(size)).map(lambda order: np.array(order, dtype=np.int64))


@law
@given(columns((-1, 1), (0, 30), (0, 1)), st.data())
def test_another_order_of_the_pool_only_reorders_what_comes_out(
    given_columns: list[Floats], data: st.DataObject
) -> None:
    cosine, lexical, values = given_columns
    order = data.draw(orders(len(cosine)))
    counts = np.arange(len(cosine))
    session = counts % 3 - 1

    def everything(order: Ints) -> list[Floats]:
        return [
            share_of_best(lexical[order]),
            matched_words(lexical[order], covered=0.5),
            meaning(cosine[order], unrelated=0.2, related=0.5),
            session_strength(values[order], session[order], best=2),
            utilities(values[order], np.power(0.9, counts[order]), values[order], values[order],
                      learning_rate=0.1, prior_count=2),
            normalised(values[order], method="min-max", deviation_floor=0.1, limit=3),
            normalised(values[order], method="softmax", deviation_floor=0.1, limit=3),
            z_scores(values[order], deviation_floor=0.1, limit=3),
            composite(cosine[order], values[order], utility_weight=0.3),
            nearness_in_time(lexical[order], np.array([[3.0, 4.0]]), scale_days=7),
        ]  # fmt: skip

    for straight, turned in zip(everything(np.arange(len(cosine))), everything(order), strict=True):
        np.testing.assert_allclose(straight[order], turned, atol=1e-12)


@law
@given(graphs(), st.data())
def test_renaming_the_nodes_only_renames_what_spreads(
    graph: tuple[Floats, Floats, Ints, Floats], data: st.DataObject
) -> None:
    relevance, carry, edges, weights = graph
    order = data.draw(orders(len(relevance)))
    place = np.argsort(order)
    straight = spread(relevance, carry, edges, weights, gains=(0.3, 0.1))
    turned = spread(relevance[order], carry[order], place[edges], weights, gains=(0.3, 0.1))
    np.testing.assert_allclose(straight[order], turned, atol=1e-12)


@law
@given(columns((-1, 1), (0, 30)), SHARES)
def test_meaning_and_matched_words_stay_in_their_ranges(
    given_columns: list[Floats], share: float
) -> None:
    cosine, lexical = given_columns
    near = meaning(cosine, unrelated=0.2, related=0.5)
    assert ((near >= 0) & (near <= 1.2)).all()
    words = matched_words(lexical, covered=share)
    assert ((words >= 0) & (words <= share + 1e-12)).all()


@law
@given(columns((0, 1)), st.integers(1, 5))
def test_a_session_is_at_most_as_strong_as_the_strongest(
    given_columns: list[Floats], best: int
) -> None:
    (relevance,) = given_columns
    session = np.arange(len(relevance)) % 4 - 1
    strength = session_strength(relevance, session, best=best)
    assert ((strength >= 0) & (strength <= 1 + 1e-12)).all()
    assert not strength[session < 0].any()


@law
@given(
    columns((0, 1), (0, 100), (0, 1), (0, 1)),
    st.floats(0.01, 1),
    st.floats(0, 20, allow_subnormal=False),
)
def test_a_utility_lies_between_what_was_expected_and_what_was_had(
    given_columns: list[Floats], rate: float, prior_count: float
) -> None:
    had, counts, initial, prior = given_columns
    # Whole counts: what is left of a tiny part of a reward is lost in rounding, and no service has such.
    left = (1 - rate) ** np.rint(counts)
    values = left * initial + (1 - left) * had
    utility = utilities(values, left, initial, prior, learning_rate=rate, prior_count=prior_count)
    low, high = (had, had) if prior_count else (values, values)
    assert (utility >= np.minimum(low, prior if prior_count else low) - 1e-9).all()
    assert (utility <= np.maximum(high, prior if prior_count else high) + 1e-9).all()


@law
@given(columns((0, 1)), st.floats(0, 0.5))
def test_places_between_the_least_and_the_greatest_keep_their_order_inside_0_and_1(
    given_columns: list[Floats], floor: float
) -> None:
    (values,) = given_columns
    for method in ("min-max", "softmax"):
        scaled = normalised(values, method=method, deviation_floor=floor, limit=3)
        assert ((scaled >= 0) & (scaled <= 1 + 1e-12)).all()
        assert (np.diff(scaled[np.argsort(values)]) >= 0).all()


@law
@given(columns((-5, 5)), st.floats(0, 1), st.floats(0.5, 10))
def test_z_scores_are_finite_centred_and_inside_their_limit(
    given_columns: list[Floats], floor: float, limit: float
) -> None:
    (values,) = given_columns
    z = z_scores(values, deviation_floor=floor, limit=limit)
    assert np.isfinite(z).all()
    assert (np.abs(z) <= limit).all()
    free = z_scores(values, deviation_floor=floor, limit=float("inf"))
    if len(values):
        assert abs(free.mean()) < 1e-6


@law
@given(columns((-100, 100)))
def test_literal_z_scores_have_mean_0_and_deviation_1(given_columns: list[Floats]) -> None:
    (values,) = given_columns
    z = z_scores(values, deviation_floor=0, limit=float("inf"))
    if len(np.unique(values.round(3))) > 1:
        assert abs(z.mean()) < 0.01
        assert abs(z.std() - 1) < 0.01


@law
@given(columns((-3, 3), (-3, 3)), SHARES)
def test_the_composite_lies_between_its_two_parts(
    given_columns: list[Floats], weight: float
) -> None:
    relevance, utility = given_columns
    score = composite(relevance, utility, utility_weight=weight)
    assert (score >= np.minimum(relevance, utility) - 1e-12).all()
    assert (score <= np.maximum(relevance, utility) + 1e-12).all()


@law
@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(0, 3), SHARES)
def test_more_relevance_or_more_utility_never_lowers_the_score(
    relevance: float, utility: float, more: float, weight: float
) -> None:
    score = composite(
        np.array([relevance, relevance + more, relevance]),
        np.array([utility, utility, utility + more]),
        utility_weight=weight,
    )
    assert score[1] >= score[0]
    assert score[2] >= score[0]


@law
@given(columns((-1, 1), (0, 30)), SHARES, st.floats(0, 1))
def test_a_better_word_score_never_lowers_what_its_words_count(
    given_columns: list[Floats], share: float, more: float
) -> None:
    _, lexical = given_columns
    if not len(lexical) or not lexical.any():
        return
    better = lexical.copy()
    better[0] += more
    before = matched_words(lexical, covered=share)[0]
    assert matched_words(better, covered=share)[0] >= before - 1e-12


@law
@given(columns((-5000, 50_000)), st.floats(0.1, 100))
def test_nearness_in_time_lies_between_0_and_1(given_columns: list[Floats], scale: float) -> None:
    (days,) = given_columns
    near = nearness_in_time(days, np.array([[10.0, 20.0], [400.0, 401.0]]), scale_days=scale)
    assert ((near >= 0) & (near <= 1)).all()


@law
@given(graphs())
def test_spreading_is_symmetric_and_never_negative(
    graph: tuple[Floats, Floats, Ints, Floats],
) -> None:
    relevance, carry, edges, weights = graph
    one_way = spread(relevance, carry, edges, weights, gains=(0.3, 0.1))
    other_way = spread(relevance, carry, edges[:, ::-1], weights, gains=(0.3, 0.1))
    np.testing.assert_allclose(one_way, other_way, atol=1e-12)
    assert (one_way >= 0).all()


@law
@given(graphs())
def test_spreading_is_bounded_by_degree_carry_and_gain(
    graph: tuple[Floats, Floats, Ints, Floats],
) -> None:
    relevance, carry, edges, weights = graph
    gained = spread(relevance, carry, edges, weights, gains=(0.3, 0.1))
    degree = np.bincount(edges.ravel(), minlength=len(relevance)).max(initial=0)
    most = degree * carry.max() * weights.max(initial=0.0)
    assert gained.max() <= relevance.max() * (0.3 * most + 0.1 * most**2) + 1e-9


@law
@given(graphs())
def test_nothing_spreads_from_nothing_and_more_gives_no_less(
    graph: tuple[Floats, Floats, Ints, Floats],
) -> None:
    relevance, carry, edges, weights = graph
    assert not spread(0 * relevance, carry, edges, weights, gains=(0.3, 0.1)).any()
    one_hop = spread(relevance, carry, edges, weights, gains=(0.3,))
    more = spread(relevance + 0.1, carry, edges, weights, gains=(0.3,))
    assert (more >= one_hop - 1e-12).all()


@law
@given(graphs())
def test_answers_gain_no_more_than_the_questions_pass_on(
    graph: tuple[Floats, Floats, Ints, Floats],
) -> None:
    relevance, carry, edges, _ = graph
    follows = np.arange(len(edges)) % 2 == 0
    asks = np.arange(len(relevance)) % 2 == 0
    gained = answers_gain(relevance, carry, edges, follows, asks)
    assert (gained >= 0).all()
    assert gained.sum() <= (carry * relevance)[edges[:, 0]].sum() + 1e-9


@law
@given(columns((-3, 3), (-1, 1)))
def test_best_first_is_a_permutation_sorted_by_score(given_columns: list[Floats]) -> None:
    scores, ties = given_columns
    order = best_first(scores, ties)
    assert sorted(order.tolist()) == list(range(len(scores)))
    assert (np.diff(scores[order]) <= 0).all()


@law
@given(pools(), st.integers(1, 40), st.integers(0, 2))
def test_at_weight_0_the_order_is_exactly_that_of_relevance(
    pool: CandidatePool, k: int, hops: int
) -> None:
    cut = replace(CUT, k=k, utility_weight=0.0)
    # A clip makes equals of what lies far apart, so the tie break must restore the order.
    ranking = rank(pool, NOTHING_ASKED, TODAY, hops, RankingWeights(), cut)
    chosen = ranking.chosen
    order = best_first(ranking.relevance, pool.cosine)
    assert chosen.tolist() == order[: len(chosen)].tolist()


@law
@given(pools(), st.integers(1, 40), st.integers(0, 2), SHARES)
def test_a_ranking_is_finite_complete_and_never_short(
    pool: CandidatePool, k: int, hops: int, weight: float
) -> None:
    cut = replace(CUT, k=k, utility_weight=weight)
    ranking = rank(pool, NOTHING_ASKED, TODAY, hops, RankingWeights(), cut)
    everyone = [*ranking.chosen.tolist(), *ranking.rest.tolist()]
    assert sorted(everyone) == list(range(len(pool)))
    assert len(ranking.chosen) == min(k, len(pool))
    assert np.isfinite(ranking.score[ranking.chosen]).all()
    assert ((ranking.relevance >= 0) & (ranking.relevance <= 1 + 1e-9)).all()
    assert (np.diff(ranking.score[ranking.chosen]) <= 0).all()


@law
@given(
    strength=arrays(np.float64, 6, elements=st.floats(0, 2)),
    pairs=arrays(np.int64, (4, 2), elements=st.integers(0, 5)),
    share=st.floats(0.01, 1),
)
def test_what_is_replaced_only_ever_falls(strength: Floats, pairs: Ints, share: float) -> None:
    behind = put_behind(strength, pairs, share=share)
    assert (behind <= strength).all()
    assert (behind >= 0).all()
    untouched = ~np.isin(np.arange(6), pairs[:, 1])
    assert (behind[untouched] == strength[untouched]).all()


def test_a_chain_of_replacements_stands_in_its_order() -> None:
    chain = np.array([[1, 0], [2, 1]])
    behind = put_behind(np.array([0.8, 0.7, 0.65]), chain, share=0.75)
    assert np.argsort(-behind).tolist() == [2, 1, 0]


def test_a_share_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match="share 0"):
        put_behind(np.zeros(1), np.zeros((0, 2), dtype=np.int64), share=0)
