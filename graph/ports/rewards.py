"""Rewards, and the histories that they leave."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from graph.model.rewards import Checkpoint, History, Learned, Lesson, RewardNote

if TYPE_CHECKING:
    from graph.model.rewards import MemoryReport, Reverted, TaskReport
    from graph.model.tasks import Rewarded

Learn = Callable[[Sequence[Learned], Mapping[str, float] | None], Lesson]
"""Says what a reward does to locked memories; with the share of each by uid, where one was named."""
Fold = Callable[[History, int], Checkpoint]
"""Says how a memory stood at an entry, by its number."""

Undo = Callable[[Sequence[Learned], Sequence[History], RewardNote], Lesson]
"""Says how locked memories stand as if a reward had never been; it is given as it was noted."""


@dataclass(frozen=True, slots=True)
class Trimming:
    """Limits of histories: one may grow a quarter beyond the limit before it is cut to it."""

    fold: Fold
    history_limit: int = 100


@dataclass(frozen=True, slots=True)
class Teaching:
    """Rule by which memories learn; called while they are locked, and again if that transaction clashes.

    ``contextual``: estimates by context are read and written too.
    """

    learn: Learn
    trimming: Trimming
    contextual: bool = False


class RewardStore(Protocol):
    """Rewards, and what they did to memories."""

    async def reward_task(self, report: TaskReport, teaching: Teaching) -> Rewarded | None:
        """Reward what a task was given, or what was used of it, once; None for an unknown task.

        A task that is not there is made when the report says what was used.

        Raises
        ------
        ConflictError
            If the task ended otherwise before, or has ended and this does not end it.
        """
        ...

    async def reward_memory(self, report: MemoryReport, teaching: Teaching) -> Rewarded | None:
        """Reward one memory by its name; None if the caller reads none of that name."""
        ...

    async def histories(self, scopes: Sequence[str], uids: Sequence[str]) -> Sequence[History]:
        """Read the kept histories of memories that lie in the scopes, in the order of their uids."""
        ...

    async def revert(
        self,
        note: RewardNote,
        reward_uid: str,
        scopes: Sequence[str],
        undo: Undo,
        trimming: Trimming,
    ) -> Reverted | None:
        """Take a reward back that the note's scope owns; None if it owns none of that uid.

        A task that it ended is open again.

        Raises
        ------
        ConflictError
            If it is a revert itself, or moved memories that lie outside the scopes.
        HistoryTrimmedError
            If a memory's history no longer reaches back to it; then nothing changes.
        """
        ...
