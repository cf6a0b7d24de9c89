"""Operations on knowledge from executions."""

from __future__ import annotations

from stratagraph import wire
from stratagraph.operations.declaration import Operation, never

_BASE = "/v1/knowledge"
_STEPS = [
    {"tool": "list_facilities", "duration_ms": 90.0},
    {
        "tool": "create_shipment",
        "parameters": {"facility": "HAN", "units": "imperial"},
        "status": "failed",
        "error": "units imperial are not supported",
    },
    {"tool": "create_shipment", "parameters": {"facility": "HAN", "units": "metric"}},
]
_EXECUTION = {
    "task_id": "ticket-17",
    "status": "success",
    "query": "Create a shipment for facility HAN",
    "context": "shipment_creation",
    "steps": _STEPS,
}
_SPAN = {
    "traceId": "5b8efff798038103d269b633813fc60c",
    "spanId": "eee19b7ec3c1b174",
    "name": "execute_tool create_shipment",
    "startTimeUnixNano": "1790000000000000000",
    "endTimeUnixNano": "1790000000420000000",
    "attributes": [
        {"key": "gen_ai.operation.name", "value": {"stringValue": "execute_tool"}},
        {"key": "gen_ai.tool.name", "value": {"stringValue": "create_shipment"}},
        {"key": "gen_ai.tool.call.arguments", "value": {"stringValue": '{"units": "metric"}'}},
    ],
}
_SPANS = {
    "resource": {
        "attributes": [{"key": "stratagraph.agent_id", "value": {"stringValue": "planner"}}]
    },
    "scopeSpans": [{"spans": [_SPAN]}],
}
_WHO = {"agent_id": "planner"}
_FILE = {
    "format": "stratagraph-knowledge",
    "version": 1,
    "source": "01976f3e-8e7a-7c3f-b2ab-3f1c5a6d7e80",
    "made_at": "2026-05-01T00:00:00Z",
    "least": 5,
}

OBSERVE_EXECUTION = Operation(
    name="observe_execution",
    method="POST",
    path=f"{_BASE}/executions",
    room="knowledge",
    summary="Report how a task was carried out; patterns, tools and errors learn from it, once",
    takes=wire.ObserveExecutionRequest,
    gives=wire.ExecutionView,
    lead=("task_id", "status"),
    examples={"shipment": ("A failed call that was mended", _WHO | _EXECUTION)},
)
OBSERVE_EXECUTIONS = Operation(
    name="observe_executions",
    method="POST",
    path=f"{_BASE}/executions/batch",
    room="knowledge",
    summary="Report how many tasks were carried out; all of them count, or none",
    takes=wire.ObserveExecutionsRequest,
    gives=wire.ExecutionsAnswer,
    lead=("executions",),
    examples={"one": ("One task", _WHO | {"executions": [_EXECUTION]})},
)
OBSERVE_TRACES = Operation(
    name="observe_traces",
    method="POST",
    path="/v1/traces",
    room="knowledge",
    summary="Take spans by OTLP (JSON); the tool calls of a trace are observed as one execution, once",
    details="The resource's attributes `stratagraph.agent_id`, `stratagraph.user_id` or `stratagraph.channel_id` say whose they are, else the "
    "headers `X-Stratagraph-Agent`, `-Users` and `-Channels`; spans of nobody are refused.",
    takes=wire.TracesRequest,
    gives=wire.TracesAnswer,
    lead=("resource_spans",),
    examples={"call": ("One call of a tool", {"resourceSpans": [_SPANS]})},
)
QUERY_MEMORY = Operation(
    name="query_memory",
    method="POST",
    path=f"{_BASE}/query",
    room="knowledge",
    summary="Find patterns, tools, insights and preferences that fit a query",
    takes=wire.QueryMemoryRequest,
    gives=wire.QueryMemoryView,
    lead=("query",),
    examples={
        "shipment": ("Before a plan", _WHO | {"query": "Create a shipment for facility DAD"})
    },
)
GET_MEMORY_PATTERN = Operation(
    name="get_memory_pattern",
    method="GET",
    path=f"{_BASE}/pattern",
    room="knowledge",
    summary="Read one pattern by its type and name",
    takes=wire.KnowledgePatternRequest,
    gives=wire.MemoryPatternView,
    lead=("pattern_type", "pattern"),
    fails=(404,),
)
STORE_INSIGHT = Operation(
    name="store_insight",
    method="POST",
    path=f"{_BASE}/insights",
    room="knowledge",
    summary="Store an insight; the same one again adds its evidence",
    takes=wire.StoreInsightRequest,
    gives=wire.LearnedInsightView,
    lead=("insight",),
    examples={
        "units": (
            "A rule with a condition",
            _WHO
            | {
                "insight": "Shipments are created with metric units.",
                "applies_to": {"conditions": {"parameters.units": {"ne": "metric"}}},
                "confidence": 0.8,
            },
        )
    },
)
VALIDATE_INSIGHT = Operation(
    name="validate_insight",
    method="POST",
    path=f"{_BASE}/insights/validation",
    room="knowledge",
    summary="Say that an insight holds, or that it does not",
    details="It counts as five later observations; `validated_by` is then `user` where a user is named, else `agent`.",
    takes=wire.ValidateInsightRequest,
    gives=wire.LearnedInsightView,
    lead=("insight_id", "holds"),
    repeatable=never,
    fails=(404,),
    examples={
        "holds": (
            "It holds",
            _WHO | {"insight_id": "01976f3e-8e7a-7c3f-b2ab-3f1c5a6d7e80", "holds": True},
        )
    },
)
ADVISE = Operation(
    name="advise",
    method="POST",
    path=f"{_BASE}/advice",
    room="knowledge",
    summary="Get advice for a situation, best first, within a budget of tokens",
    takes=wire.AdviceRequest,
    gives=wire.AdviceView,
    lead=("query",),
    examples={
        "shipment": ("Before a plan", _WHO | {"query": "Create a shipment for facility DAD"})
    },
)
CHECK_TOOL_CALL = Operation(
    name="check_tool_call",
    method="POST",
    path=f"{_BASE}/check",
    room="knowledge",
    summary="Hold an intended tool call against known errors before it is made",
    takes=wire.CheckCallRequest,
    gives=wire.CheckCallView,
    lead=("tool",),
    examples={
        "units": (
            "A value that fails",
            _WHO | {"tool": "create_shipment", "parameters": {"units": "imperial"}},
        )
    },
)
RECOMMEND_TOOL = Operation(
    name="recommend_tool",
    method="POST",
    path=f"{_BASE}/recommendations",
    room="knowledge",
    summary="Rank tools for an action by their success in this context",
    takes=wire.RecommendRequest,
    gives=wire.RecommendView,
    examples={"shipment": ("By action", _WHO | {"action": "create a shipment"})},
)
PREDICT_NEXT_TOOL = Operation(
    name="predict_next_tool",
    method="POST",
    path=f"{_BASE}/next",
    room="knowledge",
    summary="Predict which tool comes next in a task like this",
    takes=wire.NextToolRequest,
    gives=wire.NextToolView,
    examples={"after": ("After one call", _WHO | {"calls": [{"tool": "list_facilities"}]})},
)
SET_PREFERENCE = Operation(
    name="set_preference",
    method="POST",
    path=f"{_BASE}/preferences",
    room="knowledge",
    summary="State a preference; a changed one replaces the one before",
    takes=wire.SetPreferenceRequest,
    gives=wire.PreferencesAnswer,
    lead=("kind", "name", "value"),
    examples={
        "units": (
            "A default",
            {"user_id": "ada", "kind": "parameter", "name": "units", "value": "metric"},
        )
    },
)
CORRECT = Operation(
    name="correct",
    method="POST",
    path=f"{_BASE}/corrections",
    room="knowledge",
    summary="Report a correction and hear what it teaches",
    takes=wire.CorrectRequest,
    gives=wire.PreferencesAnswer,
    lead=("original", "corrected"),
    repeatable=never,
    examples={
        "units": (
            "Units",
            {"user_id": "ada", "original": {"units": "imperial"}, "corrected": {"units": "metric"}},
        )
    },
)
LEARN = Operation(
    name="learn",
    method="POST",
    path=f"{_BASE}/learn",
    room="knowledge",
    summary="Run the jobs that learn from executions now, as the worker does by itself",
    takes=wire.LearnRequest,
    gives=wire.LearnView,
    examples={"all": ("All jobs", _WHO)},
)
KNOWLEDGE_ANALYTICS = Operation(
    name="knowledge_analytics",
    method="GET",
    path=f"{_BASE}/analytics",
    room="knowledge",
    summary="Measure what was learned: reuse, tool selection, errors, insights, response time",
    takes=wire.Identity,
    gives=wire.KnowledgeAnalyticsView,
)
EXPORT_KNOWLEDGE = Operation(
    name="export_knowledge",
    method="POST",
    path=f"{_BASE}/export",
    room="knowledge",
    summary="Write down what a scope learned for others, without the texts and people behind it",
    details="Nothing is in it that came less than `least` times; with `epsilon` noise lies on the counts.",
    takes=wire.ExportKnowledgeRequest,
    gives=wire.SharedKnowledgeView,
    examples={"noised": ("With noise", _WHO | {"epsilon": 1.0})},
)
IMPORT_KNOWLEDGE = Operation(
    name="import_knowledge",
    method="POST",
    path=f"{_BASE}/import",
    room="knowledge",
    summary="Add what others learned; the same file again changes nothing, a newer one replaces it",
    takes=wire.ImportKnowledgeRequest,
    gives=wire.ImportedKnowledgeView,
    examples={"file": ("A file that takes back what its source brought", _WHO | {"file": _FILE})},
)
