"""Surprise of numbers beside their moving means, and what arousal decides: how an agent thinks, and of how much."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Flags, Floats, Ints


def expectation_errors(reality: Floats, expectation: Floats, scale: Floats) -> Floats:
    """Surprise of numbers that differ from what was expected.

    Computes ``min(|reality − expectation| / scale, 1)``.

    Parameters
    ----------
    reality
        What came, shape ``(n,)``, finite.
    expectation
        What was expected, shape ``(n,)``, finite.
    scale
        Difference that surprises by 1, shape ``(n,)``, each ``> 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1].

    Raises
    ------
    ValueError
        If a number is not finite or a scale is not positive.

    References
    ----------
    *Human-Centric Cognitive Engines*, 3.1 "The Arousal Loop Mechanics".

    Examples
    --------
    >>> expectation_errors(np.array([2.0, 2.0]), np.array([0.1, 1.8]), np.ones(2)).round(3)
    array([1. , 0.2])
    """
    _check_finite(reality, expectation)
    if not bool(np.all(scale > 0)):
        raise ValueError("each scale must be positive")
    return np.minimum(np.abs(reality - expectation) / scale, 1.0)


def moved_expectations(expectation: Floats, reality: Floats, *, step: float) -> Floats:
    """Expectations after an observation: their exponential moving means.

    Computes ``e + α·(reality − e)``.

    Parameters
    ----------
    expectation
        What was expected, shape ``(n,)``, finite.
    reality
        What came, shape ``(n,)``, finite.
    step
        Weight ``α`` of what came, in (0, 1].

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each between expectation and reality.

    Raises
    ------
    ValueError
        If a number is not finite or the step lies outside (0, 1].

    References
    ----------
    *Human-Centric Cognitive Engines*, 3.1 "The Arousal Loop Mechanics".

    Examples
    --------
    >>> moved_expectations(np.array([0.0, 1.0]), np.array([2.0, 1.0]), step=0.3)
    array([0.6, 1. ])
    """
    _check_finite(reality, expectation)
    if not 0 < step <= 1:
        raise ValueError(f"step must lie in (0, 1], not {step}")
    return expectation + step * (reality - expectation)


def combined_surprise(surprises: Floats, weights: Floats) -> float:
    """Surprise of an observation that has several dimensions.

    Computes ``Σ w·s / Σ w``.

    Parameters
    ----------
    surprises
        Surprise of each dimension, shape ``(n,)``, each in [0, 1].
    weights
        Weight of each dimension, shape ``(n,)``, each ``>= 0``.

    Returns
    -------
    float
        In [0, 1], no shape; 0 where nothing has a weight.

    Raises
    ------
    ValueError
        If a surprise lies outside [0, 1] or a weight is negative.

    References
    ----------
    *Human-Centric Cognitive Engines*, 5.2 "Multi-dimensional Surprise".

    Examples
    --------
    >>> combined_surprise(np.array([1.0, 0.2]), np.array([3.0, 1.0]))
    0.8
    """
    if not bool(np.all((surprises >= 0) & (surprises <= 1))) or not bool(np.all(weights >= 0)):
        raise ValueError("surprises must lie in [0, 1], and weights must not be negative")
    total = float(weights.sum())
    return float(surprises @ weights) / total if total > 0 else 0.0


def is_deliberate(arousal: Floats, *, threshold: float = 0.5) -> Flags:
    """System of thought of agents: True for System 2, the deliberate one, False for System 1, habit.

    Computes ``arousal > threshold``: at the threshold itself habit goes on.

    Parameters
    ----------
    arousal
        Latest surprise of each agent, shape ``(n,)``, each in [0, 1].
    threshold
        Arousal that does not wake an agent yet, in [0, 1].

    Returns
    -------
    numpy.ndarray
        Booleans, shape ``(n,)``.

    Raises
    ------
    ValueError
        If an arousal lies outside [0, 1].

    References
    ----------
    *Human-Centric Cognitive Engines*, 4.3 "The Boiling Frog Trace" (0.5 is System 1); Kahneman, "Thinking, Fast
    and Slow", 2011.

    Examples
    --------
    >>> is_deliberate(np.array([0.5, 0.51]))
    array([False,  True])
    """
    _check_shares(arousal)
    # at the threshold itself habit goes on, as in the trace of the source
    return arousal > threshold


def memory_counts(arousal: Floats, *, least: int, most: int) -> Ints:
    """Number of memories that agents are given.

    Computes ``⌊least + (most − least)·arousal + 1/2⌋``.

    Parameters
    ----------
    arousal
        Arousal of each agent, shape ``(n,)``, each in [0, 1].
    least
        Memories at arousal 0, ``>= 0``: those of System 1.
    most
        Memories at arousal 1, ``>= least``: those of System 2.

    Returns
    -------
    numpy.ndarray
        Whole numbers, shape ``(n,)``, each in [least, most].

    Raises
    ------
    ValueError
        If an arousal lies outside [0, 1], or the numbers are in no order.

    References
    ----------
    *Human-Centric Cognitive Engines*, 5.1 "Cognitive Constraints"; Miller, "The Magical Number Seven, Plus or Minus
    Two", 1956; Cowan, "The Magical Number 4 in Short-Term Memory", 2001.

    Examples
    --------
    >>> memory_counts(np.array([0.0, 0.25, 0.5, 1.0]), least=5, most=7)
    array([5, 6, 6, 7])
    """
    _check_shares(arousal)
    if not 0 <= least <= most:
        raise ValueError(f"memories must lie in order, not {least} to {most}")
    # half up: numpy would round 6.5 to the even 6
    return np.floor(least + (most - least) * arousal + 0.5).astype(np.int64)


def _check_finite(*columns: Floats) -> None:
    if not all(bool(np.isfinite(column).all()) for column in columns):
        raise ValueError("numbers must be finite")


def _check_shares(arousal: Floats) -> None:
    if not bool(np.all((arousal >= 0) & (arousal <= 1))):
        raise ValueError("each arousal must lie in [0, 1]")
