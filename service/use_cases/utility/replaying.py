"""Replay of Q histories: up to an entry, or without a reward."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from graph.model.utility.rewards import (
    Checkpoint,
    History,
    HistoryEntry,
    Learned,
    Move,
    RewardNote,
    Track,
)
from graph.scoring.learning import replayed


def fold(history: History, seq: int) -> Checkpoint:
    """Return how a memory and its estimates stood at an entry, by its number.

    What was taken back is left out: it is not part of what is held now.
    """
    folded = tuple(entry for entry in history.entries if entry.seq <= seq)
    at = max((entry.recorded_at for entry in folded), default=history.base_at)
    return Checkpoint(
        uid=history.uid,
        base=replay(start_of(history), folded),
        seq=seq,
        at=at,
        folded=folded,
        estimates={
            context: replay_estimate(history, context, folded) for context in history.tracks
        },
    )


def undone(memory: Learned, history: History, reward: RewardNote) -> Move:
    """Return how a memory stands as if a reward had never been.

    The history is gone through again: a later clip would make it wrong to subtract what it moved.
    """
    taken = [entry for entry in history.entries if entry.reward_uid == reward.uid]
    left = [entry for entry in history.entries if entry.reward_uid != reward.uid]
    held = [entry.recorded_at for entry in left if entry.counts]
    contexts = {name for entry in taken for name in entry.contexts if name in history.tracks}
    # only an outcome counted as a success or a failure
    direct = any(entry.via == "direct" for entry in taken) and reward.kind == "outcome"
    return Move(
        before=memory,
        after=replay(start_of(history), left),
        reward=0.0,
        target=0.0,
        strength=0.0,
        step=0.0,
        share=0.0,
        via="direct" if any(entry.via == "direct" for entry in taken) else "USED",
        succeeded=-int(direct and reward.status == "success"),
        failed=-int(direct and reward.status == "failure"),
        estimates={
            context: replay_estimate(history, context, left) for context in sorted(contexts)
        },
        rewarded_at=max(held, default=history.base_at),
    )


def replay(start: Track, entries: Sequence[HistoryEntry]) -> Track:
    """Go through those entries that hold, in their order."""
    held = [entry for entry in entries if entry.counts]
    return _through(start, [entry.target for entry in held], [entry.step for entry in held])


def replay_estimate(history: History, context: str, entries: Sequence[HistoryEntry]) -> Track:
    """Go through those entries that hold and were made in a context."""
    known = _since_birth(history, context)
    held = [entry for entry in entries if entry.counts and entry.seq in known]
    return _through(
        history.bases[context],
        [entry.target for entry in held],
        [entry.context_step for entry in held],
    )


def start_of(history: History) -> Track:
    """Return what the kept entries begin from: the checkpoint, or the birth.

    Entries of a memory that came without its earlier history start in the middle: what is missing
    of their beginning follows from what the memory holds now.
    """
    entries, base = history.entries, history.base
    if history.base_seq:
        return base
    if not entries:
        return history.track
    first = entries[0]
    if first.seq == 1:
        return replace(base, value=first.q_before)
    # backwards through what is kept: what came before it follows
    left, deviation = history.track.left, history.track.deviation
    for entry in reversed([entry for entry in entries if entry.counts]):
        rest = 1.0 - entry.step
        distance = entry.target - entry.q_before
        left = min(1.0, left / rest) if rest else 1.0
        deviation = max(0.0, deviation / rest - entry.step * distance**2) if rest else 0.0
    held = sum(entry.counts for entry in entries)
    return Track(first.q_before, history.track.count - held, left, deviation, base.initial)


def _through(start: Track, targets: Sequence[float], steps: Sequence[float]) -> Track:
    value, left, deviation = replayed(
        (start.value, start.left, start.deviation), np.array(targets), np.array(steps)
    ).tolist()
    return Track(value, start.count + len(steps), left, deviation, start.initial)


def _since_birth(history: History, context: str) -> frozenset[int]:
    """Return the entries of an estimate; one that had to make room before began anew."""
    made = [entry.seq for entry in history.entries if entry.counts and context in entry.contexts]
    own = history.tracks[context].count - history.bases[context].count
    # of its entries the last: an estimate that made room began anew
    return frozenset(made[len(made) - own :] if own < len(made) else made)
