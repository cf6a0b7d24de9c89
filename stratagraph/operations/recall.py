"""Operations on recall."""

from __future__ import annotations

from stratagraph import wire
from stratagraph.operations.declaration import (
    Operation,
)

PROFILE = Operation(
    name="profile",
    method="GET",
    path="/v1/profiles/{subject}",
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
