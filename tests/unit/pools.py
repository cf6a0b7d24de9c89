"""Pools of candidates with given values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from graph.expecting.texts import TextScale
from graph.kernel.values import Floats
from graph.model.recall.candidates import CandidatePool, Recallable
from graph.scoring.weights import RankingWeights
from graph.store.recall.candidates import to_lenders
from service.use_cases.recall import choosing, ranking
from service.use_cases.recall.meaning import Scale
from service.use_cases.recall.question import Question
from service.use_cases.recall.ranking import Cut, Ranking

NOTHING_ASKED = Question(text="", terms=(), asks=False, speakers=frozenset(), dates=())
TODAY = 20_000.0  # days since 1970
CUT = Cut(
    k=5, candidates=20, min_relevance=0.0, min_similarity=None, utility_weight=0.5, learn=True
)
# Makes cosine and relevance equal.
SCALE = Scale(
    common=np.zeros(2, dtype=np.float32), unrelated=0.3, related=0.72, texts=TextScale(0.0, 1.0)
)


def memory(
    place: int,
    text: str = "Something.",
    *,
    speaker: str | None = None,
    session_id: str | None = None,
) -> Recallable:
    return Recallable(
        uid=f"m{place}",
        external_id=None,
        scope="local/agent/a",
        kind="observation",
        stratum="long_term",
        text=text,
        speaker=speaker,
        session_id=session_id,
        tags=(),
        metadata=None,
    )


def pool_of(
    cosine: Sequence[float],
    *,
    lexical: Sequence[float] | None = None,
    q_value: Sequence[float] | None = None,
    q_count: Sequence[int] | None = None,
    edges: Sequence[tuple[int, int, str]] = (),
    lenders: Sequence[tuple[int, float, float]] = (),
) -> CandidatePool:
    """Make a pool; ``lenders`` are rows of candidate, Q, and number of rewards."""
    size = len(cosine)

    def column(values: Sequence[float] | None, usual: float) -> Floats:
        return np.array([usual] * size if values is None else values, dtype=np.float64)

    counts = column(q_count, 0)
    pairs = np.array([(start, end) for start, end, _ in edges], dtype=np.int64)
    return CandidatePool(
        memories=tuple(memory(place) for place in range(size)),
        cosine=column(cosine, 0.0),
        lexical=column(lexical, 0.0),
        lexical_floor=0.0,
        q_value=column(q_value, 0.5),
        q_count=counts.astype(np.int64),
        q_left=0.9**counts,
        q_init=np.full(size, 0.5),
        q_variance=np.zeros(size),
        lenders=to_lenders([(i, f"s{i}", q, 0.9**count, 0.5) for i, q, count in lenders]),
        importance=np.full(size, 3, dtype=np.int64),
        access_count=np.zeros(size, dtype=np.int64),
        weight=np.ones(size),
        weight_day=np.full(size, TODAY),
        occurred_day=np.full(size, TODAY),
        hop=np.zeros(size, dtype=np.int64),
        edges=pairs.reshape(-1, 2),
        edge_types=tuple(kind for _, _, kind in edges),
    )


def said(pool: CandidatePool, *texts: str) -> CandidatePool:
    return replace(pool, memories=tuple(memory(i, text) for i, text in enumerate(texts)))


def spoken(pool: CandidatePool, *speakers: str | None) -> CandidatePool:
    memories = tuple(memory(i, speaker=name) for i, name in enumerate(speakers))
    return replace(pool, memories=memories)


def in_sessions(pool: CandidatePool, *sessions: str | None) -> CandidatePool:
    memories = tuple(memory(i, session_id=name) for i, name in enumerate(sessions))
    return replace(pool, memories=memories)


def rank(
    pool: CandidatePool,
    question: Question,
    now_day: float,
    hops: int,
    weights: RankingWeights,
    cut: Cut,
) -> Ranking:
    return choosing.rank(pool, ranking.RankingQuery(question, now_day, hops, weights, SCALE), cut)


def traversed(
    pool: CandidatePool,
    question: Question,
    now_day: float,
    hops: int,
    weights: RankingWeights,
    use: Floats | None = None,
) -> tuple[Floats, dict[str, Floats]]:
    return ranking.traversed_strength(
        pool, ranking.RankingQuery(question, now_day, hops, weights, SCALE), use
    )
