"""Knowledge from executions: patterns, tools, insights and preferences, and queries for them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from stratagraph.vocabulary import InsightType, MemoryType, PatternType, ScopeKind
from stratagraph.wire.kernel.base import Answer, Identity, Request
from stratagraph.wire.kernel.values import (
    NOW,
    TIME_EXAMPLE,
    UID_EXAMPLE,
    Flag,
    JsonObject,
    Name,
    Share,
    Text,
    Time,
    owner,
)
from stratagraph.wire.knowledge.executions import LongLine

RecommendationType = Literal["warning", "optimization", "best_practice"]
CallVerdict = Literal["ok", "caution", "stop"]
LearnJobs = Literal["patterns", "tools", "insights", "all"]
Limit = Annotated[int, Field(strict=True, ge=1, le=100)]

_CONTEXT = "shipment_creation"
_APPLIES = {"contexts": [_CONTEXT], "conditions": {"parameters.units": "imperial"}}
_WHY = "worked in 41 of 42 tasks"


class PatternDefinition(Answer):
    """Content of a pattern."""

    query: str | None = Field(
        default=None, description="Template of queries.", examples=["create_*_for_facility_*"]
    )
    goal: str | None = Field(default=None, description="Goal.", examples=["ship the order"])
    steps: tuple[str, ...] = Field(
        default=(),
        description="Steps in order; of a query pattern those that succeed most surely.",
        examples=[["list_facilities", "create_shipment"]],
    )
    context: str | None = Field(
        default=None, description="Where it came most often.", examples=[_CONTEXT]
    )
    solutions: tuple[str, ...] = Field(
        default=(),
        description="Of an error: what was done next that worked, most often first.",
        examples=[["create_shipment with another units"]],
    )


class SuccessMetrics(Answer):
    """Success of a pattern, in numbers."""

    success_rate: float = Field(description="Share of successes, 0 to 1.", examples=[0.97])
    avg_execution_time: float | None = Field(
        description="Milliseconds on average; null: unreported.", examples=[1800.0]
    )
    avg_steps: float = Field(description="Calls of tools on average.", examples=[2.0])
    reliability: float = Field(
        description="Consistency, 0 to 1: the share that ended as most did, less where durations vary.",
        examples=[0.9],
    )


class KnowledgeEvidence(Answer):
    """A task as evidence of knowledge."""

    task_id: str = Field(description="Its name.", examples=["ticket-17"])
    plan_id: str = Field(default="", description="Its plan.", examples=["plan-17"])
    outcome: str = Field(description="`success` or `failure`.", examples=["success"])
    timestamp: datetime = Field(description="When it ended.", examples=[NOW])
    description: str = Field(default="", description="In words.", examples=["it was shipped"])


class MemoryPatternView(Answer):
    """A recurring pattern."""

    pattern_id: str = Field(description="Its uid.", examples=[UID_EXAMPLE])
    pattern_type: PatternType = Field(description="Of what.", examples=["query_pattern"])
    name: str = Field(description="The pattern in one line.", examples=["create_*_for_facility_*"])
    pattern: PatternDefinition = Field(description="What it says.", examples=[{}])
    success_metrics: SuccessMetrics = Field(description="How well it does.", examples=[{}])
    usage_count: int = Field(description="How often it came.", examples=[42])
    last_used: datetime = Field(description="When it came last.", examples=[NOW])
    first_seen: datetime = Field(description="When it came first.", examples=[NOW])
    evidence: tuple[KnowledgeEvidence, ...] = Field(
        description="The latest tasks, at most 20.", examples=[[]]
    )
    confidence: float = Field(
        description="Lower bound of the success rate (Wilson, 95 %), 0 to 1.", examples=[0.88]
    )
    validated_at: datetime | None = Field(
        default=None,
        description="When the hourly job last found it as good as before.",
        examples=[NOW],
    )
    scope: str = Field(description="Scope that knows it.", examples=["agent/planner"])
    why: str = Field(default="", description="Why it is shown.", examples=[_WHY])


class ToolPerformance(Answer):
    """Calls of a tool in numbers."""

    total_executions: int = Field(description="Calls.", examples=[50])
    success_count: int = Field(description="Calls that completed.", examples=[45])
    failure_count: int = Field(description="Calls that failed.", examples=[5])
    success_rate: float = Field(description="Share that completed, 0 to 1.", examples=[0.9])
    avg_duration: float | None = Field(
        description="Milliseconds on average; null: unreported.", examples=[420.0]
    )
    p50_duration: float | None = Field(
        description="Median, right to 5 %; null: unreported.", examples=[400.0]
    )
    p95_duration: float | None = Field(
        description="95th percentile, right to 5 %; null: unreported.", examples=[900.0]
    )
    avg_retries: float = Field(description="Retries on average.", examples=[0.1])


class OptimalContext(Answer):
    """Performance of a tool in one context."""

    context: str = Field(description="Its name.", examples=[_CONTEXT])
    success_rate: float = Field(description="Share that completed.", examples=[0.95])
    avg_duration: float | None = Field(
        description="Milliseconds on average; null: unreported.", examples=[400.0]
    )
    usage_count: int = Field(description="Calls.", examples=[40])
    confidence: float = Field(description="Lower bound of the success rate.", examples=[0.83])


class CommonError(Answer):
    """Error of a tool, and following calls that succeeded."""

    error: str = Field(description="Without its values.", examples=["facility * is closed"])
    frequency: int = Field(description="How often it came.", examples=[4])
    percentage: float = Field(description="Of the tool's calls, 0 to 100.", examples=[8.0])
    contexts: tuple[str, ...] = Field(
        description="Contexts in which it came.", examples=[[_CONTEXT]]
    )
    solutions: tuple[str, ...] = Field(
        description="What was done next that worked, most often first.",
        examples=[["create_shipment with another facility"]],
    )
    solved: int = Field(description="How often something worked afterwards.", examples=[3])


class ParameterInsight(Answer):
    """Knowledge of a tool's parameter."""

    parameter: str = Field(description="Its name.", examples=["units"])
    optimal_value: Any = Field(
        default=None,
        description="Value that surely succeeds most often; null: none that succeeded came twice.",
        examples=["metric"],
    )
    value_pattern: str = Field(
        description="What good values have in common.", examples=["one of imperial, metric"]
    )
    importance: float = Field(
        description="Share of the outcome's uncertainty that its value takes away, 0 to 1.",
        examples=[0.4],
    )
    failing_values: tuple[str, ...] = Field(
        default=(), description="Values that mostly failed.", examples=[["imperial"]]
    )


class ToolAdvice(Answer):
    """Recommendation for a tool."""

    type: RecommendationType = Field(description="Of what sort.", examples=["warning"])
    message: str = Field(
        description="In words.", examples=["units=imperial failed in 9 of 10 calls"]
    )
    confidence: float = Field(description="Confidence in the advice, 0 to 1.", examples=[0.6])
    evidence: tuple[str, ...] = Field(
        description="Evidence that it rests on.", examples=[["10 calls"]]
    )


class ToolMemoryView(Answer):
    """Knowledge of a tool."""

    tool_name: str = Field(description="Its name.", examples=["create_shipment"])
    performance: ToolPerformance = Field(description="In numbers.", examples=[{}])
    optimal_contexts: tuple[OptimalContext, ...] = Field(
        description="Contexts in which it does best.", examples=[[]]
    )
    common_errors: tuple[CommonError, ...] = Field(
        description="How it fails, most often first.", examples=[[]]
    )
    parameter_insights: tuple[ParameterInsight, ...] = Field(
        description="Its parameters, most important first.", examples=[[]]
    )
    recommendations: tuple[ToolAdvice, ...] = Field(
        description="Advice that follows, surest first.", examples=[[]]
    )
    last_updated: datetime = Field(description="When it was last called.", examples=[NOW])
    last_analyzed: datetime | None = Field(
        default=None, description="When the six-hourly job last looked at it.", examples=[NOW]
    )
    why: str = Field(default="", description="Why it is shown.", examples=["used in 40 calls here"])


class AppliesTo(Request):
    """Situations for which an insight holds; empty fields match any."""

    agents: tuple[Name, ...] = Field(
        default=(), max_length=100, description="Agents.", examples=[["planner"]]
    )
    contexts: tuple[LongLine, ...] = Field(
        default=(), max_length=100, description="Contexts.", examples=[[_CONTEXT]]
    )
    conditions: JsonObject = Field(
        default_factory=dict,
        description="By path in the situation: a value, or `{op: value}` with eq, ne, gt, gte, lt, lte, in, "
        "not_in, contains or exists.",
        examples=[{"parameters.units": {"ne": "metric"}}],
    )


class InsightEvidence(Request):
    """A task that supports an insight."""

    task_id: Name = Field(description="Its name.", examples=["ticket-17"])
    description: LongLine = Field(
        default="", description="In words.", examples=["imperial units were refused"]
    )


class StoreInsightRequest(Identity):
    """An insight of an agent or a person."""

    insight: Text = Field(
        description="In words.", examples=["Shipments are created with metric units."]
    )
    insight_type: InsightType = Field(
        default="rule", description="Of what sort.", examples=["rule"]
    )
    rule: LongLine = Field(
        default="",
        description="The insight as a rule for machines, if it can be one.",
        examples=["units == metric"],
    )
    applies_to: AppliesTo = Field(
        default_factory=AppliesTo, description="Where it holds.", examples=[_APPLIES]
    )
    evidence: tuple[InsightEvidence, ...] = Field(
        default=(), max_length=100, description="What it rests on.", examples=[[]]
    )
    confidence: Share = Field(default=0.5, description="How sure it is.", examples=[0.8])
    scope_kind: ScopeKind | None = owner("Whose", example="shared")


class ValidateInsightRequest(Identity):
    """Confirmation or contradiction of an insight."""

    insight_id: Name = Field(description="Its uid.", examples=[UID_EXAMPLE])
    holds: Flag = Field(description="Whether it is right.", examples=[True])
    task_id: Name | None = Field(
        default=None, description="Task that showed it.", examples=["ticket-17"]
    )
    description: LongLine = Field(
        default="", description="In words.", examples=["imperial units were refused again"]
    )
    scope_kind: ScopeKind | None = owner("Whose insight")


class LearnedInsightView(Answer):
    """A learned insight, with its evidence and its confirmations."""

    insight_id: str = Field(description="Its uid.", examples=[UID_EXAMPLE])
    insight_type: InsightType = Field(description="Of what sort.", examples=["best_practice"])
    insight: str = Field(description="In words.", examples=["Ship with metric units."])
    rule: str = Field(
        description="The insight as a rule for machines, or empty.", examples=["units == metric"]
    )
    applies_to: AppliesTo = Field(description="Where it holds.", examples=[_APPLIES])
    evidence: tuple[KnowledgeEvidence, ...] = Field(description="At most 20 tasks.", examples=[[]])
    confidence: float = Field(description="Confidence in the insight, 0 to 1.", examples=[0.8])
    evidence_strength: float = Field(
        description="Quality of the evidence, 0 to 1: n/(n + 5) of the tasks that speak for or against it.",
        examples=[0.67],
    )
    validated: bool = Field(description="Whether it held on later tasks.", examples=[True])
    validated_at: datetime | None = Field(
        default=None, description="When it was validated.", examples=[NOW]
    )
    validated_by: str = Field(
        description="`system`, `user`, `agent`, or empty.", examples=["system"]
    )
    usage_count: int = Field(description="How many tasks followed it.", examples=[3])
    last_used: datetime | None = Field(
        default=None, description="The last of them.", examples=[NOW]
    )
    created_at: datetime = Field(description="When it was made.", examples=[NOW])
    last_updated: datetime = Field(description="When it was last judged.", examples=[NOW])
    scope: str = Field(description="Scope that knows it.", examples=["agent/planner"])
    why: str = Field(default="", description="Why it is shown.", examples=[_WHY])


class QueryMemoryRequest(Identity):
    """Query for knowledge."""

    query: LongLine = Field(
        description="What to look for, in words.", examples=["Create a shipment for facility DAD"]
    )
    memory_types: tuple[MemoryType, ...] = Field(
        default=("patterns", "tool_memory", "insights", "preferences"),
        description="Of which sorts.",
        examples=[["patterns", "insights"]],
    )
    context: LongLine = Field(default="", description="In which situation.", examples=[_CONTEXT])
    limit: Limit = Field(default=5, description="The most of each sort.", examples=[5])
    situation: JsonObject = Field(
        default_factory=dict,
        description="What conditions of insights are held against.",
        examples=[{"parameters": {"units": "imperial"}}],
    )
    session_id: Name | None = Field(
        default=None, description="Session whose preferences count too.", examples=["monday-call"]
    )
    as_of: Time | None = Field(
        default=None, description="Preferences as they were then.", examples=[TIME_EXAMPLE]
    )


class KnowledgePatternRequest(Identity):
    """One pattern by its name."""

    pattern_type: PatternType = Field(description="Its type.", examples=["query_pattern"])
    pattern: LongLine = Field(
        min_length=1,
        description="Its name; a query is made a template, or found under a general one.",
        examples=["create_*_for_facility_*"],
    )


class AdviceRequest(Identity):
    """A situation before a thought or a plan."""

    query: LongLine = Field(
        description="What is to be done, in words.", examples=["Create a shipment for facility DAD"]
    )
    context: LongLine = Field(default="", description="In which situation.", examples=[_CONTEXT])
    tools: tuple[Name, ...] = Field(
        default=(),
        max_length=200,
        description="Tools at hand; unset: all that are known.",
        examples=[["list_facilities", "create_shipment"]],
    )
    situation: JsonObject = Field(
        default_factory=dict,
        description="What conditions of insights are held against.",
        examples=[{"units": "imperial"}],
    )
    session_id: Name | None = Field(
        default=None, description="Session whose preferences count too.", examples=["monday-call"]
    )
    max_tokens: Annotated[int, Field(strict=True, ge=50, le=20_000)] = Field(
        default=500, description="Tokens of all texts at most.", examples=[500]
    )


class AdviceItem(Answer):
    """One piece of advice."""

    kind: Literal["pattern", "tool", "insight", "preference"] = Field(
        description="Sort of knowledge it comes from.", examples=["insight"]
    )
    uid: str = Field(description="Its uid, for `used`; of a tool its name.", examples=[UID_EXAMPLE])
    text: str = Field(description="What it says.", examples=["Ship with metric units."])
    why: str = Field(description="Why it is told.", examples=[_WHY])
    score: float = Field(description="How much it is worth here, 0 to 1.", examples=[0.8])


class AdviceView(Answer):
    """Advice for a situation, best first, within the budget."""

    items: tuple[AdviceItem, ...] = Field(description="Advice.", examples=[[]])
    text: str = Field(description="All of it as a text for a prompt.", examples=["- Ship …"])
    tokens: int = Field(description="Estimated tokens of the text.", examples=[120])
    left_out: int = Field(description="Items that did not fit.", examples=[0])
