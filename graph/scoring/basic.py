"""The basic ranking of *Human-Centric Cognitive Engines*: the most recent and the most important."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Floats, Ints


def basic_ranking(age: Floats, left: Floats, *, recent: int = 5, important: int = 2) -> Ints:
    """Places of the memories that the basic ranking chooses.

    Computes ``recent`` places of the least age, then ``important`` of the others with the greatest
    ``I·exp(−λt)``; of equals the first place wins.

    Parameters
    ----------
    age
        Time since each was stored, shape ``(..., n)``, ``>= 0``; infinite for a place without a memory.
    left
        Importance that is left (``saliency``), shape ``(..., n)``.
    recent
        How many of the most recent are chosen, ``>= 0``.
    important
        How many of the most important of the others are chosen, ``>= 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(..., recent + important)``: places along the last axis, −1 where memories are too few.

    Raises
    ------
    ValueError
        If the shapes differ, an age is negative or a number is negative.

    References
    ----------
    *Human-Centric Cognitive Engines*, "WRR-Validated Configuration".

    Examples
    --------
    >>> age, left = np.array([9.0, 3.0, 2.0, 1.0]), np.array([0.4, 0.1, 0.1, 0.1])
    >>> basic_ranking(age, left, recent=2, important=1)
    array([3, 2, 0])
    """
    if age.shape != left.shape or recent < 0 or important < 0 or not bool(np.all(age >= 0)):
        raise ValueError(f"{age.shape} ages, {left.shape} importances, {recent} and {important}")
    # stable: of equal ages the first place wins on every machine
    newest = np.argsort(age, axis=-1, kind="stable")[..., :recent]
    # a place without a memory counts as taken
    taken = np.isposinf(age)
    np.put_along_axis(taken, newest, values=True, axis=-1)
    others = np.where(taken, np.inf, -left)
    return np.concatenate([_first(age, recent), _first(others, important)], axis=-1)


def _first(values: Floats, count: int) -> Ints:
    """Places of the ``count`` least finite values along the last axis, padded with −1."""
    order = np.argsort(values, axis=-1, kind="stable")[..., :count]
    found = np.isfinite(np.take_along_axis(values, order, axis=-1))
    places = np.where(found, order, -1).astype(np.int64)
    padding = [(0, 0)] * (places.ndim - 1) + [(0, count - places.shape[-1])]
    return np.pad(places, padding, constant_values=-1)
