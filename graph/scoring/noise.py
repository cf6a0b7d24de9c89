"""Noise on counts, so that they tell little of any one that was counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from graph.scoring.relevance import Floats

Integers = npt.NDArray[np.int64]


def noised_counts(counts: Floats, *, scale: float, rng: np.random.Generator) -> Integers:
    """Counts with the discrete Laplace distribution added to each, none below zero.

    Computes ``max(0, c + a − b)`` with ``a`` and ``b`` geometric of ``1 − exp(−1/s)``: noise ``k`` has the
    probability ``∝ exp(−|k|/s)``. Where one thing changes the counts by ``Δ`` in all, ``s = Δ/ε`` gives
    ``ε``-differential privacy; whole numbers leave no trace of rounding.

    Parameters
    ----------
    counts
        Counts ``c``, shape ``(n,)``, ``>= 0``.
    scale
        Scale ``s`` of the noise, ``> 0``.
    rng
        Source of the noise.

    Returns
    -------
    numpy.ndarray
        Whole numbers, shape ``(n,)``, each in [0, ∞).

    Raises
    ------
    ValueError
        If a count is negative, or ``scale`` is not positive and finite.

    References
    ----------
    Ghosh, Roughgarden and Sundararajan, "Universally Utility-Maximizing Privacy Mechanisms", STOC 2009.

    Examples
    --------
    >>> noised_counts(np.array([40.0, 0.0]), scale=0.001, rng=np.random.default_rng(1))
    array([40,  0])
    """
    if np.any(counts < 0):
        raise ValueError("counts must not be negative")
    if not 0 < scale < np.inf:
        raise ValueError(f"scale must be positive and finite, got {scale}")
    # expm1: 1 − exp(−1/s) loses its digits where the scale is large
    share = -np.expm1(-1.0 / scale)
    more, less = rng.geometric(share, (2, len(counts)))
    return np.maximum(0, np.rint(counts).astype(np.int64) + more - less)
