"""An agent of the OpenAI Agents SDK whose run is a cycle of reasoning, by hooks.

    pip install openai-agents
    python examples/openai_agents_cycles.py

Start a service first (`make serve`). `CycleHooks` is what you would keep: it opens a cycle, enters its phases, reports each
call of a tool, and completes the cycle. Nothing is asked of OpenAI: `RuleModel` stands where a model goes.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from agents import (
    Agent,
    AgentHookContext,
    Model,
    ModelResponse,
    RunContextWrapper,
    RunHooks,
    Runner,
    Tool,
    Usage,
    function_tool,
    set_tracing_disabled,
)
from agents.tool_context import ToolContext
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from stratagraph import AsyncClient, wire

FARES = {"MIC": 13, "TPN": 11}
_FAILED = "Error: "


@dataclass
class Desk:
    """State of one run: its memory, the cycle, the lessons it was given, and the calls it made."""

    memory: AsyncClient
    cycle: str
    goal: str
    lessons: list[str] = field(default_factory=list[str])
    calls: list[wire.ToolCallRequest] = field(default_factory=list[wire.ToolCallRequest])


class CycleHooks(RunHooks[Desk]):
    """Goes through a cycle while an agent runs; the name of a tool's call makes its step count once."""

    async def on_agent_start(self, context: AgentHookContext[Desk], agent: Agent[Desk]) -> None:
        desk = context.context
        await desk.memory.open_cycle(desk.goal, cycle_id=desk.cycle)
        planned = await desk.memory.enter_phase(desk.cycle, "planning", key="plan")
        desk.lessons[:] = [m.text for m in planned.memories if "worked with" in m.text]
        await desk.memory.enter_phase(desk.cycle, "action", key="act")

    async def on_tool_end(
        self, context: RunContextWrapper[Desk], agent: Agent[Desk], tool: Tool, result: object
    ) -> None:
        if not isinstance(context, ToolContext):
            return  # a tool that runs at OpenAI
        text = str(result)
        call = wire.ToolCallRequest(
            tool=tool.name,
            status="failure" if text.startswith(_FAILED) else "success",
            arguments=json.loads(context.tool_arguments),
            result=text,
        )
        desk = context.context
        desk.calls.append(call)
        await desk.memory.report_step(desk.cycle, step_id=context.tool_call_id, calls=[call])

    async def on_agent_end(
        self, context: AgentHookContext[Desk], agent: Agent[Desk], output: Any
    ) -> None:
        desk = context.context
        await desk.memory.enter_phase(desk.cycle, "reflection", key="reflect")
        if lesson := lesson_of(desk):
            await desk.memory.report_step(desk.cycle, step_id="lesson", text=lesson)
        await desk.memory.complete_cycle(desk.cycle, "success", answer=str(output))


def lesson_of(desk: Desk) -> str | None:
    """Say what worked after something else had failed."""
    failed = [call for call in desk.calls if call.status == "failure"]
    if not failed or desk.calls[-1].status == "failure":
        return None
    before, after = (json.dumps(call.arguments) for call in (failed[0], desk.calls[-1]))
    return f"{desk.goal}: {failed[0].tool} failed with {before}, worked with {after}"


def _told(_run: RunContextWrapper[Any], error: Exception) -> str:
    return f"{_FAILED}{error}"


@function_tool(failure_error_function=_told)
async def fare(station: str) -> str:
    """Tell the fare to a station, by its code."""
    if station not in FARES:
        raise ValueError("unknown station: Milan is MIC")
    return f"{FARES[station]} euros"


def instructions(run: RunContextWrapper[Desk], _agent: Agent[Desk]) -> str:
    """Tell the model what the planning phase was given."""
    return "\n".join(["Tell fares.", *run.context.lessons])


class RuleModel(Model):
    """Stands in for a language model: what to do follows from the instructions and the last item."""

    async def get_response(
        self,
        system_instructions: str | None,
        input: str | list[Any],
        *_settings: Any,
        **_more: Any,
    ) -> ModelResponse:
        last = input[-1] if isinstance(input, list) else {}
        output = str(last.get("output", ""))
        if output.startswith(_FAILED):
            item = _ask(output.rpartition(" ")[2], "again")
        elif output:
            item = _say(output)
        else:
            known = 'worked with {"station": "MIC"}' in (system_instructions or "")
            item = _ask("MIC" if known else "Milan", "first")
        return ModelResponse([item], Usage(), None)

    def stream_response(self, *_settings: Any, **_more: Any) -> AsyncIterator[Any]:
        raise NotImplementedError("this example does not stream")


def _ask(station: str, name: str) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(
        type="function_call", call_id=name, name="fare", arguments=json.dumps({"station": station})
    )


def _say(text: str) -> ResponseOutputMessage:
    content = ResponseOutputText(type="output_text", text=text, annotations=[])
    return ResponseOutputMessage(
        id="said", type="message", role="assistant", status="completed", content=[content]
    )


async def main() -> None:
    set_tracing_disabled(True)  # traces would go to OpenAI
    run = time.time_ns()
    goal = "Tell the fare of a train to Milan"
    agent = Agent[Desk](name="desk", instructions=instructions, tools=[fare], model=RuleModel())
    async with AsyncClient(agent_id=f"desk-{run}") as memory:
        for name in ("first", "second"):
            desk = Desk(memory, f"{name}-{run}", goal)
            done = await Runner.run(agent, goal, context=desk, hooks=CycleHooks())
            calls = " ".join(call.status for call in desk.calls)
            print(f"{name}: {len(desk.lessons)} lessons, fare {calls}, {done.final_output}")
            deadline = time.monotonic() + 10  # what was learned is found a moment later
            while not (await memory.recall(goal)).results and time.monotonic() < deadline:
                await asyncio.sleep(0.1)


if __name__ == "__main__":
    asyncio.run(main())
