"""Credit assignment: the share of a reward for each memory that a task was given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Floats, Ints


def rank_gains(ranks: Ints) -> Floats:
    """Return the gain of each place in the answer.

    Computes ``1 / log2(1 + rank)``.

    Parameters
    ----------
    ranks
        Places from 1, shape ``(n,)``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in (0, 1].

    Raises
    ------
    ValueError
        If a rank is below 1.

    References
    ----------
    Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002.

    Examples
    --------
    >>> rank_gains(np.array([1, 3]))
    array([1. , 0.5])
    """
    if bool(np.any(ranks < 1)):
        raise ValueError("ranks count from 1")
    return 1.0 / np.log2(1.0 + ranks)


def shares(memories: Ints, weights: Floats, gains: Floats) -> Floats:
    """Share of each memory in a task's reward, the largest 1.

    Computes ``raw(m) = Σ w·g`` over the times that ``m`` was given, and ``raw / max raw``: the
    memory that did most always moves by the whole learning rate.

    Parameters
    ----------
    memories
        Which memory was given, shape ``(n,)``, from 0 without gaps.
    weights
        Weight ``w`` of the phase it was given in, shape ``(n,)``, ``> 0``.
    gains
        Gain ``g`` of its place, or what the caller says it did, shape ``(n,)``, ``> 0``.

    Returns
    -------
    numpy.ndarray
        Shape ``(memories,)``, each in (0, 1].

    Raises
    ------
    ValueError
        If a weight or a gain is not positive.

    References
    ----------
    *Memory Utility Learning System*, "ORPAR phase weights".

    Examples
    --------
    >>> shares(np.array([0, 1, 1]), np.array([0.3, 0.15, 0.25]), np.array([1.0, 1.0, 1.0]))
    array([0.75, 1.  ])
    """
    if bool(np.any(weights <= 0)) or bool(np.any(gains <= 0)):
        raise ValueError("weights and gains must be positive")
    # of nothing there is no greatest to divide by
    if not len(memories):
        return np.zeros(0)
    # a memory that was given several times did more
    raw = np.bincount(memories, weights=weights * gains).astype(np.float64)
    return raw / raw.max()


def passed_on(targets: Ints, users: Floats, *, damping: float) -> Floats:
    """Share of what memories used: a strategy, a concept.

    Computes ``damping · max share`` of those that used each.

    Parameters
    ----------
    targets
        What was used, shape ``(n,)``, from 0 without gaps.
    users
        Share of the memory that used it, shape ``(n,)``, each in (0, 1].
    damping
        How much of it is passed on, in [0, 1].

    Returns
    -------
    numpy.ndarray
        Shape ``(targets,)``, each in [0, 1].

    Raises
    ------
    ValueError
        If the damping lies outside [0, 1].

    References
    ----------
    Sutton and Barto, *Reinforcement Learning*, 2nd edition, chapter 12 (eligibility traces).

    Examples
    --------
    >>> passed_on(np.array([0, 0, 1]), np.array([0.4, 1.0, 0.6]), damping=0.5)
    array([0.5, 0.3])
    """
    if not 0 <= damping <= 1:
        raise ValueError(f"damping must lie in [0, 1], not {damping}")
    most = np.zeros(int(targets.max()) + 1 if len(targets) else 0)
    # the greatest, not the sum: many weak users make no strong one
    np.maximum.at(most, targets, users)
    return damping * most
