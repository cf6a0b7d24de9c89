"""Statistics of a stream in constant memory: mean, variance and percentiles that can be added up."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Floats

GROWTH = 1.1
MOST_BUCKETS = 256


def merged_moments(counts: Floats, means: Floats, squares: Floats) -> tuple[float, float, float]:
    """Count, mean and sum of squared deviations of several streams taken together.

    Computes ``n = Σnᵢ``, ``μ = Σnᵢμᵢ/n`` and ``M = Σ(Mᵢ + nᵢ(μᵢ − μ)²)``.

    Parameters
    ----------
    counts
        Values of each stream, shape ``(n,)``, ``>= 0``.
    means
        Their means, shape ``(n,)``.
    squares
        Their sums of squared deviations, shape ``(n,)``, ``>= 0``.

    Returns
    -------
    tuple
        Count, mean and sum of squares, shape ``(3,)``; zeros without a value.

    Raises
    ------
    ValueError
        If a count is negative.

    References
    ----------
    Chan, Golub and LeVeque, "Updating Formulae and a Pairwise Algorithm for Computing Sample Variances", 1979.

    Examples
    --------
    >>> merged_moments(np.array([2.0, 1.0]), np.array([1.0, 4.0]), np.array([2.0, 0.0]))
    (3.0, 2.0, 8.0)
    """
    if np.any(counts < 0):
        raise ValueError("counts must not be negative")
    total = float(counts.sum())
    if total == 0:
        return 0.0, 0.0, 0.0
    mean = float((counts * means).sum() / total)
    return total, mean, float((squares + counts * (means - mean) ** 2).sum())


def bucket_of(value: float) -> int:
    """Bucket of a value among buckets that grow geometrically.

    Computes ``⌈log(x)/log(γ)⌉`` with ``γ`` = 1.1; what is at most 0.001 shares one bucket.

    Parameters
    ----------
    value
        A duration or size ``x``, finite.

    Returns
    -------
    int
        Index of the bucket, shape ``()``.

    Raises
    ------
    ValueError
        If the value is not finite.

    References
    ----------
    Masson, Rim and Lee, "DDSketch: A Fast and Fully-Mergeable Quantile Sketch", VLDB 2019.

    Examples
    --------
    >>> [bucket_of(x) for x in (0.0, 1.0, 100.0, 105.0)]
    [-72, 0, 49, 49]
    """
    if not math.isfinite(value):
        raise ValueError(f"value must be finite, got {value}")
    # rounding down by 1e-9: log of 1.1 by log of 1.1 may be a little above 1
    return math.ceil(math.log(max(value, 0.001)) / math.log(GROWTH) - 1e-9)


def percentile(buckets: Mapping[int, int], share: float) -> float:
    """Value below which a share of a stream lies, right to 5 %.

    Computes the middle ``2γ^i/(γ + 1)`` of the bucket in which the rank falls; 0 of an empty stream.

    Parameters
    ----------
    buckets
        Values by bucket.
    share
        Share in [0, 1].

    Returns
    -------
    float
        The percentile, shape ``()``, ``>= 0``.

    Raises
    ------
    ValueError
        If ``share`` lies outside [0, 1].

    References
    ----------
    Masson, Rim and Lee, "DDSketch: A Fast and Fully-Mergeable Quantile Sketch", VLDB 2019.

    Examples
    --------
    >>> round(percentile({bucket_of(100.0): 9, bucket_of(900.0): 1}, 0.5))
    102
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share must lie in [0, 1], got {share}")
    # from 0: the rank of the last is one less than their number
    rank = share * (sum(buckets.values()) - 1)
    passed = 0
    for index in sorted(buckets):
        passed += buckets[index]
        if passed > rank:
            return 2.0 * GROWTH**index / (GROWTH + 1.0)
    return 0.0


def merged_buckets(one: Mapping[int, int], other: Mapping[int, int]) -> dict[int, int]:
    """Buckets of two streams taken together, at most 256 of them.

    Computes ``cᵢ = aᵢ + bᵢ``; beyond the limit the lowest buckets become one, as high percentiles matter.

    Parameters
    ----------
    one
        Values of one stream by bucket.
    other
        Values of the other.

    Returns
    -------
    dict
        Values by bucket, in any shape: at most 256 entries.

    Raises
    ------
    ValueError
        If a count is negative.

    References
    ----------
    Masson, Rim and Lee, "DDSketch: A Fast and Fully-Mergeable Quantile Sketch", VLDB 2019.

    Examples
    --------
    >>> merged_buckets({1: 2}, {1: 1, 3: 1})
    {1: 3, 3: 1}
    """
    if any(count < 0 for count in (*one.values(), *other.values())):
        raise ValueError("counts must not be negative")
    found = dict(one)
    for index, count in other.items():
        found[index] = found.get(index, 0) + count
    while len(found) > MOST_BUCKETS:
        lowest, next_lowest = sorted(found)[:2]
        found[next_lowest] += found.pop(lowest)
    return found
