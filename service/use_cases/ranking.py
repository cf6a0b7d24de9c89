"""Puts the numeric parts together: a pool of candidates becomes an order with its reasons."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from graph.scoring.relevance import hybrid, nearness_in_time, session_strength, with_unseen
from graph.scoring.retention import decay_rates, decay_weight, slowed
from graph.scoring.spreading import answers_gain, shared_terms, spread
from graph.scoring.utility import best_first, composite, normalised
from service.use_cases.question import asks
from service.use_cases.worth import Valuation, Worth, explored, worth

if TYPE_CHECKING:
    from collections.abc import Mapping

    from graph.model import CandidatePool, Floats, Ints
    from graph.scoring.weights import RankingWeights
    from service.use_cases.question import Question


@dataclass(frozen=True, slots=True)
class Cut:
    """Which candidates may be returned; ``threshold`` is a share of the pool's best relevance.

    ``utility_weight`` is λ; at 0, as without ``learn``, no Q says anything anywhere.
    """

    k: int
    candidates: int
    threshold: float
    min_similarity: float | None
    utility_weight: float
    learn: bool
    valuation: Valuation = field(default_factory=Valuation)

    @property
    def by_utility(self) -> bool:
        """Whether what was learned counts."""
        return self.learn and self.utility_weight > 0


@dataclass(frozen=True, slots=True)
class Ranking:
    """The order of a pool: ``chosen`` are the results, ``rest`` follows by relevance."""

    chosen: Ints
    rest: Ints
    relevance: Floats
    score: Floats
    worth: Worth
    parts: Mapping[str, Floats]
    reasons: Mapping[int, str]


def traversed_relevance(
    pool: CandidatePool,
    question: Question,
    now_day: float,
    hops: int,
    weights: RankingWeights,
    use: Floats | None = None,
) -> tuple[Floats, dict[str, Floats]]:
    """Return the relevance of a pool in [0, 1] after traversal, and what each part added to it.

    ``use`` is what each memory is worth of what is neutral; without it all are worth the same.
    """
    lexical = with_unseen(pool.lexical, pool.lexical_floor, share=weights.unseen_share)
    own = hybrid(pool.cosine, lexical, cosine_share=weights.cosine_share)
    carry = _left(pool, now_day, weights, by_utility=use is not None)
    if use is not None:
        carry = carry * use
    edges, edge_weights = _weighted_edges(pool, weights)
    neighbours = spread(own, carry, edges, edge_weights, gains=weights.hop_gains[:hops])
    follows = np.array([kind == "NEXT" for kind in pool.edge_types], dtype=np.bool_)
    questions = np.array(["?" in memory.text for memory in pool.memories], dtype=np.bool_)
    gain = weights.answer_gain if hops else 0.0
    answers = gain * answers_gain(own, carry, pool.edges, follows, questions)
    best = float((own + neighbours + answers).max(initial=0.0)) or 1.0
    named = np.array([memory.speaker in question.speakers for memory in pool.memories])
    spans = question.spans(pool.occurred_day)
    parts = {
        "own": own / best,
        "neighbours": (neighbours + answers) / best,
        "session": weights.session_gain
        * session_strength(own, _session_numbers(pool), best=weights.session_best),
        "speaker": weights.speaker_gain * named.astype(np.float64),
        "date": weights.date_gain
        * nearness_in_time(pool.occurred_day, spans, scale_days=weights.date_scale_days),
    }
    total = np.sum(list(parts.values()), axis=0)
    parts["asking"] = 0.0 - _asking_loss(pool, question, total, weights)
    total = total + parts["asking"]
    peak = float(total.max(initial=0.0)) or 1.0
    return total / peak, {name: part / peak for name, part in parts.items()}


def _asking_loss(
    pool: CandidatePool, question: Question, relevance: Floats, weights: RankingWeights
) -> Floats:
    """Return what memories lose that ask what the query asks: it looks for what answers."""
    if not question.asks:
        return np.zeros(len(pool))
    asking = np.array([asks(memory.text) for memory in pool.memories], dtype=np.bool_)
    return np.where(asking, np.minimum(weights.asking_loss, relevance), 0.0)


def _weighted_edges(pool: CandidatePool, weights: RankingWeights) -> tuple[Ints, Floats]:
    """Return the edges that relevance spreads over: the pool's own, and one per shared terms."""
    typed = np.array([weights.edge_weights.get(kind, 0.0) for kind in pool.edge_types])
    found = ~np.isnan(pool.edge_similarity)
    similar = weights.similar_weight * np.maximum(np.nan_to_num(pool.edge_similarity), 0.0)
    typed = np.where(found, similar, typed)
    if not weights.mentions_weight or not len(pool.mentions):
        return pool.edges, typed
    pairs, shared = shared_terms(pool.mentions, pool.term_frequency)
    return (
        np.concatenate([pool.edges, pairs]),
        np.concatenate([typed, weights.mentions_weight * shared]),
    )


def rank(
    pool: CandidatePool,
    question: Question,
    now_day: float,
    hops: int,
    weights: RankingWeights,
    cut: Cut,
) -> Ranking:
    """Order a pool by the two phases of *Memory Utility Learning System*."""
    known = worth(pool, cut.valuation)
    use = known.utility / cut.valuation.weights.neutral if cut.by_utility else None
    relevance, parts = traversed_relevance(pool, question, now_day, hops, weights, use)
    by_relevance = best_first(relevance, pool.cosine)
    allowed, reasons = _allowed(by_relevance, relevance, pool.cosine, cut)
    inside = allowed[: max(cut.candidates, cut.k)]
    reasons |= {int(i): f"not among the best {len(inside)}" for i in allowed[len(inside) :]}
    score = np.full(len(pool), -np.inf)
    relevance_z, utility_z = _normalised(relevance, known, inside, cut)
    utility_weight = cut.utility_weight if cut.learn else 0.0
    score[inside] = composite(relevance_z, utility_z, utility_weight=utility_weight)
    order = inside[best_first(score[inside], relevance[inside], pool.cosine[inside])]
    chosen = order[: cut.k]
    reasons |= {
        int(i): f"ranked {place} of the {cut.k} asked for"
        for place, i in enumerate(order[cut.k :], start=cut.k + 1)
    }
    z_parts = {"relevance_z": relevance_z, "utility_z": utility_z}
    return Ranking(
        chosen=chosen,
        rest=np.concatenate([order[cut.k :], by_relevance[~np.isin(by_relevance, inside)]]),
        relevance=relevance,
        score=score,
        worth=known,
        parts={**parts, **{name: _over(inside, z, len(pool)) for name, z in z_parts.items()}},
        reasons=reasons,
    )


def _normalised(relevance: Floats, known: Worth, inside: Ints, cut: Cut) -> tuple[Floats, Floats]:
    """Bring relevance and utility of the candidates that are compared to one scale."""
    weights = cut.valuation.weights
    utility = explored(known, inside, cut.valuation) if cut.by_utility else known.utility[inside]
    relevance_z, utility_z = (
        normalised(
            values,
            method=weights.normalization,
            deviation_floor=weights.deviation_floor,
            limit=weights.z_limit,
        )
        for values in (relevance[inside], utility)
    )
    return relevance_z, utility_z


def _session_numbers(pool: CandidatePool) -> Ints:
    numbers: dict[tuple[str, str], int] = {}
    return np.array(
        [
            numbers.setdefault((m.scope, m.session_id), len(numbers)) if m.session_id else -1
            for m in pool.memories
        ],
        dtype=np.int64,
    )


def _left(
    pool: CandidatePool, now_day: float, weights: RankingWeights, *, by_utility: bool
) -> Floats:
    """Share of its relevance that each memory passes on: what is left of it, at most all."""
    base = np.array([weights.decay_rates.get(m.stratum, 0.0) for m in pool.memories])
    importance, accesses = (
        column.astype(np.float64) for column in (pool.importance, pool.access_count)
    )
    rates = decay_rates(base, importance, accesses)
    if by_utility:
        spared = np.array([weights.utility_factors.get(m.stratum, 0.0) for m in pool.memories])
        rates = slowed(rates, np.clip(pool.q_value, 0.0, 1.0), spared)
    return np.minimum(decay_weight(pool.weight, now_day - pool.weight_day, rates), 1.0)


def _allowed(
    by_relevance: Ints, relevance: Floats, cosine: Floats, cut: Cut
) -> tuple[Ints, dict[int, str]]:
    """Drop what is too weak; without a minimum of the caller's, never below k."""
    if cut.min_similarity is not None:
        near = cosine[by_relevance] >= cut.min_similarity
        reason = f"less similar than {cut.min_similarity:g}"
        return by_relevance[near], {int(i): reason for i in by_relevance[~near]}
    strong = relevance[by_relevance] >= cut.threshold
    strong[: cut.k] = True
    reason = f"below {cut.threshold:g} of the best relevance"
    return by_relevance[strong], {int(i): reason for i in by_relevance[~strong]}


def _over(inside: Ints, values: Floats, size: int) -> Floats:
    out = np.zeros(size)
    out[inside] = values
    return out
