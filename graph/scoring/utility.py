"""Learned utility beside relevance: the second phase of a recall."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Floats, Ints


def shrunk(q_value: Floats, q_count: Ints, *, neutral: float, prior_count: float) -> Floats:
    """Q, drawn to the neutral value while few rewards speak for it.

    Computes ``neutral + (Q − neutral)·n / (n + n0)``.

    Parameters
    ----------
    q_value
        Learned values, shape ``(n,)``, each in [0, 1].
    q_count
        Rewards each has had, shape ``(n,)``, ``>= 0``.
    neutral
        The value that says nothing, in [0, 1].
    prior_count
        Rewards' worth ``n0`` of trust in it, ``>= 0``; at 0 the result is ``q_value``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1].

    Raises
    ------
    ValueError
        If ``prior_count`` is negative.

    References
    ----------
    Efron and Morris, "Stein's Paradox in Statistics", Scientific American 236, 1977.

    Examples
    --------
    >>> shrunk(np.array([1.0, 1.0]), np.array([0, 2]), neutral=0.5, prior_count=2.0)
    array([0.5 , 0.75])
    """
    if prior_count < 0:
        raise ValueError(f"prior_count must not be negative, not {prior_count}")
    if prior_count == 0:
        return q_value.copy()
    return neutral + (q_value - neutral) * q_count / (q_count + prior_count)


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
    if deviation < 1e-12:
        return np.zeros_like(values)
    return np.clip(centred / deviation, -limit, limit)


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
