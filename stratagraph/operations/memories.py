"""Operations on memories."""

from __future__ import annotations

from types import NoneType

from stratagraph import wire
from stratagraph.operations.declaration import (
    RACE,
    Operation,
    never,
    unless_done,
)

REMEMBER = Operation(
    name="remember",
    method="POST",
    path="/v1/memories",
    room="memories",
    summary="Remember one memory; the same memory sent twice is one",
    takes=wire.RememberRequest,
    bodies=(
        wire.RememberRequest,
        wire.BatchRequest,
    ),
    gives=wire.RememberAnswer,
    lead=("text",),
    busy=RACE,
    fails=(409,),
    examples={
        "one": (
            "One memory",
            {
                "agent_id": "planner",
                "text": "Ada prefers answers with a worked example.",
                "kind": "preference",
                "tags": ["style"],
            },
        ),
        "batch": (
            "A conversation",
            {
                "agent_id": "planner",
                "memories": [
                    {"text": "The build broke.", "session_id": "monday", "speaker": "Ada"},
                    {"text": "A newer compiler mended it.", "session_id": "monday"},
                ],
            },
        ),
    },
)
LIST_MEMORIES = Operation(
    name="list_memories",
    method="GET",
    path="/v1/memories",
    room="memories",
    summary="List one page of memories",
    takes=wire.ListRequest,
    gives=wire.MemoryPage,
)
COUNT = Operation(
    name="count",
    method="GET",
    path="/v1/memories/count",
    room="memories",
    summary="Count memories, ``by`` groups if it is given",
    takes=wire.CountRequest,
    gives=wire.MemoryCount,
)
LIST_VERSIONS = Operation(
    name="list_versions",
    method="GET",
    path="/v1/memories/{name:path}/versions",
    room="memories",
    summary="List one page of what a memory said before, the newest first",
    takes=wire.VersionsRequest,
    gives=wire.VersionPage,
    fails=(404,),
)
NEIGHBOURHOOD = Operation(
    name="neighbourhood",
    method="GET",
    path="/v1/memories/{name:path}/neighbourhood",
    room="memories",
    summary="Show what surrounds a memory, as nodes and edges to draw",
    takes=wire.NeighbourhoodRequest,
    gives=wire.NeighbourhoodView,
    fails=(404,),
)
GET = Operation(
    name="get",
    method="GET",
    path="/v1/memories/{name:path}",
    room="memories",
    summary="Read one memory by its uid or ``external:<external_id>``",
    takes=wire.Identity,
    gives=wire.SingleMemoryView,
    fails=(404,),
)
AMEND = Operation(
    name="patch",
    method="PATCH",
    path="/v1/memories/{name:path}",
    room="memories",
    summary="Change what a memory says",
    takes=wire.Identity,
    bodies=(wire.PatchRequest,),
    gives=wire.AmendedView,
    by_hand=True,
    fails=(
        404,
        409,
        412,
    ),
    examples={
        "text": ("Another text", {"text": "Ada prefers short answers.", "importance": 4}),
        "keys": ("One key of the metadata", {"metadata": {"ticket": 18, "draft": None}}),
        "archive": ("No longer recalled", {"state": "archived"}),
    },
)
DELETE_MANY = Operation(
    name="delete_many",
    method="POST",
    path="/v1/memories/delete",
    room="memories",
    summary="Remove the memories of one scope that are meant; says only which unless ``dry_run=False``",
    details="What is meant: ``filters``, ``names`` or ``all=True``.",
    takes=wire.DeleteRequest,
    gives=wire.DeleteAnswer,
    repeatable=unless_done,
    examples={
        "dry": ("A try", {"agent_id": "planner", "filters": {"session_id": "monday-call"}}),
        "all": ("All of an agent", {"agent_id": "planner", "all": True, "dry_run": False}),
    },
)
DELETE = Operation(
    name="delete",
    method="DELETE",
    path="/v1/memories/{name:path}",
    room="memories",
    summary="Remove one memory",
    takes=wire.Identity,
    gives=NoneType,
    gone_is_done=True,
    fails=(404,),
)
SUPERSEDE = Operation(
    name="supersede",
    method="PUT",
    path="/v1/memories/{newer:path}/supersedes/{older:path}",
    room="memories",
    summary="Say that a memory replaces another, which then holds no longer",
    takes=wire.Identity,
    gives=wire.SupersessionView,
    fails=(
        404,
        409,
    ),
)
UNSUPERSEDE = Operation(
    name="unsupersede",
    method="DELETE",
    path="/v1/memories/{newer:path}/supersedes/{older:path}",
    room="memories",
    summary="Say that a memory does not replace another: that one holds again, and stays so",
    takes=wire.Identity,
    gives=NoneType,
    fails=(404,),
)
ERASE_MEMORY = Operation(
    name="erase_memory",
    method="DELETE",
    path="/v1/memories/{name:path}",
    room="erasure",
    summary="Erase one memory, and answer what went with it",
    takes=wire.DeleteMemoryRequest,
    gives=wire.ErasureView,
    fixed={"receipt": True},
    repeatable=never,
    fails=(404,),
)
