"""Remaining weight of memories, and the scores that decide on keeping them.

Times are days since one epoch. A weight is anchored: `initial` is what it was at `anchored_at`, and
only what happened since then is computed. Who changes what a rate is made of (an access, another
importance, a Q, a stratum) anchors first, so that the past keeps the price it had.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Floats

HIGHEST_IMPORTANCE = 5.0


def decay_rates(base_rate: Floats, importance: Floats, accesses: Floats) -> Floats:
    """Decay rate of each memory, before its utility slows it.

    Computes ``base / (1 + importance + ln(1 + accesses))``.

    Parameters
    ----------
    base_rate
        Base decay per day of each memory's stratum, shape ``(n,)``, ``>= 0``.
    importance
        Importance, shape ``(n,)``, each in [1, 5].
    accesses
        How often each was recalled, shape ``(n,)``, ``>= 0``.

    Returns
    -------
    numpy.ndarray
        Rates per day, shape ``(n,)``, each ``>= 0``.

    Raises
    ------
    ValueError
        If a rate, importance or count is negative or no number.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "RetentionGateService", Decay Models.

    Examples
    --------
    >>> decay_rates(np.array([0.8, 0.1]), np.array([3.0, 3.0]), np.array([0.0, 9.0])).round(4)
    array([0.2   , 0.0159])
    """
    _check_not_negative(rates=base_rate, importance=importance, counts=accesses)
    # the logarithm: the hundredth access adds less than the second
    return base_rate / (1.0 + importance + np.log1p(accesses))


def slowed(rate: Floats, utility: Floats, factor: Floats) -> Floats:
    """Decay rate of each memory once its utility is known.

    Computes ``rate·(1 − Q·f)``.

    Parameters
    ----------
    rate
        Rates per day, shape ``(n,)``, ``>= 0``.
    utility
        What each memory is worth, shape ``(n,)``, each in [0, 1]: a Q, never a z-score.
    factor
        Share of the rate that the highest utility takes away, shape ``(n,)``, each in [0, 1].

    Returns
    -------
    numpy.ndarray
        Rates per day, shape ``(n,)``, each in [0, rate].

    Raises
    ------
    ValueError
        If a utility or a factor lies outside [0, 1].

    References
    ----------
    *Memory Utility Learning System*, "Retention Gates" (decay·(1 − Q·utilityFactor)).

    Examples
    --------
    >>> slowed(np.array([0.2, 0.2]), np.array([0.0, 1.0]), np.array([0.4, 0.4])).round(3)
    array([0.2 , 0.12])
    """
    for name, values in (("utility", utility), ("factor", factor)):
        if not bool(np.all((values >= 0) & (values <= 1))):
            raise ValueError(f"each {name} must lie in [0, 1]")
    # never a z-score: 1 − Q·f could turn negative
    return rate * (1.0 - utility * factor)


def elapsed_days(anchored_at: Floats, grace_until: Floats, now: float) -> Floats:
    """Days that count for the decay: none before the anchor, none within the grace period.

    Computes ``max(now − max(anchor, grace), 0)``.

    Parameters
    ----------
    anchored_at
        When each weight was last anchored, in days, shape ``(n,)``.
    grace_until
        Until when each does not fade, in days, shape ``(n,)``; minus infinity for no grace.
    now
        The present, in days, finite.

    Returns
    -------
    numpy.ndarray
        Days, shape ``(n,)``, each ``>= 0``.

    Raises
    ------
    ValueError
        If the present is not finite or a column holds no number.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "Retention Policies" (surprising memories bypass normal
    decay).

    Examples
    --------
    >>> elapsed_days(np.array([10.0, 10.0]), np.array([-np.inf, 15.0]), 17.0)
    array([7., 2.])
    """
    if not np.isfinite(now) or np.isnan(anchored_at).any() or np.isnan(grace_until).any():
        raise ValueError("times must be numbers, and the present finite")
    # minus infinity for no grace: the anchor is later
    return np.maximum(now - np.maximum(anchored_at, grace_until), 0.0)


def decay_weight(initial: Floats, days: Floats, rate: Floats) -> Floats:
    """Weight that is left of each memory.

    Computes ``w0·exp(−rate·t)``.

    Parameters
    ----------
    initial
        Weight ``w0`` when it was last anchored, shape ``(n,)``, ``>= 0``.
    days
        Days that count since then, shape ``(n,)``; negative ones count as 0.
    rate
        Decay per day, shape ``(n,)``, ``>= 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, w0]; ``w0`` at age 0.

    Raises
    ------
    ValueError
        If a rate is negative or no number.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "RetentionGateService", Decay Models.

    Examples
    --------
    >>> decay_weight(np.ones(2), np.array([0.0, 40.0]), np.full(2, 0.025)).round(3)
    array([1.   , 0.368])
    """
    _check_not_negative(rates=rate)
    return initial * np.exp(-rate * np.maximum(days, 0.0))


def reanchored(
    initial: Floats, anchored_at: Floats, grace_until: Floats, rate: Floats, *, now: float
) -> tuple[Floats, Floats]:
    """Anchors as of now, so that whatever changes the rate does not touch the past.

    Computes ``w0' = w0·exp(−rate·t)`` at ``max(anchor, now)``, with the rate of before the change. An
    anchor that lies ahead stays.

    Parameters
    ----------
    initial
        Weight ``w0`` at the anchor, shape ``(n,)``, ``>= 0``.
    anchored_at
        When that was, in days, shape ``(n,)``.
    grace_until
        Until when each does not fade, in days, shape ``(n,)``; minus infinity for no grace.
    rate
        Decay per day until now, shape ``(n,)``, ``>= 0``.
    now
        The present, in days.

    Returns
    -------
    tuple of numpy.ndarray
        New ``w0`` and anchor, each of shape ``(n,)``; weights now and later are the same as before.

    Raises
    ------
    ValueError
        If a rate is negative or a time no number.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "RetentionGateService", Decay Models.

    Examples
    --------
    >>> one, never = np.ones(1), np.array([-np.inf])
    >>> initial, anchored_at = reanchored(one, 0 * one, never, 0.1 * one, now=10.0)
    >>> initial.round(3), anchored_at
    (array([0.368]), array([10.]))
    """
    days = elapsed_days(anchored_at, grace_until, now)
    return decay_weight(initial, days, rate), np.maximum(anchored_at, now)


def apply_reward(weight: Floats, *, factor: float = 1.5, cap: float = 2.0) -> Floats:
    """Weights after the memories helped: raised, and never beyond the cap.

    Computes ``max(w, min(w·factor, cap))``.

    Parameters
    ----------
    weight
        Weights now, shape ``(n,)``, ``>= 0``; anchor them here.
    factor
        By what they rise, ``>= 1``.
    cap
        Weight that a reward does not raise above, ``>= 1``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each at least what it was.

    Raises
    ------
    ValueError
        If the factor or the cap is below 1.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "Reward Integration".

    Examples
    --------
    >>> apply_reward(np.array([0.4, 1.0, 1.8]))
    array([0.6, 1.5, 2. ])
    """
    if factor < 1 or cap < 1:
        raise ValueError(f"factor {factor} and cap {cap} must be at least 1")
    # a weight above the cap stays: a reward lowers nothing
    return np.maximum(weight, np.minimum(weight * factor, cap))


def importance_share(importance: Floats) -> Floats:
    """Importance of stored memories as a share.

    Computes ``(importance − 1)/4``.

    Parameters
    ----------
    importance
        Importance, shape ``(n,)``, each in [1, 5].

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1].

    Raises
    ------
    ValueError
        If an importance lies outside [1, 5].

    References
    ----------
    *Human-Centric Cognitive Engines*, "Parameter & Symbol Dictionary" (scale 0.0 to 1.0).

    Examples
    --------
    >>> importance_share(np.array([1.0, 3.0, 5.0]))
    array([0. , 0.5, 1. ])
    """
    if not bool(np.all((importance >= 1) & (importance <= HIGHEST_IMPORTANCE))):
        raise ValueError("each importance must lie in [1, 5]")
    return (importance - 1.0) / (HIGHEST_IMPORTANCE - 1.0)


def retention_scores(importance: Floats, surprise: Floats) -> Floats:
    """Retention score of new memories.

    Computes ``importance·(1 + surprise)``.

    Parameters
    ----------
    importance
        Importance, shape ``(n,)``, each in [1, 5].
    surprise
        How surprising each was, shape ``(n,)``, each in [0, 1].

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [1, 10].

    Raises
    ------
    ValueError
        If a column holds a negative or no number.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "SurpriseCalculator", Formula.

    Examples
    --------
    >>> retention_scores(np.array([3.0, 5.0]), np.array([0.5, 0.0]))
    array([4.5, 5. ])
    """
    _check_not_negative(importance=importance, surprises=surprise)
    return importance * (1.0 + surprise)


def promotion_scores(importance: Floats, surprise: Floats, weight: Floats) -> Floats:
    """Promotion score of memories.

    Computes ``(importance/5)·(1 + surprise)·w``: a weight alone is 1 for every newborn.

    Parameters
    ----------
    importance
        Importance, shape ``(n,)``, each in [1, 5].
    surprise
        How surprising each was, shape ``(n,)``, each in [0, 1].
    weight
        Weights now, shape ``(n,)``, ``>= 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, ``>= 0``.

    Raises
    ------
    ValueError
        If a column holds a negative or no number.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "Retention Gates" and "SurpriseCalculator", Formula.

    Examples
    --------
    >>> promotion_scores(np.array([4.0, 2.0]), np.array([0.25, 0.0]), np.array([0.9, 2.0]))
    array([0.9, 0.8])
    """
    _check_not_negative(weights=weight)
    return retention_scores(importance, surprise) / HIGHEST_IMPORTANCE * weight


def _check_not_negative(**columns: Floats) -> None:
    for name, values in columns.items():
        if not bool(np.all(values >= 0)):
            raise ValueError(f"{name} must not be negative")
