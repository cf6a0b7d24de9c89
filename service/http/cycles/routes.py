"""`/v1/cycles`, `/v1/checks`, `/v1/loops`: cycles of reasoning, verification of steps, and outer loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Path

from graph.kernel.scope import Caller
from graph.model.cycles.checks import Check
from graph.model.cycles.cycle import (
    Cycle,
    CycleQuery,
    GivenMemory,
    NewStep,
    PhaseVisit,
    Step,
    ToolCall,
)
from graph.model.cycles.loops import LoopRun
from graph.model.memories.memory import Memory
from graph.model.recall.candidates import Recalled
from service.http.kernel.routing import serves
from service.http.kernel.runs import RunName
from service.http.kernel.state import Bound
from service.http.kernel.views import view_of, views_of
from service.use_cases.cycles.complete import CycleReport
from stratagraph import wire
from stratagraph.operations import cycles as operations

router = APIRouter()

Shown = TypeVar("Shown", bound=wire.Answer)

CycleName = Annotated[
    str,
    Path(max_length=256, description="The `cycle_id`, or the uid.", examples=["c-17"]),
]


@serves(router, operations.OPEN_CYCLE)
async def open_cycle(
    caller: Caller, body: wire.OpenCycleRequest, service: Bound
) -> wire.OpenedCycleView:
    cycle, new = await service.open_cycle(caller, body.goal, body.cycle_id, body.domain)
    return _cycle(wire.OpenedCycleView, cycle, new=new, similar_attempts=len(cycle.similar.correct))


@serves(router, operations.LIST_CYCLES)
async def list_cycles(
    caller: Caller, asked: wire.CyclesRequest, service: Bound
) -> wire.CyclesAnswer:
    scopes = tuple(sorted({caller.home, *caller.readable}))
    states = () if asked.state is None else (asked.state,)
    found = await service.read_cycles(CycleQuery(scopes, states, asked.before, asked.limit))
    return wire.CyclesAnswer(cycles=tuple(_cycle(wire.CycleView, each) for each in found))


@serves(router, operations.GET_CYCLE)
async def get_cycle(cycle: CycleName, caller: Caller, service: Bound) -> wire.CycleStoryView:
    story = await service.read_cycles.one(caller, cycle)
    return _cycle(
        wire.CycleStoryView,
        story.cycle,
        visits=tuple(map(_visit, story.visits)),
        steps=tuple(_step(wire.StepView, step) for step in story.steps),
    )


@serves(router, operations.ENTER_PHASE)
async def enter_phase(
    cycle: CycleName, caller: Caller, body: wire.EnterPhaseRequest, service: Bound
) -> wire.PhaseView:
    done = await service.enter_phase(
        caller, cycle, body.phase, key=body.key, query=body.query, k=body.k
    )
    return wire.PhaseView(
        visit=done.visit.uid,
        phase=done.visit.phase,
        position=done.visit.position,
        new=done.new,
        reads=done.route.primary,
        reads_second=done.route.secondary,
        writes=done.route.target,
        memories=tuple(_given(given, memory) for given, memory in done.memories),
        cycle=_cycle(wire.CycleView, done.cycle),
    )


@serves(router, operations.REPORT_STEP)
async def report_step(
    cycle: CycleName, caller: Caller, body: wire.StepRequest, service: Bound
) -> wire.ReportedStepView:
    new = NewStep(
        key=body.step_id or service.identifiers.new_uid(service.clock.now()),
        text=body.text,
        calls=tuple(ToolCall(**call.model_dump()) for call in body.calls),
        checks=checks_of(body.checks),
        used=body.used,
        surprise=body.surprise,
        expected=body.expected,
        actual=body.actual,
        measures=body.expected is not None and body.actual is not None,
    )
    done = await service.report_step(caller, cycle, new)
    return _step(
        wire.ReportedStepView, done.step, new=done.new, cycle=_cycle(wire.CycleView, done.cycle)
    )


@serves(router, operations.COMPLETE_CYCLE)
async def complete_cycle(
    cycle: CycleName, caller: Caller, body: wire.CompleteCycleRequest, service: Bound
) -> wire.CompletedCycleView:
    report = CycleReport(body.status, body.quality, body.feedback, body.efficiency, body.answer)
    done = await service.complete_cycle(caller, cycle, report)
    return _cycle(
        wire.CompletedCycleView,
        done.cycle,
        new=done.new,
        reward=done.outcome and done.outcome.reward,
        rewarded=len(done.outcome.rewarded) if done.outcome else 0,
        signals=dict(done.signals or {}),
        rose=done.rose,
    )


@serves(router, operations.ABANDON_CYCLE)
async def abandon_cycle(cycle: CycleName, caller: Caller, service: Bound) -> wire.CycleView:
    done = await service.abandon_cycle(caller, cycle)
    return _cycle(wire.CycleView, done)


@serves(router, operations.CHECK_STEPS)
async def check_steps(
    _caller: Caller, body: wire.ChecksRequest, service: Bound
) -> wire.FindingsAnswer:
    found = await service.check_steps(checks_of(body.checks))
    return wire.FindingsAnswer(findings=views_of(wire.FindingView, found))


def checks_of(checks: Sequence[wire.StepCheckRequest]) -> tuple[Check, ...]:
    return tuple(Check(each.checker, each.given) for each in checks)


def _cycle(view: type[Shown], cycle: Cycle, **own: Any) -> Shown:
    return view_of(view, cycle, observations_due=cycle.due, **own)


def _visit(visit: PhaseVisit) -> wire.VisitView:
    given = {each.uid: each.used for each in visit.given}
    return view_of(wire.VisitView, visit, given=given)


def _step(view: type[Shown], step: Step, **own: Any) -> Shown:
    calls = tuple(
        {name: getattr(call, name) for name in wire.ToolCallRequest.model_fields}
        for call in step.calls
    )
    return view_of(view, step, step_id=step.key, calls=calls, **own)


def _given(given: GivenMemory, found: Memory | Recalled) -> wire.GivenMemoryView:
    memory = found.memory if isinstance(found, Recalled) else found
    return view_of(
        wire.GivenMemoryView,
        given,
        text=memory.text,
        kind=memory.kind,
        stratum=memory.stratum,
        q_value=found.q_value,
    )


@serves(router, operations.RUN_LOOP)
async def run_loop(caller: Caller, body: wire.LoopRequest, service: Bound) -> wire.LoopAnswer:
    done = await service.run_loop(caller, dry_run=body.dry_run)
    moves = tuple(
        wire.LoopMoveView(
            uid=move.memory_uid,
            rule=done.rules[move.memory_uid],
            from_stratum=move.from_stratum,
            to_stratum=move.to_stratum,
            archived=move.to_state == "archived",
        )
        for move in done.moves
    )
    return wire.LoopAnswer(**_loop_view(done.run).model_dump(), dry_run=done.dry_run, moves=moves)


@serves(router, operations.LIST_LOOPS)
async def list_loops(caller: Caller, asked: wire.RunsRequest, service: Bound) -> wire.LoopsAnswer:
    found = await service.run_loop.listed(caller, asked.limit)
    return wire.LoopsAnswer(loops=tuple(map(_loop_view, found)))


@serves(router, operations.UNDO_LOOP)
async def undo_loop(
    run: RunName, caller: Caller, body: wire.UndoRequest, service: Bound
) -> wire.LoopView:
    done = await service.run_loop.undone(caller, run, skip_changed=body.skip_changed)
    return _loop_view(done)


def _loop_view(run: LoopRun) -> wire.LoopView:
    return view_of(wire.LoopView, run)
