"""An agent of the OpenAI Agents SDK whose tools are a Stratagraph memory.

    pip install openai-agents
    python examples/openai_agents.py

Start a service first (`make serve`). Nothing is asked of OpenAI: `RuleModel` stands where a model goes
and follows three rules, so that the example runs anywhere and always says the same. Leave out
`model=RuleModel()` and set OPENAI_API_KEY to use a real one; the tools stay as they are.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from agents import (
    Agent,
    Model,
    ModelResponse,
    RunContextWrapper,
    Runner,
    Usage,
    function_tool,
    set_tracing_disabled,
)
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from stratagraph import AsyncClient, StratagraphError


@dataclass
class Desk:
    """What the tools work with: they get it from the run, the model never sees it."""

    memory: AsyncClient
    task_id: str


@function_tool
async def remember(desk: RunContextWrapper[Desk], text: str) -> str:
    """Store something worth knowing later."""
    return (await desk.context.memory.remember(text)).status


@function_tool
async def recall(desk: RunContextWrapper[Desk], question: str) -> str:
    """Find what is known about a question, the most helpful first."""
    answer = await desk.context.memory.recall(question, k=3, task_id=desk.context.task_id)
    return "\n".join(result.text for result in answer.results) or "nothing"


@function_tool
async def report_outcome(desk: RunContextWrapper[Desk], helped: bool) -> str:
    """Say whether what was recalled in this conversation helped."""
    status = "success" if helped else "failure"
    try:
        outcome = await desk.context.memory.report_outcome(desk.context.task_id, status)
    except StratagraphError as error:
        return error.message  # a model can read what was wrong and do something else
    return f"{len(outcome.rewarded)} memories learned from it"


class RuleModel(Model):
    """Stands in for a language model: what to do follows from the last item alone."""

    async def get_response(
        self,
        system_instructions: str | None,
        input: str | list[Any],
        *_settings: Any,
        **_more: Any,
    ) -> ModelResponse:
        last = {"content": input} if isinstance(input, str) else input[-1]
        if last.get("type") == "function_call_output":
            item = _after_tool(last["call_id"], last["output"])
        else:
            item = _after_human(last["content"])
        return ModelResponse([item], Usage(), None)

    def stream_response(self, *_settings: Any, **_more: Any) -> AsyncIterator[Any]:
        raise NotImplementedError("this example does not stream")


def _after_human(text: str) -> ResponseFunctionToolCall:
    if text.startswith("Remember: "):
        return _use("remember", text=text.removeprefix("Remember: "))
    if text.startswith("Thanks"):
        return _use("report_outcome", helped=True)
    return _use("recall", question=text)


def _after_tool(name: str, output: str) -> ResponseOutputMessage:
    if name != "recall":
        return _say(f"Done: {output}.")
    if output == "nothing":
        return _say("I do not know that yet.")
    return _say(f"From memory: {output.splitlines()[0]}")


def _use(name: str, **arguments: Any) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(
        type="function_call", call_id=name, name=name, arguments=json.dumps(arguments)
    )


def _say(text: str) -> ResponseOutputMessage:
    content = ResponseOutputText(type="output_text", text=text, annotations=[])
    return ResponseOutputMessage(
        id="said", type="message", role="assistant", status="completed", content=[content]
    )


async def main() -> None:
    set_tracing_disabled(True)  # traces would go to OpenAI
    task = f"openai-agents-{time.time_ns()}"
    agent = Agent[Desk](
        name="Help desk",
        instructions="Recall before you answer. Remember what you are told to. Report what helped.",
        tools=[remember, recall, report_outcome],
        model=RuleModel(),
    )
    async with AsyncClient(agent_id=task) as memory:
        desk = Desk(memory, task)

        async def say(text: str) -> None:
            result = await Runner.run(agent, text, context=desk)
            print(f"you    {text}\nagent  {result.final_output}")

        await say("Remember: Ada prefers answers with a worked example.")
        deadline = time.monotonic() + 10  # it is found a moment later
        while not (await memory.recall("Ada")).results and time.monotonic() < deadline:
            await asyncio.sleep(0.1)
        await say("How does Ada like her answers?")
        await say("Thanks, that helped.")
        for result in (await memory.recall("Ada")).results:
            print(f"Q is now {result.q_value:.2f}: {result.text}")


if __name__ == "__main__":
    asyncio.run(main())
