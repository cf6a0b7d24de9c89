"""The tools of cycles: open one, enter its phases, report steps, complete it, and repair."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from service.mcp.inputs import input_of
from service.mcp.tool import Tool
from stratagraph import wire
from stratagraph.operations import cycles as operations

_Signed = Annotated[float, Field(ge=-1, le=1)]
_CYCLE = (wire.Name, "Its `cycleId` or uid.")


CYCLE_TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="cycle_open",
        toolset="cycles",
        title="Open a cycle of reasoning",
        description="Open a cycle for a goal. Then enter its phases, report steps, and complete it.",
        takes=input_of(
            operations.OPEN_CYCLE,
            goal="What is to be reached.",
            cycle_id="Your name for it: sent again, it is the same.",
            domain="Field of knowledge.",
        ),
    ),
    Tool(
        name="cycle_phase",
        toolset="cycles",
        title="Enter a phase",
        description="Enter a phase of a cycle and get the memories that it needs.",
        takes=input_of(
            operations.ENTER_PHASE,
            cycle=_CYCLE,
            phase="observation, reasoning, planning, action or reflection.",
            key="Sent again, it is the same visit.",
            query="What is sought; unset: the goal.",
        ),
    ),
    Tool(
        name="cycle_step",
        toolset="cycles",
        title="Report a step",
        description="Report what was done in the phase: tools called, checks to run, memories that helped. The answer "
        "says whether it holds, the mode to go on in (solver, verifier, repair), the confidence, and what a surprise "
        "asks for.",
        takes=input_of(
            operations.REPORT_STEP,
            cycle=_CYCLE,
            step_id="Sent again, it counts once.",
            text="What to remember of it.",
            calls="Tools that were called.",
            checks="What to verify.",
            used="Uids of memories that helped.",
            surprise="How surprising it was, 0 to 1.",
        ),
    ),
    Tool(
        name="cycle_complete",
        toolset="cycles",
        title="Complete a cycle",
        description="Say how a cycle ended; memories that helped are ranked higher next time.",
        takes=input_of(
            operations.COMPLETE_CYCLE,
            cycle=_CYCLE,
            status="How it ended.",
            feedback=(_Signed | None, "What the user said, -1 to 1."),
            answer="Its answer.",
        ),
        repeats=True,
    ),
    Tool(
        name="cycle_show",
        toolset="cycles",
        title="Look at a cycle",
        description="Show a cycle with its phases and steps.",
        takes=input_of(operations.GET_CYCLE, cycle=_CYCLE),
        reads=True,
    ),
    Tool(
        name="cycle_patch",
        toolset="cycles",
        title="Propose a repair",
        description="Make a patch of the last failure of a cycle from repaired ones like it; it says what is missing "
        "where nothing speaks for one.",
        takes=input_of(operations.GENERATE_PATCH, cycle=_CYCLE),
        repeats=True,
    ),
)
