"""Passage from working to long-term memory, and the order in which a full store gives memories up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Flags, Floats, Ints


def consolidates(
    importance: Floats,
    random: np.random.Generator,
    *,
    gate: float = 0.6,
    probability: float = 0.8,
) -> Flags:
    """Flag the new memories that pass into long-term memory.

    Computes ``I ≥ I_gate and u < P_burn`` with ``u`` drawn evenly from [0, 1). A number is drawn for each
    memory, whatever its importance, so that one memory's importance does not change another's draw.

    Parameters
    ----------
    importance
        Initial importance ``I``, shape ``(..., n)``, each in [0, 1].
    random
        Source of ``u``; two generators with one seed decide alike.
    gate
        Least importance that can pass, ``I_gate``, in [0, 1].
    probability
        Chance of what passes the gate, ``P_burn``, in [0, 1].

    Returns
    -------
    numpy.ndarray
        Flags, shape ``(..., n)``.

    Raises
    ------
    ValueError
        If the gate or the chance lies outside [0, 1].

    References
    ----------
    *Human-Centric Cognitive Engines*, "Parameter & Symbol Dictionary" (I_gate, P_burn).

    Examples
    --------
    >>> consolidates(np.array([0.9, 0.5, 0.6]), np.random.default_rng(7), probability=1.0)
    array([ True, False,  True])
    """
    if not 0 <= gate <= 1 or not 0 <= probability <= 1:
        raise ValueError(f"gate {gate} and probability {probability} must lie in [0, 1]")
    return (importance >= gate) & (random.random(importance.shape) < probability)


def working_eviction(consolidated: Flags, age: Floats) -> Ints:
    """Order in which a full working memory gives memories up.

    Computes the order by ``(not consolidated, −age)``: what long-term memory holds too goes first, then the
    oldest; of equals the first place goes first.

    Parameters
    ----------
    consolidated
        Whether long-term memory holds a copy of each, shape ``(..., n)``.
    age
        Time since each was stored, shape ``(..., n)``; minus infinity for a place without a memory.

    Returns
    -------
    numpy.ndarray
        Places along the last axis, shape ``(..., n)``, the first to go first.

    Raises
    ------
    ValueError
        If the shapes differ.

    References
    ----------
    *Human-Centric Cognitive Engines*, "P0" (smart eviction: consolidated first for working).

    Examples
    --------
    >>> working_eviction(np.array([False, True, False]), np.array([3.0, 1.0, 9.0]))
    array([1, 2, 0])
    """
    _check_shapes(consolidated, age)
    held = ~np.isneginf(age)
    # places without a memory at the end
    return np.lexsort((-age, ~consolidated | ~held, ~held), axis=-1).astype(np.int64)


def long_term_eviction(importance: Floats, age: Floats) -> Ints:
    """Order in which a full long-term memory gives memories up.

    Computes the order by ``(I, −age)``: the least important first, of equals the oldest, then the first place.

    Parameters
    ----------
    importance
        Importance that is left, shape ``(..., n)``; infinite for a place without a memory.
    age
        Time since each was stored, shape ``(..., n)``.

    Returns
    -------
    numpy.ndarray
        Places along the last axis, shape ``(..., n)``, the first to go first.

    Raises
    ------
    ValueError
        If the shapes differ.

    References
    ----------
    *Human-Centric Cognitive Engines*, "P0" (smart eviction: lowest importance for long-term).

    Examples
    --------
    >>> long_term_eviction(np.array([0.9, 0.2, 0.2]), np.array([1.0, 1.0, 5.0]))
    array([2, 1, 0])
    """
    _check_shapes(importance, age)
    return np.lexsort((-age, importance), axis=-1).astype(np.int64)


def _check_shapes(one: Flags | Floats, other: Floats) -> None:
    if one.shape != other.shape:
        raise ValueError(f"shapes {one.shape} and {other.shape} differ")
