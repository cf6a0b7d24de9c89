"""Tool calls before they are made: checks, recommendations and predictions."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from stratagraph.vocabulary import ScopeKind
from stratagraph.wire.kernel.base import Answer, Identity, Request
from stratagraph.wire.kernel.values import JsonObject, Name, owner
from stratagraph.wire.knowledge.executions import CallStatus, LongLine
from stratagraph.wire.knowledge.models import CallVerdict, LearnJobs, Limit

_CONTEXT = "shipment_creation"
_PARAMETERS = {"facility": "HAN", "units": "imperial"}


class MadeCall(Request):
    """A call of a tool that was made."""

    tool: Name = Field(description="Its name.", examples=["list_facilities"])
    parameters: JsonObject = Field(
        default_factory=dict, description="What it was called with.", examples=[{}]
    )
    status: CallStatus = Field(
        default="completed", description="How it ended.", examples=["failed"]
    )


MadeCalls = Annotated[tuple[MadeCall, ...], Field(max_length=200)]


class CheckCallRequest(Identity):
    """An intended tool call."""

    tool: Name = Field(description="Its name.", examples=["create_shipment"])
    parameters: JsonObject = Field(
        default_factory=dict, description="What it is to be called with.", examples=[_PARAMETERS]
    )
    context: LongLine = Field(default="", description="In which situation.", examples=[_CONTEXT])
    calls: MadeCalls = Field(default=(), description="Calls before it in this task.", examples=[[]])
    situation: JsonObject = Field(
        default_factory=dict,
        description="What conditions of insights are held against, beside the call itself.",
        examples=[{"weekday": "Sunday"}],
    )


class CallWarning(Answer):
    """A warning about an intended call."""

    message: str = Field(
        description="In words.",
        examples=["units=imperial failed in 9 of 10 calls; what worked: units=metric"],
    )
    confidence: float = Field(description="Confidence in the warning, 0 to 1.", examples=[0.6])
    failed: int = Field(description="Calls like it that failed.", examples=[9])
    tried: int = Field(description="Calls like it.", examples=[10])
    what_worked: tuple[str, ...] = Field(
        default=(), description="What was done instead, or next.", examples=[["units=metric"]]
    )


class CheckCallView(Answer):
    """Risk and warnings of a tool call before it is made."""

    verdict: CallVerdict = Field(
        description="`stop`: it will hardly work; `caution`: it often fails.", examples=["stop"]
    )
    risk: float = Field(description="Estimated probability that it fails.", examples=[0.8])
    usual_risk: float = Field(
        description="Estimated probability that any call of the tool fails.", examples=[0.1]
    )
    warnings: tuple[CallWarning, ...] = Field(description="Reasons, surest first.", examples=[[]])


class RecommendRequest(Identity):
    """A choice between tools."""

    context: LongLine = Field(default="", description="In which situation.", examples=[_CONTEXT])
    action: LongLine = Field(
        default="",
        description="What is to be done: tools whose names share its words come into question.",
        examples=["create a shipment"],
    )
    tools: tuple[Name, ...] = Field(
        default=(),
        max_length=200,
        description="Tools to choose from, known or not; unset: those that match the action.",
        examples=[["create_shipment", "draft_shipment"]],
    )
    limit: Limit = Field(default=5, description="The most.", examples=[5])
    seed: Annotated[int, Field(strict=True, ge=0, lt=2**63)] | None = Field(
        default=None,
        description="Explore: draw from what is known, the same for the same seed. Unset: the surest first.",
        examples=[17],
    )


class RecommendedTool(Answer):
    """A candidate tool."""

    tool_name: str = Field(description="Its name.", examples=["create_shipment"])
    success_rate: float = Field(
        description="Estimated rate in this context, drawn to that of all contexts.",
        examples=[0.93],
    )
    low: float = Field(description="Lower end of what it may be (95 %).", examples=[0.83])
    high: float = Field(description="Upper end.", examples=[0.97])
    usage_count: int = Field(description="Calls in this context.", examples=[40])
    score: float = Field(
        description="What it is ranked by: the lower end, or the draw, by the share of tasks that succeeded.",
        examples=[0.83],
    )
    why: str = Field(description="In words.", examples=["38 of 40 calls completed here"])


class RecommendView(Answer):
    """Tools for an action, best first."""

    recommendations: tuple[RecommendedTool, ...] = Field(description="Tools.", examples=[[]])


class NextToolRequest(Identity):
    """The calls of a task so far."""

    calls: MadeCalls = Field(default=(), description="In order.", examples=[[]])
    said: LongLine = Field(
        default="",
        description="What others said since the last call.",
        examples=["Please ship it to Hanoi."],
    )
    thought: LongLine = Field(
        default="",
        description="What the agent said or thought last.",
        examples=["A facility is needed."],
    )
    limit: Limit = Field(default=3, description="The most.", examples=[3])


class NextTool(Answer):
    """A tool that may come next."""

    tool_name: str = Field(description="Its name.", examples=["create_shipment"])
    probability: float = Field(description="Probability of the call, 0 to 1.", examples=[0.7])


class NextToolView(Answer):
    """Predicted next tools, most probable first."""

    tools: tuple[NextTool, ...] = Field(description="Tools.", examples=[[]])
    learned_from: int = Field(
        description="Calls that the model was fitted to; 0: from pairs of calls alone.",
        examples=[900],
    )


class LearnRequest(Identity):
    """A job to run now."""

    job: LearnJobs = Field(
        default="all",
        description="`patterns` runs hourly by itself, `tools` six-hourly, `insights` daily.",
        examples=["all"],
    )
    scope_kind: ScopeKind | None = owner("Of whom")


class LearnReport(Answer):
    """Counts of one run of a job."""

    job: str = Field(description="Name of the job.", examples=["patterns"])
    looked: int = Field(description="Things it looked at.", examples=[300])
    added: int = Field(description="Things it made.", examples=[4])
    changed: int = Field(description="Things it changed.", examples=[12])
    removed: int = Field(description="Things it removed or joined to others.", examples=[9])
    notes: tuple[str, ...] = Field(description="In words.", examples=[["9 queries became 2"]])


class LearnView(Answer):
    """Reports of the jobs."""

    scope: str = Field(description="Scope that the jobs learned for.", examples=["agent/planner"])
    reports: tuple[LearnReport, ...] = Field(description="One report for each job.", examples=[[]])


class KnowledgeMonth(Answer):
    """A month of executions."""

    month: str = Field(description="Month that is counted.", examples=["2026-05"])
    executions: int = Field(description="Tasks.", examples=[120])
    success_rate: float = Field(description="Share that succeeded.", examples=[0.8])
    pattern_reuse_rate: float = Field(
        description="Share that fitted a pattern seen at least twice before, or named one.",
        examples=[0.6],
    )
    tool_selection_accuracy: float = Field(
        description="Share of calls that completed without a retry.", examples=[0.9]
    )
    error_rate: float = Field(description="Share of calls that failed.", examples=[0.08])


class KnowledgeAnalyticsView(Answer):
    """Statistics of learned knowledge."""

    executions: int = Field(description="Tasks in all.", examples=[300])
    pattern_reuse_rate: float = Field(description="As in a month.", examples=[0.6])
    tool_selection_accuracy: float = Field(description="As in a month.", examples=[0.9])
    error_reduction: float = Field(
        description="Fall of the error rate from the first month to the last, as a share of the first.",
        examples=[0.4],
    )
    insight_confidence: float = Field(
        description="Mean confidence of insights, weighed by their evidence.", examples=[0.75]
    )
    response_ms: float = Field(
        description="95th percentile of this process's queries; 0: none yet.", examples=[12.0]
    )
    months: tuple[KnowledgeMonth, ...] = Field(description="At most 24.", examples=[[]])
