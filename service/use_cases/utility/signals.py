"""Signals of a running task: steps and named signals."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from graph.kernel.errors import InvalidInputError, required
from graph.kernel.scope import Caller
from graph.kernel.values import Phase
from graph.model.utility.config import Signal, UtilityConfig
from graph.model.utility.rewards import TaskReport, UsedName
from graph.model.utility.tasks import Rewarded
from service.use_cases.kernel.watched import watched
from service.use_cases.utility.outcome import UNKNOWN_TASK
from service.use_cases.utility.rewarding import Instruction, Rewarding

_NOTED = ("task_id", "quality", "signal", "signal_id")
StepStatus = Literal["success", "failure", "skipped"]


@dataclass(frozen=True, slots=True)
class SignalReport:
    """One signal of a task.

    A ``step`` has a status, and perhaps a quality; the named ones have a value in [-1, 1].
    ``signal_id`` makes it count once. ``phase`` narrows it to what was given in that phase.
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
    """Reward what a task was given by a signal, which does not end it.

    A skipped step says nothing; neither does anything while learning is off.

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
        reward, strength = _worth(report, config)
        # nothing is read either: a task that does not exist is not told
        if not config.utility_learning or report.status == "skipped":
            return Rewarded(None, reward * strength, applied=False)
        kind = "step" if report.signal == "step" else "signal"
        told = {name: getattr(report, name) for name in _NOTED}
        note = self.note(caller, kind, reward * strength, **told)
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


def _worth(report: SignalReport, config: UtilityConfig) -> tuple[float, float]:
    """Return reward and strength of a signal."""
    if report.signal != "step":
        if report.value is None or report.status is not None:
            raise InvalidInputError("value: a named signal has one, and no status", field="value")
        return report.value, config.signal_weights[report.signal]
    if report.status is None or report.value is not None:
        raise InvalidInputError("status: a step has one, and no value", field="status")
    if report.status == "skipped":
        # a skipped step neither helped nor harmed
        return 0.0, 0.0
    good = config.step_reward if report.quality is None else report.quality
    # a failed step is as bad whatever its quality; a good one as good as it was
    sign, size = (1.0, good) if report.status == "success" else (-1.0, config.step_reward)
    # on the unit scale the size scales the step, not the aim (ADR 22)
    return (sign, size) if config.reward_scale == "unit" else (sign * size, 1.0)
