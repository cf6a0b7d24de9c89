"""The tools of knowledge: report executions, and ask before a plan or a call."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from service.mcp.inputs import Input, Who
from service.mcp.tool import Tool
from stratagraph import wire
from stratagraph.operations.knowledge import (
    ADVISE,
    CHECK_TOOL_CALL,
    CORRECT,
    GET_MEMORY_PATTERN,
    OBSERVE_EXECUTION,
    PREDICT_NEXT_TOOL,
    QUERY_MEMORY,
    RECOMMEND_TOOL,
    SET_PREFERENCE,
    STORE_INSIGHT,
)

_Line = Annotated[str, Field(max_length=4_000)]


class CalledInput(Input):
    """One call of a tool."""

    tool: wire.Name = Field(description="Its name.", examples=["create_shipment"])
    parameters: wire.JsonObject = Field(default_factory=dict, description="Its parameters.")
    status: wire.CallStatus = Field(default="completed", description="How it ended.")
    error: _Line = Field(default="", description="What it said when it failed.")
    duration_ms: float | None = Field(default=None, ge=0, description="Milliseconds.")
    retries: int = Field(default=0, ge=0, description="Repeats.")


class ObserveExecutionInput(Who):
    """Report of one task."""

    task_id: wire.Name = Field(description="Its name: it counts once.", examples=["ticket-17"])
    status: wire.Status = Field(description="How it ended.", examples=["success"])
    query: _Line = Field(default="", description="What was asked for.")
    context: _Line = Field(default="", description="Kind of situation.", examples=["shipments"])
    thought: _Line = Field(default="", description="The thought behind it.")
    steps: tuple[CalledInput, ...] = Field(
        default=(), max_length=200, description="Calls of tools, in order."
    )
    used: tuple[wire.Name, ...] = Field(
        default=(), max_length=100, description="Uids of patterns and insights that were followed."
    )


class QueryMemoryInput(Who):
    """Query for what was learned."""

    query: _Line = Field(description="What to look for.", examples=["Create a shipment for HAN"])
    memory_types: tuple[wire.MemoryType, ...] = Field(
        default=("patterns", "tool_memory", "insights", "preferences"),
        description="Sorts of knowledge to look in.",
    )
    context: _Line = Field(default="", description="Kind of situation.")
    limit: int = Field(default=5, ge=1, le=100, description="The most of each sort.")


class PatternInput(Who):
    """One pattern."""

    pattern_type: wire.PatternType = Field(description="Its type.", examples=["query_pattern"])
    pattern: _Line = Field(min_length=1, description="Its name, or a query.")


class AppliesInput(Input):
    """Situations for which an insight holds."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    agents: tuple[wire.Name, ...] = Field(default=(), description="Agents.")
    contexts: tuple[_Line, ...] = Field(default=(), description="Contexts.")
    conditions: wire.JsonObject = Field(
        default_factory=dict, description="By path a value, or {op: value}: eq, ne, gt, in, …"
    )


class EvidenceInput(Input):
    """Task that supports an insight."""

    task_id: wire.Name = Field(description="Its name.")
    description: _Line = Field(default="", description="In words.")


class StoreInsightInput(Who):
    """An insight."""

    insight: wire.Text = Field(description="In words.", examples=["Ship with metric units."])
    insight_type: wire.InsightType = Field(default="rule", description="Of what sort.")
    applies_to: AppliesInput = Field(default_factory=AppliesInput, description="Where it holds.")
    evidence: tuple[EvidenceInput, ...] = Field(
        default=(), max_length=100, description="What it rests on."
    )
    confidence: float = Field(
        default=0.5, ge=0, le=1, description="Confidence in the insight, 0 to 1."
    )


class AdviceInput(Who):
    """A situation."""

    query: _Line = Field(description="What is to be done.", examples=["Create a shipment for HAN"])
    context: _Line = Field(default="", description="Kind of situation.")
    tools: tuple[wire.Name, ...] = Field(default=(), description="Tools at hand; unset: all.")
    session_id: wire.Name | None = Field(default=None, description="The conversation.")
    max_tokens: int = Field(default=500, ge=50, le=20_000, description="Tokens at most.")


class CheckCallInput(Who):
    """A call that is meant to be made."""

    tool: wire.Name = Field(description="Its name.", examples=["create_shipment"])
    parameters: wire.JsonObject = Field(default_factory=dict, description="Its parameters.")
    context: _Line = Field(default="", description="Kind of situation.")


class RecommendInput(Who):
    """A choice between tools."""

    action: _Line = Field(default="", description="What is to be done.")
    context: _Line = Field(default="", description="Kind of situation.")
    tools: tuple[wire.Name, ...] = Field(default=(), description="Tools to choose from.")
    seed: int | None = Field(default=None, ge=0, description="Explore; unset: the surest first.")


class MadeCallInput(Input):
    """A call that was made."""

    tool: wire.Name = Field(description="Its name.")
    parameters: wire.JsonObject = Field(default_factory=dict, description="Its parameters.")
    status: wire.CallStatus = Field(default="completed", description="How it ended.")


class NextToolInput(Who):
    """The calls of a task so far."""

    calls: tuple[MadeCallInput, ...] = Field(default=(), max_length=200, description="In order.")
    said: _Line = Field(default="", description="What others said since the last call.")
    thought: _Line = Field(default="", description="What you said or thought last.")


class PreferenceInput(Who):
    """A preference."""

    kind: wire.PreferenceKind = Field(description="Of what.", examples=["parameter"])
    name: wire.Name = Field(description="Of which.", examples=["units"])
    value: wire.JsonValue = Field(description="What is preferred.", examples=["metric"])
    context: _Line = Field(default="", description="Where; unset: everywhere.")
    session_id: wire.Name | None = Field(default=None, description="Only in this conversation.")


class CorrectInput(Who):
    """A correction."""

    original: wire.JsonValue = Field(description="As it was.", examples=[{"units": "imperial"}])
    corrected: wire.JsonValue = Field(
        description="As it should be.", examples=[{"units": "metric"}]
    )
    context: _Line = Field(default="", description="Context in which it holds.")


def _tool(
    name: str, title: str, description: str, takes: type[Who], operation: Any, **more: Any
) -> Tool[Any]:
    return Tool(
        name=name,
        toolset="knowledge",
        title=title,
        description=description,
        takes=takes,
        operation=operation,
        **more,
    )


KNOWLEDGE_TOOLS: tuple[Tool[Any], ...] = (
    _tool(
        "observe_execution",
        "Report an execution",
        "After a task: report its tool calls and how it ended. Patterns, tool statistics, errors with what "
        "solved them and insights follow from it. Name in `used` what you followed.",
        ObserveExecutionInput,
        OBSERVE_EXECUTION,
        repeats=True,
    ),
    _tool(
        "query_memory",
        "Query what was learned",
        "Find patterns, tool memory, insights and preferences that fit a query, each with why.",
        QueryMemoryInput,
        QUERY_MEMORY,
        reads=True,
    ),
    _tool(
        "get_memory_pattern",
        "Get a pattern",
        "Read one pattern with its success rate and evidence.",
        PatternInput,
        GET_MEMORY_PATTERN,
        reads=True,
    ),
    _tool(
        "store_insight",
        "Store an insight",
        "Store a rule, optimization, warning, pattern or best practice that you learned, with where it holds.",
        StoreInsightInput,
        STORE_INSIGHT,
        repeats=True,
    ),
    _tool(
        "get_advice",
        "Get advice",
        "Before a thought or a plan: what worked for tasks like this, warnings, insights and preferences, best "
        "first, within a budget of tokens.",
        AdviceInput,
        ADVISE,
        reads=True,
    ),
    _tool(
        "check_tool_call",
        "Check a tool call",
        "Before a tool call: how likely it fails, which values failed before, and what worked instead.",
        CheckCallInput,
        CHECK_TOOL_CALL,
        reads=True,
    ),
    _tool(
        "recommend_tool",
        "Recommend a tool",
        "Rank tools for an action by their success in this context.",
        RecommendInput,
        RECOMMEND_TOOL,
        reads=True,
    ),
    _tool(
        "predict_next_tool",
        "Predict the next tool",
        "Say which tool comes next in tasks like this one.",
        NextToolInput,
        PREDICT_NEXT_TOOL,
        reads=True,
    ),
    _tool(
        "set_preference",
        "Set a preference",
        "Keep what a user prefers; a changed preference replaces the one before.",
        PreferenceInput,
        SET_PREFERENCE,
        repeats=True,
    ),
    _tool(
        "report_correction",
        "Report a correction",
        "Report what a user corrected, and hear what it teaches.",
        CorrectInput,
        CORRECT,
    ),
)
