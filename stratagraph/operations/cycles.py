"""Operations on cycles of reasoning and patches."""

from __future__ import annotations

from stratagraph import wire
from stratagraph.operations.declaration import Operation, once_named, unless_done

_WHO = {"agent_id": "planner"}
_SUM = {"checker": "arithmetic", "given": {"text": "3 * 4 = 12"}}

OPEN_CYCLE = Operation(
    name="open_cycle",
    method="POST",
    path="/v1/cycles",
    room="cycles",
    summary="Open a cycle of reasoning for a goal; the same `cycle_id` sent twice is one cycle",
    takes=wire.OpenCycleRequest,
    gives=wire.OpenedCycleView,
    lead=("goal",),
    repeatable=once_named("cycle_id"),
    fails=(409,),
    examples={"one": ("A cycle", {**_WHO, "goal": "Book a flight to Turin.", "cycle_id": "c-17"})},
)
LIST_CYCLES = Operation(
    name="list_cycles",
    method="GET",
    path="/v1/cycles",
    room="cycles",
    summary="List cycles, the newest first",
    takes=wire.CyclesRequest,
    gives=wire.CyclesAnswer,
)
GET_CYCLE = Operation(
    name="get_cycle",
    method="GET",
    path="/v1/cycles/{cycle}",
    room="cycles",
    summary="Show a cycle with its phases, steps, and the memories given and used",
    takes=wire.Identity,
    gives=wire.CycleStoryView,
    fails=(404,),
)
ENTER_PHASE = Operation(
    name="enter_phase",
    method="POST",
    path="/v1/cycles/{cycle}/phases",
    room="cycles",
    summary="Enter a phase and get the memories that it needs; the same `key` sent twice is one visit",
    takes=wire.EnterPhaseRequest,
    gives=wire.PhaseView,
    lead=("phase",),
    repeatable=once_named("key"),
    fails=(404, 409),
    examples={"plan": ("Planning", {**_WHO, "phase": "planning", "key": "p1"})},
)
REPORT_STEP = Operation(
    name="report_step",
    method="POST",
    path="/v1/cycles/{cycle}/steps",
    room="cycles",
    summary="Report a step: it is verified, counted and steered; the same `step_id` sent twice counts once",
    takes=wire.StepRequest,
    gives=wire.ReportedStepView,
    repeatable=once_named("step_id"),
    fails=(404, 409),
    examples={
        "checked": ("A step to verify", {**_WHO, "step_id": "s1", "checks": [_SUM]}),
        "tool": (
            "A tool that failed",
            {
                **_WHO,
                "calls": [{"tool": "search_flights", "status": "failure", "result": "no airport"}],
                "expected": {"status": "success"},
                "actual": {"status": "failed"},
            },
        ),
    },
)
COMPLETE_CYCLE = Operation(
    name="complete_cycle",
    method="POST",
    path="/v1/cycles/{cycle}/complete",
    room="cycles",
    summary="Complete a cycle: what it was given is rewarded, the attempt is kept, memories rise",
    takes=wire.CompleteCycleRequest,
    gives=wire.CompletedCycleView,
    lead=("status",),
    fails=(404, 409),
    examples={"success": ("It went well", {**_WHO, "status": "success", "feedback": 1.0})},
)
ABANDON_CYCLE = Operation(
    name="abandon_cycle",
    method="POST",
    path="/v1/cycles/{cycle}/abandon",
    room="cycles",
    summary="Abandon a cycle; nothing is rewarded",
    takes=wire.Identity,
    gives=wire.CycleView,
    fails=(404, 409),
    examples={"one": ("Give up", _WHO)},
)
CHECK_STEPS = Operation(
    name="check_steps",
    method="POST",
    path="/v1/checks",
    room="cycles",
    summary="Verify steps by registered checkers, apart from any cycle",
    takes=wire.ChecksRequest,
    gives=wire.FindingsAnswer,
    lead=("checks",),
    examples={"sum": ("A sum", {**_WHO, "checks": [_SUM]})},
)
GENERATE_PATCH = Operation(
    name="generate_patch",
    method="POST",
    path="/v1/cycles/{cycle}/patches",
    room="cycles",
    summary="Make a patch of a cycle's last failure from repaired ones like it, or say what is missing",
    takes=wire.Identity,
    gives=wire.PatchView,
    fails=(404, 409),
    examples={"one": ("A repair", _WHO)},
)
LIST_PATCHES = Operation(
    name="list_patches",
    method="GET",
    path="/v1/patches",
    room="cycles",
    summary="List patches, the newest first",
    takes=wire.PatchesRequest,
    gives=wire.PatchesAnswer,
)
GET_PATCH = Operation(
    name="get_patch",
    method="GET",
    path="/v1/patches/{patch}",
    room="cycles",
    summary="Show a patch with its evidence",
    takes=wire.Identity,
    gives=wire.PatchView,
    fails=(404,),
)
APPLY_PATCH = Operation(
    name="apply_patch",
    method="POST",
    path="/v1/patches/{patch}/apply",
    room="cycles",
    summary="Say that a patch is being carried out",
    takes=wire.Identity,
    gives=wire.PatchView,
    fails=(404, 409),
    examples={"one": ("Try it", _WHO)},
)
VERIFY_PATCH = Operation(
    name="verify_patch",
    method="POST",
    path="/v1/patches/{patch}/verify",
    room="cycles",
    summary="Verify an applied patch by the checks of its plan: it becomes a memory, or its evidence loses utility",
    takes=wire.VerifyPatchRequest,
    gives=wire.PatchView,
    lead=("checks",),
    fails=(404, 409),
    examples={"one": ("The sum holds now", {**_WHO, "checks": [_SUM]})},
)
RUN_LOOP = Operation(
    name="run_loop",
    method="POST",
    path="/v1/loops",
    room="cycles",
    summary="Run the outer loop over ended cycles, or (unless ``dry_run`` is False) only say what it would do",
    takes=wire.LoopRequest,
    gives=wire.LoopAnswer,
    repeatable=unless_done,
    fails=(409,),
    examples={"dry": ("A try", _WHO)},
)
LIST_LOOPS = Operation(
    name="list_loops",
    method="GET",
    path="/v1/loops",
    room="cycles",
    summary="List outer loops with their reports, the newest first",
    takes=wire.RunsRequest,
    gives=wire.LoopsAnswer,
)
UNDO_LOOP = Operation(
    name="undo_loop",
    method="POST",
    path="/v1/loops/{run}/undo",
    room="cycles",
    summary="Move back what an outer loop moved",
    takes=wire.UndoRequest,
    gives=wire.LoopView,
    fails=(404, 409),
    examples={"one": ("All of it", _WHO)},
)
