"""Learned utility beside relevance: the second phase of a recall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Floats, Ints

Normalization = Literal["z-score", "min-max", "softmax"]

_LITTLE = 1e-12
_NEARLY_ALL = 0.999


def z_scores(values: Floats, *, deviation_floor: float, limit: float) -> Floats:
    """Values as deviations from the pool's mean.

    Computes ``(x − mean) / max(sd, floor)``, clipped to ``±limit``.

    Parameters
    ----------
    values
        Values of one pool, shape ``(n,)``, finite.
    deviation_floor
        Least standard deviation, ``>= 0``; without it a Q of 0.505 among twenty at 0.5 gets 4.4.
    limit
        Clip, ``> 0``; infinity for none.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``; all 0 for equal values and for pools of one.

    Raises
    ------
    ValueError
        If the floor is negative or the limit not positive.

    References
    ----------
    *Memory Utility Learning System*, "Phase B: Utility Scoring".

    Examples
    --------
    >>> z_scores(np.array([1.0, 2.0, 3.0]), deviation_floor=0.1, limit=3.0).round(3)
    array([-1.225,  0.   ,  1.225])
    """
    if deviation_floor < 0 or limit <= 0:
        raise ValueError(f"floor {deviation_floor} or limit {limit} is out of range")
    if len(values) < 2:
        return np.zeros_like(values)
    centred = values - values.mean()
    deviation = max(float(values.std()), deviation_floor)
    if deviation < _LITTLE:
        return np.zeros_like(values)
    return np.clip(centred / deviation, -limit, limit)


def min_max(values: Floats, *, deviation_floor: float) -> Floats:
    """Values as places between the pool's least and greatest.

    Computes ``(x − min)/span`` with ``span = max(max − min, 4·floor)``; what a wider span leaves over
    lies on both sides, so that equals get one half.

    Parameters
    ----------
    values
        Values of one pool, shape ``(n,)``, finite.
    deviation_floor
        A quarter of the least span, ``>= 0``; at 0 it is the literal form.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1]; all 0.5 for equal values and for pools of one.

    Raises
    ------
    ValueError
        If the floor is negative.

    References
    ----------
    *Memory Utility Learning System*, "Phase B: Utility Scoring".

    Examples
    --------
    >>> min_max(np.array([1.0, 2.0, 3.0]), deviation_floor=0.1)
    array([0. , 0.5, 1. ])
    >>> min_max(np.array([0.5, 0.6]), deviation_floor=0.1).round(3)
    array([0.375, 0.625])
    """
    if deviation_floor < 0:
        raise ValueError(f"floor {deviation_floor} is out of range")
    if not len(values):
        return np.zeros(0)
    least, greatest = float(values.min()), float(values.max())
    span = max(greatest - least, 4.0 * deviation_floor)
    if span < _LITTLE:
        return np.full(len(values), 0.5)
    return (values - least) / span + 0.5 * (1.0 - (greatest - least) / span)


def softmax(values: Floats) -> Floats:
    """Values as shares of the pool.

    Computes ``exp(x − max)/Σ exp(x − max)``.

    Parameters
    ----------
    values
        Values of one pool, shape ``(n,)``, finite.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in (0, 1]; they add up to 1.

    Raises
    ------
    ValueError
        If a value is not finite.

    References
    ----------
    *Memory Utility Learning System*, "Phase B: Utility Scoring".

    Examples
    --------
    >>> softmax(np.array([0.0, np.log(3.0)])).round(6)
    array([0.25, 0.75])
    """
    if not np.isfinite(values).all():
        raise ValueError("values must be finite")
    if not len(values):
        return np.zeros(0)
    raised = np.exp(values - values.max())
    return raised / raised.sum()


def normalised(
    values: Floats, *, method: Normalization, deviation_floor: float, limit: float
) -> Floats:
    """Values of one pool on the scale on which relevance and utility are added.

    Computes ``z_scores``, ``min_max`` or ``softmax``.

    Parameters
    ----------
    values
        Values of one pool, shape ``(n,)``, finite.
    method
        ``z-score``, ``min-max`` or ``softmax``.
    deviation_floor
        As ``z_scores`` and ``min_max`` take it.
    limit
        As ``z_scores`` takes it.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, in the order of the values; equals get equals.

    Raises
    ------
    ValueError
        If the floor is negative, the limit not positive or a value not finite.

    References
    ----------
    *Memory Utility Learning System*, "Phase B: Utility Scoring".

    Examples
    --------
    >>> normalised(np.array([1.0, 3.0]), method="min-max", deviation_floor=0.1, limit=3.0)
    array([0., 1.])
    """
    if method == "min-max":
        return min_max(values, deviation_floor=deviation_floor)
    if method == "softmax":
        return softmax(values)
    return z_scores(values, deviation_floor=deviation_floor, limit=limit)


def composite(relevance_z: Floats, utility_z: Floats, *, utility_weight: float) -> Floats:
    """Score of each candidate, from relevance and learned utility.

    Computes ``(1 − λ)·z(relevance) + λ·z(Q)``.

    Parameters
    ----------
    relevance_z
        Relevance within the pool, shape ``(n,)``.
    utility_z
        Q within the pool, shape ``(n,)``.
    utility_weight
        λ, in [0, 1]; at 0 the order is that of relevance.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``; higher is better.

    Raises
    ------
    ValueError
        If λ lies outside [0, 1].

    References
    ----------
    *Memory Utility Learning System*, "Key Formula".

    Examples
    --------
    >>> composite(np.array([1.0, -1.0]), np.array([-1.0, 1.0]), utility_weight=0.25)
    array([ 0.5, -0.5])
    """
    if not 0 <= utility_weight <= 1:
        raise ValueError(f"utility_weight must lie in [0, 1], not {utility_weight}")
    return (1.0 - utility_weight) * relevance_z + utility_weight * utility_z


def pulled(
    relevance: Floats, utility_z: Floats, *, utility_weight: float, deviation_floor: float
) -> Floats:
    """Relevance, moved by learned utility, on the scale of relevance.

    Computes ``r + λ/(1 − λ)·max(sd(r), floor)·z(Q)``, brought back into [0, 1] where it leaves it. The
    order is that of the composite ``(1 − λ)·z(r) + λ·z(Q)``, and where nothing was learned nothing
    moves, so that what follows can weigh relevance against something else.

    Parameters
    ----------
    relevance
        Shares of the best, shape ``(n,)``, each in [0, 1].
    utility_z
        Q within the pool, shape ``(n,)``.
    utility_weight
        λ, in [0, 1]; from 0.999 on it is 0.999.
    deviation_floor
        Least standard deviation of relevance, ``>= 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1].

    Raises
    ------
    ValueError
        If λ lies outside [0, 1] or the floor is negative.

    References
    ----------
    *Memory Utility Learning System*, "Key Formula".

    Examples
    --------
    >>> one, two = np.array([1.0, 0.8]), np.array([-1.0, 1.0])
    >>> pulled(one, two, utility_weight=0.5, deviation_floor=0.1).round(3)
    array([0.9, 0.9])
    """
    if not 0 <= utility_weight <= 1 or deviation_floor < 0:
        raise ValueError(f"λ {utility_weight} or floor {deviation_floor} is out of range")
    if not len(relevance):
        return np.zeros(0)
    odds = min(utility_weight, _NEARLY_ALL) / (1.0 - min(utility_weight, _NEARLY_ALL))
    # A pool of equal values has no deviation of its own; what was taught must still count.
    moved = relevance + odds * max(float(relevance.std()), deviation_floor) * utility_z
    least, greatest = min(float(moved.min()), 0.0), max(float(moved.max()), 1.0)
    return (moved - least) / (greatest - least)


def best_first(scores: Floats, *tie_breakers: Floats) -> Ints:
    """Order of the candidates, best first; ties by the next criterion, then by place.

    Sorts by ``(−score, −tie breaker, …, place)``.

    Parameters
    ----------
    scores
        Scores, shape ``(n,)``.
    tie_breakers
        Further criteria, each of shape ``(n,)``; higher is better.

    Returns
    -------
    numpy.ndarray
        Indices, shape ``(n,)``.

    Raises
    ------
    ValueError
        If a criterion has another shape than the scores.

    References
    ----------
    *Memory Utility Learning System*, "Phase B: Utility Scoring", step 4.

    Examples
    --------
    >>> best_first(np.array([1.0, 2.0, 2.0]), np.array([0.0, 0.1, 0.9]))
    array([2, 1, 0])
    """
    if any(criterion.shape != scores.shape for criterion in tie_breakers):
        raise ValueError("every criterion needs the shape of the scores")
    keys = [-criterion for criterion in reversed((scores, *tie_breakers))]
    return np.lexsort(keys).astype(np.int64)
