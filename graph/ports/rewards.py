"""Rewards, and the histories that they leave."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from graph.model import Checkpoint, History, Learned, Lesson

if TYPE_CHECKING:
    from graph.model import Rewarded, TaskReport

Learn = Callable[[Sequence[Learned], Mapping[str, float] | None], Lesson]
"""Says what a reward does to locked memories; with the share of each by uid, where one was named."""
Fold = Callable[[History, int], Checkpoint]
"""Says how a memory stood at an entry, by its number."""


@dataclass(frozen=True, slots=True)
class Teaching:
    """How memories learn; called while they are locked, and again if that transaction clashes.

    A history may grow a quarter beyond ``history_limit`` entries before it is cut to it.
    ``contextual``: estimates by context are read and written too.
    """

    learn: Learn
    fold: Fold
    history_limit: int = 100
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
