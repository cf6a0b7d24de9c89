"""Confidence in shares of successes: lower bounds, consistency, and choices under uncertainty."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Floats

Z_95 = 1.959963984540054


def wilson_lower(successes: Floats, trials: Floats, *, z: float = Z_95) -> Floats:
    """Lower bound of the share of successes in few trials.

    Computes ``(p + z²/2n − z·√(p(1 − p)/n + z²/4n²)) / (1 + z²/n)`` with ``p = s/n``; 0 without a trial.

    Parameters
    ----------
    successes
        Successes ``s``, shape ``(n,)``, each in [0, trials].
    trials
        Trials ``n``, shape ``(n,)``, ``>= 0``.
    z
        Quantile of the normal distribution, ``> 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1).

    Raises
    ------
    ValueError
        If a count is negative or exceeds its trials, or ``z`` is not positive.

    References
    ----------
    Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", 1927.

    Examples
    --------
    >>> wilson_lower(np.array([0.0, 1.0, 9.0, 90.0]), np.array([0.0, 1.0, 10.0, 100.0])).round(3)
    array([0.   , 0.207, 0.596, 0.826])
    """
    _check_counts(successes, trials)
    if z <= 0:
        raise ValueError(f"z must be positive, got {z}")
    # 0 of 0 is no share: the division is done with 1, and its result left out
    n = np.maximum(trials, 1.0)
    p = successes / n
    spread = z * np.sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n))
    lower = (p + z * z / (2.0 * n) - spread) / (1.0 + z * z / n)
    return np.where(trials > 0, np.maximum(lower, 0.0), 0.0)


def wilson_bound(successes: float, trials: float, *, z: float = Z_95) -> float:
    """Lower bound of one success rate.

    Computes ``wilson_lower`` of a single pair of counts.

    Parameters
    ----------
    successes
        Successes, in [0, trials].
    trials
        Trials, ``>= 0``.
    z
        Standard deviations of confidence, ``> 0``.

    Returns
    -------
    float
        A scalar, of shape ``()``, in [0, 1]; 0 without trials.

    Raises
    ------
    ValueError
        As ``wilson_lower``.

    References
    ----------
    Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", 1927.

    Examples
    --------
    >>> round(wilson_bound(9, 10), 3)
    0.596
    """
    return float(wilson_lower(np.array([float(successes)]), np.array([float(trials)]), z=z)[0])


def agreement_bounds(supporting: Floats, opposing: Floats, *, z: float = Z_95) -> Floats:
    """Bounds of the share of agents that agree with a statement.

    Computes the Wilson interval of ``s / (s + o)``: ``wilson_lower(s, s + o)`` and ``1 − wilson_lower(o, s + o)``; 0 and 1
    where nobody says anything. Two who agree and nobody against are less sure than twenty.

    Parameters
    ----------
    supporting
        Agents that say or vote so ``s``, shape ``(n,)``, ``>= 0``.
    opposing
        Agents that say or vote otherwise ``o``, shape ``(n,)``, ``>= 0``.
    z
        Standard deviations of confidence, ``> 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n, 2)``: lower and upper bound, each in [0, 1].

    Raises
    ------
    ValueError
        If a count is negative, or ``z`` is not positive.

    References
    ----------
    Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", 1927.

    Examples
    --------
    >>> agreement_bounds(np.array([2.0, 2.0, 20.0]), np.array([0.0, 1.0, 0.0])).round(3)
    array([[0.342, 1.   ],
           [0.208, 0.939],
           [0.839, 1.   ]])
    """
    total = supporting + opposing
    lower = wilson_lower(supporting, total, z=z)
    return np.column_stack([lower, 1.0 - wilson_lower(opposing, total, z=z)])


def reliability(successes: Floats, trials: Floats, variation: Floats) -> Floats:
    """Consistency of what happens: most runs end alike, in much the same time.

    Computes ``max(p, 1 − p) / (1 + v)``; 0 without a trial.

    Parameters
    ----------
    successes
        Successes, shape ``(n,)``, each in [0, trials].
    trials
        Trials, shape ``(n,)``, ``>= 0``.
    variation
        Standard deviation of the duration over its mean ``v``, shape ``(n,)``, ``>= 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1].

    Raises
    ------
    ValueError
        If a count is negative or exceeds its trials.

    References
    ----------
    *Persistent Memory System*, "MemoryPattern", `reliability`: consistency score.

    Examples
    --------
    >>> reliability(np.array([9.0, 5.0]), np.array([10.0, 10.0]), np.array([0.0, 1.0]))
    array([0.9 , 0.25])
    """
    _check_counts(successes, trials)
    # a tool that always fails is consistent too
    p = successes / np.maximum(trials, 1.0)
    return np.where(trials > 0, np.maximum(p, 1.0 - p) / (1.0 + variation), 0.0)


def shrunk_share(confirmed: Floats, judged: Floats, prior: Floats, *, strength: float) -> Floats:
    """Share of confirmations, drawn to what was believed before.

    Computes ``(κ·c₀ + s) / (κ + n)``: ``c₀`` without evidence, the share itself with much of it.

    Parameters
    ----------
    confirmed
        Confirmations ``s``, shape ``(n,)``, each in [0, judged].
    judged
        Observations ``n``, shape ``(n,)``, ``>= 0``.
    prior
        Belief before ``c₀``, shape ``(n,)``, each in [0, 1].
    strength
        How many observations the prior weighs ``κ``, ``> 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1].

    Raises
    ------
    ValueError
        If a count is negative or exceeds its trials, or ``strength`` is not positive.

    References
    ----------
    Gelman et al., "Bayesian Data Analysis", 2013, 2.4 (conjugate prior of a binomial).

    Examples
    --------
    >>> shrunk_share(np.array([0.0, 8.0]), np.array([0.0, 10.0]), np.array([0.8, 0.8]), strength=10.0)
    array([0.8, 0.8])
    """
    _check_counts(confirmed, judged)
    if strength <= 0:
        raise ValueError(f"strength must be positive, got {strength}")
    return (strength * prior + confirmed) / (strength + judged)


def thompson_sample(
    successes: Floats, trials: Floats, prior: Floats, *, strength: float, seed: int
) -> Floats:
    """One draw of each choice's success rate from what is known of it.

    Computes ``Beta(κ·c₀ + s, κ·(1 − c₀) + n − s)``, the same for the same seed: who takes the greatest explores
    where little is known.

    Parameters
    ----------
    successes
        Successes ``s``, shape ``(n,)``, each in [0, trials].
    trials
        Trials ``n``, shape ``(n,)``, ``>= 0``.
    prior
        Rate that is believed before, shape ``(n,)``, each in (0, 1).
    strength
        How many trials the prior weighs ``κ``, ``> 0``.
    seed
        Seed of the draw.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1].

    Raises
    ------
    ValueError
        If a count is negative or exceeds its trials, or ``strength`` is not positive.

    References
    ----------
    Thompson, "On the Likelihood That One Unknown Probability Exceeds Another", 1933.

    Examples
    --------
    >>> drawn = thompson_sample(np.array([90.0, 1.0]), np.array([100.0, 100.0]), np.full(2, 0.5), strength=2.0, seed=1)
    >>> bool(drawn[0] > drawn[1])
    True
    """
    _check_counts(successes, trials)
    if strength <= 0:
        raise ValueError(f"strength must be positive, got {strength}")
    won = strength * prior + successes
    lost = strength * (1.0 - prior) + trials - successes
    return np.random.default_rng(seed).beta(won, lost)


def _check_counts(successes: Floats, trials: Floats) -> None:
    if np.any(successes < 0) or np.any(successes > trials):
        raise ValueError("each count must lie in [0, trials]")
