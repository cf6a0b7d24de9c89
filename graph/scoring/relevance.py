"""Relevance of each candidate of a pool to a query."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_UNRELATED, _RELATED, _MOST = 0.3, 0.72, 1.2
_READ = (-6.0, 4.0)  # log-odds of a reader beyond which it is only surer
_BEHIND = 1e-6  # in strength, which moves no relevance that anybody reads


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


def meaning(cosine: Floats, *, unrelated: float, related: float) -> Floats:
    """Nearness in meaning on a scale that is the same for every embedder.

    Computes ``0.3 + 0.42·(cos − u)/(r − u)``, clipped to [0, 1.2], so that what is unrelated lies at 0.3
    and what answers a question at 0.72.

    Parameters
    ----------
    cosine
        Exact cosines, shape ``(n,)``, each in [-1, 1].
    unrelated
        The mean cosine ``u`` of questions and facts that do not belong together.
    related
        The mean cosine ``r`` of questions and the facts that answer them, ``> unrelated``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1.2].

    Raises
    ------
    ValueError
        If a value is not finite, or ``related`` is not above ``unrelated``.

    References
    ----------
    Reynolds, Quatieri and Dunn, "Speaker Verification Using Adapted Gaussian Mixture Models", Digital
    Signal Processing 10, 2000 (scores normalised by those of impostors).

    Examples
    --------
    >>> meaning(np.array([0.2, 0.5, 0.9]), unrelated=0.2, related=0.5).round(2)
    array([0.3 , 0.72, 1.2 ])
    """
    _check_finite(cosine)
    if not related > unrelated:
        raise ValueError(f"related {related} must be above unrelated {unrelated}")
    scaled = _UNRELATED + (_RELATED - _UNRELATED) * (cosine - unrelated) / (related - unrelated)
    # up to 1.2: what is nearer than usual answers counts more, but no single cosine decides
    return np.clip(scaled, 0.0, _MOST)


def matched_words(lexical: Floats, *, covered: float) -> Floats:
    """Strength of the words that candidates share with a question.

    Computes ``c·lex/max lex``: full-text scores have no scale of their own, so the best of them counts as
    the share of the question that its words cover.

    Parameters
    ----------
    lexical
        Full-text scores, shape ``(n,)``, each ``>= 0``; 0 without a hit.
    covered
        The greatest share ``c`` of the question's words, by rarity, that one candidate holds, in [0, 1].

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1].

    Raises
    ------
    ValueError
        If a score is not finite or the share lies outside [0, 1].

    References
    ----------
    Fox and Shaw, "Combination of Multiple Searches", TREC-2, 1994 (scores made comparable before a sum).

    Examples
    --------
    >>> matched_words(np.array([4.0, 1.0, 0.0]), covered=0.5)
    array([0.5  , 0.125, 0.   ])
    """
    if not 0 <= covered <= 1:
        raise ValueError(f"covered must lie in [0, 1], not {covered}")
    return covered * share_of_best(lexical)


def rarity(holds: Flags) -> Floats:
    """Weight of each term by how few texts of a pool hold it.

    Computes ``ln(1 + (n − f + 0.5)/(f + 0.5))``.

    Parameters
    ----------
    holds
        Whether each of ``n`` texts holds each of ``t`` terms, shape ``(n, t)``.

    Returns
    -------
    numpy.ndarray
        Shape ``(t,)``, each ``> 0``.

    Raises
    ------
    ValueError
        If the array has not two dimensions.

    References
    ----------
    Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.

    Examples
    --------
    >>> rarity(np.array([[True, False], [True, True], [True, False]])).round(2)
    array([0.13, 0.98])
    """
    if holds.ndim != 2:
        raise ValueError(f"two dimensions are needed, not {holds.ndim}")
    frequency = holds.sum(axis=0)
    # + 0.5: a term in half of the texts or more keeps a weight above 0
    return np.log1p((len(holds) - frequency + 0.5) / (frequency + 0.5))


def named_by(holds: Flags) -> Floats:
    """Distinction of each candidate by the names that a question says.

    Computes ``max (1 − (f − 1)/(n − 1))`` over the names that a candidate holds, where ``f`` candidates hold a
    name: one that all hold distinguishes none.

    Parameters
    ----------
    holds
        Whether each of ``n`` candidates holds each of ``t`` names that the question says, shape ``(n, t)``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1]; 0 without a name.

    Raises
    ------
    ValueError
        If the array has not two dimensions.

    References
    ----------
    Spärck Jones, "A Statistical Interpretation of Term Specificity", Journal of Documentation 28, 1972.

    Examples
    --------
    >>> named_by(np.array([[True, False], [True, True], [False, False]]))
    array([0.5, 1. , 0. ])
    """
    if holds.ndim != 2:
        raise ValueError(f"two dimensions are needed, not {holds.ndim}")
    others = np.maximum(holds.sum(axis=0) - 1, 0) / max(1, len(holds) - 1)
    return np.where(holds, 1.0 - others, 0.0).max(axis=1, initial=0.0)


def answering(
    log_odds: Floats, *, gain: float, middle: float, limits: tuple[float, float]
) -> Floats:
    """Change of strength by what a reader of question and notes says.

    Computes ``g·(clip(l, limits) − m)``; what was not read counts as the least of what was.

    Parameters
    ----------
    log_odds
        Log-odds ``l`` that each candidate answers, shape ``(n,)``; NaN where it was not read.
    gain
        Gain ``g`` for each unit of them, ``>= 0``.
    middle
        Log-odds ``m`` that change nothing.
    limits
        Least and greatest log-odds that count.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``; all zero where nothing was read.

    Raises
    ------
    ValueError
        If the gain is negative or the limits are not in order.

    References
    ----------
    Nogueira and Cho, "Passage Re-ranking with BERT", 2019.

    Examples
    --------
    >>> answering(np.array([3.0, -2.0, np.nan]), gain=0.1, middle=-1.0, limits=(-4.0, 2.0))
    array([ 0.3, -0.1, -0.1])
    """
    least, most = limits
    if gain < 0 or least > most:
        raise ValueError(f"gain {gain} or limits {limits} are out of range")
    read = ~np.isnan(log_odds)
    if not read.any():
        return np.zeros(len(log_odds))
    # unread candidates are worse than the worst that was read, as the best are read
    clipped = np.clip(np.where(read, log_odds, np.nanmin(log_odds)), least, most)
    return gain * (clipped - middle)


def answered_anew(
    log_odds: Floats, asked_now: Floats, successions: Ints, *, share: float, lead: float
) -> Flags:
    """Flags of the pairs of memories whose newer one answers a question in place of the older.

    The newer does where ``l' > share · l``, or where the question for what holds now has ``n' > max(n, 0) + lead``; ``l`` and ``n``
    are log-odds of the older, ``l'`` and ``n'`` of the newer.

    Parameters
    ----------
    log_odds
        Log-odds that each memory answers, shape ``(m,)``; NaN where it was not read, which answers nothing.
    asked_now
        The same for the question with *now* at its end, shape ``(m,)``.
    successions
        Rows ``(newer, older)``, shape ``(r, 2)``.
    share
        Share of the older one's log-odds, in (0, 1].
    lead
        Lead in log-odds, ``>= 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(r,)``.

    Raises
    ------
    ValueError
        If ``share`` or ``lead`` is out of range.

    References
    ----------
    *Human-Centric Cognitive Engines*, "Retroactive Interference".

    Examples
    --------
    >>> unread = np.full(2, np.nan)
    >>> answered_anew(np.array([2.0, 1.5]), unread, np.array([[1, 0]]), share=0.5, lead=1.0)
    array([ True])
    >>> answered_anew(np.array([2.7, -2.7]), np.array([-0.2, 3.8]), np.array([[1, 0]]), share=0.5, lead=1.0)
    array([ True])
    """
    if not 0 < share <= 1 or lead < 0:
        raise ValueError(f"share {share} or lead {lead} is out of range")
    newer, older = successions[:, 0], successions[:, 1]
    as_asked = log_odds[newer] > share * log_odds[older]
    # at least 0: a question that neither answers as of now asks for nothing newer
    return as_asked | (asked_now[newer] > np.maximum(asked_now[older], 0.0) + lead)


def takes_over(
    instead: Floats, newer: Floats, older: float, ratio: Floats, *, weights: Sequence[float]
) -> Floats:
    """Log-odds that newer notes answer a question in place of an older one.

    Computes ``w0 + w1·clip(j) + w2·clip(l') − w3·clip(l) + w4·ρ``.

    Parameters
    ----------
    instead
        Log-odds ``j`` that each newer note takes over from the older one, read together with the question, shape ``(n,)``.
    newer
        Log-odds ``l'`` that each newer note answers the question by itself, shape ``(n,)``.
    older
        Log-odds ``l`` that the older note does.
    ratio
        Relevance ``ρ`` of each newer note as a share of that of the older one, shape ``(n,)``.
    weights
        The five weights ``w``, fitted by logistic regression.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``.

    Raises
    ------
    ValueError
        If there are not five weights.

    References
    ----------
    *Human-Centric Cognitive Engines*, "Retroactive Interference".

    Examples
    --------
    >>> weights = (-2.0, 0.5, 0.5, 0.5, 2.0)
    >>> takes_over(np.array([3.0, -5.0]), np.array([0.0, -6.0]), -1.0, np.array([0.9, 0.2]), weights=weights)
    array([ 1.8, -6.6])
    """
    offset, by_instead, by_newer, by_older, by_ratio = weights
    told = by_instead * np.clip(instead, *_READ) + by_newer * np.clip(newer, *_READ)
    return offset + told - by_older * np.clip(older, *_READ) + by_ratio * ratio


def brought_forward(strength: Floats, pairs: Ints, *, share: float = 1.0) -> Floats:
    """Strength after memories come before others, or near them: ``max(s, share · s' + ε)`` for each row ``(lifted, other)``.

    Parameters
    ----------
    strength
        Strength of the memories, shape ``(n,)``, ``>= 0``.
    pairs
        Rows of places, shape ``(r, 2)``.
    share
        Share of the strength of the other, in [0, 1]; at 1 the lifted one comes before it.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, nowhere below ``strength``.

    Raises
    ------
    ValueError
        If ``share`` is out of range.
    IndexError
        If a row names a place that is not there.

    References
    ----------
    *Human-Centric Cognitive Engines*, "Retroactive Interference".

    Examples
    --------
    >>> brought_forward(np.array([0.6, 0.4]), np.array([[1, 0]])).round(3)
    array([0.6, 0.6])
    >>> brought_forward(np.array([0.6, 0.4]), np.array([[1, 0]]), share=0.85).round(3)
    array([0.6 , 0.51])
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share {share} is out of range")
    forward = strength.copy()
    np.maximum.at(forward, pairs[:, 0], share * strength[pairs[:, 1]] + _BEHIND)
    return forward


def put_behind(strength: Floats, replacements: Ints, *, share: float) -> Floats:
    """Strength after a memory is put behind the newer one that replaces it, wholly or in part.

    Computes ``min(s, s' − ε)`` over the newer ones whose strength is at least ``share · s``, as they are about the same
    question; ``s'`` is their strength after this.

    Parameters
    ----------
    strength
        Strength of the memories, shape ``(n,)``, ``>= 0``.
    replacements
        Rows ``(newer, older)``, shape ``(r, 2)``.
    share
        Share of the older one's strength, in (0, 1].

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, ``>= 0``, nowhere above ``strength``.

    Raises
    ------
    ValueError
        If ``share`` is out of range.

    References
    ----------
    *Human-Centric Cognitive Engines*, "Retroactive Interference".

    Examples
    --------
    >>> put_behind(np.array([0.6, 0.5, 0.7]), np.array([[0, 2]]), share=0.75).round(3)
    array([0.6, 0.5, 0.6])
    """
    if not 0 < share <= 1:
        raise ValueError(f"share {share} is out of range")
    newer, older = replacements[:, 0], replacements[:, 1]
    # about the same question only: a newer note that hardly matches does not put it behind
    close = strength[newer] >= share * strength[older]
    behind = strength.copy()
    for _ in range(len(replacements)):  # a chain settles in as many rounds as it is long
        before = behind.copy()
        np.minimum.at(behind, older[close], behind[newer[close]] - _BEHIND)
        if np.array_equal(behind, before):
            break
    return np.maximum(behind, 0.0)


def interference(
    overlap: Floats, days: Floats, *, least: float, gain: float, most: float
) -> Floats:
    """Loss of older memories to newer ones that say much the same.

    Computes ``min(most, gain·max (J − least)/(1 − least))`` over the newer memories with an overlap
    ``J > least``.

    Parameters
    ----------
    overlap
        Overlap coefficients of the memories' words, shape ``(n, n)``, each in [0, 1]; 0 for pairs that do
        not interfere.
    days
        When each happened, in days, shape ``(n,)``.
    least
        The overlap from which on two memories interfere, in [0, 1).
    gain
        What a full overlap takes, ``>= 0``.
    most
        The most that is lost, ``>= 0`` (γ).

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, ``most``]; 0 for the newest.

    Raises
    ------
    ValueError
        If a parameter is out of range or the shapes differ.

    References
    ----------
    *Human-Centric Cognitive Engines*, "Retroactive Interference".

    Examples
    --------
    >>> both = np.array([[0.0, 0.6], [0.6, 0.0]])
    >>> interference(both, np.array([1.0, 2.0]), least=0.2, gain=1.0, most=0.8)
    array([0.5, 0. ])
    """
    if not 0 <= least < 1 or gain < 0 or most < 0:
        raise ValueError(f"least {least}, gain {gain} or most {most} is out of range")
    if overlap.shape != (len(days), len(days)):
        raise ValueError(f"{len(days)} memories but overlaps of shape {overlap.shape}")
    if not len(days):
        return np.zeros(0)
    above = np.maximum(overlap - least, 0.0) / (1.0 - least)
    newer = days[np.newaxis, :] > days[:, np.newaxis]
    return np.minimum(most, gain * np.where(newer, above, 0.0).max(axis=1))


def confidence(strength: float, *, middle: float, slope: float) -> float:
    """Confidence that a question is answered, from the strength of its best candidate.

    Computes ``1/(1 + exp(−slope·(s − middle)))``.

    Parameters
    ----------
    strength
        What speaks for the best candidate, ``s >= 0``.
    middle
        The strength at which it is as likely as not.
    slope
        How fast the confidence grows, ``> 0``.

    Returns
    -------
    float
        In [0, 1], no shape.

    Raises
    ------
    ValueError
        If the slope is not positive.

    References
    ----------
    Platt, "Probabilistic Outputs for Support Vector Machines", 1999.

    Examples
    --------
    >>> confidence(0.6, middle=0.6, slope=6.0)
    0.5
    """
    if slope <= 0:
        raise ValueError(f"slope must be positive, not {slope}")
    return 1.0 / (1.0 + float(np.exp(-slope * (strength - middle))))


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
    """Nearness of memories to the dates that a query names.

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
    """Match of each candidate's session as a whole.

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
    # the best of each session: a long one does not win by its length
    counted = (np.arange(len(session)) - starts < best) & (session[order] >= 0)
    # + 1: the place of those without a session, which is never read
    sums = np.bincount(session[order] + 1, relevance[order] * counted).astype(np.float64)
    return share_of_best(sums[session + 1]) if len(session) else np.zeros(0)


def _check_finite(values: Floats) -> None:
    if not np.isfinite(values).all():
        raise ValueError("scores must be finite")
