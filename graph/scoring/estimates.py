"""Estimates of a memory's utility from its rewards, and their certainty."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Floats, Ints

_LITTLE = 1e-12


def evidence(left: Floats, *, learning_rate: float) -> Floats:
    """Number of rewards that a Q rests on, as far as it remembers them.

    Computes ``(1 − left)/α``: 0 without a reward, at most ``1/α``.

    Parameters
    ----------
    left
        Share of the initial value that is left in each Q, shape ``(n,)``, each in [0, 1].
    learning_rate
        The step ``α`` of a whole reward, in (0, 1].

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each ``>= 0``.

    Raises
    ------
    ValueError
        If ``learning_rate`` lies outside (0, 1].

    References
    ----------
    Kish, "Survey Sampling", 1965 (effective sample size).

    Examples
    --------
    >>> evidence(np.array([1.0, 0.9, 0.0]), learning_rate=0.1).round(2)
    array([ 0.,  1., 10.])
    """
    _check_rate(learning_rate)
    return (1.0 - left) / learning_rate


def means(q_value: Floats, left: Floats, initial: Floats) -> Floats:
    """Mean of the rewards behind each Q, without the value that it began with.

    Computes ``(Q − left·q0)/(1 − left)``, clipped to [0, 1]; ``q0`` where no reward was had.

    Parameters
    ----------
    q_value
        Learned values, shape ``(n,)``, each in [0, 1].
    left
        Share of the initial value that is left in each, shape ``(n,)``, each in [0, 1].
    initial
        What each began with, shape ``(n,)``, each in [0, 1].

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1].

    Raises
    ------
    ValueError
        If the columns differ in length.

    References
    ----------
    Kingma and Ba, "Adam: A Method for Stochastic Optimization", ICLR 2015 (initialisation bias).

    Examples
    --------
    >>> means(np.array([0.55, 0.5]), np.array([0.9, 1.0]), np.array([0.5, 0.5])).round(6)
    array([1. , 0.5])
    """
    _check_lengths(q_value, left, initial)
    weight = 1.0 - left
    # a Q that was hardly taught would be divided by nearly nothing
    taught = weight > _LITTLE
    mean = (q_value - left * initial) / np.where(taught, weight, 1.0)
    return np.where(taught, np.clip(mean, 0.0, 1.0), initial)


def priors(
    initial: Floats, borrower: Ints, lent: Floats, weight: Floats, *, prior_count: float
) -> Floats:
    """Prior utility of memories before their own rewards: their lenders' mean, shrunk.

    Computes ``q0 + (m − q0)·N/(N + n0)`` with ``N`` the evidence of the lenders and ``m`` the mean of
    what they lend, weighted by it.

    Parameters
    ----------
    initial
        What each memory began with, shape ``(n,)``, each in [0, 1].
    borrower
        Index of the memory that each lender lends to, shape ``(l,)``.
    lent
        Mean reward of each lender, shape ``(l,)``, each in [0, 1].
    weight
        Evidence of each lender, shape ``(l,)``, ``>= 0``.
    prior_count
        Rewards' worth ``n0`` of trust in the initial value, ``>= 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1].

    Raises
    ------
    ValueError
        If ``prior_count`` is negative or the lenders' columns differ in length.

    References
    ----------
    Efron and Morris, "Stein's Paradox in Statistics", Scientific American 236, 1977.

    Examples
    --------
    >>> lenders = np.array([0, 0]), np.array([0.9, 0.7]), np.array([5.0, 5.0])
    >>> priors(np.array([0.5, 0.5]), *lenders, prior_count=10.0)
    array([0.65, 0.5 ])
    """
    _check_count(prior_count)
    _check_lengths(borrower, lent, weight)
    total = _summed(borrower, weight, len(initial))
    borrowed = _summed(borrower, weight * lent, len(initial))
    return _blended(initial, borrowed, total, prior_count)


def utilities(
    q_value: Floats,
    left: Floats,
    initial: Floats,
    prior: Floats,
    *,
    learning_rate: float,
    prior_count: float,
) -> Floats:
    """Q with its initial value taken out, and a prior put in that counts as some rewards.

    Computes ``(α·n0·prior + Q − left·q0)/(1 − left + α·n0)``, clipped to [0, 1].

    Parameters
    ----------
    q_value
        Learned values, shape ``(n,)``, each in [0, 1].
    left
        Share of the initial value that is left in each, shape ``(n,)``, each in [0, 1].
    initial
        What each began with, shape ``(n,)``, each in [0, 1].
    prior
        What each is taken to be worth without rewards, shape ``(n,)``, each in [0, 1].
    learning_rate
        The step ``α`` of a whole reward, in (0, 1].
    prior_count
        Rewards' worth ``n0`` of trust in the prior, ``>= 0``; at 0 the result is ``q_value``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1].

    Raises
    ------
    ValueError
        If ``learning_rate`` lies outside (0, 1], ``prior_count`` is negative or the columns differ in
        length.

    References
    ----------
    Efron and Morris, "Stein's Paradox in Statistics", Scientific American 236, 1977.

    Examples
    --------
    >>> columns = np.array([0.5, 0.55]), np.array([1.0, 0.9]), np.array([0.5, 0.5])
    >>> utilities(*columns, np.array([0.5, 0.5]), learning_rate=0.1, prior_count=2.0).round(4)
    array([0.5   , 0.6667])
    """
    _check_rate(learning_rate)
    _check_count(prior_count)
    _check_lengths(q_value, left, initial, prior)
    if prior_count == 0:
        return q_value.copy()
    trust = learning_rate * prior_count
    taught = q_value - left * initial
    return np.clip((trust * prior + taught) / (1.0 - left + trust), 0.0, 1.0)


def in_contexts(
    utility: Floats, place: Ints, mean: Floats, weight: Floats, *, prior_count: float
) -> tuple[Floats, Floats]:
    """Utility of memories in the contexts of a request, shrunk to their utility at large.

    Computes ``(n0·u + Σ E·m/k)/(n0 + Σ E/k)`` over the ``k`` contexts that have an estimate.

    Parameters
    ----------
    utility
        What each memory is worth at large, shape ``(n,)``, each in [0, 1].
    place
        Index of the memory of each estimate, shape ``(e,)``.
    mean
        Mean reward ``m`` of each estimate, shape ``(e,)``, each in [0, 1].
    weight
        Evidence ``E`` of each estimate, shape ``(e,)``, ``>= 0``.
    prior_count
        Rewards' worth ``n0`` of trust in the worth at large, ``>= 0``.

    Returns
    -------
    tuple of numpy.ndarray
        What each memory is worth here, in [0, 1], and the evidence ``Σ E/k`` for that, ``>= 0``; each
        of shape ``(n,)``.

    Raises
    ------
    ValueError
        If ``prior_count`` is negative or the estimates' columns differ in length.

    References
    ----------
    Gelman and Hill, "Data Analysis Using Regression and Multilevel/Hierarchical Models", 2007 (partial
    pooling).

    Examples
    --------
    >>> estimates = np.array([0]), np.array([1.0]), np.array([2.0])
    >>> in_contexts(np.array([0.5, 0.5]), *estimates, prior_count=2.0)
    (array([0.75, 0.5 ]), array([2., 0.]))
    """
    _check_count(prior_count)
    _check_lengths(place, mean, weight)
    # contexts of a request share the say: two of them are not twice the evidence
    known = np.maximum(np.bincount(place, minlength=len(utility)), 1)
    total = _summed(place, weight, len(utility)) / known
    taught = _summed(place, weight * mean, len(utility)) / known
    return _blended(utility, taught, total, prior_count), total


def _summed(place: Ints, weights: Floats, size: int) -> Floats:
    return np.bincount(place, weights, size).astype(np.float64)


def _blended(base: Floats, taught: Floats, weight: Floats, prior_count: float) -> Floats:
    """Return ``(n0·base + taught)/(n0 + weight)``, the base where neither has any weight."""
    total = weight + prior_count
    known = weight > _LITTLE
    blended = (prior_count * base + taught) / np.where(known, total, 1.0)
    return np.where(known, np.clip(blended, 0.0, 1.0), base)


def _check_rate(learning_rate: float) -> None:
    if not 0 < learning_rate <= 1:
        raise ValueError(f"learning_rate must lie in (0, 1], not {learning_rate}")


def _check_count(prior_count: float) -> None:
    if prior_count < 0:
        raise ValueError(f"prior_count must not be negative, not {prior_count}")


def _check_lengths(*columns: Floats | Ints) -> None:
    if len({len(column) for column in columns}) > 1:
        raise ValueError(f"columns differ in length: {[len(column) for column in columns]}")
