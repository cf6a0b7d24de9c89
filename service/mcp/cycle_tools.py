"""The tools of cycles: open one, enter its phases, report steps, complete it, and repair."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from service.mcp.inputs import Who
from service.mcp.tool import Tool
from stratagraph import wire
from stratagraph.operations.cycles import (
    COMPLETE_CYCLE,
    ENTER_PHASE,
    GENERATE_PATCH,
    GET_CYCLE,
    OPEN_CYCLE,
    REPORT_STEP,
)

_Signed = Annotated[float, Field(ge=-1, le=1)]


class OpenCycleInput(Who):
    """Goal of a cycle."""

    goal: wire.Text = Field(description="What is to be reached.", examples=["Book a flight."])
    cycle_id: wire.Name | None = Field(
        default=None, description="Your name for it: sent again, it is the same.", examples=["c-17"]
    )
    domain: wire.Name | None = Field(default=None, description="Field of knowledge.")


class CycleInput(Who):
    """Name of a cycle."""

    cycle: wire.Name = Field(description="Its `cycleId` or uid.", examples=["c-17"])


class PhaseInput(CycleInput):
    """Phase to enter."""

    phase: wire.Phase = Field(
        description="observation, reasoning, planning, action or reflection.", examples=["planning"]
    )
    key: wire.Name | None = Field(default=None, description="Sent again, it is the same visit.")
    query: wire.Text | None = Field(default=None, description="What is sought; unset: the goal.")


class StepInput(CycleInput):
    """Step of a cycle: what happened in the phase."""

    step_id: wire.Name | None = Field(default=None, description="Sent again, it counts once.")
    text: wire.Text | None = Field(default=None, description="What to remember of it.")
    calls: tuple[wire.ToolCallRequest, ...] = Field(
        default=(), max_length=50, description="Tools that were called."
    )
    checks: tuple[wire.StepCheckRequest, ...] = Field(
        default=(), max_length=50, description="What to verify."
    )
    used: tuple[wire.Name, ...] = Field(
        default=(), max_length=200, description="Uids of memories that helped."
    )
    surprise: wire.Share | None = Field(default=None, description="How surprising it was, 0 to 1.")


class CompleteInput(CycleInput):
    """Outcome of a cycle."""

    status: Literal["success", "failure", "partial", "timeout"] = Field(
        description="How it ended.", examples=["success"]
    )
    feedback: _Signed | None = Field(default=None, description="What the user said, -1 to 1.")
    answer: wire.Text | None = Field(default=None, description="Its answer.")


CYCLE_TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="cycle_open",
        toolset="cycles",
        title="Open a cycle of reasoning",
        description="Open a cycle for a goal. Then enter its phases, report steps, and complete it.",
        takes=OpenCycleInput,
        operation=OPEN_CYCLE,
    ),
    Tool(
        name="cycle_phase",
        toolset="cycles",
        title="Enter a phase",
        description="Enter a phase of a cycle and get the memories that it needs.",
        takes=PhaseInput,
        operation=ENTER_PHASE,
    ),
    Tool(
        name="cycle_step",
        toolset="cycles",
        title="Report a step",
        description="Report what was done in the phase: tools called, checks to run, memories that helped. The answer "
        "says whether it holds, the mode to go on in (solver, verifier, repair), the confidence, and what a surprise "
        "asks for.",
        takes=StepInput,
        operation=REPORT_STEP,
    ),
    Tool(
        name="cycle_complete",
        toolset="cycles",
        title="Complete a cycle",
        description="Say how a cycle ended; memories that helped are ranked higher next time.",
        takes=CompleteInput,
        operation=COMPLETE_CYCLE,
        repeats=True,
    ),
    Tool(
        name="cycle_show",
        toolset="cycles",
        title="Look at a cycle",
        description="Show a cycle with its phases and steps.",
        takes=CycleInput,
        operation=GET_CYCLE,
        reads=True,
    ),
    Tool(
        name="cycle_patch",
        toolset="cycles",
        title="Propose a repair",
        description="Make a patch of the last failure of a cycle from repaired ones like it; it says what is missing "
        "where nothing speaks for one.",
        takes=CycleInput,
        operation=GENERATE_PATCH,
        repeats=True,
    ),
)
