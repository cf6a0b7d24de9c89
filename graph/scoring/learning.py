"""Learning of Q from rewards, and replay of its history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Floats

Scale = Literal["unit", "signed"]
"""`unit` maps a reward to [0, 1] and lets quality scale the step; `signed` is the literal form."""


def targets(rewards: Floats, strengths: Floats, *, scale: Scale) -> Floats:
    """Targets to which rewards draw Q.

    Computes ``(r + 1) / 2`` on the unit scale, and ``r·strength`` on the signed one.

    Parameters
    ----------
    rewards
        What was learned, shape ``(n,)``, each in [-1, 1].
    strengths
        Quality of the result or trust in the signal, shape ``(n,)``, each in [0, 1].
    scale
        ``unit`` or ``signed``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``; in [0, 1] on the unit scale, in [-1, 1] on the signed one.

    Raises
    ------
    ValueError
        If a reward lies outside [-1, 1] or a strength outside [0, 1].

    References
    ----------
    *Memory Utility Learning System*, "Reward Mapping" (the signed scale).

    Examples
    --------
    >>> targets(np.array([1.0, 0.3]), np.array([0.5, 0.5]), scale="unit")
    array([1.  , 0.65])
    """
    _check("reward", rewards, least=-1.0)
    _check("strength", strengths, least=0.0)
    # on the unit scale quality scales the step, not the aim: a weak success lowers nothing (ADR 22)
    return (rewards + 1.0) / 2.0 if scale == "unit" else rewards * strengths


def steps(shares: Floats, strengths: Floats, *, rate: float, scale: Scale) -> Floats:
    """Step of each reward towards its target.

    Computes ``α·share·strength`` on the unit scale, and ``α·share`` on the signed one: a weak
    success then moves Q less and never down.

    Parameters
    ----------
    shares
        Share of each memory in the reward, shape ``(n,)``, each in [0, 1].
    strengths
        Quality of the result or trust in the signal, shape ``(n,)``, each in [0, 1].
    rate
        Learning rate ``α``, in (0, 1].
    scale
        ``unit`` or ``signed``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1].

    Raises
    ------
    ValueError
        If a share or a strength lies outside [0, 1], or the rate outside (0, 1].

    References
    ----------
    Sutton and Barto, *Reinforcement Learning*, 2nd edition, section 2.5.

    Examples
    --------
    >>> steps(np.array([1.0, 0.5]), np.array([0.8, 0.8]), rate=0.1, scale="unit")
    array([0.08, 0.04])
    """
    _check("share", shares, least=0.0)
    _check("strength", strengths, least=0.0)
    if not 0 < rate <= 1:
        raise ValueError(f"the rate must lie in (0, 1], not {rate}")
    return rate * shares * strengths if scale == "unit" else rate * shares


def moved(
    values: Floats, lefts: Floats, deviations: Floats, aims: Floats, by: Floats
) -> tuple[Floats, Floats, Floats]:
    """Tracks after one reward each.

    Computes ``Q' = clip(Q + s·d, 0, 1)``, ``left' = left·(1 − s)`` and
    ``m2' = (1 − s)·(m2 + s·d²)`` with ``d = target − Q``.

    Parameters
    ----------
    values
        Q of each track, shape ``(n,)``, in [0, 1].
    lefts
        What is left of each initial value in it, shape ``(n,)``, in [0, 1].
    deviations
        Moving variance of its targets, shape ``(n,)``, ``>= 0``.
    aims
        Where each is drawn to, shape ``(n,)``, in [-1, 1].
    by
        Steps ``s``, shape ``(n,)``, in [0, 1].

    Returns
    -------
    tuple of numpy.ndarray
        Q, left and variance afterwards, each of shape ``(n,)``.

    Raises
    ------
    ValueError
        If a step lies outside [0, 1].

    References
    ----------
    *Memory Utility Learning System*, "Q-Value Updates"; Finch, "Incremental calculation of weighted
    mean and variance", 2009.

    Examples
    --------
    >>> one = np.array([1.0])
    >>> moved(0.5 * one, one, 0 * one, one, 0.5 * one)
    (array([0.75]), array([0.5]), array([0.0625]))
    """
    _check("step", by, least=0.0)
    distances = aims - values
    # clipped: on the signed scale an aim lies outside [0, 1]
    after = np.clip(values + by * distances, 0.0, 1.0)
    rest = 1.0 - by
    # Finch's variance with the same steps, so that it forgets as Q does
    return after, lefts * rest, rest * (deviations + by * distances * distances)


def replayed(start: tuple[float, float, float], aims: Floats, by: Floats) -> Floats:
    """One track after a row of rewards, exactly as if they came one by one.

    Computes the recurrence of `moved`, ``Q' = clip(Q + s·d, 0, 1)``, in the order given.

    Parameters
    ----------
    start
        Q, left and variance before the first.
    aims
        Targets in their order, shape ``(n,)``, in [-1, 1].
    by
        Steps in their order, shape ``(n,)``, in [0, 1].

    Returns
    -------
    numpy.ndarray
        Q, left and variance at the end, shape ``(3,)``.

    Raises
    ------
    ValueError
        If a step lies outside [0, 1] or the shapes differ.

    References
    ----------
    *Memory Utility Learning System*, "Q-Value Updates".

    Examples
    --------
    >>> replayed((0.5, 1.0, 0.0), np.array([1.0, 0.0]), np.array([0.5, 0.5]))
    array([0.375   , 0.25    , 0.171875])
    """
    if aims.shape != by.shape:
        raise ValueError(f"{aims.shape} targets, but {by.shape} steps")
    _check("step", by, least=0.0)
    value, left, deviation = start
    # In Python's floats, which are the array's, because each step needs the one before.
    for aim, step in zip(aims.tolist(), by.tolist(), strict=True):
        distance = aim - value
        rest = 1.0 - step
        value = min(1.0, max(0.0, value + step * distance))
        left *= rest
        deviation = rest * (deviation + step * distance * distance)
    return np.array([value, left, deviation])


def _check(name: str, values: Floats, *, least: float) -> None:
    if not bool(np.all((values >= least) & (values <= 1.0))):
        raise ValueError(f"each {name} must lie in [{least:g}, 1]")
