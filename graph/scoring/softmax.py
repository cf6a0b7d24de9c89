"""Multinomial logistic regression on sparse features, fitted without randomness."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Floats, Ints


def softmax(scores: Floats) -> Floats:
    """Probabilities of the classes of each row.

    Computes ``exp(sᵢ)/Σexp(sⱼ)``.

    Parameters
    ----------
    scores
        Scores, shape ``(n, k)``, finite.

    Returns
    -------
    numpy.ndarray
        Probabilities, shape ``(n, k)``; each row sums to 1.

    Raises
    ------
    ValueError
        If the scores are not two-dimensional.

    References
    ----------
    Bishop, "Pattern Recognition and Machine Learning", 2006, 4.3.4.

    Examples
    --------
    >>> softmax(np.array([[0.0, 0.0]]))
    array([[0.5, 0.5]])
    """
    if scores.ndim != 2:
        raise ValueError(f"scores must have shape (n, k), got {scores.shape}")
    # the greatest first: exp of a large score is infinite
    shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
    return shifted / shifted.sum(axis=1, keepdims=True)


def fit_softmax(
    features: Floats,
    labels: Ints,
    classes: int,
    *,
    penalty: float,
    steps: int = 150,
    offset: Floats | None = None,
) -> Floats:
    """Weights of a multinomial logistic regression.

    Minimises ``−(1/n)Σ log p(yᵢ|xᵢ) + (λ/2)‖W‖²`` by Nesterov's accelerated gradient with the step ``1/L``,
    ``L = ‖X‖²/2n + λ``: the same weights for the same rows.

    Parameters
    ----------
    features
        Rows ``X``, shape ``(n, d)``, finite.
    labels
        Class of each row, shape ``(n,)``, each in [0, classes).
    classes
        Number of classes ``k``, ``>= 1``.
    penalty
        The penalty ``λ``, ``> 0``.
    steps
        Steps of the descent, ``>= 1``.
    offset
        Scores that the rows have already, shape ``(n, k)``, finite; the weights explain what these leave. None where
        they have none.

    Returns
    -------
    numpy.ndarray
        Weights ``W``, shape ``(d, k)``.

    Raises
    ------
    ValueError
        If there is no row, a label is no class, or ``penalty`` is not positive.

    References
    ----------
    Nesterov, "A Method for Solving the Convex Programming Problem with Convergence Rate O(1/k²)", 1983.

    Examples
    --------
    >>> weights = fit_softmax(np.eye(2), np.array([0, 1]), 2, penalty=0.01)
    >>> (np.eye(2) @ weights).argmax(axis=1)
    array([0, 1])
    """
    n = len(features)
    if n == 0 or labels.min() < 0 or labels.max() >= classes:
        raise ValueError(f"labels must lie in [0, {classes}), one for each of some rows")
    if penalty <= 0:
        raise ValueError(f"penalty must be positive, got {penalty}")
    given = np.zeros((n, classes)) if offset is None else offset
    return _descended(features, np.eye(classes)[labels], given, penalty, steps)


def _descended(
    features: Floats, wanted: Floats, given: Floats, penalty: float, steps: int
) -> Floats:
    """Return the weights after some steps of the descent from zero."""
    n = len(features)
    # half of the square: the curvature of a softmax is at most one half
    rate = 1.0 / (0.5 * _largest_square(features) / n + penalty)
    weights = ahead = np.zeros((features.shape[1], wanted.shape[1]))
    pace = 1.0
    for _ in range(steps):
        gradient = features.T @ (softmax(given + features @ ahead) - wanted) / n + penalty * ahead
        moved = ahead - rate * gradient
        faster = (1.0 + np.sqrt(1.0 + 4.0 * pace * pace)) / 2.0
        ahead = moved + (pace - 1.0) / faster * (moved - weights)
        weights, pace = moved, faster
    return weights


def _largest_square(features: Floats) -> float:
    """Return an upper bound of the square of the largest singular value."""
    # from an even vector, not a random one: the same rows give the same weights
    vector = np.ones(features.shape[1]) / np.sqrt(max(features.shape[1], 1))
    length = 0.0
    for _ in range(30):
        product = features.T @ (features @ vector)
        length = float(np.linalg.norm(product))
        if length == 0.0:
            return 0.0
        vector = product / length
    # a little more: power iteration comes from below
    return 1.05 * length
