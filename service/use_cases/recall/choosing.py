"""Choice of the results of a pool by relevance and learned utility."""

from __future__ import annotations

import numpy as np

from graph.kernel.values import Floats, Ints
from graph.model.recall.candidates import CandidatePool
from graph.scoring.utility import best_first, composite, normalised
from service.use_cases.recall.groups import relevance_by_group
from service.use_cases.recall.ranking import RULES, Cut, Ranking, RankingQuery, edges_of
from service.use_cases.recall.reading import Reading
from service.use_cases.utility.worth import Worth, explored, worth


def rank(
    pool: CandidatePool, query: RankingQuery, cut: Cut, read: Reading | None = None
) -> Ranking:
    """Order a pool by the two phases of *Memory Utility Learning System*."""
    known = worth(pool, cut.valuation)
    # 1 for what no reward has reached
    use = known.utility / cut.valuation.weights.neutral if cut.by_utility else None
    relevance, parts = relevance_by_group(pool, query, use, read)
    by_relevance = best_first(relevance, pool.cosine)
    floors = floors_of(pool, cut)
    # after traversal: before it, the best 20 lack what only neighbours make relevant, .039 of T@10
    # (ADR 5)
    fitting, reasons = allowed(by_relevance, relevance, pool, cut, floors)
    inside = fitting[: max(cut.candidates, cut.k)]
    reasons |= {int(i): f"not among the best {len(inside)}" for i in fitting[len(inside) :]}
    score = np.full(len(pool), -np.inf)
    relevance_z, utility_z = _normalised(relevance, known, inside, cut)
    # without learning no Q says anything (ADR 18)
    utility_weight = cut.utility_weight if cut.learn else 0.0
    score[inside] = composite(relevance_z, utility_z, utility_weight=utility_weight)
    order = inside[best_first(score[inside], relevance[inside], pool.cosine[inside])]
    if cut.rules_relevance is not None:  # what is let in by a lower floor takes nobody's place
        order = order[np.argsort(relevance[order] < cut.min_relevance, kind="stable")]
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
    # among the compared alone: what is not relevant gets no chance by being unknown
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


def floors_of(pool: CandidatePool, cut: Cut) -> Floats:
    """Least relevance of each memory: rules may have a lower one than others."""
    floors = np.full(len(pool), cut.min_relevance)
    if cut.rules_relevance is not None:
        rules = np.array([memory.stratum in RULES for memory in pool.memories], dtype=np.bool_)
        floors[rules] = min(cut.min_relevance, cut.rules_relevance)
    return floors


def allowed(
    order: Ints, relevance: Floats, pool: CandidatePool, cut: Cut, floors: Floats
) -> tuple[Ints, dict[int, str]]:
    """Drop from an order what is not relevant or not similar enough, and problems beside their own attempts."""
    near = np.ones(len(order), dtype=np.bool_)
    if cut.min_similarity is not None:
        near = pool.cosine[order] >= cut.min_similarity
    strong = relevance[order] >= floors[order]
    reasons = {int(i): f"relevance below {floors[i]:g}" for i in order[~strong]}
    reasons |= {int(i): f"less similar than {cut.min_similarity:g}" for i in order[~near]}
    order = order[near & strong]
    attempted = _attempted(pool, order)
    reasons |= dict.fromkeys(attempted.tolist(), "an attempt at it is a result")
    return order[~np.isin(order, attempted)], reasons


def _attempted(pool: CandidatePool, order: Ints) -> Ints:
    """Return the problems of an order that an attempt of the order says too."""
    attempts = edges_of(pool, "SOLVED", "ATTEMPTED")
    return np.unique(attempts[np.isin(attempts, order).all(axis=1), 1])


def _over(inside: Ints, values: Floats, size: int) -> Floats:
    out = np.zeros(size)
    out[inside] = values
    return out
