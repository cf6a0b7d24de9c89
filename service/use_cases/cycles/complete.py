"""Completion of a cycle: signals, outcome, episode, execution and promotions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graph.kernel.errors import ConflictError, InvalidInputError, NotFoundError
from graph.kernel.scope import Caller, kind_in
from graph.kernel.values import Status
from graph.model.cycles.cycle import Change, Cycle, CycleStory
from graph.model.memories.memory import NewMemory
from graph.model.strata.moves import Moved, Proven
from graph.model.utility.config import Signal
from graph.model.utility.rewards import UsedName
from graph.model.utility.tasks import Outcome
from graph.ports.utility import StrataConfigs
from graph.scoring.cycles import promotion_value
from graph.store.cycles.store import CycleStore
from service.use_cases.cycles.executions import execution_of
from service.use_cases.cycles.phases import active_config, find_cycle, touched
from service.use_cases.cycles.rules import digest_of
from service.use_cases.kernel.watched import TimedUseCase, watched
from service.use_cases.knowledge.observe import ObserveExecutions
from service.use_cases.memories.remember import Remember
from service.use_cases.strata.moves import MoveMemories, PromoteProven
from service.use_cases.utility.outcome import ReportOutcome, ReportSignal, SignalReport

LEAST_PROMOTION_VALUE = 0.5
_SHOWN = 500  # characters of arguments and results in an attempt
_REPORTED_DIFFERENTLY = "this cycle was reported before, and differently"


@dataclass(frozen=True, slots=True)
class CycleReport:
    """Outcome of a cycle; ``feedback`` and ``efficiency`` lie in [-1, 1], ``quality`` in [0, 1]."""

    status: Status
    quality: float | None = None
    feedback: float | None = None
    efficiency: float | None = None
    answer: str | None = None

    @property
    def digest(self) -> str:
        """Hash of the report."""
        fields = [self.status, self.quality, self.feedback, self.efficiency, self.answer]
        return digest_of(fields)


@dataclass(frozen=True, slots=True)
class Completed:
    """A completed cycle, the effect of its outcome, and the promoted memories."""

    cycle: Cycle
    new: bool
    outcome: Outcome | None = None
    rose: tuple[str, ...] = ()
    signals: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class CompleteCycle(TimedUseCase):
    """Complete a cycle, once: reward its memories, store the attempt, promote memories.

    Each part is idempotent, so that an interrupted call can be repeated. Phases weight the step of a utility update, not its
    target: a success lowers no utility.

    Raises
    ------
    NotFoundError
        If the caller has no such cycle.
    ConflictError
        If it was reported differently before, or abandoned, or cycles are switched off.
    """

    store: CycleStore
    outcome: ReportOutcome
    signal: ReportSignal
    remember: Remember
    observe: ObserveExecutions
    move: MoveMemories
    promote: PromoteProven
    configs: StrataConfigs

    @watched("complete_cycle")
    async def __call__(self, caller: Caller, name: str, report: CycleReport) -> Completed:
        """Return the completed cycle."""
        config = active_config(self.configs, caller.tenant)
        cycle = await find_cycle(self.store, [caller.home], name)
        if cycle.state == "completed":
            return Completed(_check_same(cycle, report), new=False)
        if cycle.state == "abandoned":
            raise ConflictError("this cycle is abandoned: open another one")
        # each part below has a name of its own, which makes it idempotent
        story = await self.store.story(caller.readable, cycle)
        # before the lock: signals and rewards lock the memories themselves
        signals = await self._signal(caller, cycle, report)
        done = await self._reward(caller, story, report)
        episode = await self._store_attempt(caller, story, report)
        await self._observe(caller, story, report)
        rose = await self._promote_notes(caller, story)
        now = self.clock.now()

        def decide(held: Cycle) -> Change:
            if held.state == "completed":
                return Change(_check_same(held, report))
            ended = replace(
                touched(held, config, now),
                state="completed",
                status=report.status,
                quality=report.quality,
                report=report.digest,
                ended_at=now,
                promotion=promotion_value(
                    held.highest,
                    held.confidence or 0.0,
                    used_tools=bool(held.tools),
                    repaired=held.repairs > 0,
                ),
                reward_uid=done and done.reward_uid,
                episode_uid=episode,
            )
            return Change(ended)

        change, _ = await self.store.change(cycle, f"complete {cycle.uid}", (), decide)
        ended = change.cycle
        rose += await self._promote(caller, ended)
        self.telemetry.count("cycles", state="completed")
        return Completed(ended, new=True, outcome=done, rose=rose, signals=signals)

    async def _signal(
        self, caller: Caller, cycle: Cycle, report: CycleReport
    ) -> Mapping[str, float]:
        """Send the signals besides the outcome; of a success only positive ones."""
        # a rate of calls in [0, 1] becomes a signal in [-1, 1]
        good, calls = (
            (sum(each) for each in zip(*cycle.tools.values(), strict=True))
            if cycle.tools
            else (0, 0)
        )
        values: dict[Signal, float | None] = {
            "tool_accuracy": 2.0 * good / calls - 1.0 if calls else None,
            "user_feedback": report.feedback,
            "efficiency": report.efficiency,
        }
        sent: dict[str, float] = {}
        for signal, value in values.items():
            # a negative signal would lower memories that helped a success (ADR 58)
            if value is None or (report.status == "success" and value <= 0):
                continue
            signal_report = SignalReport(
                # the name makes it count once
                cycle.task_id,
                signal,
                value=value,
                signal_id=f"{cycle.task_id} {signal}",
            )
            try:
                await self.signal(caller, signal_report)
            except NotFoundError:  # it was given nothing
                return {}
            sent[signal] = value
        return sent

    async def _reward(
        self, caller: Caller, story: CycleStory, report: CycleReport
    ) -> Outcome | None:
        used = sorted({g.uid for visit in story.visits for g in visit.given if g.used})
        # None: where nothing is named as used, the whole task is credited
        names = [UsedName(uid) for uid in used] or None
        try:
            return await self.outcome(
                caller, story.cycle.task_id, report.status, report.quality, names
            )
        except NotFoundError:
            return None

    async def _store_attempt(
        self, caller: Caller, story: CycleStory, report: CycleReport
    ) -> str | None:
        """Store the attempt as an episode, if it succeeded or failed."""
        if report.status not in ("success", "failure"):
            return None
        cycle = story.cycle
        row = NewMemory(
            scope=caller.home,
            text=cycle.goal,
            kind="episode",
            external_id=cycle.task_id,
            agent_id=caller.agent_id,
            user_id=cycle.user_id,
            content_type="structured",
            structured=attempt_of_cycle(story, report),
            domain=cycle.domain,
            correct=report.status == "success",
            # a surprising attempt is more informative, so it starts in a lasting stratum
            stratum="episodic" if cycle.highest <= LEAST_PROMOTION_VALUE else "long_term",
            source_type="cycle",
        )
        [saved] = await self.remember([row])
        return saved.uid

    async def _observe(self, caller: Caller, story: CycleStory, report: CycleReport) -> None:
        """Count the tool calls as one execution, once per task."""
        execution = execution_of(story, self.clock.now(), ok=report.status == "success")
        if execution is None or report.status == "partial":
            return
        kind = kind_in(story.cycle.scope)
        try:
            # a refused execution does not fail the cycle
            await self.observe(caller, [execution], kind)
        except InvalidInputError:  # several users, or a domain that may not be stored
            return

    async def _promote_notes(self, caller: Caller, story: CycleStory) -> tuple[str, ...]:
        """Promote the notes of the cycle from working to short-term memory."""
        notes = [step.note_uid for step in story.steps if step.note_uid]
        if not notes or caller.agent_id is None:
            return ()
        moved = await self.move(caller, notes, "promote", "short_term", scope_kind="agent")
        return _moved(moved)

    async def _promote(self, caller: Caller, cycle: Cycle) -> tuple[str, ...]:
        """Promote proven memories that the task was given, after a success of enough value."""
        value = cycle.promotion or 0.0
        if cycle.status != "success" or value < LEAST_PROMOTION_VALUE or caller.agent_id is None:
            return ()
        proven = Proven(task_id=cycle.task_id)
        try:
            moved = await self.promote(caller, proven, scope_kind="agent", dry_run=False)
        except NotFoundError:
            return ()
        return _moved(moved)


def attempt_of_cycle(story: CycleStory, report: CycleReport) -> dict[str, Any]:
    """Return a cycle as an attempt: its goal, its steps with calls and results, its answer."""
    cycle = story.cycle
    trace = [
        {
            "step": place,
            "action": f"{call.tool}({_short(call.arguments)})",
            "observation": _short(call.result) if call.status == "success" else "failed",
        }
        for place, call in enumerate((call for step in story.steps for call in step.calls), start=1)
    ]
    sums = [
        {"step": len(trace) + place, "action": name, "observation": finding.verdict}
        for place, (name, finding) in enumerate(_checked(story), start=1)
    ]
    return {
        "episode_id": cycle.task_id,
        "input": {"problem": cycle.goal, "domain": cycle.domain},
        "trace": [*trace, *sums],
        "output": {
            "answer": report.answer,
            "correct": report.status == "success",
            "confidence": cycle.confidence,
        },
        "metadata": {"cycle": cycle.uid, "mode": cycle.mode, "repairs": cycle.repairs},
    }


def _checked(story: CycleStory) -> Sequence[tuple[str, Any]]:
    return [
        (f"check {finding.checker}: {finding.why}", finding)
        for step in story.steps
        for finding in step.findings
        if finding.verdict != "undecided"
    ]


def _check_same(cycle: Cycle, report: CycleReport) -> Cycle:
    if cycle.state != "completed" or cycle.report != report.digest:
        raise ConflictError(_REPORTED_DIFFERENTLY)
    return cycle


def _moved(moved: Moved) -> tuple[str, ...]:
    return tuple(move.memory_uid for move in moved.moves)


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return "" if value is None else text[:_SHOWN]
