"""Rewards, and their updates of memories."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple

from graph.kernel.events import Event
from graph.kernel.values import Status
from graph.model.utility.config import RewardScale
from graph.model.utility.tasks import Reward

RewardKind = Literal["outcome", "step", "signal", "manual", "revert"]
Via = Literal["direct", "USED"]


@dataclass(frozen=True, slots=True)
class Track:
    """Utility estimate of one memory, in general or in one context.

    ``left`` is the share of the ``initial`` value in ``value``; ``deviation`` the moving variance of the rewards.
    """

    value: float = 0.5
    count: int = 0
    left: float = 1.0
    deviation: float = 0.0
    initial: float = 0.5


class Given(NamedTuple):
    """One retrieval of a memory for a task; ``phase`` is empty for none."""

    phase: str
    rank: int
    contexts: tuple[str, ...] = ()


class UsedName(NamedTuple):
    """A memory reported as used, with its share."""

    name: str
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Learned:
    """Utility state of a memory that this transaction has locked.

    ``seq`` numbers its last entry, ``base_seq`` the last one in its checkpoint. ``targets`` are the strategies and
    concepts that it used. ``estimates`` are the requested tracks by context.
    """

    uid: str
    scope: str
    track: Track
    seq: int = 0
    base_seq: int = 0
    success_count: int = 0
    failure_count: int = 0
    given: tuple[Given, ...] = ()
    targets: tuple[str, ...] = ()
    estimates: Mapping[str, Track] = field(default_factory=dict[str, Track])


@dataclass(frozen=True, slots=True, kw_only=True)
class Pull:
    """Step of a reward on an estimate: ``step`` of the distance to ``target``, times ``strength`` and ``share``.

    ``context_step`` is the step of the estimates in a context.
    """

    reward: float
    target: float
    strength: float
    step: float
    share: float
    context_step: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(Pull):
    """The update of one memory by one reward: its history entry and the new state.

    ``rewarded_at`` is the time of its last reward if one is reverted.
    """

    before: Learned
    after: Track
    via: Via = "direct"
    succeeded: int = 0
    failed: int = 0
    estimates: Mapping[str, Track] = field(default_factory=dict[str, Track])
    rewarded_at: datetime | None = None

    @property
    def uid(self) -> str:
        """The memory."""
        return self.before.uid

    @property
    def seq(self) -> int:
        """The number of its new entry."""
        return self.before.seq + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Credit(Pull):
    """A pending share of a reward for a strategy or concept, applied by the worker."""

    uid: str
    tenant: str
    scope: str
    memory_uid: str
    reward_uid: str
    contexts: tuple[str, ...]
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class RewardNote:
    """Audit record of a reward: who gave it, on which scale, and why."""

    uid: str
    tenant: str
    scope: str
    kind: RewardKind
    reward: float
    scale: RewardScale
    recorded_at: datetime
    task_id: str | None = None
    status: Status | None = None
    quality: float | None = None
    signal: str | None = None
    signal_id: str | None = None
    reason: str | None = None
    actor: str | None = None
    reverts: str | None = None


@dataclass(frozen=True, slots=True)
class Lesson:
    """All updates by one reward."""

    moves: tuple[Move, ...] = ()
    credits: tuple[Credit, ...] = ()
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskReport:
    """A reported reward for the memories of a task.

    ``used`` are the memories reported as used, instead of all given ones. ``ends``: the task is completed. ``digest``
    identifies a repeated report.
    """

    note: RewardNote
    scopes: tuple[str, ...]
    digest: str
    expires_at: datetime
    used: tuple[UsedName, ...] | None = None
    ends: bool = True


@dataclass(frozen=True, slots=True)
class MemoryReport:
    """A reported reward for one memory by its name, for example from a person."""

    note: RewardNote
    scopes: tuple[str, ...]
    name: str
    contexts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEntry(Pull):
    """One entry of a memory's history; those of ``kind`` revert undo another.

    ``scope`` owns the reward, and with it the task's name and the reason.
    """

    seq: int
    reward_uid: str
    kind: RewardKind
    q_before: float
    q_after: float
    via: Via
    reverted: bool
    recorded_at: datetime
    contexts: tuple[str, ...] = ()
    status: Status | None = None
    scope: str = ""
    task_id: str | None = None
    reason: str | None = None
    reverts: str | None = None

    @property
    def counts(self) -> bool:
        """Return whether a replay includes it."""
        return self.kind != "revert" and not self.reverted


@dataclass(frozen=True, slots=True)
class History:
    """The stored history of one memory: a checkpoint (or the initial state) and the entries after it.

    ``bases`` are the checkpoints of its estimates, by context, ``tracks`` their current state.
    """

    uid: str
    track: Track
    base: Track
    base_seq: int
    base_at: datetime | None
    entries: tuple[HistoryEntry, ...]
    tracks: Mapping[str, Track] = field(default_factory=dict[str, Track])
    bases: Mapping[str, Track] = field(default_factory=dict[str, Track])


@dataclass(frozen=True, slots=True)
class Reverted:
    """The result of reverting a reward; ``applied`` is False if it was reverted before.

    ``kept`` counts strategies and concepts whose histories do not reach back that far, where its effect has nearly
    decayed.
    """

    reward_uid: str
    revert_uid: str | None
    applied: bool
    restored: tuple[Reward, ...] = ()
    kept: int = 0
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """State of a memory and its estimates at an entry, and the entries after it.

    ``at`` is its time; None if no state was stored.
    """

    uid: str
    base: Track
    seq: int
    at: datetime | None
    folded: tuple[HistoryEntry, ...]
    estimates: Mapping[str, Track]


@dataclass(frozen=True, slots=True)
class Settlement:
    """The updates by pending credits.

    ``after``: the final state of each memory, as one move; ``entries``: history entries, each with the uid of its
    reward.
    """

    after: tuple[Move, ...] = ()
    entries: tuple[tuple[str, Move], ...] = ()
    events: tuple[Event, ...] = ()


Settle = Callable[[Sequence[Learned], Sequence[Credit]], Settlement]
"""Says what credits do to locked memories; called again if that transaction clashes."""


Learn = Callable[[Sequence[Learned], Mapping[str, float] | None], Lesson]
"""Says what a reward does to locked memories; with the share of each by uid, where one was named."""

Fold = Callable[[History, int], Checkpoint]
"""Says how a memory stood at an entry, by its number."""

Undo = Callable[[Sequence[Learned], Sequence[History], RewardNote], Lesson]
"""Says how locked memories stand as if a reward had never been; it is given as it was noted."""


@dataclass(frozen=True, slots=True)
class Trimming:
    """Limits of histories; one is trimmed when it exceeds its limit by a quarter."""

    fold: Fold
    history_limit: int = 100


@dataclass(frozen=True, slots=True)
class Teaching:
    """Learning rule, called while the memories are locked, and again after a conflict.

    ``contextual``: estimates by context are read and written too.
    """

    learn: Learn
    trimming: Trimming
    contextual: bool = False
