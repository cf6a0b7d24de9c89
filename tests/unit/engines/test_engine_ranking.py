"""Rankings by the laws of the engines: their parts by name, and numbers written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import exp, log
from typing import Any

import numpy as np
import pytest

from graph.model.engines.config import AgentEngine, Engine, EngineConfig
from graph.model.recall.candidates import CandidatePool, Uses
from graph.scoring.weights import RankingWeights
from service.use_cases.engines.ranking import LAWS, Situation, importance_of, rank_by, weights_of
from service.use_cases.recall.question import understand
from service.use_cases.recall.ranking import Ranking
from tests.unit.pools import CUT, SCALE, TODAY, memory, pool_of

ALERT = "Extreme rainfall expected. High risk of river flood."
YEAR = 365.25


def household() -> CandidatePool:
    """Memories of the household: the disaster of ten years ago, and the quiet day of last year."""
    pool = pool_of([0.3, 0.3])
    texts = ("A massive flood breached the levee.", "The sun was out all day.")
    tags = (("Flood",), ("Routine",))
    return replace(
        pool,
        memories=tuple(memory(i, texts[i])._replace(tags=tags[i]) for i in range(2)),
        importance=np.array([5, 1]),
        occurred_day=TODAY - YEAR * np.array([10.0, 1.0]),
    )


def at(
    pool: CandidatePool,
    question: str = ALERT,
    *,
    tags: Sequence[str] = (),
    accessed: Sequence[float] | None = None,
    replaced: Sequence[tuple[int, int]] = (),
    emotions: dict[str, float] | None = None,
    sources: dict[str, float] | None = None,
    **settings: Any,
) -> Situation:
    size = len(pool)
    uses = Uses(
        recorded_day=pool.occurred_day,
        accessed_day=np.full(size, np.nan) if accessed is None else np.array(accessed),
        replaced=np.array(replaced, dtype=np.int64).reshape(-1, 2),
    )
    engine = AgentEngine(EngineConfig(**settings), emotions or {}, sources or {})
    return Situation(pool, uses, understand(question, ()), tags, TODAY, engine)


def ranked(engine: Engine, situation: Situation, k: int = 5, **cut: Any) -> Ranking:
    return rank_by(engine, situation, 1, RankingWeights(), replace(CUT, k=k, **cut), SCALE)


ROUTINE = {"flood": 1.0, "sun": 0.1}


def test_the_household_trace_through_the_ranking() -> None:
    situation = at(household(), time_unit="years", emotions=ROUTINE)
    found = ranked("weighted", situation)
    assert found.chosen.tolist() == [0, 1]
    assert found.score.round(3).tolist() == [0.384, 0.315]
    assert found.parts["context"].tolist() == [0.2, 0.0]
    assert found.parts["recency"].round(3).tolist() == [0.0, 0.27]
    assert found.parts["importance"].round(3).tolist() == [0.184, 0.045]
    left = ranked("saliency", situation)
    assert left.score == pytest.approx([exp(-1), 0.1 * exp(-0.1)])


def test_a_tag_of_the_request_is_context_too() -> None:
    pool = household()
    assert at(pool, "Anything?", tags=("routine",)).context.tolist() == [0.0, 1.0]
    assert at(pool, "Is a flood near?").context.tolist() == [1.0, 0.0]


def test_importance_is_stored_or_read_from_tables() -> None:
    pool = household()
    assert importance_of(pool, AgentEngine()).tolist() == [1.0, 0.0]
    only_sources = AgentEngine(sources={"levee": 0.5})
    assert importance_of(pool, only_sources).tolist() == [0.5, 0.0]
    both = AgentEngine(emotions={"flood": 0.8}, sources={"sun": 0.25})
    assert importance_of(pool, both) == pytest.approx([0.8, 0.1 * 0.25])


def test_a_keyword_stands_alone_and_the_strongest_counts() -> None:
    table = {"lost": 0.5, "lost everything": 1.0, "flood": 0.7}
    texts = ["We LOST everything.", "We lost it.", "Floodlights.", "A flood; all lost"]
    assert weights_of(texts, table, 0.1).tolist() == [1.0, 0.5, 0.1, 0.7]


def test_the_most_recent_and_the_most_important_are_chosen() -> None:
    pool = pool_of([0.1] * 9)
    days = TODAY - np.arange(9.0)
    pool = replace(pool, occurred_day=days, importance=np.array([3] * 7 + [5, 4]))
    found = ranked("basic", at(pool, recent=2, important=2), k=4)
    assert found.chosen.tolist() == [0, 1, 7, 2]
    assert found.parts["recent"].tolist() == [1.0, 1.0] + [0.0] * 7
    assert ranked("basic", at(pool, recent=2, important=2), k=3).chosen.tolist() == [0, 1, 7]


def test_activation_counts_the_last_use_and_the_number_of_all() -> None:
    pool = replace(pool_of([0.1] * 3), occurred_day=np.full(3, TODAY - 9.0))
    pool = replace(pool, access_count=np.array([0, 2, 2]))
    found = ranked("actr", at(pool, accessed=[np.nan, TODAY - 1.0, TODAY + 5.0]))
    day = 86_400.0
    once = -0.5 * log(9 * day)
    often = day**-0.5 * (1 + 2 * (3 - 1) / (0.5 * 8))
    # What was recalled after the time that is asked about is not known then.
    assert found.score == pytest.approx([once, log(often), once])


def test_generative_agents_score_by_last_use_importance_and_meaning() -> None:
    pool = replace(pool_of([0.2, 0.2, 0.6]), importance=np.array([1, 5, 3]))
    pool = replace(pool, occurred_day=TODAY - np.array([0.0, 1.0, 2.0]))
    found = ranked("generative", at(pool, generative_importance_weight=2.0), k=3)
    day, two = 0.995**24, 0.995**48
    middle = (day - two) / (1 - two)
    assert found.score == pytest.approx([1.0, middle + 2.0, 2.0])


def test_resonance_and_interference_count_once_they_weigh_something() -> None:
    pool = household()
    texts = ("Lena lives in Hamburg", "Lena lives in Berlin", "the tram was late")
    pool = replace(
        pool_of([0.1, 0.2, 0.5]),
        memories=tuple(memory(i, text) for i, text in enumerate(texts)),
        occurred_day=TODAY - np.array([3.0, 2.0, 1.0]),
    )
    question = "Lena Berlin?"
    weighs: dict[str, Any] = {"relevance_weight": 1.0, "interference_weight": 0.5}
    found = ranked("weighted", at(pool, question, **weighs))
    assert found.parts["relevance"] == pytest.approx([0.5, 1.0, 0.0])
    assert found.parts["interference"] == pytest.approx([-0.5 * 0.8 * 2 / 3, 0.0, 0.0])
    near = ranked("weighted", at(pool, question, relevance_by="embeddings", **weighs))
    assert near.parts["relevance"] == pytest.approx([0.1, 0.2, 0.5])


def test_interference_by_embeddings_compares_vectors_where_there_are_some() -> None:
    pool = replace(pool_of([0.1, 0.2, 0.5]), occurred_day=TODAY - np.array([3.0, 2.0, 1.0]))
    by = at(pool, interference_by="embeddings")
    vectors = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 0.0]])
    by = replace(by, uses=replace(by.uses, embeddings=vectors))
    assert by.interference == pytest.approx([0.8 * 0.6, 0.0, 0.0])
    words = replace(by, engine=at(pool).engine)
    assert np.array_equal(words.likeness, at(pool).likeness)


def test_what_has_replaced_a_memory_does_not_suppress_it_again() -> None:
    texts = ("Lena lives in Hamburg", "Lena lives in Berlin")
    pool = replace(
        pool_of([0.1, 0.2]),
        memories=tuple(memory(i, text) for i, text in enumerate(texts)),
        occurred_day=TODAY - np.array([3.0, 2.0]),
    )
    assert at(pool).interference == pytest.approx([0.8 * 2 / 3, 0.0])
    assert at(pool, replaced=[(1, 0)]).interference.tolist() == [0.0, 0.0]
    elsewhere = pool.memories[1]._replace(scope="local/user/b")
    apart = replace(pool, memories=(pool.memories[0], elsewhere))
    assert at(apart).interference.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("engine", LAWS)
def test_a_law_orders_an_empty_pool_and_says_why_others_are_out(engine: Engine) -> None:
    assert not len(ranked(engine, at(pool_of([]))).chosen)
    found = ranked(engine, at(pool_of([0.9, 0.1])), k=1, min_similarity=0.5)
    assert found.chosen.tolist() == [0]
    assert found.rest.tolist() == [1]
    assert found.reasons == {1: "less similar than 0.5"}


@pytest.mark.parametrize("unit", ["seconds", "minutes", "hours", "days", "weeks", "years"])
def test_the_unit_of_ages_is_a_setting(unit: str) -> None:
    pool = replace(pool_of([0.1]), occurred_day=np.array([TODAY - 7.0]))
    ages = {"seconds": 604_800, "minutes": 10_080, "hours": 168, "days": 7, "weeks": 1}
    assert at(pool, time_unit=unit).age == pytest.approx([ages.get(unit, 7 / 365.25)])
