"""How likely counts are where nothing but chance is at work."""

from __future__ import annotations

from math import exp, lgamma
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]


def tail(hits: Floats, tries: Floats, rate: Floats) -> Floats:
    """How likely at least so many hits are at most, by a bound that never promises too little.

    Computes ``exp(−n·KL(k/n ‖ p))``, 1 where the hits are not more than expected. It holds for
    independent tries of different rates, with their mean as ``p``.

    Parameters
    ----------
    hits
        Hits ``k``, shape ``(m,)``, each at most its tries.
    tries
        Tries ``n``, shape ``(m,)``, ``>= 1``.
    rate
        Mean chance of a hit ``p``, shape ``(m,)``, in [0, 1].

    Returns
    -------
    Floats
        Shape ``(m,)``, in [0, 1].

    Raises
    ------
    ValueError
        If there are more hits than tries.

    References
    ----------
    Hoeffding, "Probability inequalities for sums of bounded random variables", 1963, theorem 1.

    Examples
    --------
    >>> tail(np.array([3.0, 1.0]), np.array([3.0, 10.0]), np.array([0.5, 0.5])).round(3).tolist()
    [0.125, 1.0]
    """
    if (hits > tries).any():
        raise ValueError("there are more hits than tries")
    share = hits / tries
    p = np.clip(rate, 1e-300, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        up = np.where(share > 0, share * np.log(share / p), 0.0)
        down = np.where(share < 1, (1 - share) * np.log((1 - share) / (1 - p)), 0.0)
        found = np.exp(-tries * (up + down))
    return np.where(share > p, found, 1.0)


def meeting_by_chance(both: int, one: int, other: int, count: int) -> float:
    """How likely two sets drawn apart share at least so many: Fisher's exact test, one-sided.

    Computes ``Σ_{i ≥ k} C(a, i)·C(n − a, b − i) / C(n, b)``.

    Parameters
    ----------
    both
        How many they share, ``k``.
    one
        Size of the first, ``a``.
    other
        Size of the second, ``b``.
    count
        Out of how many they are drawn, ``n``.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        If a set is larger than what it is drawn from, or shares more than it has.

    References
    ----------
    Fisher, *Statistical Methods for Research Workers*, 5th edition, 1934, section 21.02.

    Examples
    --------
    >>> round(meeting_by_chance(3, 3, 3, 6), 3)  # 1 of C(6, 3) = 20 draws
    0.05
    """
    if not 0 <= both <= min(one, other) <= max(one, other) <= count:
        raise ValueError(f"{both} of {one} and {other} out of {count}")
    least = max(both, one + other - count)
    term = exp(_choose(one, least) + _choose(count - one, other - least) - _choose(count, other))
    found = term
    for i in range(least, min(one, other)):
        term *= (one - i) * (other - i) / ((i + 1) * (count - one - other + i + 1))
        found += term
    return min(found, 1.0)


def discoveries(chances: Floats, share: float, *, tested: int) -> Flags:
    """Mark what to believe so that of it at most a share is expected to be chance.

    Believes all up to the largest with ``p_(i) ≤ share·i/m``, in ascending order.

    Parameters
    ----------
    chances
        How likely each is by chance, shape ``(k,)``.
    share
        Share of false ones to bear, in [0, 1].
    tested
        How many were tested, ``m``, with those that are not given because they are likely by chance.

    Returns
    -------
    Flags
        Shape ``(k,)``.

    Raises
    ------
    ValueError
        If the share lies outside [0, 1], or fewer were tested than are given.

    References
    ----------
    Benjamini and Hochberg, "Controlling the false discovery rate", 1995.

    Examples
    --------
    >>> discoveries(np.array([0.04, 0.01, 0.6]), 0.05, tested=3).tolist()
    [False, True, False]
    """
    if not 0 <= share <= 1 or tested < len(chances):
        raise ValueError(f"a share of {share}, or {tested} tests of {len(chances)}")
    ranks = np.arange(1, len(chances) + 1)
    within = np.sort(chances)
    passed = np.flatnonzero(within <= share * ranks / max(tested, 1))
    return chances <= (within[passed[-1]] if len(passed) else -1.0)


def _choose(count: int, some: int) -> float:
    return lgamma(count + 1) - lgamma(some + 1) - lgamma(count - some + 1)
