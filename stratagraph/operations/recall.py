"""Operations on recall."""

from __future__ import annotations

from stratagraph import wire
from stratagraph.operations.declaration import (
    Operation,
)

PROFILE = Operation(
    name="profile",
    method="GET",
    path="/v1/profiles/{subject:path}",
    room="recall",
    summary="Show what is known about a person, a project or a tool, each line with its evidence",
    takes=wire.ProfileRequest,
    gives=wire.ProfileView,
)
RECALL = Operation(
    name="recall",
    method="POST",
    path="/v1/recall",
    room="recall",
    summary="Recall what helps with a text, a ``vector``, or what is ``like`` a memory",
    takes=wire.RecallRequest,
    gives=wire.RecallAnswerView,
    lead=("text",),
    fails=(404,),
    examples={
        "question": (
            "A question",
            {"agent_id": "planner", "text": "How does Ada like answers?", "k": 5},
        ),
        "task": (
            "For a task whose outcome will be reported",
            {
                "agent_id": "planner",
                "user_ids": ["ada"],
                "text": "How does Ada like answers?",
                "phase": "planning",
                "task_id": "answer-ticket-17",
                "filters": {"kinds": ["preference", "insight"], "importance_min": 2},
                "explain": True,
            },
        ),
    },
)
ENGINES = Operation(
    name="engines",
    method="GET",
    path="/v1/engines",
    room="recall",
    summary="Read the settings of the engines in force, for the tenant and by types of agents",
    gives=wire.EnginesView,
)
APPLY_ENGINES = Operation(
    name="apply_engines",
    method="POST",
    path="/v1/engines",
    room="recall",
    summary="Put a configuration of the engines in place of the one before, as ``yaml`` or as an object",
    takes=wire.ApplyEnginesRequest,
    gives=wire.EnginesView,
    examples={
        "object": (
            "The weighted law, and another for some agents",
            {
                "agent_id": "planner",
                "config": {
                    "memory_config": {"type": "weighted", "params": {"W_context": 0.4}},
                    "agent_types": {
                        "household": {
                            "agents": ["household-*"],
                            "memory_config": {"type": "basic"},
                            "emotion_keywords": {"flood": 1.0, "damage": 0.8},
                        }
                    },
                },
            },
        ),
        "file": (
            "The text of a file",
            {"agent_id": "planner", "yaml": "memory_config:\n  type: saliency\n"},
        ),
    },
)
RESET_ENGINES = Operation(
    name="reset_engines",
    method="DELETE",
    path="/v1/engines",
    room="recall",
    summary="Let every agent recall by the default engine again",
    takes=wire.Identity,
    gives=wire.EnginesView,
)
ENGINE_CHANGES = Operation(
    name="engine_changes",
    method="GET",
    path="/v1/engines/changes",
    room="recall",
    summary="List who applied which configuration of the engines, newest first",
    takes=wire.ConfigChangesRequest,
    gives=wire.ConfigChangePage,
)
