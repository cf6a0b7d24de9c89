"""A LangGraph agent whose tools are a Stratagraph memory.

    pip install langgraph
    python examples/langgraph_agent.py

Start a service first (`make serve`). No language model is asked: `RuleModel` stands where yours goes
and follows three rules, so that the example runs anywhere and always says the same. The tools and the
graph are what you would keep.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from stratagraph import Client, StratagraphError


def memory_tools(memory: Client) -> list[BaseTool]:
    """The three things an agent does with its memory.

    The task is the thread of the conversation: it comes from the run, not from the model.
    """

    @tool
    def remember(text: str) -> str:
        """Store something worth knowing later."""
        return memory.remember(text).status

    @tool
    def recall(question: str, config: RunnableConfig) -> str:
        """Find what is known about a question, the most helpful first."""
        answer = memory.recall(question, k=3, task_id=_task(config))
        return "\n".join(result.text for result in answer.results) or "nothing"

    @tool
    def report_outcome(helped: bool, config: RunnableConfig) -> str:
        """Say whether what was recalled in this conversation helped."""
        try:
            outcome = memory.report_outcome(_task(config), "success" if helped else "failure")
        except StratagraphError as error:
            return error.message  # a model can read what was wrong and do something else
        return f"{len(outcome.rewarded)} memories learned from it"

    return [remember, recall, report_outcome]


def _task(config: RunnableConfig) -> str:
    return config.get("configurable", {})["thread_id"]


class RuleModel(BaseChatModel):
    """Stands in for a language model: what to do follows from the last message alone."""

    @property
    def _llm_type(self) -> str:
        return "rules"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: Any = None,
        **kwargs: Any,
    ) -> ChatResult:
        said = messages[-1]
        reply = _after_tool(said) if isinstance(said, ToolMessage) else _after_human(said.text)
        return ChatResult(generations=[ChatGeneration(message=reply)])


def _after_human(text: str) -> AIMessage:
    if text.startswith("Remember: "):
        return _use("remember", text=text.removeprefix("Remember: "))
    if text.startswith("Thanks"):
        return _use("report_outcome", helped=True)
    return _use("recall", question=text)


def _after_tool(said: ToolMessage) -> AIMessage:
    if said.name != "recall":
        return AIMessage(f"Done: {said.text}.")
    if said.text == "nothing":
        return AIMessage("I do not know that yet.")
    return AIMessage(f"From memory: {said.text.splitlines()[0]}")


def _use(name: str, **arguments: Any) -> AIMessage:
    return AIMessage("", tool_calls=[ToolCall(name=name, args=arguments, id=name)])


def build(model: BaseChatModel, tools: Sequence[BaseTool]) -> Any:
    """Model and tools in turn, until the model asks for no tool. Yours: `model.bind_tools(tools)`."""

    def think(state: MessagesState) -> dict[str, list[BaseMessage]]:
        return {"messages": [model.invoke(state["messages"])]}

    graph = StateGraph(MessagesState)
    graph.add_node("think", think)
    graph.add_node("tools", ToolNode(tools))
    graph.add_edge(START, "think")
    graph.add_conditional_edges("think", tools_condition)
    graph.add_edge("tools", "think")
    return graph.compile()


def main() -> None:
    thread = f"langgraph-{time.time_ns()}"
    with Client(agent_id=thread) as memory:
        agent = build(RuleModel(), memory_tools(memory))

        def say(text: str) -> str:
            config = RunnableConfig(configurable={"thread_id": thread})
            reply: str = agent.invoke({"messages": [HumanMessage(text)]}, config)["messages"][
                -1
            ].text
            print(f"you    {text}\nagent  {reply}")
            return reply

        say("Remember: Ada prefers answers with a worked example.")
        deadline = time.monotonic() + 10  # it is found a moment later
        while not memory.recall("Ada").results and time.monotonic() < deadline:
            time.sleep(0.1)
        say("How does Ada like her answers?")
        say("Thanks, that helped.")
        for result in memory.recall("Ada").results:
            print(f"Q is now {result.q_value:.2f}: {result.text}")


if __name__ == "__main__":
    main()
