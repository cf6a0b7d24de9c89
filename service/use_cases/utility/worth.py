"""Utility of the candidates of a pool, by context and in general."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from graph.kernel.values import Floats, Ints
from graph.model.episodes.retrieval import AttemptPool
from graph.model.recall.candidates import CandidatePool, Estimate
from graph.model.utility.config import UtilityConfig
from graph.scoring.estimates import evidence, in_contexts, means, priors, utilities
from graph.scoring.exploration import bonus, errors, sampled
from graph.scoring.weights import UtilityWeights

Taught = CandidatePool | AttemptPool
"""Candidates with their learned utility."""


@dataclass(frozen=True, slots=True)
class Valuation:
    """Rules of valuation of one request.

    ``estimates`` are those by uid of the contexts that are asked for; ``random`` is asked where a
    sample is drawn.
    """

    weights: UtilityWeights = field(default_factory=UtilityWeights)
    estimates: Mapping[str, Sequence[Estimate]] = field(default_factory=dict[str, "list[Estimate]"])
    random: Callable[[], np.random.Generator] = np.random.default_rng


@dataclass(frozen=True, slots=True)
class Worth:
    """Utilities of candidates in [0, 1], with the number of rewards behind each and its uncertainty."""

    utility: Floats
    evidence: Floats
    error: Floats


def utility_weights(config: UtilityConfig) -> UtilityWeights:
    """Return the weights of utility of a tenant."""
    return UtilityWeights(
        learning_rate=config.learning_rate,
        context_learning_rate=config.context_learning_rate,
        neutral=config.q_default or 0.5,
        prior_count=config.q_prior_count,
        lender_prior_count=config.lender_prior_count,
        context_prior_count=config.context_prior_count,
        normalization=config.utility_normalization,
        deviation_floor=config.z_deviation_floor,
        z_limit=config.z_limit,
        exploration=config.exploration,
        exploration_weight=config.exploration_weight,
    )


def worth(pool: Taught, valuation: Valuation) -> Worth:
    """Return the utility of a pool: by own rewards, by those of used memories, and in the requested contexts."""
    weights = valuation.weights
    own = evidence(pool.q_left, learning_rate=weights.learning_rate)
    initial = np.where(pool.q_left < 1.0, pool.q_init, pool.q_value)  # what nothing has moved yet
    utility = utilities(
        pool.q_value,
        pool.q_left,
        initial,
        _priors(pool, initial, valuation),
        learning_rate=weights.learning_rate,
        prior_count=weights.prior_count,
    )
    # with plain Q, neither borrowed rewards nor contexts count (ADR 18)
    if valuation.estimates and weights.prior_count:
        utility, here = _here(utility, pool.uids, valuation)
        # the maximum: evidence in a context is part of all evidence
        own = np.maximum(own, here)
    error = errors(pool.q_variance, own, prior_count=weights.prior_count)
    return Worth(utility, own, error)


def explored(known: Worth, inside: Ints, valuation: Valuation) -> Floats:
    """Return the utility of some candidates, with the exploration bonus."""
    weights = valuation.weights
    utility, rests_on = known.utility[inside], known.evidence[inside]
    if weights.exploration == "ucb":
        return utility + bonus(rests_on, weight=weights.exploration_weight)
    if weights.exploration == "thompson":
        return sampled(utility, rests_on, valuation.random(), prior_count=weights.prior_count)
    return utility


def _priors(pool: Taught, initial: Floats, valuation: Valuation) -> Floats:
    weights, lenders = valuation.weights, pool.lenders
    if not len(lenders):
        return initial
    lent = means(lenders.q_value, lenders.q_left, lenders.q_init)
    weight = evidence(lenders.q_left, learning_rate=weights.learning_rate)
    if valuation.estimates:
        lent, here = _here(lent, lenders.uids, valuation)
        weight = np.maximum(weight, here)
    return priors(initial, lenders.borrower, lent, weight, prior_count=weights.lender_prior_count)


def _here(utility: Floats, uids: Sequence[str], valuation: Valuation) -> tuple[Floats, Floats]:
    """Return the utility of memories in the requested contexts, and its evidence."""
    weights = valuation.weights
    found = [
        (place, estimate)
        for place, uid in enumerate(uids)
        for estimate in valuation.estimates.get(uid, ())
    ]
    places = np.array([place for place, _ in found], dtype=np.int64)
    columns = np.array([estimate[2:] for _, estimate in found], dtype=np.float64).reshape(-1, 3)
    value, left, initial = np.ascontiguousarray(columns.T)
    return in_contexts(
        utility,
        places,
        means(value, left, initial),
        evidence(left, learning_rate=weights.context_learning_rate),
        prior_count=weights.context_prior_count,
    )
