"""Reports of executions: tasks, plans, thoughts and the calls of tools, also as spans of OpenTelemetry."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints

from stratagraph.vocabulary import ScopeKind, Status
from stratagraph.wire.kernel.base import Answer, Identity, Request
from stratagraph.wire.kernel.values import (
    TIME_EXAMPLE,
    UID_EXAMPLE,
    JsonObject,
    Name,
    Time,
    check_json,
    owner,
)

CallStatus = Literal["completed", "failed"]
ObservedStatus = Literal["observed", "known"]
LongLine = Annotated[str, StringConstraints(max_length=4_000)]
Milliseconds = Annotated[float, Field(ge=0, le=31_536_000_000)]
MOST_STEPS = 200
MOST_EXECUTIONS = 500

_PARAMETERS = {"facility": "HAN", "units": "metric"}
STEP = {
    "tool": "create_shipment",
    "parameters": _PARAMETERS,
    "status": "completed",
    "duration_ms": 420.0,
}


class StepReport(Request):
    """One call of a tool."""

    tool: Name = Field(description="Its name.", examples=["create_shipment"])
    parameters: JsonObject = Field(
        default_factory=dict, description="What it was called with.", examples=[_PARAMETERS]
    )
    status: CallStatus | None = Field(
        default=None,
        description="How it ended; unset: failed if there is an error, else completed.",
        examples=["failed"],
    )
    duration_ms: Milliseconds | None = Field(
        default=None, description="How long it took, in milliseconds.", examples=[420.0]
    )
    retries: Annotated[int, Field(strict=True, ge=0, le=1_000)] = Field(
        default=0, description="How often it was tried again before it ended so.", examples=[1]
    )
    error: LongLine = Field(
        default="", description="What it said when it failed.", examples=["facility HAN is closed"]
    )
    context: LongLine = Field(
        default="",
        description="In which kind of situation; unset: the task's.",
        examples=["shipment_creation"],
    )
    said: LongLine = Field(
        default="",
        description="What others said since the call before; its words are kept, sorted.",
        examples=["Please ship it to Hanoi."],
    )
    thought: LongLine = Field(
        default="",
        description="What the agent said or thought before the call; its words are kept, sorted.",
        examples=["The shipment needs a facility."],
    )


class PlanReport(Request):
    """Plan of a task."""

    plan_id: Name | None = Field(default=None, description="Its name.", examples=["plan-17"])
    goal: LongLine = Field(default="", description="What it was for.", examples=["ship the order"])
    steps: tuple[Name, ...] = Field(
        default=(),
        max_length=MOST_STEPS,
        description="What was planned, step by step.",
        examples=[["list_facilities", "create_shipment"]],
    )


class ExecutionRow(Request):
    """A completed task: goal, plan and steps."""

    task_id: Name = Field(
        description="Its name; reported twice, it counts once.", examples=["ticket-17"]
    )
    status: Status = Field(
        description="How it ended; `partial` is no success.", examples=["success"]
    )
    query: LongLine = Field(
        default="",
        description="What was asked for, in words.",
        examples=["Create a shipment for facility HAN"],
    )
    context: LongLine = Field(
        default="", description="In which kind of situation.", examples=["shipment_creation"]
    )
    plan: PlanReport | None = Field(
        default=None, description="Its plan.", examples=[{"goal": "ship"}]
    )
    thought: LongLine = Field(
        default="", description="The thought behind it.", examples=["HAN is the nearest."]
    )
    steps: tuple[StepReport, ...] = Field(
        default=(),
        max_length=MOST_STEPS,
        description="Calls of tools, in order.",
        examples=[[STEP]],
    )
    duration_ms: Milliseconds | None = Field(
        default=None, description="How long all of it took.", examples=[1800.0]
    )
    session_id: Name | None = Field(
        default=None, description="The conversation it belongs to.", examples=["monday-call"]
    )
    occurred_at: Time | None = Field(
        default=None, description="When it ended; unset: now.", examples=[TIME_EXAMPLE]
    )
    used: tuple[Name, ...] = Field(
        default=(),
        max_length=100,
        description="Uids of the patterns and insights that were followed: the outcome counts for them.",
        examples=[[UID_EXAMPLE]],
    )


class ObserveExecutionRequest(Identity, ExecutionRow):
    """Report of one task."""

    scope_kind: ScopeKind | None = owner()


class ObserveExecutionsRequest(Identity):
    """Reports of several tasks of one scope."""

    executions: tuple[ExecutionRow, ...] = Field(
        min_length=1,
        max_length=MOST_EXECUTIONS,
        description="Reports; all of them count, or none.",
        examples=[[{"task_id": "ticket-17", "status": "success", "steps": [STEP]}]],
    )
    scope_kind: ScopeKind | None = owner()


class ExecutionView(Answer):
    """Result of one report."""

    task_id: str = Field(description="Its name.", examples=["ticket-17"])
    status: ObservedStatus = Field(
        description="`known`: it was counted before, and not again.", examples=["observed"]
    )
    patterns: tuple[str, ...] = Field(
        default=(), description="Uids of the patterns that it fits.", examples=[[UID_EXAMPLE]]
    )


class ExecutionsAnswer(Answer):
    """Results of several reports, in order."""

    results: tuple[ExecutionView, ...] = Field(
        description="One result for each report.", examples=[[]]
    )


_SPANS: dict[str, Any] = {
    "resource": {
        "attributes": [{"key": "stratagraph.agent_id", "value": {"stringValue": "planner"}}]
    },
    "scopeSpans": [],
}


def _clean(value: dict[str, Any]) -> dict[str, Any]:
    check_json(value, 1)
    return value


# Limited as a body, not as a stored object.
ResourceSpans = Annotated[dict[str, Any], AfterValidator(_clean)]


class TracesRequest(Request):
    """Spans in the format of the OTLP protocol; unknown fields are ignored."""

    model_config = ConfigDict(
        extra="ignore", frozen=True, allow_inf_nan=False, populate_by_name=True
    )
    resource_spans: tuple[ResourceSpans, ...] = Field(
        alias="resourceSpans",
        max_length=1_000,
        description="Resources with their spans, in the JSON of OTLP.",
        examples=[[_SPANS]],
    )


class RejectedSpans(Answer):
    """Spans that were not counted."""

    rejected_spans: str = Field(
        alias="rejectedSpans",
        description="Rejected spans, in the JSON of 64-bit numbers.",
        examples=["2"],
    )
    error_message: str = Field(
        alias="errorMessage",
        description="Why spans were rejected.",
        examples=["trace 1f…: more than 200 calls"],
    )


class TracesAnswer(Answer):
    """Answer of the OTLP protocol."""

    partial_success: RejectedSpans | None = Field(
        default=None,
        alias="partialSuccess",
        description="What was rejected; null: nothing.",
        examples=[None],
    )
