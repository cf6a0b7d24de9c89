"""Laws of memory of *Human-Centric Cognitive Engines*: saliency and the weighted sum.

The last axis of an array holds the memories of one agent; axes before it hold agents, so that one call
scores all agents of a simulation. Ages have any unit, as long as λ has the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Flags, Floats


@dataclass(frozen=True, slots=True)
class WeightedSum:
    """Weights of the weighted law; the defaults are those of the source."""

    recency: float = 0.3
    importance: float = 0.5
    context: float = 0.2
    relevance: float = 0.0
    interference: float = 0.0


def initial_importance(emotion: Floats, source: Floats) -> Floats:
    """Importance of new memories.

    Computes ``I = emotion·source``.

    Parameters
    ----------
    emotion
        Emotional weight, shape ``(..., n)``, each in [0, 1].
    source
        Reliability of the source, shape ``(..., n)``, each in [0, 1].

    Returns
    -------
    numpy.ndarray
        Shape ``(..., n)``, each in [0, 1].

    Raises
    ------
    ValueError
        If a weight lies outside [0, 1].

    References
    ----------
    *Human-Centric Cognitive Engines*, "Importance Calculation Logic".

    Examples
    --------
    >>> initial_importance(np.array([1.0, 0.5]), np.array([1.0, 0.8]))
    array([1. , 0.4])
    """
    _check_shares(emotion=emotion, source=source)
    return emotion * source


def saliency(importance: Floats, age: Floats, *, decay: float = 0.1) -> Floats:
    """Importance that is left of memories.

    Computes ``I·exp(−λt)``.

    Parameters
    ----------
    importance
        Initial importance ``I``, shape ``(..., n)``, each in [0, 1].
    age
        Time since each was stored, shape ``(..., n)``, ``>= 0``.
    decay
        λ per unit of the ages, ``>= 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(..., n)``, each in [0, I]; ``I`` at age 0.

    Raises
    ------
    ValueError
        If an importance lies outside [0, 1], or an age or λ is negative.

    References
    ----------
    *Human-Centric Cognitive Engines*, "Model v1".

    Examples
    --------
    >>> saliency(np.array([1.0, 0.1]), np.array([10.0, 1.0])).round(3)
    array([0.368, 0.09 ])
    """
    _check_shares(importance=importance)
    _check_ages(age)
    if not decay >= 0:
        raise ValueError(f"decay must not be negative, not {decay}")
    return importance * np.exp(-decay * age)


def linear_recency(age: Floats, *, oldest: float | None = None) -> Floats:
    """Freshness of memories.

    Computes ``R = 1 − age/max_age``, at least 0.

    Parameters
    ----------
    age
        Time since each was stored, shape ``(..., n)``, ``>= 0``; infinite for a place without a memory.
    oldest
        The age ``max_age`` at which nothing is left, ``> 0``; None for the oldest of each agent.

    Returns
    -------
    numpy.ndarray
        Shape ``(..., n)``, each in [0, 1]; 1 at age 0, 0 at ``max_age`` and where there is no memory.

    Raises
    ------
    ValueError
        If an age is negative or ``oldest`` is not positive.

    References
    ----------
    *Human-Centric Cognitive Engines*, "Parameter & Symbol Dictionary" (R).

    Examples
    --------
    >>> linear_recency(np.array([10.0, 1.0, 0.0]))
    array([0. , 0.9, 1. ])
    """
    _check_ages(age)
    if oldest is not None and not oldest > 0:
        raise ValueError(f"oldest must be positive, not {oldest}")
    finite = np.where(np.isfinite(age), age, 0.0)
    # the oldest of each agent has none left
    most = finite.max(axis=-1, keepdims=True, initial=0.0) if oldest is None else oldest
    # an agent whose memories are all new has a greatest age of 0
    share = np.divide(finite, most, out=np.zeros_like(finite), where=np.asarray(most > 0))
    return np.where(np.isfinite(age), np.maximum(1.0 - share, 0.0), 0.0)


def tag_match(tags: Flags, current: Flags) -> Floats:
    """Context score of memories: whether one of their tags is current.

    Computes ``C = 1`` where ``tags ∩ current ≠ ∅``, else 0.

    Parameters
    ----------
    tags
        Whether each memory has each of ``t`` tags, shape ``(..., n, t)``.
    current
        Whether each tag is one of the present situation, shape ``(..., t)``.

    Returns
    -------
    numpy.ndarray
        Shape ``(..., n)``, each 0 or 1.

    Raises
    ------
    ValueError
        If the numbers of tags differ.

    References
    ----------
    *Human-Centric Cognitive Engines*, "Parameter & Symbol Dictionary" (C).

    Examples
    --------
    >>> tags = np.array([[True, False], [False, True]])
    >>> tag_match(tags, np.array([True, False]))
    array([1., 0.])
    """
    if tags.shape[-1] != current.shape[-1]:
        raise ValueError(f"{tags.shape[-1]} tags of memories but {current.shape[-1]} current ones")
    shared = tags & current[..., np.newaxis, :]
    # one shared tag is enough: tags do not add up
    return np.asarray(shared.any(axis=-1), dtype=np.float64)


def weighted_sum(
    recency: Floats,
    importance: Floats,
    context: Floats,
    relevance: Floats | float = 0.0,
    interference: Floats | float = 0.0,
    *,
    weights: WeightedSum | None = None,
) -> Floats:
    """Score of memories by the weighted law.

    Computes ``S = W_r·R + W_i·I + W_c·C + W_rel·Rel − W_int·Int``.

    Parameters
    ----------
    recency
        Freshness ``R``, shape ``(..., n)``, each in [0, 1].
    importance
        Importance ``I`` that is left, shape ``(..., n)``, each in [0, 1].
    context
        Match ``C`` with the situation, shape ``(..., n)``, each in [0, 1].
    relevance
        Resonance ``Rel`` with the question, shape ``(..., n)`` or one number, each in [0, 1].
    interference
        Loss ``Int`` to newer memories, shape ``(..., n)`` or one number, each in [0, 1].
    weights
        The five weights; None for those of the source (0.3, 0.5, 0.2, 0, 0).

    Returns
    -------
    numpy.ndarray
        Shape ``(..., n)``.

    Raises
    ------
    ValueError
        If a score lies outside [0, 1].

    References
    ----------
    *Human-Centric Cognitive Engines*, "Model v2".

    Examples
    --------
    >>> left = saliency(np.array([1.0, 0.1]), np.array([10.0, 1.0]))
    >>> weighted_sum(np.array([0.0, 0.9]), left, np.array([1.0, 0.0])).round(3)
    array([0.384, 0.315])
    """
    weights = weights or WeightedSum()
    _check_shares(recency=recency, importance=importance, context=context)
    _check_shares(relevance=np.asarray(relevance), interference=np.asarray(interference))
    gained = weights.recency * recency + weights.importance * importance + weights.context * context
    return gained + weights.relevance * relevance - weights.interference * interference


def _check_ages(age: Floats) -> None:
    if not bool(np.all(age >= 0)):
        raise ValueError("ages must not be negative")


def _check_shares(**columns: Floats) -> None:
    for name, values in columns.items():
        if not bool(np.all((values >= 0) & (values <= 1))):
            raise ValueError(f"each {name} must lie in [0, 1]")
