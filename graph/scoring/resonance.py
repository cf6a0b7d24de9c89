"""Contextual resonance and retroactive interference, over sets of keywords or over embeddings.

A set of keywords is a row of flags over a vocabulary of ``t`` words, without stop words. The last axes of
an array belong to one agent; axes before them hold agents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Flags, Floats


def resonance(question: Flags, memories: Flags) -> Floats:
    """Contextual resonance of memories with a question.

    Computes the overlap coefficient ``Rel = |Q ∩ M| / min(|Q|, |M|)``.

    Parameters
    ----------
    question
        Keywords ``Q`` of the question, shape ``(..., t)``.
    memories
        Keywords ``M`` of each memory, shape ``(..., n, t)``.

    Returns
    -------
    numpy.ndarray
        Shape ``(..., n)``, each in [0, 1]; 0 where a set is empty.

    Raises
    ------
    ValueError
        If the numbers of words differ.

    References
    ----------
    *Human-Centric Cognitive Engines*, "Contextual Resonance"; Tulving, "Episodic and Semantic Memory", 1972.

    Examples
    --------
    >>> words = np.array([[True, True, False, False], [False, False, True, True]])
    >>> resonance(np.array([True, True, True, False]), words)
    array([1. , 0.5])
    """
    return _overlaps(question[..., np.newaxis, :], memories)[..., 0, :]


def pairwise_resonance(memories: Flags) -> Floats:
    """Contextual resonance of memories with each other.

    Computes the overlap coefficient ``|A ∩ B| / min(|A|, |B|)`` of each pair.

    Parameters
    ----------
    memories
        Keywords of each memory, shape ``(..., n, t)``.

    Returns
    -------
    numpy.ndarray
        Shape ``(..., n, n)``, symmetric, each in [0, 1]; 0 where a set is empty.

    Raises
    ------
    ValueError
        If there are no two axes.

    References
    ----------
    *Human-Centric Cognitive Engines*, "Contextual Resonance".

    Examples
    --------
    >>> pairwise_resonance(np.array([[True, True], [True, False]]))
    array([[1., 1.],
           [1., 1.]])
    """
    if memories.ndim < 2:
        raise ValueError(f"two axes are needed, not {memories.ndim}")
    return _overlaps(memories, memories)


def embedded_resonance(question: Floats, memories: Floats) -> Floats:
    """Contextual resonance by embeddings instead of keywords.

    Computes ``max(q·m, 0)`` of unit vectors.

    Parameters
    ----------
    question
        Unit vector of the question, shape ``(..., d)``.
    memories
        Unit vector of each memory, shape ``(..., n, d)``.

    Returns
    -------
    numpy.ndarray
        Shape ``(..., n)``, each in [0, 1].

    Raises
    ------
    ValueError
        If the dimensions differ.

    References
    ----------
    *Human-Centric Cognitive Engines*, "Advanced Extensions" (embedding-based retrieval).

    Examples
    --------
    >>> embedded_resonance(np.array([1.0, 0.0]), np.array([[0.6, 0.8], [-1.0, 0.0]]))
    array([0.6, 0. ])
    """
    _check_width(question.shape[-1], memories.shape[-1])
    # opposite meanings are as far as none
    return np.clip(np.einsum("...d,...nd->...n", question, memories), 0.0, 1.0)


def pairwise_embedded_resonance(memories: Floats) -> Floats:
    """Contextual resonance of memories with each other by embeddings instead of keywords.

    Computes ``max(a·b, 0)`` of each pair of unit vectors.

    Parameters
    ----------
    memories
        Unit vector of each memory, shape ``(..., n, d)``; a zero vector for one without.

    Returns
    -------
    numpy.ndarray
        Shape ``(..., n, n)``, symmetric, each in [0, 1]; 0 where a vector is zero.

    Raises
    ------
    ValueError
        If there are no two axes.

    References
    ----------
    *Human-Centric Cognitive Engines*, "Advanced Extensions" (embedding-based retrieval).

    Examples
    --------
    >>> pairwise_embedded_resonance(np.array([[1.0, 0.0], [0.6, 0.8], [-1.0, 0.0]]))
    array([[1. , 0.6, 0. ],
           [0.6, 1. , 0. ],
           [0. , 0. , 1. ]])
    """
    if memories.ndim < 2:
        raise ValueError(f"two axes are needed, not {memories.ndim}")
    return np.clip(memories @ np.swapaxes(memories, -1, -2), 0.0, 1.0)


def retroactive_interference(
    similarity: Floats, stored: Floats, *, cap: float = 0.8, settled: Flags | None = None
) -> Floats:
    """Suppression of memories by newer ones that are like them.

    Computes ``Int = min(γ·max Rel(m, m'), γ)`` over the newer memories ``m'``.

    Parameters
    ----------
    similarity
        Likeness of each pair, shape ``(..., n, n)``, each in [0, 1].
    stored
        When each was stored, shape ``(..., n)``, in any unit; memories of one moment do not interfere.
    cap
        The most that is suppressed ``γ``, in [0, 1].
    settled
        Pairs ``(m, m')`` that do not count, as ``m'`` has replaced ``m`` already, shape ``(..., n, n)``.

    Returns
    -------
    numpy.ndarray
        Shape ``(..., n)``, each in [0, γ]; 0 for the newest.

    Raises
    ------
    ValueError
        If γ lies outside [0, 1] or the shapes differ.

    References
    ----------
    *Human-Centric Cognitive Engines*, "Interference-Based Forgetting"; Anderson and Neely, "Interference and
    Inhibition in Memory Retrieval", 1996.

    Examples
    --------
    >>> alike = np.array([[1.0, 0.5], [0.5, 1.0]])
    >>> retroactive_interference(alike, np.array([1.0, 2.0]))
    array([0.4, 0. ])
    """
    if not 0 <= cap <= 1:
        raise ValueError(f"cap must lie in [0, 1], not {cap}")
    if similarity.shape != (*stored.shape, stored.shape[-1]):
        raise ValueError(f"times of shape {stored.shape}, likeness of shape {similarity.shape}")
    counts = stored[..., np.newaxis, :] > stored[..., :, np.newaxis]
    # neither pairs that are settled nor a memory with itself
    if settled is not None:
        counts = counts & ~settled
    strongest = np.where(counts, similarity, 0.0).max(axis=-1, initial=0.0)
    return np.minimum(cap * strongest, cap)


def _overlaps(first: Flags, second: Flags) -> Floats:
    """Overlap coefficients, shape ``(..., a, b)``, of sets of shapes ``(..., a, t)`` and ``(..., b, t)``."""
    _check_width(first.shape[-1], second.shape[-1])
    # float32: counts of words are exact in it, and products much faster
    one, other = first.astype(np.float32), second.astype(np.float32)
    shared = one @ np.swapaxes(other, -1, -2)
    sizes = one.sum(axis=-1)[..., :, np.newaxis], other.sum(axis=-1)[..., np.newaxis, :]
    return shared.astype(np.float64) / np.maximum(np.minimum(*sizes), 1.0)


def _check_width(one: int, other: int) -> None:
    if one != other:
        raise ValueError(f"widths {one} and {other} differ")
