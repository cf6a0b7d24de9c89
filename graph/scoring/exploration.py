"""Certainty of utilities, and exploration of memories with few rewards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Floats

_LEAST = 0.01  # a Beta distribution needs both of its parameters above 0


def errors(variance: Floats, weight: Floats, *, prior_count: float) -> Floats:
    """Standard error of each memory's utility.

    Computes ``sqrt(v/(E + n0))`` with ``v = (E·variance + n0/4)/(E + n0)``; one half where nothing is
    known and no prior is trusted.

    Parameters
    ----------
    variance
        Variance of the rewards behind each Q, shape ``(n,)``, each ``>= 0``.
    weight
        Evidence ``E`` behind each, shape ``(n,)``, ``>= 0``.
    prior_count
        Rewards' worth ``n0`` of trust in the prior, ``>= 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each ``>= 0``.

    Raises
    ------
    ValueError
        If ``prior_count`` is negative or the columns differ in length.

    References
    ----------
    Gelman et al., "Bayesian Data Analysis", 2013, section 2.5.

    Examples
    --------
    >>> errors(np.array([0.0, 0.25]), np.array([0.0, 7.0]), prior_count=2.0).round(4)
    array([0.3536, 0.1667])
    """
    _check(prior_count, variance, weight)
    total = weight + prior_count
    known = total > 1e-12
    divisor = np.where(known, total, 1.0)
    # n0/4: a quarter is the variance of a coin, the most that rewards may have
    spread = (weight * variance + prior_count * 0.25) / divisor
    # one half: the greatest error that a number in [0, 1] can have
    return np.where(known, np.sqrt(spread / divisor), 0.5)


def bonus(evidence: Floats, *, weight: float) -> Floats:
    """Exploration bonus of memories with few rewards, as an upper confidence bound.

    Computes ``c·sqrt(ln(1 + Σ E)/(1 + E))``. The evidence forgets, so the bonus comes back.

    Parameters
    ----------
    evidence
        Rewards ``E`` that each candidate's Q rests on, shape ``(n,)``, ``>= 0``.
    weight
        What exploring counts ``c``, ``>= 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each ``>= 0``; all 0 where nothing was ever rewarded.

    Raises
    ------
    ValueError
        If the weight is negative.

    References
    ----------
    Garivier and Moulines, "On Upper-Confidence Bound Policies for Switching Bandit Problems",
    Algorithmic Learning Theory, 2011.

    Examples
    --------
    >>> bonus(np.array([0.0, 3.0]), weight=0.1).round(4)
    array([0.1177, 0.0589])
    """
    if weight < 0:
        raise ValueError(f"weight must not be negative, not {weight}")
    return weight * np.sqrt(np.log1p(evidence.sum()) / (1.0 + evidence))


def sampled(
    utility: Floats, evidence: Floats, generator: np.random.Generator, *, prior_count: float
) -> Floats:
    """Draw for each memory one of the values that it may be worth (Thompson sampling).

    Draws from ``Beta(κ·u, κ·(1 − u))`` with ``κ = E + n0``, both parameters at least 0.01.

    Parameters
    ----------
    utility
        What each candidate is taken to be worth ``u``, shape ``(n,)``, each in [0, 1].
    evidence
        Rewards ``E`` behind each, shape ``(n,)``, ``>= 0``.
    generator
        Where randomness comes from.
    prior_count
        Rewards' worth ``n0`` of trust in the prior, ``>= 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1].

    Raises
    ------
    ValueError
        If ``prior_count`` is negative or the columns differ in length.

    References
    ----------
    Chapelle and Li, "An Empirical Evaluation of Thompson Sampling", NIPS 2011.

    Examples
    --------
    >>> sampled(np.array([0.9]), np.array([1e9]), np.random.default_rng(7), prior_count=2.0).round(3)
    array([0.9])
    """
    _check(prior_count, utility, evidence)
    trust = evidence + prior_count
    # a Beta distribution is not defined at 0
    wins = np.maximum(trust * utility, _LEAST)
    losses = np.maximum(trust * (1.0 - utility), _LEAST)
    return generator.beta(wins, losses)


def _check(prior_count: float, one: Floats, other: Floats) -> None:
    if prior_count < 0:
        raise ValueError(f"prior_count must not be negative, not {prior_count}")
    if len(one) != len(other):
        raise ValueError(f"columns differ in length: {len(one)} and {len(other)}")
