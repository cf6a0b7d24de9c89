"""Base-level activation of ACT-R, exact and for memories with too many accesses to keep.

Ages are times since an access, in any unit: another unit adds the same number to every activation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Floats, Ints

_EQUAL = 1e-9  # relative difference of two ages, below which they count as one
_LOGARITHMIC = 1e-9  # distance of d from 1, below which the integral of t^−d is a logarithm


def base_level(ages: Floats, *, decay: float = 0.5) -> Floats:
    """Base-level activation of memories from all their accesses.

    Computes ``B = ln Σ t_j^(−d)``.

    Parameters
    ----------
    ages
        Time since each of up to ``m`` accesses, shape ``(..., n, m)``, each ``> 0``; infinite for none.
    decay
        ``d``, ``> 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(..., n)``; minus infinity for a memory without any access.

    Raises
    ------
    ValueError
        If an age or ``d`` is not positive.

    References
    ----------
    Anderson and Lebiere, "The Atomic Components of Thought", 1998 (the base-level learning equation).

    Examples
    --------
    >>> base_level(np.array([[10.0, 5.0, 1.0], [10.0, np.inf, np.inf]])).round(4)
    array([ 0.5673, -1.1513])
    """
    _check_positive(ages, decay)
    # no access is an age without end: log of 0 is minus infinity, as it should be
    with np.errstate(divide="ignore"):
        return np.log((ages**-decay).sum(axis=-1))


def base_level_standard(accesses: Ints, lifetime: Floats, *, decay: float = 0.5) -> Floats:
    """Base-level activation of memories whose accesses are spread evenly over their life.

    Computes ``B ≈ ln(n/(1 − d)) − d·ln L``.

    Parameters
    ----------
    accesses
        Number of accesses ``n``, the first one included, shape ``(..., m)``, each ``>= 1``.
    lifetime
        Time ``L`` since the first access, shape ``(..., m)``, each ``> 0``.
    decay
        ``d``, in (0, 1).

    Returns
    -------
    numpy.ndarray
        Shape ``(..., m)``.

    Raises
    ------
    ValueError
        If a count is below 1, a lifetime is not positive or ``d`` lies outside (0, 1).

    References
    ----------
    Anderson and Lebiere, "The Atomic Components of Thought", 1998 (optimized learning).

    Examples
    --------
    >>> base_level_standard(np.array([3]), np.array([10.0])).round(4)
    array([0.6405])
    """
    _check_positive(lifetime, decay)
    if not decay < 1 or not bool(np.all(accesses >= 1)):
        raise ValueError(f"decay {decay} must be below 1, and each count at least 1")
    return np.log(accesses / (1.0 - decay)) - decay * np.log(lifetime)


def base_level_hybrid(
    recent: Floats, accesses: Ints, lifetime: Floats, *, decay: float = 0.5
) -> Floats:
    """Base-level activation from the most recent accesses and the number of all.

    Computes ``B ≈ ln(Σ_{j≤k} t_j^(−d) + (n − k)·(L^(1−d) − t_k^(1−d)) / ((1 − d)(L − t_k)))``: the ``k``
    most recent accesses count exactly, the others as if spread evenly between the oldest of these, ``t_k``, and ``L``.

    Parameters
    ----------
    recent
        Time since each of the up to ``k`` most recent accesses, shape ``(..., m, k)``, each ``> 0``;
        infinite for none.
    accesses
        Number of all accesses ``n``, the first one included, shape ``(..., m)``, each ``>= 1``.
    lifetime
        Time ``L`` since the first access, shape ``(..., m)``, each ``> 0``.
    decay
        ``d``, ``> 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(..., m)``; exact where all accesses are among the recent ones.

    Raises
    ------
    ValueError
        If an age, a lifetime or ``d`` is not positive, a count is below 1, or no recent access is given.

    References
    ----------
    Petrov, "Computationally Efficient Approximation of the Base-Level Learning Equation in ACT-R", ICCM 2006.

    Examples
    --------
    >>> base_level_hybrid(np.array([[1.0]]), np.array([3]), np.array([10.0])).round(4)
    array([0.6735])
    """
    _check_positive(recent, decay)
    _check_positive(lifetime, decay)
    known = np.isfinite(recent)
    if not bool(np.all(accesses >= 1)) or not bool(np.all(known.any(axis=-1))):
        raise ValueError("each count and the number of recent accesses must be at least 1")
    oldest = np.where(known, recent, 0.0).max(axis=-1)
    rest = np.maximum(accesses - known.sum(axis=-1), 0)
    total = (recent**-decay).sum(axis=-1) + rest * _mean_power(oldest, lifetime, decay)
    return np.log(total)


def _mean_power(start: Floats, end: Floats, decay: float) -> Floats:
    """Mean of ``t^(−d)`` between two ages; its limit where they are equal."""
    span = end - start
    # two equal ages leave no span to divide by
    equal = span <= _EQUAL * end
    # at d = 1 the integral of 1/t is a logarithm, and the general form divides by 0
    if abs(1.0 - decay) < _LOGARITHMIC:
        area = np.log(end) - np.log(start)
    else:
        area = (end ** (1.0 - decay) - start ** (1.0 - decay)) / (1.0 - decay)
    return np.where(equal, start**-decay, area / np.where(equal, 1.0, span))


def _check_positive(ages: Floats, decay: float) -> None:
    if not decay > 0 or not bool(np.all(ages > 0)):
        raise ValueError(f"ages and decay ({decay}) must be positive")
