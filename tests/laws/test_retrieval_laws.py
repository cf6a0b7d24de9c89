"""What holds of every pool of attempts, whatever is in it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.kernel.cues import cues, same_but_for_numbers
from graph.scoring.reasoning import (
    crowding,
    cue_lift,
    cue_weights,
    diverse,
    instructive,
    inverse_distance,
    likeness,
    shape_tells,
    strategy_shares,
    strategy_votes,
    told_of_strategies,
    weighted_cosines,
    within_reach,
)
from graph.scoring.utility import pulled

seeds = st.integers(0, 10_000)


@given(seeds, st.integers(1, 12), st.integers(0, 14), st.just(0.0) | st.floats(0.001, 1))
def test_what_is_chosen_begins_with_the_best_and_repeats_nothing(
    seed: int, size: int, k: int, balance: float
) -> None:
    rng = np.random.default_rng(seed)
    relevance = rng.permutation(size) / max(size, 1)
    group, kind = rng.integers(0, 4, size), rng.integers(-1, 3, size)
    chosen = diverse(relevance, group, kind, np.eye(3), balance=balance, repeat_share=0.8, k=k)
    assert len(set(chosen.tolist())) == len(chosen) == min(k, size)
    if len(chosen) and balance > 0:
        assert relevance[chosen[0]] == relevance.max()
    pairs = [(group[i], kind[i]) for i in chosen if kind[i] >= 0]
    others = {(group[i], kind[i]) for i in range(size) if kind[i] >= 0}
    first = pairs[: len(others)] if (kind >= 0).all() else []
    assert len(set(first)) == len(first), (
        "the same way at the same problem came twice before another"
    )


@given(seeds, st.integers(1, 8), st.integers(1, 5), st.integers(1, 6))
def test_votes_are_shares_that_do_not_depend_on_the_order_of_problems(
    seed: int, problems: int, strategies: int, names: int
) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 6, (strategies, 2)).astype(np.float64)
    attempts = rng.integers(0, problems, 9), rng.integers(0, strategies, 9)
    shares = strategy_shares(*attempts, rng.random(9), shape=(problems, strategies))
    assert shares.min() >= 0
    assert shares.sum(axis=1).max() < 1
    table = rng.integers(0, 2, (problems, names)).astype(np.float64)
    query = rng.integers(0, 2, names).astype(np.float64)
    order = rng.permutation(problems)

    def votes(table: np.ndarray, shares: np.ndarray) -> np.ndarray:
        lift = cue_lift(table, shares, counts, prior_count=10.0)
        shape = weighted_cosines(query, table, cue_weights(table, shares, counts, lift))
        assert -1e-9 <= shape.min() <= shape.max() <= 1 + 1e-9
        told = told_of_strategies(query, lift, counts)
        return strategy_votes(shape, shares, likeness(counts, sharpness=1.0), told, power=3.0)

    plain = votes(table, shares)
    assert plain.sum() == pytest.approx(1.0)
    assert votes(table[order], shares[order]) == pytest.approx(plain)


@given(seeds, st.floats(0.1, 0.9), st.floats(0, 0.8))
def test_nearness_does_not_depend_on_the_level_of_an_embedder_s_cosines(
    seed: int, scale: float, shift: float
) -> None:
    cosine = np.random.default_rng(seed).random(6)
    other = 1.0 - scale * (1.0 - cosine) * (1.0 - shift)
    one, two = (inverse_distance(c, power=1.0, least=1e-9) for c in (cosine, other))
    assert one == pytest.approx(two, rel=1e-4)


def test_shape_tells_where_strategies_recur_at_problems_of_like_shape() -> None:
    def tells(cues: np.ndarray, shares: np.ndarray, group: np.ndarray) -> float:
        return shape_tells(cues, shares, group, recurrence=(0.25, 0.5), lift=1.2)

    blocks, apart = np.kron(np.eye(2), np.ones((4, 1))), np.arange(8)
    assert tells(blocks, blocks / 2, apart) == 1.0
    once = np.eye(8) / 2
    assert tells(blocks, once, apart) == 0.0
    same = np.ones((8, 1)) / 2
    assert tells(blocks, same, apart) == 0.0
    one_problem = np.zeros(8, dtype=np.int64)
    assert tells(blocks, blocks / 2, one_problem) == 0.0


@given(seeds, st.integers(0, 12), st.integers(2, 5))
def test_nearness_chooses_where_a_problem_stands_out_and_not_in_a_crowd(
    seed: int, size: int, neighbour: int
) -> None:
    rng = np.random.default_rng(seed)

    def crowd(cosine: np.ndarray, group: np.ndarray) -> float:
        return crowding(cosine, group, neighbour=neighbour, bounds=(1.15, 1.3), least=0.005)

    far, apart = 0.3 + 0.2 * rng.random(size), np.arange(size + 1)
    assert crowd(np.append(far, 0.9), apart) == 0.0
    assert crowd(np.full(size + 1, 0.6), apart) == float(size > 0)
    assert crowd(np.full(size + 1, 0.6), np.zeros(size + 1, dtype=np.int64)) == 0.0
    reached = within_reach(np.append(far, 0.9), ratio=2.0, power=4.0, least=0.005)
    assert reached[-1] == 1.0
    assert (reached[:-1] <= 0.1).all()


@given(seeds, st.integers(0, 6), st.floats(0, 1))
def test_pulled_stays_in_its_range_and_moves_nothing_that_was_not_taught(
    seed: int, size: int, weight: float
) -> None:
    rng = np.random.default_rng(seed)
    relevance = rng.random(size)
    moved = pulled(relevance, rng.normal(size=size), utility_weight=weight, deviation_floor=0.1)
    assert ((moved >= -1e-9) & (moved <= 1 + 1e-9)).all()
    still = pulled(relevance, np.zeros(size), utility_weight=weight, deviation_floor=0.1)
    assert still == pytest.approx(relevance)


def test_at_the_edges_nothing_is_chosen_voted_or_taught() -> None:
    none = np.zeros(0)
    no = np.zeros(0, dtype=np.int64)
    assert len(diverse(none, no, no, np.eye(1), balance=0.5, repeat_share=0.8, k=3)) == 0
    assert len(strategy_votes(none, np.zeros((0, 0)), np.zeros((0, 0)), none, power=1.0)) == 0
    value, beside = instructive(
        none, no, no, np.array([1]), np.array([1]), np.ones(1), other_share=0.5
    )
    assert (value.tolist(), beside.tolist()) == ([0.0], [-1])
    even = strategy_votes(np.zeros(1), np.zeros((1, 2)), np.eye(2), np.zeros(2), power=1.0)
    assert even.tolist() == [0.5, 0.5]
    table, shares, counts = np.eye(2), np.zeros((2, 1)), np.zeros((1, 1))
    lift = cue_lift(table, shares, counts, prior_count=1.0)
    assert cue_weights(table, shares, counts, lift) == pytest.approx(np.sqrt(np.log(2.0)))


def test_what_is_out_of_range_is_refused() -> None:
    one, index = np.ones(1), np.zeros(1, dtype=np.int64)
    table = np.ones((1, 1))
    for call in (
        lambda: diverse(one, index, index, table, balance=2.0, repeat_share=0.8, k=1),
        lambda: diverse(
            one, index, np.zeros(2, dtype=np.int64), table, balance=0.5, repeat_share=0.8, k=1
        ),
        lambda: strategy_shares(index, index, 2 * one, shape=(1, 1)),
        lambda: strategy_shares(index, index, np.ones(2), shape=(1, 1)),
        lambda: likeness(table, sharpness=-1.0),
        lambda: cue_lift(table, table, table, prior_count=0.0),
        lambda: cue_weights(table, table, table, np.zeros((2, 1, 5))),
        lambda: weighted_cosines(one, table, -one),
        lambda: strategy_votes(one, table, table, one, power=-1.0),
        lambda: told_of_strategies(one, np.zeros((1, 2, 5)), table),
        lambda: instructive(one, index, index, index, index, one, other_share=2.0),
        lambda: inverse_distance(one, power=-1.0, least=0.1),
        lambda: inverse_distance(one, power=1.0, least=0.0),
        lambda: crowding(one, index, neighbour=1, bounds=(1.1, 1.2), least=0.1),
        lambda: crowding(one, index, neighbour=2, bounds=(1.2, 1.2), least=0.1),
        lambda: crowding(one, index, neighbour=2, bounds=(1.1, 1.2), least=0.0),
        lambda: within_reach(one, ratio=0.5, power=1.0, least=0.1),
        lambda: within_reach(one, ratio=2.0, power=-1.0, least=0.1),
        lambda: within_reach(one, ratio=2.0, power=1.0, least=0.0),
        lambda: shape_tells(table, table, index, recurrence=(0.5, 0.5), lift=1.2),
        lambda: shape_tells(table, table, index, recurrence=(0.2, 0.5), lift=1.0),
        lambda: pulled(one, one, utility_weight=2.0, deviation_floor=0.1),
    ):
        with pytest.raises(ValueError, match=r"must|out of range|differ|but"):
            call()


def _comes_back(letter: str) -> bool:
    """Tell whether a letter is the same after upper and lower case: the Turkish ı becomes i, and ß two letters."""
    return letter.upper().lower() == letter.lower()


@given(st.text(max_size=400))
def test_any_text_has_a_shape(text: str) -> None:
    assert cues(text)
    assert len(cues(text)) < 500


@given(st.text(st.characters().filter(_comes_back), max_size=400))
def test_case_does_not_count(text: str) -> None:
    assert same_but_for_numbers(text) == same_but_for_numbers(text.upper().lower().upper().lower())


def test_numbers_are_masked_and_their_kinds_kept() -> None:
    found = cues("She pays $1,200.50 for 3 of 1/2, 20% off.")
    assert {"<money>", "<number>", "<fraction>", "<percent>", "quantities=4"} <= found
    assert not [cue for cue in found if "200" in cue]
    assert same_but_for_numbers("Buy 3  Pens") == same_but_for_numbers("buy 45 pens")
