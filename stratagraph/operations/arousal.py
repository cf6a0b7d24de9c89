"""Operations on arousal: surprise plugins, and how an agent thinks."""

from __future__ import annotations

from types import NoneType

from stratagraph import wire
from stratagraph.operations.declaration import Operation, never

_SEEN = {"FLOOD": "HIGH"}

ATTACH_SURPRISE = Operation(
    name="attach_surprise",
    method="POST",
    path="/v1/arousal/plugin",
    room="arousal",
    summary="Attach a surprise plugin to the agent; with other settings than before it begins anew",
    takes=wire.PluginRequest,
    gives=wire.PluginView,
    lead=("kind",),
    examples={
        "symbolic": ("How rare a situation is", {"agent_id": "planner", "kind": "symbolic"}),
        "ema": (
            "Numbers beside their moving means",
            {"agent_id": "planner", "kind": "ema", "scales": {"flood_depth": 2.0}},
        ),
    },
)
DETACH_SURPRISE = Operation(
    name="detach_surprise",
    method="DELETE",
    path="/v1/arousal/plugin",
    room="arousal",
    summary="Remove the agent's surprise plugin with what it has learned",
    takes=wire.Identity,
    gives=NoneType,
)
OBSERVE = Operation(
    name="observe",
    method="POST",
    path="/v1/arousal/observations",
    room="arousal",
    summary="Say what the agent observes, and hear how surprising it is; 0 without a plugin",
    takes=wire.ObserveRequest,
    gives=wire.ObservedView,
    lead=("observation",),
    repeatable=never,
    examples={"symbolic": ("A flood", {"agent_id": "planner", "observation": _SEEN})},
)
OBSERVE_MANY = Operation(
    name="observe_many",
    method="POST",
    path="/v1/arousal/observations/batch",
    room="arousal",
    summary="Say what many agents observe; all of it counts, or nothing",
    takes=wire.ObserveManyRequest,
    gives=wire.ObservedManyView,
    lead=("rows",),
    repeatable=never,
    examples={
        "two": (
            "Two households",
            {
                "agent_id": "household-1",
                "rows": [
                    {"observation": _SEEN},
                    {"agent_id": "household-2", "observation": {"FLOOD": "NONE"}},
                ],
            },
        )
    },
)
GET_COGNITIVE_SYSTEM = Operation(
    name="get_cognitive_system",
    method="GET",
    path="/v1/arousal",
    room="arousal",
    summary="Read whether the agent thinks in SYSTEM_1 or SYSTEM_2, and how many memories that asks for",
    takes=wire.MindRequest,
    gives=wire.MindView,
)
RESET_SURPRISE = Operation(
    name="reset_surprise",
    method="POST",
    path="/v1/arousal/reset",
    room="arousal",
    summary="Let the agent's surprise plugin forget what it has learned; it stays attached",
    takes=wire.Identity,
    gives=NoneType,
    examples={"reset": ("A new episode", {"agent_id": "planner"})},
)
GET_SURPRISE_TRACE = Operation(
    name="get_surprise_trace",
    method="GET",
    path="/v1/arousal/trace",
    room="arousal",
    summary="Read what the agent's plugin has learned and why it was surprised; None without a plugin",
    takes=wire.Identity,
    gives=wire.TraceAnswer,
)
