"""What a task was given, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass

from graph.model.values import Status


@dataclass(frozen=True, slots=True)
class Retrieval:
    """One memory that a task was given."""

    uid: str
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Reward:
    """How an outcome changed one memory's Q."""

    uid: str
    q_before: float
    q_after: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an outcome; ``applied`` is False when it had been reported before."""

    task_id: str
    status: Status
    quality: float | None
    reward: float
    applied: bool
    rewarded: tuple[Reward, ...] = ()
