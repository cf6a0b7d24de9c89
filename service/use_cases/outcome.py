"""A task's outcome, turned into what its memories are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from graph.errors import NotFoundError
from graph.ports import UNWATCHED
from service.use_cases.watched import watched

if TYPE_CHECKING:
    from graph.model import Outcome, Status
    from graph.ports import Clock, Identifiers, TaskStore, Telemetry, UtilityConfigs
    from graph.scope import Caller


@dataclass(frozen=True, slots=True)
class ReportOutcome:
    """Reward the memories a task was given, once per task.

    ``Q ← Q + α(r − Q)``, clamped to [0, 1]; ``r`` is the status's reward times the quality
    (*Memory Utility Learning System*, "Q-Value Updates" and "Reward Mapping").

    Raises
    ------
    NotFoundError
        If this caller has no such task: it was never recalled for, or it expired.
    ConflictError
        If the task ended otherwise before.
    """

    tasks: TaskStore
    clock: Clock
    identifiers: Identifiers
    configs: UtilityConfigs
    telemetry: Telemetry = UNWATCHED

    @watched("report_outcome")
    async def __call__(
        self, caller: Caller, task_id: str, status: Status, quality: float | None = None
    ) -> Outcome:
        """Apply the outcome; ``quality`` in [0, 1]."""
        now = self.clock.now()
        config = self.configs.of(caller.tenant)
        outcome = await self.tasks.apply_outcome(
            home=caller.home,
            scopes=caller.readable,
            task_id=task_id,
            status=status,
            quality=quality,
            reward=config.rewards[status] * (1.0 if quality is None else quality),
            learning_rate=config.learning_rate,
            reward_uid=self.identifiers.new_uid(now),
            now=now,
        )
        if outcome is None:
            raise NotFoundError(
                "this caller has no such task: recall with its task_id first "
                "(tasks are forgotten after their life-time)"
            )
        applied = "true" if outcome.applied else "false"
        self.telemetry.count("outcomes", status=status, applied=applied)
        return outcome
