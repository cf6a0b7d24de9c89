"""A LangGraph graph whose nodes open and close the phases of a cycle of reasoning.

    pip install langgraph
    python examples/langgraph_cycles.py

Start a service first (`make serve`). `phase_node` is what you would keep: it enters a phase, gives the node the memories
of that phase, and reports what the node did. No language model is asked: three rules stand where yours goes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol, Required, TypedDict

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph

from stratagraph import Client, wire

FARES = {"MIC": 13, "TPN": 11}


class Desk(TypedDict, total=False):
    """State of the graph; the cycle has the name of the thread."""

    goal: Required[str]
    lessons: list[str]
    station: str
    calls: list[wire.ToolCallRequest]
    answer: str


class Change(TypedDict, total=False):
    """Changes that a node makes to the state."""

    lessons: list[str]
    station: str
    calls: list[wire.ToolCallRequest]
    answer: str


Work = Callable[[Desk, Sequence[str]], tuple[Change, dict[str, Any]]]


def cycle_of(config: RunnableConfig) -> str:
    """Return the name of the cycle: that of the thread."""
    return config.get("configurable", {})["thread_id"]


class Node(Protocol):
    """A node of the graph."""

    def __call__(self, state: Desk, config: RunnableConfig) -> Change: ...


def phase_node(memory: Client, phase: wire.PhaseName, work: Work) -> Node:
    """Make a node of work that gets the memories of a phase, and returns what to report of it.

    Visit and step are named by the place in the run, so that a graph which goes on from a checkpoint counts them once.
    """

    def node(state: Desk, config: RunnableConfig) -> Change:
        cycle = cycle_of(config)
        name = f"{phase}-{config.get('metadata', {})['langgraph_step']}"
        entered = memory.enter_phase(cycle, phase, key=name)
        change, report = work(state, [each.text for each in entered.memories])
        if report:
            memory.report_step(cycle, step_id=f"{name}-done", **report)
        return change

    return node


def plan(_state: Desk, known: Sequence[str]) -> tuple[Change, dict[str, Any]]:
    """Choose the name of the station: what a memory says that worked, else the name in the goal."""
    lessons = [text for text in known if "worked with " in text]
    station = lessons[0].rpartition("worked with ")[2] if lessons else "Milan"
    return {"lessons": lessons, "station": station}, {}


def act(state: Desk, _known: Sequence[str]) -> tuple[Change, dict[str, Any]]:
    """Ask for the fare of the station; a name that is unknown is told with its code."""
    asked = state.get("station", "")
    fare = FARES.get(asked)
    call = wire.ToolCallRequest(
        tool="fare",
        status="success" if fare else "failure",
        arguments={"station": asked},
        result=fare or "unknown station: Milan is MIC",
    )
    change: Change = {"answer": f"{fare} euros"} if fare else {"station": "MIC"}
    change["calls"] = [*state.get("calls", []), call]
    return change, {"calls": [call]}


def reflect(state: Desk, _known: Sequence[str]) -> tuple[Change, dict[str, Any]]:
    """Note what worked after something else had failed."""
    calls = state.get("calls", [])
    if len({call.status for call in calls}) < 2:
        return {}, {}
    lesson = f"{state['goal']}: fare failed with Milan, worked with {state.get('station')}"
    return {}, {"text": lesson}


def _after_act(state: Desk) -> str:
    return "reflect" if state.get("answer") else "act"


def build(memory: Client, doing: Work = act) -> Any:
    """Open a cycle, plan, act until there is an answer, reflect, and complete the cycle."""

    def begin(state: Desk, config: RunnableConfig) -> Change:
        memory.open_cycle(state["goal"], cycle_id=cycle_of(config))
        return {}

    def finish(state: Desk, config: RunnableConfig) -> Change:
        memory.complete_cycle(cycle_of(config), "success", answer=state.get("answer"))
        return {}

    graph = StateGraph(Desk)
    graph.add_node("begin", begin)
    graph.add_node("plan", phase_node(memory, "planning", plan))
    graph.add_node("act", phase_node(memory, "action", doing))
    graph.add_node("reflect", phase_node(memory, "reflection", reflect))
    graph.add_node("finish", finish)
    graph.add_edge(START, "begin")
    graph.add_edge("begin", "plan")
    graph.add_edge("plan", "act")
    graph.add_conditional_edges("act", _after_act)
    graph.add_edge("reflect", "finish")
    graph.add_edge("finish", END)
    return graph.compile(checkpointer=InMemorySaver())


def main() -> None:
    run = time.time_ns()
    goal = "Tell the fare of a train to Milan"
    with Client(agent_id=f"desk-{run}") as memory:
        graph = build(memory)
        for name in ("first", "second"):
            config = RunnableConfig(configurable={"thread_id": f"{name}-{run}"})
            state: Desk = graph.invoke({"goal": goal}, config)
            calls = " ".join(call.status for call in state.get("calls", []))
            lessons = len(state.get("lessons", []))
            print(f"{name}: {lessons} lessons, fare {calls}, {state.get('answer')}")
            deadline = time.monotonic() + 10  # what was learned is found a moment later
            while not memory.recall(goal).results and time.monotonic() < deadline:
                time.sleep(0.1)


if __name__ == "__main__":
    main()
