"""Outcome of a task, as rewards of the memories it was given."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from graph.kernel.errors import required
from graph.kernel.scope import Caller
from graph.kernel.values import Status
from graph.model.utility.rewards import TaskReport, UsedName
from graph.model.utility.tasks import Outcome
from service.use_cases.kernel.watched import watched
from service.use_cases.utility.rewarding import Instruction, Rewarding

UNKNOWN_TASK = (
    "this caller has no such task: recall with its task_id first (tasks are forgotten after their "
    "life-time), or say what was used"
)


@dataclass(frozen=True, slots=True)
class ReportOutcome(Rewarding):
    """Reward the memories a task was given, once per task.

    ``Q ← Q + α·share·(r − Q)``, clamped to [0, 1]; ``r`` follows from the status (*Memory Utility
    Learning System*, "Q-Value Updates" and "Reward Mapping"). ``used`` names those that were of
    use, in place of all that was given; an empty list rewards nobody. While learning is off
    nothing is read or written.

    Raises
    ------
    NotFoundError
        If this caller has no such task: it was never recalled for, or it expired.
    ConflictError
        If the task ended otherwise before.
    """

    task_life: timedelta = timedelta(days=30)

    @watched("report_outcome")
    async def __call__(
        self,
        caller: Caller,
        task_id: str,
        status: Status,
        quality: float | None = None,
        used: Sequence[UsedName] | None = None,
    ) -> Outcome:
        """Apply the outcome; ``quality`` in [0, 1]."""
        config = self.configs.of(caller.tenant)
        strength = 1.0 if quality is None else quality
        # shown as it was said; on the unit scale quality scales the step instead
        reward = config.rewards[status] * strength
        if not config.utility_learning:
            return Outcome(
                None, reward, applied=False, task_id=task_id, status=status, quality=quality
            )
        told = {"task_id": task_id, "status": status, "quality": quality}
        note = self.note(caller, "outcome", reward, **told)
        report = TaskReport(
            note=note,
            scopes=caller.readable,
            # without the order: the same report sent twice is one
            digest=digest(status, quality, used),
            expires_at=note.recorded_at + self.task_life,
            used=None if used is None else tuple(used),
        )
        instruction = Instruction(
            config,
            note,
            self.identifiers,
            reward=config.rewards[status],
            strength=strength,
            succeeded=int(status == "success"),
            failed=int(status == "failure"),
        )
        done = required(await self.rewards.reward_task(report, instruction.teaching), UNKNOWN_TASK)
        self.events.told(*done.events)
        applied = "true" if done.applied else "false"
        self.telemetry.count("outcomes", status=status, applied=applied)
        return Outcome(
            done.reward_uid,
            done.reward,
            done.applied,
            done.rewarded,
            done.ignored,
            task_id=task_id,
            status=status,
            quality=quality,
        )


def digest(status: Status, quality: float | None, used: Sequence[UsedName] | None) -> str:
    """Return what tells one report from another, whatever the order of what was used."""
    named = None if used is None else sorted([each.name, each.share] for each in used)
    said = json.dumps([status, quality, named], separators=(",", ":"))
    return hashlib.sha256(said.encode()).hexdigest()
