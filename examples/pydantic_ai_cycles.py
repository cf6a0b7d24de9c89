"""A PydanticAI agent whose run is a cycle of reasoning, by a capability.

    pip install pydantic-ai-slim
    python examples/pydantic_ai_cycles.py

Start a service first (`make serve`). `Cycles` is what you would keep: it opens a cycle, enters its phases, reports each call
of a tool, and completes the cycle. No language model is asked: PydanticAI's `FunctionModel` follows three rules.
"""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic_ai import Agent, ModelRetry, RunContext
from pydantic_ai.capabilities import AbstractCapability, WrapToolExecuteHandler
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.run import AgentRunResult
from pydantic_ai.tools import ToolDefinition

from stratagraph import AsyncClient, wire

FARES = {"MIC": 13, "TPN": 11}


@dataclass
class Desk:
    """State of one run: its memory, the cycle, the lessons it was given, and the calls it made."""

    memory: AsyncClient
    cycle: str
    goal: str
    lessons: list[str] = field(default_factory=list[str])
    calls: list[wire.ToolCallRequest] = field(default_factory=list[wire.ToolCallRequest])


class Cycles(AbstractCapability[Desk]):
    """Goes through a cycle while an agent runs; the name of a tool's call makes its step count once."""

    async def before_run(self, ctx: RunContext[Desk]) -> None:
        desk = ctx.deps
        await desk.memory.open_cycle(desk.goal, cycle_id=desk.cycle)
        planned = await desk.memory.enter_phase(desk.cycle, "planning", key="plan")
        desk.lessons[:] = [m.text for m in planned.memories if "worked with" in m.text]
        await desk.memory.enter_phase(desk.cycle, "action", key="act")

    async def wrap_tool_execute(
        self,
        ctx: RunContext[Desk],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        handler: WrapToolExecuteHandler,
    ) -> Any:
        try:
            result = await handler(args)
        except Exception as error:
            await _report(ctx.deps, call, "failure", args, str(error))
            raise
        await _report(ctx.deps, call, "success", args, result)
        return result

    async def after_run(
        self, ctx: RunContext[Desk], *, result: AgentRunResult[Any]
    ) -> AgentRunResult[Any]:
        desk = ctx.deps
        await desk.memory.enter_phase(desk.cycle, "reflection", key="reflect")
        if lesson := lesson_of(desk):
            await desk.memory.report_step(desk.cycle, step_id="lesson", text=lesson)
        await desk.memory.complete_cycle(desk.cycle, "success", answer=str(result.output))
        return result


async def _report(
    desk: Desk,
    call: ToolCallPart,
    status: Literal["success", "failure"],
    arguments: Any,
    result: Any,
) -> None:
    done = wire.ToolCallRequest(
        tool=call.tool_name, status=status, arguments=arguments, result=result
    )
    desk.calls.append(done)
    await desk.memory.report_step(desk.cycle, step_id=call.tool_call_id, calls=[done])


def lesson_of(desk: Desk) -> str | None:
    """Say what worked after something else had failed."""
    failed = [call for call in desk.calls if call.status == "failure"]
    if not failed or desk.calls[-1].status == "failure":
        return None
    before, after = (json.dumps(call.arguments) for call in (failed[0], desk.calls[-1]))
    return f"{desk.goal}: {failed[0].tool} failed with {before}, worked with {after}"


def rules(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Stand in for a language model: what to do follows from the instructions and the last part."""
    last = messages[-1].parts[-1]
    if isinstance(last, ToolReturnPart) and last.outcome == "success":
        return ModelResponse([TextPart(str(last.content))])
    if isinstance(last, ToolReturnPart):
        return ModelResponse([ToolCallPart("fare", {"station": "MIC"}, "again")])
    known = 'worked with {"station": "MIC"}' in (info.instructions or "")
    station = "MIC" if known else "Milan"
    return ModelResponse([ToolCallPart("fare", {"station": station}, "first")])


agent = Agent(FunctionModel(rules), deps_type=Desk, capabilities=[Cycles()])


@agent.instructions
def instructions(ctx: RunContext[Desk]) -> str:
    """Tell the model what the planning phase was given."""
    return "\n".join(["Tell fares.", *ctx.deps.lessons])


@agent.tool_plain(retries=2)
def fare(station: str) -> str:
    """Tell the fare to a station, by its code."""
    if station not in FARES:
        raise ModelRetry("unknown station: Milan is MIC")
    return f"{FARES[station]} euros"


async def main() -> None:
    run = time.time_ns()
    goal = "Tell the fare of a train to Milan"
    async with AsyncClient(agent_id=f"desk-{run}") as memory:
        for name in ("first", "second"):
            desk = Desk(memory, f"{name}-{run}", goal)
            done = await agent.run(goal, deps=desk)
            calls = " ".join(call.status for call in desk.calls)
            print(f"{name}: {len(desk.lessons)} lessons, fare {calls}, {done.output}")
            deadline = time.monotonic() + 10  # what was learned is found a moment later
            while not (await memory.recall(goal)).results and time.monotonic() < deadline:
                await asyncio.sleep(0.1)


if __name__ == "__main__":
    asyncio.run(main())
