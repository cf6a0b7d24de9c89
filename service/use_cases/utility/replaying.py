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
    """Return the state of a memory and its estimates at an entry, by its number.

    Reverted entries are left out.
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
    """Return the state of a memory as if a reward had never been given.

    The history is replayed: clipping makes it wrong to subtract the effect of a reward.
    """
    reverted = [entry for entry in history.entries if entry.reward_uid == reward.uid]
    kept = [entry for entry in history.entries if entry.reward_uid != reward.uid]
    rewarded = [entry.recorded_at for entry in kept if entry.counts]
    contexts = {name for entry in reverted for name in entry.contexts if name in history.tracks}
    # only an outcome counted as a success or a failure
    direct = any(entry.via == "direct" for entry in reverted) and reward.kind == "outcome"
    return Move(
        before=memory,
        after=replay(start_of(history), kept),
        reward=0.0,
        target=0.0,
        strength=0.0,
        step=0.0,
        share=0.0,
        via="direct" if any(entry.via == "direct" for entry in reverted) else "USED",
        succeeded=-int(direct and reward.status == "success"),
        failed=-int(direct and reward.status == "failure"),
        estimates={
            context: replay_estimate(history, context, kept) for context in sorted(contexts)
        },
        rewarded_at=max(rewarded, default=history.base_at),
    )


def replay(start: Track, entries: Sequence[HistoryEntry]) -> Track:
    """Replay the entries that count, in order."""
    counted = [entry for entry in entries if entry.counts]
    return _replayed_track(
        start, [entry.target for entry in counted], [entry.step for entry in counted]
    )


def replay_estimate(history: History, context: str, entries: Sequence[HistoryEntry]) -> Track:
    """Replay the entries that count, of one context."""
    known = _entries_since_creation(history, context)
    counted = [entry for entry in entries if entry.counts and entry.seq in known]
    return _replayed_track(
        history.bases[context],
        [entry.target for entry in counted],
        [entry.context_step for entry in counted],
    )


def start_of(history: History) -> Track:
    """Return the state before the kept entries: the checkpoint, or the initial one.

    For a memory imported without its earlier history, that state is computed backwards from the present one.
    """
    entries, base = history.entries, history.base
    if history.base_seq:
        return base
    if not entries:
        return history.track
    first = entries[0]
    if first.seq == 1:
        return replace(base, value=first.q_before)
    # inverts the updates of the kept entries
    left, deviation = history.track.left, history.track.deviation
    for entry in reversed([entry for entry in entries if entry.counts]):
        remaining = 1.0 - entry.step
        distance = entry.target - entry.q_before
        left = min(1.0, left / remaining) if remaining else 1.0
        deviation = max(0.0, deviation / remaining - entry.step * distance**2) if remaining else 0.0
    held = sum(entry.counts for entry in entries)
    return Track(first.q_before, history.track.count - held, left, deviation, base.initial)


def _replayed_track(start: Track, targets: Sequence[float], steps: Sequence[float]) -> Track:
    value, left, deviation = replayed(
        (start.value, start.left, start.deviation), np.array(targets), np.array(steps)
    ).tolist()
    return Track(value, start.count + len(steps), left, deviation, start.initial)


def _entries_since_creation(history: History, context: str) -> frozenset[int]:
    """Return the entries of an estimate since it was created; an evicted one starts anew."""
    made = [entry.seq for entry in history.entries if entry.counts and context in entry.contexts]
    own = history.tracks[context].count - history.bases[context].count
    return frozenset(made[len(made) - own :] if own < len(made) else made)
