"""Decisions of a run of the gates on each memory of one stratum, with reasons and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from graph.scoring.retention import (
    decay_rates,
    decay_weight,
    elapsed_days,
    promotion_scores,
    slowed,
)

if TYPE_CHECKING:
    from graph.scoring.relevance import Flags, Floats, Ints
    from graph.scoring.strata import StratumPolicy

_MOMENT = 0.001 / 86_400  # times are stored by the millisecond


class Action(IntEnum):
    """Decision on a memory."""

    KEEP = 0
    PROMOTE = 1
    DEMOTE = 2
    CONDENSE = 3
    ARCHIVE = 4
    PURGE = 5


class Reason(IntEnum):
    """Why; beside it stand what was measured and the limit that it was measured against."""

    WITHIN_TIME = 0  # score, promote_at
    NOT_ASKED = 1  # score, promote_at: nobody said that it may be moved
    DWELLS_TOO_SHORT = 2  # days here, min_dwell: it would rise or sink
    SCORE_REACHED = 3  # score, promote_at
    SCORE_TOO_LOW = 4  # score, demote_below
    TIME_OVER = 5  # score, condense_at: worth keeping in short
    TIME_OVER_FADED = 6  # score, condense_at: not worth that
    OVER_CAPACITY = 7  # place from the lowest score, how many are too many
    OVER_CAPACITY_EVIDENCE = 8  # the same, though an active memory rests on it


@dataclass(frozen=True, slots=True)
class StratumColumns:
    """Memories of one stratum, columns of shape ``(n,)``; times in days."""

    owner: Ints
    """Number of the agent that each belongs to; a capacity is one agent's."""
    initial: Floats
    anchored_at: Floats
    grace_until: Floats
    counted_from: Floats
    """Day on which each was recorded, or demoted to here: the end of its time counts from it."""
    entered_at: Floats
    """Day on which each came into this stratum."""
    importance: Floats
    accesses: Floats
    utility: Floats
    surprise: Floats
    evidence: Flags
    """Flag of a memory that an active one rests on."""
    asked: Flags
    """Flags of memories whose stratum was given or chosen; others move only for a capacity by importance."""
    passes: Flags | None = None
    """Flags of those that the consolidation gate lets rise; unset: all."""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Decisions on each memory with their reasons, columns of shape ``(n,)``."""

    action: Ints
    """Values of `Action`."""
    reason: Ints
    """Values of `Reason`."""
    measured: Floats
    limit: Floats
    weight: Floats
    rate: Floats
    score: Floats
    flagged: Flags
    """Purged although an active memory rests on it: to be said."""


def weights_now(
    memories: StratumColumns, policy: StratumPolicy, *, now: float
) -> tuple[Floats, Floats]:
    """Weight of each memory, and how fast it fades.

    Computes ``w0·exp(−rate·(1 − Q·f)·t)`` with the numbers of the stratum.

    Parameters
    ----------
    memories
        Memories of one stratum, columns of shape ``(n,)``.
    policy
        What holds for the stratum.
    now
        The present, in days.

    Returns
    -------
    tuple of numpy.ndarray
        Weights, and rates per day with utility in them; each of shape ``(n,)``.

    Raises
    ------
    ValueError
        If a column is out of its range.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "Decay Models"; *Memory Utility Learning System*,
    "Retention Gates".

    Examples
    --------
    >>> from graph.scoring.strata import POLICIES
    >>> one, no = np.ones(1), np.zeros(1, bool)
    >>> row = StratumColumns(np.zeros(1, int), one, 0 * one, -np.inf * one, 0 * one, 0 * one,
    ...                      3 * one, 0 * one, 0 * one, 0 * one, no, ~no)
    >>> weights_now(row, POLICIES["episodic"], now=40.0)[0].round(3)
    array([0.368])
    """
    size = len(memories.initial)
    rate = decay_rates(np.full(size, policy.base_rate), memories.importance, memories.accesses)
    rate = slowed(rate, memories.utility, np.full(size, policy.utility_factor))
    days = elapsed_days(memories.anchored_at, memories.grace_until, now)
    return decay_weight(memories.initial, days, rate), rate


def verdicts(memories: StratumColumns, policy: StratumPolicy, *, now: float) -> Verdicts:
    """Decide what a run of the gates does with each memory of a stratum.

    The first that holds of: not asked → keep; ``score >= promote_at`` → promote; time over →
    condense from ``condense_at`` on, else archive; ``score < demote_below`` → demote; too many of one
    agent's are left → purge those of the lowest score; else keep. Who has not dwelt long enough neither
    rises nor sinks. An eviction by importance counts what was not asked, and takes the least important.

    Parameters
    ----------
    memories
        Memories of one stratum, columns of shape ``(n,)``.
    policy
        What holds for the stratum.
    now
        The present, in days.

    Returns
    -------
    Verdicts
        One action and reason each, with the numbers that decided; columns of shape ``(n,)``.

    Raises
    ------
    ValueError
        If a column is out of its range.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "Retention Gates".

    Examples
    --------
    >>> from graph.scoring.strata import POLICIES
    >>> one, no = np.ones(2), np.zeros(2, bool)
    >>> rows = StratumColumns(np.zeros(2, int), one, 0 * one, -np.inf * one, 0 * one, 0 * one,
    ...                       np.array([5.0, 1.0]), 0 * one, 0 * one, 0 * one, no, ~no)
    >>> [Action(action).name for action in verdicts(rows, POLICIES["short_term"], now=1.0).action]
    ['PROMOTE', 'ARCHIVE']
    """
    found = _due(memories, policy, now)
    _purge(found, memories, policy, found.action == Action.KEEP, np.zeros(len(found.score), bool))
    return found


def making_room(memories: StratumColumns, policy: StratumPolicy, *, now: float) -> Verdicts:
    """Choose what leaves a stratum that holds too many, and no more than that.

    Of an agent's ``n`` the ``max(n − capacity, 0)`` that leave are first those that `verdicts` moves
    anyway, those of the lowest score first, each to where it goes; then as many of the others are
    purged, those last that came in just now.

    Parameters
    ----------
    memories
        Memories of one stratum, columns of shape ``(n,)``.
    policy
        What holds for the stratum.
    now
        The present, in days.

    Returns
    -------
    Verdicts
        One action and reason each, with the numbers that decided; columns of shape ``(n,)``. What is due
        and has room is kept.

    Raises
    ------
    ValueError
        If a column is out of its range.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "Retention Gates" (emergency purge).

    Examples
    --------
    >>> from dataclasses import replace
    >>> from graph.scoring.strata import POLICIES
    >>> one, no = np.ones(3), np.zeros(3, bool)
    >>> rows = StratumColumns(np.zeros(3, int), one, 0 * one, -np.inf * one, np.array([1.0, 0.0, 0.9]),
    ...                       0 * one, one, 0 * one, 0 * one, 0 * one, no, ~no)
    >>> found = making_room(rows, replace(POLICIES["short_term"], capacity=2), now=1.5)
    >>> [Action(action).name for action in found.action]
    ['KEEP', 'ARCHIVE', 'KEEP']
    """
    found = _due(memories, policy, now)
    everything = np.ones(len(found.score), bool)
    # what came in just now leaves last, or a write would undo itself
    _purge(found, memories, policy, everything, memories.entered_at > now - _MOMENT)
    return found


def _due(memories: StratumColumns, policy: StratumPolicy, now: float) -> Verdicts:
    """Decide as if there were room for all."""
    weight, rate = weights_now(memories, policy, now=now)
    score = promotion_scores(memories.importance, memories.surprise, weight)
    dwelt = now - memories.entered_at
    passes = np.ones(len(score), bool) if memories.passes is None else memories.passes
    rises, sinks = (score >= policy.promote_at) & passes, score < policy.demote_below
    over = now >= memories.counted_from + policy.retention
    kept_short = (score >= policy.condense_at) & passes
    settled = dwelt >= policy.min_dwell
    size = len(score)
    # the first that holds decides: promotion stands before the end of time (ADR 30)
    table: tuple[tuple[Flags, Action, Reason, Floats, float], ...] = (
        (~memories.asked, Action.KEEP, Reason.NOT_ASKED, score, policy.promote_at),
        (rises & settled, Action.PROMOTE, Reason.SCORE_REACHED, score, policy.promote_at),
        (over & kept_short, Action.CONDENSE, Reason.TIME_OVER, score, policy.condense_at),
        (over, Action.ARCHIVE, Reason.TIME_OVER_FADED, score, policy.condense_at),
        (sinks & settled, Action.DEMOTE, Reason.SCORE_TOO_LOW, score, policy.demote_below),
        # dwelt too short: a newborn has weight 1, and would rise at once
        (rises | sinks, Action.KEEP, Reason.DWELLS_TOO_SHORT, dwelt, policy.min_dwell),
        (np.ones(size, bool), Action.KEEP, Reason.WITHIN_TIME, score, policy.promote_at),
    )
    holds = np.array([row[0] for row in table])
    # argmax of booleans is the place of the first that holds
    first = holds.argmax(axis=0)
    measured = np.array([row[3] for row in table])[first, np.arange(size)]
    return Verdicts(
        action=np.array([row[1] for row in table], dtype=np.int64)[first],
        reason=np.array([row[2] for row in table], dtype=np.int64)[first],
        measured=measured,
        limit=np.array([row[4] for row in table])[first],
        weight=weight,
        rate=rate,
        score=score,
        flagged=np.zeros(size, bool),
    )


def displaced(
    owner: Ints,
    score: Floats,
    evidence: Flags,
    *,
    capacity: float,
    arriving: int = 0,
    due: Flags | None = None,
    fresh: Flags | None = None,
) -> tuple[Flags, Ints, Ints]:
    """Choose which memories must leave a stratum so that each agent's fit.

    Of an agent's ``n`` the ``max(n + arriving − capacity, 0)`` of the lowest score: what is due before
    all others, what is fresh after them, and what an active memory rests on last; of equals the first.

    Parameters
    ----------
    owner
        Number of the agent that each belongs to, shape ``(n,)``.
    score
        Promotion scores now, shape ``(n,)``.
    evidence
        Whether an active memory rests on it, shape ``(n,)``.
    capacity
        How many of one agent's fit, ``>= 0``; may be infinite.
    arriving
        How many more of each agent's are about to come, ``>= 0``.
    due
        Whether it leaves the stratum soon in any case, shape ``(n,)``; unset: none does.
    fresh
        Whether it has just come in, shape ``(n,)``; unset: none has.

    Returns
    -------
    tuple of numpy.ndarray
        Whether each leaves, its place from the lowest score (from 1), and how many of its agent's leave;
        each of shape ``(n,)``.

    Raises
    ------
    ValueError
        If the capacity or the arrivals are negative, or the columns differ in length.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "Retention Gates" (emergency purge).

    Examples
    --------
    >>> owner, score = np.array([0, 0, 0, 1]), np.array([0.9, 0.2, 0.5, 0.1])
    >>> displaced(owner, score, np.array([False, True, False, False]), capacity=2)[0]
    array([False, False,  True, False])
    """
    if capacity < 0 or arriving < 0 or not len(owner) == len(score) == len(evidence):
        raise ValueError(f"cannot fit {arriving} more into {capacity}, or columns differ in length")
    late = np.ones(len(owner), bool) if due is None else ~due
    new = np.zeros(len(owner), bool) if fresh is None else fresh
    order = np.lexsort((score, new, evidence, late, owner))  # the last key first, owners apart
    place, leaving = _places(owner, order, capacity, arriving)
    return place <= leaving, place, leaving


def _places(owner: Ints, order: Ints, capacity: float, arriving: int) -> tuple[Ints, Ints]:
    """Return the place of each among its owner's, from 1, and how many of them are too many."""
    names, which, counts = np.unique(owner, return_inverse=True, return_counts=True)
    starts = np.cumsum(counts) - counts
    place = np.empty(len(owner), dtype=np.int64)
    place[order] = np.arange(len(owner)) - np.repeat(starts, counts) + 1
    surplus = np.clip(counts + arriving - capacity, 0, counts).astype(np.int64)
    return place, surplus[which] if len(names) else np.zeros(0, dtype=np.int64)


def _purge(
    found: Verdicts, memories: StratumColumns, policy: StratumPolicy, held: Flags, fresh: Flags
) -> None:
    """Purge what does not fit of what is held; what of it is due leaves first, or stays if all fit."""
    # by importance what was not asked for counts too, or the stratum would never fit
    among = np.flatnonzero(held & (memories.asked | (policy.eviction == "importance")))
    evidence, due = memories.evidence[among], found.action[among] != Action.KEEP
    value, last = _worth_keeping(found, memories, policy)
    leaves, place, surplus = displaced(
        memories.owner[among],
        value[among],
        last[among],
        capacity=policy.capacity,
        due=due,
        fresh=fresh[among],
    )
    # what is due but has room stays: it leaves at its own time
    found.action[among[due & ~leaves]] = Action.KEEP
    purged = leaves & ~due
    gone = among[purged]
    found.action[gone] = Action.PURGE
    found.reason[gone] = np.where(
        evidence[purged], Reason.OVER_CAPACITY_EVIDENCE, Reason.OVER_CAPACITY
    )
    found.measured[gone], found.limit[gone] = place[purged], surplus[purged]
    found.flagged[gone] = evidence[purged]


def _worth_keeping(
    found: Verdicts, memories: StratumColumns, policy: StratumPolicy
) -> tuple[Floats, Flags]:
    """Order of eviction when a stratum is full: a score for each memory, and a flag for what goes last."""
    if policy.eviction == "consolidated":
        # the oldest first; what is not condensed yet last, as nothing else says it
        return memories.counted_from, ~memories.evidence
    if policy.eviction == "importance":
        return memories.importance, np.zeros(len(found.score), bool)
    return found.score, memories.evidence
