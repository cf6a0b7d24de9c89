"""Score of *Generative Agents*: recency, importance and relevance, each on the scale of one agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Flags, Floats


def hourly_recency(hours: Floats, *, decay: float = 0.995) -> Floats:
    """Recency of memories by the time since they were last used.

    Computes ``decay^hours``.

    Parameters
    ----------
    hours
        Hours since each was last used, shape ``(..., n)``, each ``>= 0``.
    decay
        Share that is left after an hour, in (0, 1].

    Returns
    -------
    numpy.ndarray
        Shape ``(..., n)``, each in [0, 1]; 1 at 0 hours.

    Raises
    ------
    ValueError
        If hours are negative or the share lies outside (0, 1].

    References
    ----------
    Park et al., "Generative Agents: Interactive Simulacra of Human Behavior", UIST 2023, section 4.1.

    Examples
    --------
    >>> hourly_recency(np.array([0.0, 24.0])).round(3)
    array([1.   , 0.887])
    """
    if not 0 < decay <= 1 or not bool(np.all(hours >= 0)):
        raise ValueError(f"decay {decay} must lie in (0, 1] and hours must not be negative")
    return decay**hours


def between_extremes(values: Floats, *, present: Flags | None = None) -> Floats:
    """Values as places between the least and the greatest of each agent.

    Computes ``(x − min)/(max − min)`` along the last axis.

    Parameters
    ----------
    values
        Values, shape ``(..., n)``, finite where present.
    present
        Places that hold a memory, shape ``(..., n)``; None for all.

    Returns
    -------
    numpy.ndarray
        Shape ``(..., n)``, each in [0, 1]; 0.5 where all are equal, 0 where nothing is present.

    Raises
    ------
    ValueError
        If a present value is not finite.

    References
    ----------
    Park et al., "Generative Agents", UIST 2023, section 4.1 (min-max scaling).

    Examples
    --------
    >>> between_extremes(np.array([[1.0, 2.0, 3.0], [7.0, 7.0, 7.0]]))
    array([[0. , 0.5, 1. ],
           [0.5, 0.5, 0.5]])
    """
    held = np.ones(values.shape, dtype=np.bool_) if present is None else present
    if not bool(np.isfinite(values[held]).all()):
        # outside present places anything may stand, NaN too
        raise ValueError("values must be finite")
    # minus and plus infinity drop out of least and greatest
    least = np.where(held, values, np.inf).min(axis=-1, keepdims=True, initial=np.inf)
    most = np.where(held, values, -np.inf).max(axis=-1, keepdims=True, initial=-np.inf)
    span = np.where(most > least, most - least, 1.0)
    inside = np.where(held, values, 0.0) - np.where(np.isfinite(least), least, 0.0)
    # all equal: in the middle, so that this part decides nothing
    placed = np.where(most > least, inside / span, 0.5)
    return np.where(held, placed, 0.0)


def generative_score(
    recency: Floats,
    importance: Floats,
    relevance: Floats,
    *,
    weights: tuple[float, float, float] = (1.0, 1.0, 1.0),
    present: Flags | None = None,
) -> Floats:
    """Score of memories by the law of *Generative Agents*.

    Computes ``α_recency·r + α_importance·i + α_relevance·v``, each first between the extremes of its agent.

    Parameters
    ----------
    recency
        Recency (``hourly_recency``), shape ``(..., n)``.
    importance
        Importance on any scale, shape ``(..., n)``.
    relevance
        Likeness to the question on any scale, shape ``(..., n)``.
    weights
        α of recency, importance and relevance, each ``>= 0``.
    present
        Places that hold a memory, shape ``(..., n)``; None for all.

    Returns
    -------
    numpy.ndarray
        Shape ``(..., n)``, each in [0, sum of the weights].

    Raises
    ------
    ValueError
        If a weight is negative or a present value is not finite.

    References
    ----------
    Park et al., "Generative Agents", UIST 2023, section 4.1.

    Examples
    --------
    >>> recent, important = np.array([1.0, 0.5, 0.0]), np.array([1.0, 10.0, 5.5])
    >>> generative_score(recent, important, np.array([0.2, 0.2, 0.8]))
    array([1. , 1.5, 1.5])
    """
    if min(weights) < 0:
        raise ValueError(f"weights must not be negative: {weights}")
    columns = zip(weights, (recency, importance, relevance), strict=True)
    # each part on the scale of its agent: 1 to 10 and 0 to 1 could not be added otherwise
    parts = [weight * between_extremes(column, present=present) for weight, column in columns]
    return np.sum(parts, axis=0)
