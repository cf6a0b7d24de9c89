"""Outcome of a task, as rewards of the memories it was given, and its signals while it runs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from graph.kernel.errors import InvalidInputError, required
from graph.kernel.scope import Caller
from graph.kernel.values import Phase, Status
from graph.model.utility.config import Signal, UtilityConfig
from graph.model.utility.rewards import TaskReport, UsedName
from graph.model.utility.tasks import Outcome, Rewarded
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
        # the shown reward; on the unit scale quality scales the step instead
        reward = config.rewards[status] * strength
        if not config.utility_learning:
            return Outcome(
                None, reward, applied=False, task_id=task_id, status=status, quality=quality
            )
        details = {"task_id": task_id, "status": status, "quality": quality}
        note = self.note(caller, "outcome", reward, **details)
        report = TaskReport(
            note=note,
            scopes=caller.readable,
            # a report sent twice counts once
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
    """Hash a report, independent of the order of the used memories."""
    named = None if used is None else sorted([each.name, each.share] for each in used)
    text = json.dumps([status, quality, named], separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


_NOTE_FIELDS = ("task_id", "quality", "signal", "signal_id")
StepStatus = Literal["success", "failure", "skipped"]


@dataclass(frozen=True, slots=True)
class SignalReport:
    """One signal of a task.

    A ``step`` has a status, and perhaps a quality; the named ones have a value in [-1, 1].
    ``signal_id`` makes it count once. ``phase`` limits it to memories given in that phase.
    """

    task_id: str
    signal: Signal | Literal["step"]
    status: StepStatus | None = None
    value: float | None = None
    quality: float | None = None
    signal_id: str | None = None
    phase: Phase | None = None
    used: tuple[UsedName, ...] | None = None


@dataclass(frozen=True, slots=True)
class ReportSignal(Rewarding):
    """Reward the memories given to a task by a signal, which does not end the task.

    A skipped step has no effect, nor has any signal while learning is off.

    Raises
    ------
    InvalidInputError
        If a step has no status or a named signal no value.
    NotFoundError
        If this caller has no such task.
    ConflictError
        If the task has ended.
    """

    task_life: timedelta = timedelta(days=30)

    @watched("report_signal")
    async def __call__(self, caller: Caller, report: SignalReport) -> Rewarded:
        """Apply the signal."""
        config = self.configs.of(caller.tenant)
        reward, strength = _reward_and_strength(report, config)
        # without reading: an unknown task is not reported
        if not config.utility_learning or report.status == "skipped":
            return Rewarded(None, reward * strength, applied=False)
        kind = "step" if report.signal == "step" else "signal"
        details = {name: getattr(report, name) for name in _NOTE_FIELDS}
        note = self.note(caller, kind, reward * strength, **details)
        instruction = Instruction(
            config, note, self.identifiers, reward, strength, phase=report.phase
        )
        task = TaskReport(
            note=note,
            scopes=caller.readable,
            digest="",
            expires_at=note.recorded_at + self.task_life,
            used=report.used,
            ends=False,
        )
        done = required(await self.rewards.reward_task(task, instruction.teaching), UNKNOWN_TASK)
        self.events.told(*done.events)
        applied = "true" if done.applied else "false"
        self.telemetry.count("rewards", kind=note.kind, applied=applied)
        return done


def _reward_and_strength(report: SignalReport, config: UtilityConfig) -> tuple[float, float]:
    """Return reward and strength of a signal."""
    if report.signal != "step":
        if report.value is None or report.status is not None:
            raise InvalidInputError("value: a named signal has one, and no status", field="value")
        return report.value, config.signal_weights[report.signal]
    if report.status is None or report.value is not None:
        raise InvalidInputError("status: a step has one, and no value", field="status")
    if report.status == "skipped":
        return 0.0, 0.0
    good = config.step_reward if report.quality is None else report.quality
    # quality only scales a success
    sign, size = (1.0, good) if report.status == "success" else (-1.0, config.step_reward)
    # on the unit scale the size scales the step, not the target (ADR 22)
    return (sign, size) if config.reward_scale == "unit" else (sign * size, 1.0)
