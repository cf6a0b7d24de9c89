"""Decision between two kinds of candidates that both seem to answer a question."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_SURE = 1e-3  # distance from 0 and 1 at which the log-odds of a relevance end


def lead(
    relevance: Sequence[float], read: Sequence[float] | None, *, weights: Sequence[float]
) -> float:
    """Log-odds that the best of a first kind answers a question, and not that of a second.

    Computes ``w0 + w1·(logit r1 − logit r2) + w2·(l1 − l2)``, and ``w3 + w4·(logit r1 − logit r2)`` if one was not read.

    Parameters
    ----------
    relevance
        Relevance ``r`` of the best of each kind, two values in [0, 1].
    read
        Greatest log-odds ``l`` of each kind that it answers, as read; NaN or None if it was not read.
    weights
        The five weights ``w``, fitted by logistic regression.

    Returns
    -------
    float
        Shape ``()``; above 0 if the first kind answers more likely.

    Raises
    ------
    ValueError
        If a relevance is not in [0, 1].

    References
    ----------
    ADR 95; logistic regression.

    Examples
    --------
    >>> weights = (1.0, 1.0, 0.5, 1.2, 1.5)
    >>> round(lead((0.5, 0.5), (-2.0, 2.0), weights=weights), 2), round(lead((0.5, 0.9), None, weights=weights), 2)
    (-1.0, -2.1)
    """
    if not all(0.0 <= each <= 1.0 for each in relevance):
        raise ValueError("relevance: must be in [0, 1]")
    one, other = (min(max(each, _SURE), 1.0 - _SURE) for each in relevance)
    ahead = math.log(one / (1.0 - one)) - math.log(other / (1.0 - other))
    if read is None or any(map(math.isnan, read)):
        return weights[3] + weights[4] * ahead
    return weights[0] + weights[1] * ahead + weights[2] * (read[0] - read[1])


def behind(lead: float, ratio: float, *, floor: float) -> float:
    """Share of its relevance that the less likely kind keeps: it comes behind the other.

    Computes ``min(max(2/(1 + e^|lead|), floor), 0.999·ratio)``.

    Parameters
    ----------
    lead
        Log-odds by which the other kind is more likely.
    ratio
        Greatest relevance of the other kind as a share of its own, ``> 0``.
    floor
        Least share that is kept if it is behind anyhow, in [0, 1].

    Returns
    -------
    float
        Shape ``()``, in (0, 1].

    Raises
    ------
    ValueError
        If the ratio is not positive.

    References
    ----------
    ADR 95.

    Examples
    --------
    >>> round(behind(0.5, 2.0, floor=0.6), 2), behind(5.0, 2.0, floor=0.6), behind(0.0, 1.0, floor=0.6)
    (0.76, 0.6, 0.999)
    """
    if ratio <= 0.0:
        raise ValueError("ratio: must be above 0")
    return min(max(2.0 / (1.0 + math.exp(abs(lead))), floor), 0.999 * ratio)
