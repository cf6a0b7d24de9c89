"""The tools of knowledge: report executions, and ask before a plan or a call."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from service.mcp.inputs import Input, Who, input_of
from service.mcp.tool import Tool
from stratagraph import wire
from stratagraph.operations import knowledge as operations

_Line = Annotated[str, Field(max_length=4_000)]


class CalledInput(Input):
    """One call of a tool."""

    tool: wire.Name = Field(description="Its name.", examples=["create_shipment"])
    parameters: wire.JsonObject = Field(default_factory=dict, description="Its parameters.")
    status: wire.CallStatus | None = Field(
        default=None, description="How it ended; unset: failed if there is an error."
    )
    error: _Line = Field(default="", description="What it said when it failed.")
    duration_ms: float | None = Field(default=None, ge=0, description="Milliseconds.")
    retries: int = Field(default=0, ge=0, description="Repeats.")


class EvidenceInput(Input):
    """Task that supports an insight."""

    task_id: wire.Name = Field(description="Its name.")
    description: _Line = Field(default="", description="In words.")


class MadeCallInput(Input):
    """A call that was made."""

    tool: wire.Name = Field(description="Its name.")
    parameters: wire.JsonObject = Field(default_factory=dict, description="Its parameters.")
    status: wire.CallStatus = Field(default="completed", description="How it ended.")


def _tool(name: str, title: str, description: str, takes: type[Who], **more: Any) -> Tool[Any]:
    return Tool(
        name=name,
        toolset="knowledge",
        title=title,
        description=description,
        takes=takes,
        **more,
    )


KNOWLEDGE_TOOLS: tuple[Tool[Any], ...] = (
    _tool(
        "observe_execution",
        "Report an execution",
        "After a task: report its tool calls and how it ended. Patterns, tool statistics, errors with what "
        "solved them and insights follow from it. Name in `used` what you followed.",
        input_of(
            operations.OBSERVE_EXECUTION,
            task_id="Its name: it counts once.",
            status="How it ended.",
            query="What was asked for.",
            context="Kind of situation.",
            thought="The thought behind it.",
            steps=(
                tuple[CalledInput, ...],
                Field(default=(), max_length=200, description="Calls of tools, in order."),
            ),
            used="Uids of patterns and insights that were followed.",
        ),
        repeats=True,
    ),
    _tool(
        "query_memory",
        "Query what was learned",
        "Find patterns, tool memory, insights and preferences that fit a query, each with why.",
        input_of(
            operations.QUERY_MEMORY,
            query="What to look for.",
            memory_types="Sorts of knowledge to look in.",
            context="Kind of situation.",
            limit=(int, Field(default=5, ge=1, le=100, description="The most of each sort.")),
        ),
        reads=True,
    ),
    _tool(
        "get_memory_pattern",
        "Get a pattern",
        "Read one pattern with its success rate and evidence.",
        input_of(
            operations.GET_MEMORY_PATTERN, pattern_type="Its type.", pattern="Its name, or a query."
        ),
        reads=True,
    ),
    _tool(
        "store_insight",
        "Store an insight",
        "Store a rule, optimization, warning, pattern or best practice that you learned, with where it holds.",
        input_of(
            operations.STORE_INSIGHT,
            insight="In words.",
            insight_type="Of what sort.",
            applies_to="Where it holds.",
            evidence=(
                tuple[EvidenceInput, ...],
                Field(default=(), max_length=100, description="What it rests on."),
            ),
            confidence=(
                float,
                Field(default=0.5, ge=0, le=1, description="Confidence in the insight, 0 to 1."),
            ),
        ),
        repeats=True,
    ),
    _tool(
        "get_advice",
        "Get advice",
        "Before a thought or a plan: what worked for tasks like this, warnings, insights and preferences, best "
        "first, within a budget of tokens.",
        input_of(
            operations.ADVISE,
            query="What is to be done.",
            context="Kind of situation.",
            tools="Tools at hand; unset: all.",
            session_id="The conversation.",
            max_tokens=(int, Field(default=500, ge=50, le=20_000, description="Tokens at most.")),
        ),
        reads=True,
    ),
    _tool(
        "check_tool_call",
        "Check a tool call",
        "Before a tool call: how likely it fails, which values failed before, and what worked instead.",
        input_of(
            operations.CHECK_TOOL_CALL,
            tool="Its name.",
            parameters="Its parameters.",
            context="Kind of situation.",
        ),
        reads=True,
    ),
    _tool(
        "recommend_tool",
        "Recommend a tool",
        "Rank tools for an action by their success in this context.",
        input_of(
            operations.RECOMMEND_TOOL,
            action="What is to be done.",
            context="Kind of situation.",
            tools="Tools to choose from.",
            seed=(
                int | None,
                Field(default=None, ge=0, description="Explore; unset: the surest first."),
            ),
        ),
        reads=True,
    ),
    _tool(
        "predict_next_tool",
        "Predict the next tool",
        "Say which tool comes next in tasks like this one.",
        input_of(
            operations.PREDICT_NEXT_TOOL,
            calls=(
                tuple[MadeCallInput, ...],
                Field(default=(), max_length=200, description="In order."),
            ),
            said="What others said since the last call.",
            thought="What you said or thought last.",
        ),
        reads=True,
    ),
    _tool(
        "set_preference",
        "Set a preference",
        "Keep what a user prefers; a changed preference replaces the one before.",
        input_of(
            operations.SET_PREFERENCE,
            kind="Of what.",
            name="Of which.",
            value="What is preferred.",
            context="Where; unset: everywhere.",
            session_id="Only in this conversation.",
        ),
        repeats=True,
    ),
    _tool(
        "report_correction",
        "Report a correction",
        "Report what a user corrected, and hear what it teaches.",
        input_of(
            operations.CORRECT,
            original="As it was.",
            corrected="As it should be.",
            context="Context in which it holds.",
        ),
    ),
)
