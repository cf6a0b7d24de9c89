"""Probability that a newer note replaces an older one, from what a reader says of both and their cosine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Floats

_READ, _COSINE, _MIDDLE = 1.17, 12.0, 7.68  # fitted to 290 labelled pairs of twelve sets (ADR 95)
_LEAST = 1e-6


def replaced_probability(whole: Floats, cosine: Floats) -> Floats:
    """Probability that newer notes replace older ones.

    Computes ``1/(1 + exp(−(1.17·logit(whole) + 12·cosine − 7.68)))``: notes that hardly resemble each other speak of two
    things, even if they read like a fact and its change.

    Parameters
    ----------
    whole
        Probability, by a reader of both, that an older note no longer holds, shape ``(n,)``, each in [0, 1].
    cosine
        Cosine of the embeddings of both, shape ``(n,)``, each in [-1, 1].

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in (0, 1).

    Raises
    ------
    ValueError
        If a value is out of its range, or the shapes differ.

    References
    ----------
    ADR 95; logistic regression.

    Examples
    --------
    >>> replaced_probability(np.array([0.7, 0.25, 0.7]), np.array([0.8, 0.8, 0.5])).round(2).tolist()
    [0.95, 0.65, 0.33]
    """
    if whole.shape != cosine.shape:
        raise ValueError(f"whole and cosine: {whole.shape} is not {cosine.shape}")
    if not ((whole >= 0.0) & (whole <= 1.0)).all():
        raise ValueError("whole: must be in [0, 1]")
    if not (np.abs(cosine) <= 1.0 + _LEAST).all():
        raise ValueError("cosine: must be in [-1, 1]")
    sure = np.clip(whole, _LEAST, 1.0 - _LEAST)
    strength = _READ * np.log(sure / (1.0 - sure)) + _COSINE * cosine - _MIDDLE
    return 1.0 / (1.0 + np.exp(-strength))
