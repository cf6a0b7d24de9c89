"""Significance of counts: Fisher's exact test, binomial tail and Hoeffding's bound."""

from __future__ import annotations

from math import comb, exp, lgamma, log, log1p

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


def hoeffding_tail(hits: Floats, tries: Floats, rate: Floats) -> Floats:
    """Return Hoeffding's upper bound of the probability of at least so many hits.

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
    >>> hoeffding_tail(np.array([3.0, 1.0]), np.array([3.0, 10.0]), np.array([0.5, 0.5])).round(3).tolist()
    [0.125, 1.0]
    """
    if (hits > tries).any():
        raise ValueError("there are more hits than tries")
    share = hits / tries
    # above 0: a hit that had no chance at all would divide by it
    p = np.clip(rate, 1e-300, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        up = np.where(share > 0, share * np.log(share / p), 0.0)
        down = np.where(share < 1, (1 - share) * np.log((1 - share) / (1 - p)), 0.0)
        bound = np.exp(-tries * (up + down))
    return np.where(share > p, bound, 1.0)


def fisher_exact(both: int, one: int, other: int, count: int) -> float:
    """Return the one-sided p-value of Fisher's exact test: two random sets share at least so many elements.

    Computes ``Σ_{i ≥ k} C(a, i)·C(n − a, b − i) / C(n, b)``.

    Parameters
    ----------
    both
        Elements that they share, ``k``.
    one
        Size of the first, ``a``.
    other
        Size of the second, ``b``.
    count
        Size of the population that they are drawn from, ``n``.

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
    >>> round(fisher_exact(3, 3, 3, 6), 3)  # 1 of C(6, 3) = 20 draws
    0.05
    """
    if not 0 <= both <= min(one, other) <= max(one, other) <= count:
        raise ValueError(f"{both} of {one} and {other} out of {count}")
    least = max(both, one + other - count)
    # by logarithms: factorials of some hundred sessions overflow
    term = exp(
        _log_choose(one, least)
        + _log_choose(count - one, other - least)
        - _log_choose(count, other)
    )
    total = term
    for i in range(least, min(one, other)):
        term *= (one - i) * (other - i) / ((i + 1) * (count - one - other + i + 1))
        total += term
    return min(total, 1.0)


def binomial_tail(hits: int, tries: int, rate: float) -> float:
    """Return the probability of at least so many hits: the tail of the binomial distribution.

    Computes ``Σ_{i ≥ k} C(n, i)·p^i·(1 − p)^(n − i)``. Of independent tries with different rates and the mean
    ``p`` it is an upper bound where ``k ≥ n·p + 1``.

    Parameters
    ----------
    hits
        Hits ``k``, at most the tries.
    tries
        Tries ``n``.
    rate
        Mean chance of a hit ``p``, in [0, 1].

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        If there are more hits than tries.

    References
    ----------
    Hoeffding, "On the distribution of the number of successes in independent trials", 1956, theorem 5.

    Examples
    --------
    >>> round(binomial_tail(3, 3, 0.5), 6)
    0.125
    """
    if hits > tries:
        raise ValueError("there are more hits than tries")
    if hits <= tries * rate or rate >= 1:
        return 1.0
    if rate <= 0:
        return 0.0
    logs = (
        log(comb(tries, i)) + i * log(rate) + (tries - i) * log1p(-rate)
        for i in range(hits, tries + 1)
    )
    return min(sum(map(exp, logs)), 1.0)


def _log_choose(count: int, some: int) -> float:
    return lgamma(count + 1) - lgamma(some + 1) - lgamma(count - some + 1)
