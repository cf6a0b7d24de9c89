"""Statistics of utility."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from graph.kernel.values import Kind
from stratagraph.vocabulary import UtilityGrouping as UtilityGrouping


@dataclass(frozen=True, slots=True)
class Distribution:
    """Distribution of Q; all None where there is no memory."""

    memories: int
    learned: int
    mean: float | None
    deviation: float | None
    least: float | None
    most: float | None
    percentiles: tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class QMove:
    """One update of a Q; ``task_id`` is None for tasks of others, or none."""

    seq: int
    at: datetime
    status: str | None
    reward: float
    q_before: float
    q_after: float
    task_id: str | None


@dataclass(frozen=True, slots=True)
class LearnedMemory:
    """A memory with rewards; ``left`` is the share of the initial value in its Q."""

    uid: str
    scope: str
    kind: Kind
    text: str
    q_value: float
    q_count: int
    left: float
    variance: float
    successes: int
    failures: int
    last_reward_at: datetime | None


@dataclass(frozen=True, slots=True)
class Convergence:
    """Numbers of examined memories, of those with enough rewards to judge, and of converged ones."""

    learned: int
    judged: int
    stable: int


@dataclass(frozen=True, slots=True)
class RewardDay:
    """The rewards of a day, and their updates of Q: signed and absolute sums."""

    day: str
    rewards: int
    gained: float
    moved: float
    mean: float


@dataclass(frozen=True, slots=True)
class UtilityGroup:
    """The Q of memories with the same value of a property."""

    name: str
    memories: int
    learned: int
    mean: float
    deviation: float
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class RankedMemory:
    """A memory with its number of rewards, the uncertainty of its Q, and its last updates."""

    memory: LearnedMemory
    evidence: float
    error: float
    moves: tuple[QMove, ...] | None


@dataclass(frozen=True, slots=True)
class UtilityAnalysis:
    """Statistics of utility: distribution, extremes, and convergence."""

    distribution: Distribution
    histogram: tuple[int, ...]
    top: tuple[RankedMemory, ...]
    bottom: tuple[RankedMemory, ...]
    convergence: Convergence
    trend: tuple[RewardDay, ...]
    groups: tuple[UtilityGroup, ...] | None
