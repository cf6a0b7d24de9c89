"""How relevant each candidate of a pool is to a query."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


def share_of_best(values: Floats) -> Floats:
    """Scale values to the pool's best.

    Computes ``max(x, 0) / max(x)``.

    Parameters
    ----------
    values
        Scores, shape ``(n,)``, finite.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1]; the best is 1. All zero where none is positive.

    Raises
    ------
    ValueError
        If a value is not finite.

    References
    ----------
    *Memory Utility Learning System*, "Phase A: Similarity Filtering" (scores in [0, 1]).

    Examples
    --------
    >>> share_of_best(np.array([4.0, -1.0, 2.0]))
    array([1. , 0. , 0.5])
    """
    _check_finite(values)
    best = values.max(initial=0.0)
    return np.maximum(values, 0.0) / best if best > 0 else np.zeros_like(values)


def hybrid(cosine: Floats, lexical: Floats, *, cosine_share: float) -> Floats:
    """Relevance from meaning and words together.

    Computes ``a·cos/max cos + (1 − a)·lex/max lex``, negative cosines as 0. Where one arm found
    nothing at all, the other counts alone.

    Parameters
    ----------
    cosine
        Exact cosines, shape ``(n,)``, each in [-1, 1].
    lexical
        Full-text scores, shape ``(n,)``, each ``>= 0``; 0 without a hit.
    cosine_share
        The share ``a`` of the cosine, in [0, 1].

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1].

    Raises
    ------
    ValueError
        If a value is not finite, or the shapes differ.

    References
    ----------
    Fox and Shaw, "Combination of Multiple Searches", TREC-2, 1994 (CombSUM).

    Examples
    --------
    >>> hybrid(np.array([0.8, 0.4]), np.array([0.0, 6.0]), cosine_share=0.5)
    array([0.5 , 0.75])
    """
    _check_same_length(cosine, lexical)
    near, worded = share_of_best(cosine), share_of_best(lexical)
    if not worded.any():
        return near
    if not near.any():
        return worded
    return cosine_share * near + (1.0 - cosine_share) * worded


def with_unseen(lexical: Floats, floor: float, *, share: float) -> Floats:
    """Full-text scores, with a guess for candidates that the full-text arm did not return.

    Computes ``share·floor`` where the score is 0. An arm that was cut off at its limit says of the
    others only that they score no more than the last it returned; 0 would say that they share no
    word with the query.

    Parameters
    ----------
    lexical
        Full-text scores, shape ``(n,)``, each ``>= 0``; 0 where none was returned.
    floor
        The least score returned by an arm that was cut off, ``>= 0``; 0 where all that match were
        returned.
    share
        Where between nothing and the floor the unseen are taken to lie, in [0, 1]; at 0 the result
        is ``lexical``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each ``>= 0``.

    Raises
    ------
    ValueError
        If the share lies outside [0, 1] or the floor is negative.

    References
    ----------
    Tobin, "Estimation of Relationships for Limited Dependent Variables", Econometrica 26, 1958
    (values known only to lie below a limit).

    Examples
    --------
    >>> with_unseen(np.array([8.0, 4.0, 0.0]), 4.0, share=0.5)
    array([8., 4., 2.])
    """
    if not 0 <= share <= 1 or floor < 0:
        raise ValueError(f"share {share} or floor {floor} is out of range")
    return np.where(lexical > 0, lexical, share * floor)


def nearness_in_time(days: Floats, spans: Floats, *, scale_days: float) -> Floats:
    """How near memories are to the dates that a query names.

    Computes ``exp(−gap / scale)``, the gap to the nearest span in days, 0 inside it.

    Parameters
    ----------
    days
        When each memory happened, in days, shape ``(n,)``.
    spans
        First and last day of each date, shape ``(d, 2)``, in the same count of days.
    scale_days
        Days after which the nearness has fallen to 1/e, ``> 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1]; 1 inside a span; all 0 where ``d`` is 0.

    Raises
    ------
    ValueError
        If ``scale_days`` is not positive.

    References
    ----------
    Li and Croft, "Time-Based Language Models", CIKM 2003 (exponential decay from a query's time).

    Examples
    --------
    >>> nearness_in_time(np.array([3.0, 17.0]), np.array([[1.0, 10.0]]), scale_days=7.0).round(3)
    array([1.   , 0.368])
    """
    if scale_days <= 0:
        raise ValueError(f"scale_days must be positive, not {scale_days}")
    if not len(spans):
        return np.zeros_like(days)
    first, last = spans[:, :1], spans[:, 1:]
    gaps = np.maximum(np.maximum(first - days, days - last), 0.0).min(axis=0)
    return np.exp(-gaps / scale_days)


def session_strength(relevance: Floats, session: Ints, *, best: int) -> Floats:
    """How strongly the session of each candidate matches as a whole.

    Computes the sum of the session's ``best`` highest relevances, as a share of the strongest
    session's.

    Parameters
    ----------
    relevance
        Relevance of each candidate, shape ``(n,)``, ``>= 0``.
    session
        Number of each candidate's session, shape ``(n,)``; -1 for none.
    best
        How many of a session's candidates count, ``>= 1``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1]; 0 for candidates without a session.

    Raises
    ------
    ValueError
        If ``best`` is below 1.

    References
    ----------
    Callan, "Passage-Level Evidence in Document Retrieval", SIGIR 1994.

    Examples
    --------
    >>> session_strength(np.array([0.9, 0.3, 0.6]), np.array([0, 0, 1]), best=3)
    array([1. , 1. , 0.5])
    """
    if best < 1:
        raise ValueError(f"best must be at least 1, not {best}")
    order = np.lexsort([-relevance, session])
    starts = np.searchsorted(session[order], session[order])
    counted = (np.arange(len(session)) - starts < best) & (session[order] >= 0)
    sums = np.bincount(session[order] + 1, relevance[order] * counted).astype(np.float64)
    return share_of_best(sums[session + 1]) if len(session) else np.zeros(0)


def _check_finite(values: Floats) -> None:
    if not np.isfinite(values).all():
        raise ValueError("scores must be finite")


def _check_same_length(first: Floats, second: Floats) -> None:
    if first.shape != second.shape:
        raise ValueError(f"shapes differ: {first.shape} and {second.shape}")
