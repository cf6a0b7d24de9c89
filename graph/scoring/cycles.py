"""Confidence of a cycle of reasoning, and what its end is worth for its memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Floats, Ints

_LEAST = 1e-6
_ROUNDS = 25  # of Newton's method; it converges in fewer than ten


def smoothed_rate(successes: float, total: float, *, prior: float, weight: float) -> float:
    """Rate of successes, drawn to what is usual where little was seen.

    Computes ``(successes + weight·prior) / (total + weight)``.

    Parameters
    ----------
    successes
        Number of successes, in [0, total].
    total
        Number of tries, ``>= 0``.
    prior
        Rate that is usual, in [0, 1].
    weight
        How many tries the usual rate counts for, ``> 0``.

    Returns
    -------
    float
        Without a shape, in [0, 1].

    Raises
    ------
    ValueError
        If there are more successes than tries, or a number lies out of its range.

    References
    ----------
    Gelman and others, *Bayesian Data Analysis*, 3rd edition, section 2.4.

    Examples
    --------
    >>> smoothed_rate(3.0, 4.0, prior=0.5, weight=2.0)
    0.6666666666666666
    """
    if not 0 <= successes <= total or not 0 <= prior <= 1 or weight <= 0:
        raise ValueError("successes lie in [0, total], prior in [0, 1], and weight is positive")
    return (successes + weight * prior) / (total + weight)


def historical_accuracy(
    similarity: Floats, correct: Floats, *, prior: float, weight: float, power: float = 8.0
) -> float:
    """Accuracy of similar attempts, each by how similar it is.

    Computes ``(Σ s^p·c + weight·prior) / (Σ s^p + weight)``.

    Parameters
    ----------
    similarity
        Cosines ``s``, shape ``(n,)``; below 0 counts as 0.
    correct
        Whether each was right, shape ``(n,)``, each 0 or 1.
    prior
        Rate that is usual, in [0, 1].
    weight
        How many equal attempts the usual rate counts for, ``> 0``.
    power
        How fast an attempt counts less that is less similar, ``> 0``.

    Returns
    -------
    float
        Without a shape, in [0, 1]; without attempts the usual rate.

    Raises
    ------
    ValueError
        If the shapes differ.

    References
    ----------
    Nadaraya, "On estimating regression", 1964.

    Examples
    --------
    >>> historical_accuracy(np.array([1.0, 1.0]), np.array([1.0, 0.0]), prior=0.5, weight=2.0)
    0.5
    """
    if similarity.shape != correct.shape:
        raise ValueError(f"{similarity.shape} similarities and {correct.shape} verdicts")
    # the eighth power: cosines of 0.8 and 0.9 count 0.17 and 0.43
    weights = np.clip(similarity, 0.0, 1.0) ** power
    return smoothed_rate(float(weights @ correct), float(weights.sum()), prior=prior, weight=weight)


def pattern_agreement(
    right: Floats, wrong: Floats, right_total: float, wrong_total: float, *, smoothing: float = 1.0
) -> float:
    """Agreement of steps with those of right attempts, beside those of wrong ones.

    Computes the logistic function of the mean of ``log((r + s)/(R + s)) - log((w + s)/(W + s))``.

    Parameters
    ----------
    right
        In how many right attempts each pair of steps was taken, shape ``(n,)``.
    wrong
        The same of wrong ones, shape ``(n,)``.
    right_total
        Number ``R`` of right attempts.
    wrong_total
        Number ``W`` of wrong attempts.
    smoothing
        What is added to each count, ``> 0``.

    Returns
    -------
    float
        Without a shape, in (0, 1); 0.5 without steps.

    Raises
    ------
    ValueError
        If the shapes differ.

    References
    ----------
    Manning, Raghavan and Schütze, *Introduction to Information Retrieval*, chapter 13.

    Examples
    --------
    >>> round(pattern_agreement(np.array([9.0]), np.array([0.0]), 9.0, 9.0), 2)
    0.91
    """
    if right.shape != wrong.shape:
        raise ValueError(f"{right.shape} counts of right and {wrong.shape} of wrong attempts")
    if not len(right):
        return 0.5
    likely = np.log((right + smoothing) / (right_total + smoothing))
    unlikely = np.log((wrong + smoothing) / (wrong_total + smoothing))
    # the mean of pairs, not their sum: a long attempt is no surer
    return float(1.0 / (1.0 + np.exp(-np.mean(likely - unlikely))))


def log_odds(shares: Floats) -> Floats:
    """Log odds of shares, those of 0 and 1 drawn in a little.

    Computes ``log(p / (1 - p))`` with ``p`` clipped to [0.000001, 0.999999].

    Parameters
    ----------
    shares
        Any shape, each in [0, 1].

    Returns
    -------
    numpy.ndarray
        The same shape.

    Raises
    ------
    ValueError
        If a share lies out of its range.

    References
    ----------
    Cox, "The regression analysis of binary sequences", 1958.

    Examples
    --------
    >>> log_odds(np.array([0.5]))
    array([0.])
    """
    if bool(np.any((shares < 0) | (shares > 1))):
        raise ValueError("shares lie in [0, 1]")
    # shares of 0 and 1 would outweigh all other evidence for ever
    inside = np.clip(shares, _LEAST, 1.0 - _LEAST)
    return np.log(inside / (1.0 - inside))


def blended(parts: Floats, weights: Floats) -> Floats:
    """Confidence of its parts.

    Computes ``1 / (1 + exp(-(w0 + Σ wi·log_odds(pi))))``.

    Parameters
    ----------
    parts
        Parts by row, shape ``(n, d)``, each in [0, 1].
    weights
        ``w0`` and one weight for each part, shape ``(d + 1,)``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in (0, 1).

    Raises
    ------
    ValueError
        If the number of weights is not one more than that of the parts.

    References
    ----------
    Bordley, "A multiplicative formula for aggregating probability assessments", 1982.

    Examples
    --------
    >>> blended(np.array([[0.5, 0.5]]), np.array([0.0, 1.0, 1.0]))
    array([0.5])
    """
    if parts.ndim != 2 or weights.shape != (parts.shape[1] + 1,):
        raise ValueError(f"{weights.shape} weights for parts of {parts.shape}")
    return 1.0 / (1.0 + np.exp(-(weights[0] + log_odds(parts) @ weights[1:])))


def fitted_weights(parts: Floats, outcomes: Floats, start: Floats, *, ridge: float) -> Floats:
    """Weights by which parts tell outcomes best, drawn to what they were.

    Maximises the likelihood of outcomes under ``blended`` minus ``ridge/2·|w - start|²``, by Newton's method.

    Parameters
    ----------
    parts
        Parts by row, shape ``(n, d)``, each in [0, 1].
    outcomes
        What came of each, shape ``(n,)``, in [0, 1].
    start
        Weights that are kept where nothing speaks against them, shape ``(d + 1,)``.
    ridge
        How strongly they are kept, ``> 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(d + 1,)``.

    Raises
    ------
    ValueError
        If the shapes do not fit, or the ridge is not positive.

    References
    ----------
    Hoerl and Kennard, "Ridge regression", 1970; Platt, "Probabilistic outputs for support vector machines", 1999.

    Examples
    --------
    >>> parts = np.array([[0.9], [0.8], [0.2], [0.1]])
    >>> weights = fitted_weights(parts, np.array([1.0, 1.0, 0.0, 0.0]), np.array([0.0, 0.0]), ridge=1.0)
    >>> bool(weights[1] > 0.3)
    True
    """
    if len(parts) != len(outcomes) or ridge <= 0:
        raise ValueError(f"{len(parts)} rows, {len(outcomes)} outcomes and a ridge of {ridge}")
    columns = np.column_stack([np.ones(len(parts)), log_odds(parts)])
    weights = start.astype(np.float64)
    for _ in range(_ROUNDS):
        told = blended(parts, weights)
        gradient = columns.T @ (outcomes - told) - ridge * (weights - start)
        curvature = columns.T @ (columns * (told * (1.0 - told))[:, None])
        # the ridge keeps the curvature from being singular
        step = np.linalg.solve(curvature + ridge * np.eye(len(weights)), gradient)
        # bounded: far from the end a whole step may go far beyond it
        weights = weights + np.clip(step, -2.0, 2.0)
    return weights


def answer_shares(answers: Ints, accuracies: Floats, *, wrong_answers: int = 10) -> Floats:
    """Probability of each answer that several tries gave, by how often those who tried are right.

    A try is right with its accuracy ``p``, else gives one of ``wrong_answers`` (``K``) others, all alike. An answer
    weighs ``Π p·K / (1 − p)`` over its tries, one that nobody gave 1.

    Parameters
    ----------
    answers
        Number of the answer of each try, from 0 without a gap, shape ``(n,)``.
    accuracies
        How often each who tried is right, in [0, 1], shape ``(n,)``; cut to [0.01, 0.99].
    wrong_answers
        How many wrong answers a problem has, ``>= 1``.

    Returns
    -------
    Floats
        Shape ``(max(answers) + 1,)``, in [0, 1]; what they lack of 1 is that no try is right.

    Raises
    ------
    ValueError
        If the shapes differ, there is no try, or no wrong answer.

    References
    ----------
    Dawid and Skene, *Maximum likelihood estimation of observer error-rates using the EM algorithm* (1979),
    with one rate for each observer.

    Examples
    --------
    >>> answer_shares(np.array([0, 1, 1]), np.array([0.2, 0.5, 0.6])).round(3)
    array([0.015, 0.929])
    """
    if answers.shape != accuracies.shape or not answers.size or wrong_answers < 1:
        raise ValueError("answers and accuracies have one shape, and there is a wrong answer")
    # a rate of 0 or 1 would make one try decide alone
    right = np.clip(accuracies, 0.01, 0.99)
    # in logarithms: products of many tries leave the range of numbers
    weights = np.exp(np.bincount(answers, weights=np.log(right * wrong_answers / (1.0 - right))))
    # what nobody gave may be the right one too
    unseen = max(1, wrong_answers + 1 - weights.size)
    return weights / (weights.sum() + unseen)


def extra_observations(score: float, *, high: float = 0.7, most: int = 3) -> int:
    """Number of observations that a surprise asks for.

    Computes ``min(ceil((s - high)/(1 - high)·most) + 1, most)``, and 0 below ``high``.

    Parameters
    ----------
    score
        Surprise ``s``, in [0, 1].
    high
        Threshold, in [0, 1).
    most
        Most observations, ``>= 1``.

    Returns
    -------
    int
        Without a shape, in [0, most].

    Raises
    ------
    ValueError
        If the score lies out of its range.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "Surprise-driven re-observation triggers".

    Examples
    --------
    >>> [extra_observations(score) for score in (0.69, 0.7, 0.75, 0.8, 1.0)]
    [0, 1, 2, 2, 3]
    """
    if not 0 <= score <= 1:
        raise ValueError(f"a surprise lies in [0, 1], not {score}")
    if score < high:
        return 0
    # Rounded: 0.8 lies one third of the way, and not a little more, as binary numbers have it.
    return min(int(np.ceil(round((score - high) / (1.0 - high) * most, 9))) + 1, most)


def promotion_value(
    surprise: float, confidence: float, *, used_tools: bool, repaired: bool
) -> float:
    """Worth of a cycle for the memories that it used.

    Computes ``0.4·surprise + 0.3·confidence + 0.2·[tools] - 0.1·[repaired]``.

    Parameters
    ----------
    surprise
        Greatest surprise of the cycle, in [0, 1].
    confidence
        Confidence at its end, in [0, 1].
    used_tools
        Whether it called tools.
    repaired
        Whether it needed a repair.

    Returns
    -------
    float
        Without a shape, in [-0.1, 0.9].

    Raises
    ------
    ValueError
        If surprise or confidence lie out of their range.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "Process-Level Rewards".

    Examples
    --------
    >>> round(promotion_value(0.5, 0.9, used_tools=True, repaired=False), 2)
    0.67
    """
    if not (0 <= surprise <= 1 and 0 <= confidence <= 1):
        raise ValueError("surprise and confidence lie in [0, 1]")
    return 0.4 * surprise + 0.3 * confidence + 0.2 * used_tools - 0.1 * repaired


def pair_counts(pairs: Ints, attempts: Ints, wanted: int) -> Floats:
    """Number of attempts in which each pair of steps was taken.

    Computes ``|{attempt : it took the pair}|`` of each.

    Parameters
    ----------
    pairs
        Number of a pair, shape ``(n,)``, each in [0, wanted).
    attempts
        Which attempt took it, shape ``(n,)``.
    wanted
        How many pairs there are.

    Returns
    -------
    numpy.ndarray
        Shape ``(wanted,)``.

    Raises
    ------
    ValueError
        If the shapes differ.

    References
    ----------
    Manning, Raghavan and Schütze, *Introduction to Information Retrieval*, chapter 13.

    Examples
    --------
    >>> pair_counts(np.array([0, 0, 1]), np.array([4, 4, 4]), 3)
    array([1., 1., 0.])
    """
    if pairs.shape != attempts.shape:
        raise ValueError(f"{pairs.shape} pairs and {attempts.shape} attempts")
    if not len(pairs):
        return np.zeros(wanted)
    # once an attempt: a loop says no more than one pass
    distinct = np.unique(np.column_stack([pairs, attempts]), axis=0)
    return np.bincount(distinct[:, 0], minlength=wanted).astype(np.float64)
