"""Conversion of a ranking to an answer: results, explanations and near misses."""

from __future__ import annotations

from datetime import UTC, datetime

from graph.model.recall.candidates import (
    CandidatePool,
    Explanation,
    NearMiss,
    RecallAnswer,
    Recalled,
)
from service.use_cases.recall.ranking import Cut, Ranking
from service.use_cases.recall.reading import is_turn

_NEAR_MISSES = 5
_SECONDS_PER_DAY = 86_400.0


def answer_of(pool: CandidatePool, ranking: Ranking, cut: Cut, *, explain: bool) -> RecallAnswer:
    """Return what a ranking chose, with its reasons where they are asked for."""
    return RecallAnswer(
        results=tuple(result_of(pool, ranking, int(i), explain=explain) for i in ranking.chosen),
        utility_weight=cut.utility_weight if cut.learn else 0.0,
        candidates=len(pool),
        near_misses=_near_misses(pool, ranking) if explain else (),
    )


def may_supersede(pool: CandidatePool) -> dict[str, str]:
    """Return the newer note nearest to the question that an edge says replaces an older one, by the uid of the older.

    What edges say of two turns of a chat is mostly wrong (ADR 86).
    """
    days = pool.occurred_day
    rows = [
        (newer, older)
        for (newer, older), kind in zip(pool.edges.tolist(), pool.edge_types, strict=True)
        if kind == "SUPERSEDES"
        and days[newer] > days[older]
        and not (is_turn(pool, newer) or is_turn(pool, older))
    ]
    rows.sort(key=lambda row: float(pool.cosine[row[0]]))
    return {pool.uids[older]: pool.uids[newer] for newer, older in rows}


def result_of(pool: CandidatePool, ranking: Ranking, i: int, *, explain: bool) -> Recalled:
    """Return a candidate as a result, with its reasons where they are asked for."""
    return Recalled(
        memory=pool.memories[i],
        occurred_at=datetime.fromtimestamp(pool.occurred_day[i] * _SECONDS_PER_DAY, UTC),
        importance=int(pool.importance[i]),
        score=float(ranking.score[i]),
        relevance=float(ranking.relevance[i]),
        similarity=float(pool.cosine[i]),
        q_value=float(pool.q_value[i]),
        explanation=_explanation(pool, ranking, i) if explain else None,
    )


def _explanation(pool: CandidatePool, ranking: Ranking, i: int) -> Explanation:
    components = {name: round(float(part[i]), 6) for name, part in ranking.parts.items()}
    components |= {
        "cosine": round(float(pool.cosine[i]), 6),
        "lexical": round(float(pool.lexical[i]), 6),
        "q_value": round(float(pool.q_value[i]), 6),
        "q_count": float(pool.q_count[i]),
        "q_variance": round(float(pool.q_variance[i]), 6),
        "utility": round(float(ranking.worth.utility[i]), 6),
        "evidence": round(float(ranking.worth.evidence[i]), 6),
        "q_error": round(float(ranking.worth.error[i]), 6),
    }
    return Explanation(components, _path(pool, i))


def _path(pool: CandidatePool, i: int) -> tuple[str, ...]:
    """Return which arm found the memory, or along which edges of the pool it was reached."""
    if pool.hop[i] == 0:
        return ("lexical" if pool.lexical[i] > 0 else "vector",)
    ends: list[tuple[int, int]] = [(int(a), int(b)) for a, b in pool.edges]
    for (start, end), kind in zip(ends, pool.edge_types, strict=True):
        other = end if start == i else start
        # only back to a nearer hop: the way ends at what an arm found, and never runs in a circle
        if i in (start, end) and pool.hop[other] < pool.hop[i]:
            step = f"{kind}→" if start == other else f"←{kind}"
            return (*_path(pool, other), f"{pool.memories[other].uid} {step}")
    return ()


def _near_misses(pool: CandidatePool, ranking: Ranking) -> tuple[NearMiss, ...]:
    return tuple(
        NearMiss(
            uid=pool.memories[i].uid,
            text=pool.memories[i].text,
            score=float(ranking.relevance[i]),
            reason=ranking.reasons.get(i, "weaker"),
        )
        for i in map(int, ranking.rest[:_NEAR_MISSES])
    )
