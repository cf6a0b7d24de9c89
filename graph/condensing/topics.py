"""Segmentation of a session into topics by the vectors of its turns."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

BORDER_PENALTY = 1.0
"""Cost of one more segment: as much as a turn that nothing is near; chosen on two conversations of LoCoMo (ADR 51)."""
_DOUBT = 1.5
"""Turns that the mean of a session is doubted by: two turns of one topic stay together, two of others mostly part."""
_NEVER = 1e6  # beside which every scatter is small, and which still adds up where nothing else is possible


def borders(
    vectors: Floats,
    *,
    longest: int,
    penalty: float = BORDER_PENALTY,
    ties: Ints | None = None,
    turns: int | None = None,
) -> tuple[int, ...]:
    """Find the turns at which a session takes up another topic.

    Computes the segmentation of least cost, where a segment of ``n`` unit vectors costs their scatter around
    its mean direction plus ``penalty``:

        ``cost = Σ (n − ‖Σ v‖² / n) + penalty · segments``

    The mean of the session is taken away first, times ``n / (n + 1.5)`` for ``n`` turns, so that what all share tells nothing.
    The optimum is exact, by dynamic programming.

    Parameters
    ----------
    vectors
        One unit vector for each turn in order, shape ``(n, d)``.
    longest
        Most turns of one segment, ``>= 1``.
    penalty
        Cost of one more segment, ``>= 0``.
    ties
        Reasons for each turn to stay with the one before it, ``>= 0``, shape ``(n,)``; where ``longest`` forces a border
        between two of them, it comes where there are fewest.
    turns
        Turns that the vectors stand for, where a vector is the mean of several, ``>= n``; ``n`` without it.

    Returns
    -------
    tuple
        First turn of each segment but the first one, rising.

    Raises
    ------
    ValueError
        If the vectors are no matrix, a segment may have no turn, or the penalty is negative.

    References
    ----------
    Fragkou, Petridis and Kehagias, "A Dynamic Programming Algorithm for Linear Text Segmentation",
    Journal of Intelligent Information Systems 23, 2004.

    Examples
    --------
    >>> borders(np.repeat(np.eye(2), 2, axis=0), longest=4)
    (2,)
    """
    if vectors.ndim != 2 or longest < 1 or not penalty >= 0:
        raise ValueError(f"segments of {longest}, vectors {vectors.shape}, penalty {penalty}")
    # a border where turns belong together costs more than all else, yet less than a segment too
    # long
    price = np.full(len(vectors), penalty)
    if ties is not None:
        price += _NEVER * ties
    return _followed_back(_cheapest(_centred(vectors, turns or len(vectors)), price, longest))


def _followed_back(came: npt.NDArray[np.int64]) -> tuple[int, ...]:
    """Return where segments begin, rising, from where the last one up to each end begins."""
    found: list[int] = []
    place = int(came[-1])
    while place > 0:
        found.append(place)
        place = int(came[place])
    return tuple(reversed(found))


def _cheapest(vectors: Floats, price: Floats, longest: int) -> npt.NDArray[np.int64]:
    """Return, for each end, where the last segment of the cheapest segmentation up to it begins."""
    count = len(vectors)
    sums = np.vstack([np.zeros((1, vectors.shape[1])), np.cumsum(vectors, axis=0)])
    best = np.concatenate([[0.0], np.full(count, np.inf)])
    came = np.zeros(count + 1, dtype=np.int64)
    for end in range(1, count + 1):
        starts = np.arange(max(0, end - longest), end)
        sizes = end - starts
        # by sums from the start: no segment is added up twice
        held = np.square(sums[end] - sums[starts]).sum(axis=1) / sizes
        costs = best[starts] + sizes - held + price[starts]
        least = int(np.argmin(costs))
        best[end], came[end] = costs[least], starts[least]
    return came


def _centred(vectors: Floats, turns: int) -> Floats:
    """Take the mean away, the less of it the fewer turns tell it, and scale to unit length; 0 stays 0."""
    if not len(vectors):
        return vectors
    # of few turns the mean is their topic: taken away whole, nothing would be left
    moved = vectors - vectors.mean(axis=0) * (turns / (turns + _DOUBT))
    lengths = np.linalg.norm(moved, axis=1, keepdims=True)
    return np.divide(moved, lengths, out=np.zeros_like(moved), where=lengths > 1e-9)
