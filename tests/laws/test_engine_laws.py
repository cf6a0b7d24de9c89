"""Laws that every engine keeps, whatever the numbers are."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from graph.kernel.values import Floats
from graph.scoring.base_level import base_level, base_level_hybrid
from graph.scoring.basic import basic_ranking
from graph.scoring.generative import between_extremes, generative_score
from graph.scoring.human_centric import linear_recency, saliency, weighted_sum
from graph.scoring.relevance import Flags
from graph.scoring.resonance import (
    embedded_resonance,
    pairwise_embedded_resonance,
    pairwise_resonance,
    resonance,
    retroactive_interference,
)
from graph.scoring.stores import consolidates, long_term_eviction, working_eviction
from tests.laws.test_scoring_laws import SHARES, columns, law

AGES = (0.0, 1e4)
SHARE = (0.0, 1.0)


@st.composite
def keyword_sets(draw: st.DrawFn) -> Flags:
    shape = draw(st.integers(0, 8)), draw(st.integers(1, 6))
    return draw(arrays(np.bool_, shape))


@law
@given(columns(SHARE, AGES, AGES), st.floats(0, 5))
def test_saliency_never_grows_with_age(pool: list[Floats], decay: float) -> None:
    importance, age, more = pool
    now, later = (saliency(importance, age + step, decay=decay) for step in (0.0, more))
    assert ((later >= 0) & (later <= now) & (now <= importance)).all()


@law
@given(columns(SHARE, AGES, SHARE))
def test_scoring_all_agents_at_once_is_scoring_each(pool: list[Floats]) -> None:
    importance, age, context = pool

    def scores(importance: Floats, age: Floats, context: Floats) -> Floats:
        return weighted_sum(linear_recency(age), saliency(importance, age), context)

    both = scores(*(np.stack([column, column[::-1]]) for column in (importance, age, context)))
    alone = scores(importance, age, context)
    assert np.allclose(both, [alone, alone[::-1]])


@law
@given(columns(SHARE, SHARE, SHARE, SHARE, SHARE))
def test_the_weighted_law_rises_with_each_part_but_interference(pool: list[Floats]) -> None:
    recency, importance, context, relevance, interference = pool
    low = weighted_sum(recency, importance, context, relevance, interference)
    one, none = np.ones_like(recency), np.zeros_like(recency)
    assert (weighted_sum(one, one, one, one, none) >= low).all()


@law
@given(columns(AGES, SHARE), st.integers(0, 6), st.integers(0, 4))
def test_the_basic_ranking_takes_each_memory_once(
    pool: list[Floats], recent: int, important: int
) -> None:
    age, left = pool
    found = basic_ranking(age, left, recent=recent, important=important)
    taken = found[found >= 0]
    assert len(found) == recent + important
    assert len(set(taken.tolist())) == len(taken) == min(recent + important, len(age))
    first = age[found[: min(recent, len(age))]]
    assert sorted(first) == sorted(age)[: len(first)]


@law
@given(keyword_sets())
def test_resonance_is_symmetric_and_full_with_itself(sets: Flags) -> None:
    pairs = pairwise_resonance(sets)
    assert np.array_equal(pairs, pairs.T)
    assert ((pairs >= 0) & (pairs <= 1)).all()
    for place, row in enumerate(sets):
        assert np.array_equal(resonance(row, sets), pairs[place])
        assert pairs[place, place] == float(row.any())


@st.composite
def unit_vectors(draw: st.DrawFn) -> Floats:
    shape = draw(st.integers(0, 8)), draw(st.integers(1, 6))
    drawn = draw(arrays(np.float64, shape, elements=st.floats(-1, 1)))
    length = np.linalg.norm(drawn, axis=-1, keepdims=True)
    return np.divide(drawn, length, out=np.zeros_like(drawn), where=length > 1e-3)


@law
@given(unit_vectors(), st.floats(0, 1), st.data())
def test_resonance_and_interference_by_embeddings_keep_the_same_laws(
    vectors: Floats, cap: float, data: st.DataObject
) -> None:
    pairs = pairwise_embedded_resonance(vectors)
    assert np.allclose(pairs, pairs.T)
    assert ((pairs >= 0) & (pairs <= 1)).all()
    assert np.allclose(np.diagonal(pairs), vectors.any(axis=-1))
    for place, row in enumerate(vectors):
        assert np.allclose(embedded_resonance(row, vectors), pairs[place])
    stacked = pairwise_embedded_resonance(np.stack([vectors, vectors[::-1]]))
    assert np.allclose(stacked, [pairs, pairs[::-1, ::-1]])
    stored = data.draw(arrays(np.float64, len(vectors), elements=st.floats(0, 100)))
    lost = retroactive_interference(pairs, stored, cap=cap)
    assert ((lost >= 0) & (lost <= cap)).all()
    assert not lost[stored == stored.max(initial=0.0)].any()


@law
@given(keyword_sets(), st.floats(0, 1), st.data())
def test_interference_is_capped_and_spares_the_newest(
    sets: Flags, cap: float, data: st.DataObject
) -> None:
    stored = data.draw(arrays(np.float64, len(sets), elements=st.floats(0, 100)))
    lost = retroactive_interference(pairwise_resonance(sets), stored, cap=cap)
    assert ((lost >= 0) & (lost <= cap)).all()
    assert not lost[stored == stored.max(initial=0.0)].any()


@law
@given(
    st.lists(st.floats(1e-3, 1e6), min_size=1, max_size=30),
    st.floats(0.05, 1.5),
    st.integers(1, 30),
)
def test_the_hybrid_form_lies_between_its_bounds(
    uses: list[float], decay: float, kept: int
) -> None:
    ages = np.sort(np.array(uses))
    exact = base_level(ages, decay=decay)
    hybrid = base_level_hybrid(ages[:kept], np.array(len(ages)), np.array(ages[-1]), decay=decay)
    if kept >= len(ages):
        assert np.isclose(hybrid, exact)
    rest = max(len(ages) - kept, 0)
    known = (ages[:kept] ** -decay).sum()
    slack = 1e-6
    assert hybrid >= np.log(known + rest * ages[-1] ** -decay) - slack
    assert hybrid <= np.log(known + rest * ages[:kept][-1] ** -decay) + slack


@law
@given(columns(SHARE, (1.0, 10.0), SHARE), st.floats(0.1, 10), st.floats(-5, 5))
def test_the_generative_score_keeps_its_order_on_another_scale(
    pool: list[Floats], factor: float, shift: float
) -> None:
    recency, importance, relevance = pool
    usual = generative_score(recency, importance, relevance)
    assert ((usual >= 0) & (usual <= 3)).all()
    scaled = between_extremes(importance)
    assert ((scaled >= 0) & (scaled <= 1)).all()
    span = np.ptp(importance) if len(importance) else 0.0
    if span > 1e-3:
        assert np.allclose(between_extremes(importance * factor + shift), scaled, atol=1e-6)


@law
@given(columns(SHARE, SHARE), st.integers(0, 2**32 - 1), SHARES, SHARES)
def test_the_importance_of_one_memory_does_not_change_the_draw_of_another(
    pool: list[Floats], seed: int, gate: float, probability: float
) -> None:
    first, second = pool
    found = [
        consolidates(column, np.random.default_rng(seed), gate=gate, probability=probability)
        for column in (first, second)
    ]
    both = (first >= gate) & (second >= gate)
    assert np.array_equal(found[0][both], found[1][both])
    assert not found[0][first < gate].any()


@law
@given(columns(SHARE, AGES, SHARE))
def test_an_eviction_names_each_memory_once(pool: list[Floats]) -> None:
    importance, age, chance = pool
    consolidated = chance > 0.5
    by_working = working_eviction(consolidated, age)
    by_importance = long_term_eviction(importance, age)
    every = list(range(len(age)))
    assert sorted(by_working.tolist()) == sorted(by_importance.tolist()) == every
    assert (np.diff(consolidated[by_working].astype(int)) <= 0).all()
    assert (np.diff(importance[by_importance]) >= 0).all()
