"""Tasks: the memories they were given, and their outcomes."""

from __future__ import annotations

from dataclasses import dataclass

from graph.kernel.events import Event
from graph.kernel.values import Status


@dataclass(frozen=True, slots=True)
class Retrieval:
    """One memory given to a task."""

    uid: str
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Reward:
    """Update of one memory's Q by a reward: ``step`` of the distance to the target."""

    uid: str
    q_before: float
    q_after: float
    share: float = 1.0
    step: float = 0.0


@dataclass(frozen=True, slots=True)
class Rewarded:
    """Result of a reward; ``applied`` is False if it was reported before.

    ``ignored`` counts unknown names; ``events`` are its events.
    """

    reward_uid: str | None
    reward: float
    applied: bool
    rewarded: tuple[Reward, ...] = ()
    ignored: int = 0
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(Rewarded):
    """Result of an outcome."""

    task_id: str
    status: Status
    quality: float | None
