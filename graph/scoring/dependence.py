"""Dependence of an outcome on a choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Floats


def importance(successes: Floats, failures: Floats) -> float:
    """Share of the uncertainty of an outcome that the value of a parameter takes away.

    Computes ``max(0, I(V; Y) − b)/H(Y)`` with the mutual information of values and outcomes and its bias
    ``b = (k − 1)/2N`` in nats; 0 where all outcomes are alike.

    Parameters
    ----------
    successes
        Successes with each value, shape ``(k,)``, ``>= 0``.
    failures
        Failures with each value, shape ``(k,)``, ``>= 0``.

    Returns
    -------
    float
        Importance in [0, 1], shape ``()``.

    Raises
    ------
    ValueError
        If a count is negative.

    References
    ----------
    Miller, "Note on the Bias of Information Estimates", 1955.

    Examples
    --------
    >>> round(importance(np.array([50.0, 0.0]), np.array([0.0, 50.0])), 2)
    0.99
    >>> importance(np.array([5.0, 5.0]), np.array([5.0, 5.0]))
    0.0
    """
    if np.any(successes < 0) or np.any(failures < 0):
        raise ValueError("counts must not be negative")
    table = np.stack([successes, failures])
    total = float(table.sum())
    if total == 0:
        return 0.0
    outcome = _entropy(table.sum(axis=1) / total)
    if outcome == 0.0:
        return 0.0
    joint = _entropy((table / total).ravel())
    value = _entropy(table.sum(axis=0) / total)
    # few observations of many values seem to share much: Miller's bias is taken off
    shared = outcome + value - joint - (len(successes) - 1) / (2.0 * total)
    return float(min(1.0, max(0.0, shared / outcome)))


def lift_bound(together: Floats, first: Floats, second: Floats, total: float) -> Floats:
    """Certainty that two things come together more often than by chance.

    Computes ``(c − e)/√(e·(1 − e/N) + 1)`` with ``e = a·b/N``: standard deviations above independence.

    Parameters
    ----------
    together
        How often both came, shape ``(n,)``, ``>= 0``.
    first
        How often the first came ``a``, shape ``(n,)``, ``>= 0``.
    second
        How often the second came ``b``, shape ``(n,)``, ``>= 0``.
    total
        Observations ``N``, ``> 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``.

    Raises
    ------
    ValueError
        If ``total`` is not positive.

    References
    ----------
    Agresti, "Categorical Data Analysis", 2002, 3.3 (adjusted residuals).

    Examples
    --------
    >>> lift_bound(np.array([20.0, 2.0]), np.array([20.0, 20.0]), np.array([20.0, 10.0]), 100.0).round(1)
    array([7.3, 0. ])
    """
    if total <= 0:
        raise ValueError(f"total must be positive, got {total}")
    expected = first * second / total
    # + 1: of what is hardly expected once is no certainty
    return (together - expected) / np.sqrt(expected * np.maximum(1.0 - expected / total, 0.0) + 1.0)


def _entropy(shares: Floats) -> float:
    positive = shares[shares > 0]
    return float(-(positive * np.log(positive)).sum())
