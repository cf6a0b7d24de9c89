"""Reward updates: shares, targets and steps of the rewarded memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np

from graph.kernel.events import Event, EventName
from graph.kernel.scope import Caller, agent_in
from graph.kernel.values import Floats
from graph.model.utility.config import UtilityConfig
from graph.model.utility.rewards import (
    Credit,
    Given,
    Learned,
    Lesson,
    Move,
    RewardKind,
    RewardNote,
    Teaching,
    Track,
    Trimming,
)
from graph.ports.events import NO_EVENTS, EventLog
from graph.ports.utility import UtilityConfigs
from graph.ports.world import Identifiers
from graph.scoring import learning
from graph.scoring.credit import passed_on, rank_gains, shares
from graph.store.utility.rewards import RewardStore
from service.use_cases.kernel.watched import RecordingUseCase
from service.use_cases.utility.replaying import fold

WEIGHT_WITHOUT_PHASE = 0.2  # weight of memories given in no phase: the mean of the five phases
_NO_PLACE = ("", 1)


@dataclass(frozen=True, slots=True)
class Rewarding(RecordingUseCase):
    """Base of use cases that reward memories."""

    rewards: RewardStore
    configs: UtilityConfigs
    events: EventLog = field(default=NO_EVENTS, kw_only=True)

    def note(self, caller: Caller, kind: RewardKind, reward: float, **details: Any) -> RewardNote:
        """Return the audit record of a reward by a caller, with its details."""
        now = self.clock.now()
        return RewardNote(
            uid=self.identifiers.new_uid(now),
            tenant=caller.tenant,
            scope=caller.home,
            kind=kind,
            reward=reward,
            scale=self.configs.of(caller.tenant).reward_scale,
            recorded_at=now,
            **details,
        )


@dataclass(frozen=True, slots=True)
class Instruction:
    """One reward to apply: its value, its strength, and whether it counts as a success.

    ``credits``: strategies and concepts behind the memories get a share later. ``contexts``: contexts of a reward without a
    task. ``phase``: only memories given in that phase are rewarded.
    """

    config: UtilityConfig
    note: RewardNote
    identifiers: Identifiers
    reward: float
    strength: float = 1.0
    succeeded: int = 0
    failed: int = 0
    credits: bool = True
    contexts: tuple[str, ...] = ()
    phase: str | None = None

    @property
    def teaching(self) -> Teaching:
        """Return the update rule of the memories."""
        return Teaching(
            self.learn,
            Trimming(fold, self.config.q_history_limit),
            contextual=self.config.contextual_utility,
        )

    def learn(self, locked: Sequence[Learned], used: Mapping[str, float] | None) -> Lesson:
        """Return the updates of locked memories."""
        if self.phase is not None and used is None:
            # the signal of a phase rewards the memories given in it
            locked = [memory for memory in locked if self.phase in _phases(memory)]
        if not locked:
            # the report counts, and is an event, even if no memory is rewarded
            return Lesson(events=reward_events(self.note, (), 0, self.identifiers))
        moves = self._moves(locked, self._shares(locked, used))
        credits = self._credits(moves) if self.credits else ()
        events = reward_events(self.note, moves, len(credits), self.identifiers)
        return Lesson(moves, credits, events)

    def _shares(self, locked: Sequence[Learned], used: Mapping[str, float] | None) -> Floats:
        weights: dict[str, float] = {**self.config.phase_weights}
        times = [
            (place, weights.get(phase, WEIGHT_WITHOUT_PHASE), rank)
            for place, memory in enumerate(locked)
            for phase, rank in (self._places(memory.given) or [_NO_PLACE])
        ]
        memories = np.array([time[0] for time in times], dtype=np.int64)
        if used is None:
            # if the used memories are unknown, the rank in the answer decides
            gains = rank_gains(np.array([time[2] for time in times], dtype=np.int64))
        else:
            gains = np.array([used.get(locked[time[0]].uid, 1.0) for time in times])
        return shares(memories, np.array([time[1] for time in times]), gains)

    def _places(self, given: Sequence[Given]) -> list[tuple[str, int]]:
        return [(time.phase, time.rank) for time in given if self.phase in (None, time.phase)]

    def _moves(self, locked: Sequence[Learned], parts: Floats) -> tuple[Move, ...]:
        config = self.config
        steps = self._steps(parts, config.learning_rate)
        context_steps = self._steps(parts, config.context_learning_rate)
        after = moved_tracks([memory.track for memory in locked], self.target, steps)
        return tuple(
            Move(
                before=memory,
                after=track,
                reward=self.note.reward,
                target=self.target,
                strength=self.strength,
                step=float(steps[place]),
                share=float(parts[place]),
                succeeded=self.succeeded,
                failed=self.failed,
                estimates=self._estimates(memory, float(context_steps[place])),
                context_step=float(context_steps[place]),
            )
            for place, (memory, track) in enumerate(zip(locked, after, strict=True))
        )

    def _estimates(self, memory: Learned, step: float) -> Mapping[str, Track]:
        if not self.config.contextual_utility:
            return {}
        names = sorted(
            {name for time in memory.given for name in time.contexts} | set(self.contexts)
        )
        birth = memory.track.initial
        known = [memory.estimates.get(name, Track(birth, initial=birth)) for name in names]
        return dict(
            zip(names, moved_tracks(known, self.target, np.full(len(names), step)), strict=True)
        )

    @property
    def target(self) -> float:
        """Target of the Q update."""
        rewards, strengths = np.array([self.reward]), np.array([self.strength])
        return float(learning.targets(rewards, strengths, scale=self.config.reward_scale)[0])

    def _steps(self, parts: Floats, rate: float) -> Floats:
        strengths = np.full(len(parts), self.strength)
        return learning.steps(parts, strengths, rate=rate, scale=self.config.reward_scale)

    def _credits(self, moves: Sequence[Move]) -> tuple[Credit, ...]:
        """Return credits for strategies and concepts that the memories used, unless they are rewarded themselves."""
        # a memory with its own share gets no second one along an edge
        moved = {move.uid for move in moves}
        pairs = [(uid, move) for move in moves for uid in move.before.targets if uid not in moved]
        if not pairs or self.config.credit_damping == 0:
            return ()
        names = sorted({uid for uid, _ in pairs})
        places = {uid: place for place, uid in enumerate(names)}
        parts = passed_on(
            np.array([places[uid] for uid, _ in pairs], dtype=np.int64),
            np.array([move.share for _, move in pairs]),
            damping=self.config.credit_damping,
        )
        users = {uid: [move for target, move in pairs if target == uid] for uid in names}
        return tuple(
            self._credit(uid, users[uid], float(parts[place])) for place, uid in enumerate(names)
        )

    def _credit(self, uid: str, users: Sequence[Move], share: float) -> Credit:
        note, config = self.note, self.config
        part = np.array([share])
        contexts = {name for move in users for name in move.estimates}
        return Credit(
            uid=self.identifiers.new_uid(note.recorded_at),
            tenant=note.tenant,
            scope=users[0].before.scope,
            memory_uid=uid,
            reward_uid=note.uid,
            reward=note.reward,
            target=self.target,
            strength=self.strength,
            step=float(self._steps(part, config.learning_rate)[0]),
            share=share,
            contexts=tuple(sorted(contexts)),
            context_step=float(self._steps(part, config.context_learning_rate)[0]),
            recorded_at=note.recorded_at,
        )


def _phases(memory: Learned) -> set[str]:
    return {time.phase for time in memory.given}


def moved_tracks(tracks: Sequence[Track], target: float, steps: Floats) -> list[Track]:
    """Return the tracks after one update, each with its step."""
    if not tracks:
        return []
    values, lefts, deviations = learning.moved(
        np.array([track.value for track in tracks]),
        np.array([track.left for track in tracks]),
        np.array([track.deviation for track in tracks]),
        np.full(len(tracks), target),
        steps,
    )
    moved = zip(tracks, values.tolist(), lefts.tolist(), deviations.tolist(), strict=True)
    return [
        Track(value, track.count + 1, left, deviation, track.initial)
        for track, value, left, deviation in moved
    ]


_MOST_MOVES = 200


def reward_events(
    note: RewardNote, moves: Sequence[Move], credits: int, identifiers: Identifiers
) -> tuple[Event, ...]:
    """Return the events of a reward: its attribution, and one event of its updates for each scope.

    Separate events, as a listener may read only some of the scopes.
    """
    events: list[tuple[EventName, str, dict[str, Any]]] = [
        (
            "memory:reward_attributed",
            note.scope,
            {
                "reward_uid": note.uid,
                "kind": note.kind,
                "reward": note.reward,
                "memories": len(moves),
                "credits": credits,
            },
        )
    ]
    by_scope = sorted(moves, key=lambda move: (move.before.scope, move.uid))
    for scope, each in groupby(by_scope, key=lambda move: move.before.scope):
        events.append(moved_event(scope, list(each), note.kind))
    return tuple(
        Event(
            identifiers.new_uid(note.recorded_at),
            name,
            scope,
            agent_in(note.scope),
            note.recorded_at,
            data,
        )
        for name, scope, data in events
    )


def moved_event(
    scope: str, moves: Sequence[Move], source: str
) -> tuple[EventName, str, dict[str, Any]]:
    """Return name, scope and data of the event of updated memories."""
    if len(moves) == 1:
        [move] = moves
        old, new = move.before.track.value, move.after.value
        data: dict[str, Any] = {
            "uid": move.uid,
            "old": old,
            "new": new,
            "reward": move.reward,
            "delta": new - old,
            "source": source,
        }
        return "memory:qvalue_updated", scope, data
    shown = [[move.uid, move.before.track.value, move.after.value] for move in moves[:_MOST_MOVES]]
    return "memory:qvalue_batch_updated", scope, {"updated": len(moves), "moves": shown}
