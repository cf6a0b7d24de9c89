"""Steps of a cycle: checks, counts, advice and notes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graph.kernel.errors import ConflictError, InvalidInputError
from graph.kernel.scope import Caller
from graph.model.cycles.checks import Check, Finding
from graph.model.cycles.cycle import Change, Cycle, NewStep, Step, route_of
from graph.model.memories.memory import NewMemory
from graph.model.strata.config import StrataConfig
from graph.ports.utility import StrataConfigs
from graph.ports.verifying import CallbackChecker
from graph.store.cycles.store import CycleStore
from graph.verifying.registry import run_check
from service.use_cases.cycles.phases import active_config, check_open, find_cycle, touched
from service.use_cases.cycles.rules import (
    WEIGHTS,
    advise,
    confidence_of,
    counted,
    next_mode,
    outcome_of,
    parts_of,
    steered,
    thresholds_of,
)
from service.use_cases.kernel.watched import RecordingUseCase, UseCase, watched
from service.use_cases.memories.guarding import Guard
from service.use_cases.memories.remember import Remember
from service.use_cases.strata.surprise import EventReport, ReportSurprise


@dataclass(frozen=True, slots=True)
class CheckSteps(UseCase):
    """Run registered checkers."""

    callback: CallbackChecker

    @watched("check_steps")
    async def __call__(self, checks: Sequence[Check]) -> tuple[Finding, ...]:
        """Return one finding for each check, in order; it may be undecided."""
        here = [check for check in checks if check.checker != "callback"]
        # in a thread: parsing a long text is slow
        found = iter(await asyncio.to_thread(lambda: [run_check(check) for check in here]))
        asked = [
            await self.callback.check(check) if check.checker == "callback" else next(found)
            for check in checks
        ]
        for finding in asked:
            self.telemetry.count("checks", checker=finding.checker, verdict=finding.verdict)
        return tuple(asked)


@dataclass(frozen=True, slots=True)
class Reported:
    """A judged step, and its cycle after it."""

    cycle: Cycle
    step: Step
    new: bool


@dataclass(frozen=True, slots=True)
class ReportStep(RecordingUseCase):
    """Report what happened in a phase; the same key sent twice counts once.

    Its checks are run, its surprise is measured unless given, and its text is stored in the stratum of the phase; then mode,
    confidence and advice are updated under the lock of the cycle.

    Raises
    ------
    NotFoundError
        If the caller has no such cycle.
    ConflictError
        If it has ended or is in no phase, or cycles are switched off.
    InvalidInputError
        If something of it may not be stored.
    """

    store: CycleStore
    check: CheckSteps
    remember: Remember
    surprises: ReportSurprise
    configs: StrataConfigs
    guard: Guard

    @watched("report_step")
    async def __call__(self, caller: Caller, name: str, new: NewStep) -> Reported:
        """Return the judged step."""
        config = active_config(self.configs, caller.tenant)
        cycle = await find_cycle(self.store, [caller.home], name)
        # before the check: a repeated call gets its step also after the cycle ended
        before = await self.store.step(cycle, new.key)
        if before is not None:
            return Reported(cycle, before, new=False)
        check_open(cycle)
        if cycle.phase is None:
            raise ConflictError("enter a phase first")
        new = await self._guarded(caller.tenant, new)
        findings = await self.check(new.checks)
        # before the lock of the cycle, as embedding is slow
        surprise = await self._surprise(caller, cycle, new)
        note = await self._note(caller, cycle, new, config)
        weights = await self.store.weights(cycle.scope) or WEIGHTS
        now = self.clock.now()
        judging = _Judging(config, tuple(findings), surprise, tuple(weights), note, now)
        uid = self.identifiers.new_uid(now)
        change, first = await self.store.change(
            cycle, new.key, caller.readable, lambda held: judging.change(held, new, uid)
        )
        # visits and steps share their keys
        if change.step is None:
            raise ConflictError("step_id: a visit has this key already")
        self.telemetry.count("cycle_steps", outcome=change.step.outcome, mode=change.cycle.mode)
        return Reported(change.cycle, change.step, new=first)

    async def _guarded(self, tenant: str, new: NewStep) -> NewStep:
        self.guard.check_name(tenant, new.key, "step_id")
        calls = [
            replace(
                call,
                arguments=await self.guard.value(tenant, call.arguments, "calls"),
                result=await self.guard.value(tenant, call.result, "calls"),
            )
            for call in new.calls
        ]
        text = new.text and await self.guard.text(tenant, new.text, "text")
        return replace(new, calls=tuple(calls), text=text)

    async def _surprise(self, caller: Caller, cycle: Cycle, new: NewStep) -> float | None:
        if new.surprise is not None or not new.measures:
            return new.surprise
        report = EventReport(
            actual=new.actual,
            expected=new.expected,
            context=f"cycle {cycle.phase}",
            match=False,
            text=new.text,
            event_id=f"{cycle.task_id} {new.key}",  # counts once for the step
            scope_kind="agent" if caller.agent_id else None,
        )
        return (await self.surprises(caller, report)).score

    async def _note(
        self, caller: Caller, cycle: Cycle, new: NewStep, config: StrataConfig
    ) -> str | None:
        if new.text is None or cycle.phase is None:
            return None
        route = route_of(config, cycle.phase)
        row = NewMemory(
            scope=caller.home,
            text=new.text,
            external_id=f"{cycle.task_id} {new.key}"[:256],
            agent_id=caller.agent_id,
            user_id=cycle.user_id,
            stratum=route.target,
            importance=route.importance,
            tags=route.tags,
            phase=cycle.phase,
            domain=cycle.domain,
            task_id=cycle.task_id,
            source_type="cycle",
        )
        [saved] = await self.remember([row])
        # before the step is written, as it must have its note
        if saved.status == "rejected":
            raise InvalidInputError(saved.error or "text: cannot be stored", field="text")
        return saved.uid


@dataclass(frozen=True, slots=True)
class _Judging:
    """Inputs of the judgement of a step, besides its cycle."""

    config: StrataConfig
    findings: tuple[Finding, ...]
    surprise: float | None
    weights: tuple[float, ...]
    note: str | None
    now: datetime

    def change(self, held: Cycle, new: NewStep, uid: str) -> Change:
        """Return a locked cycle after the step."""
        check_open(held)
        phase = held.phase
        if phase is None:
            raise ConflictError("enter a phase first")
        outcome = outcome_of(new.calls, self.findings)
        cycle = counted(held, new)
        parts = parts_of(cycle)
        confidence = confidence_of(parts, self.weights)
        mode, failures = next_mode(
            held.mode, held.failures, outcome, self.config.cycle_repair_after
        )
        # a low confidence leads to verification only if there is something to verify
        if (
            outcome == "undecided"
            and mode == "solver"
            and confidence < self.config.cycle_confidence
        ):
            is_evident = bool(new.calls or new.checks)
            mode = "verifier" if is_evident else mode
        advice = (
            None
            if self.surprise is None
            else advise(self.surprise, phase, held.scores, thresholds_of(self.config))
        )
        position = held.position + 1
        step = Step(
            uid=uid,
            key=new.key,
            position=position,
            phase=phase,
            at=self.now,
            mode=mode,
            calls=new.calls,
            findings=self.findings,
            advice=advice,
            confidence=confidence,
            parts=parts,
            outcome=outcome,
            note_uid=self.note,
        )
        cycle = replace(
            steered(cycle, advice),
            mode=mode,
            failures=failures,
            # counted at the beginning of a repair, not in each step
            repairs=held.repairs + (mode == "repair" and held.mode != "repair"),
            parts=parts,
            confidence=confidence,
            position=position,
        )
        return Change(touched(cycle, self.config, self.now), step=step, used=new.used)
