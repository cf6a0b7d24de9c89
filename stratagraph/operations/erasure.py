"""Operations on erasure."""

from __future__ import annotations

from stratagraph import wire
from stratagraph.operations.declaration import (
    Operation,
    never,
)

ERASE_AGENT = Operation(
    name="erase_agent",
    method="DELETE",
    path="/v1/agents/{agent_id:path}",
    room="erasure",
    summary="Erase an agent with all it left; ``erasure`` says how far it is",
    gives=wire.ErasureView,
    repeatable=never,
    fails=(404,),
)
ERASE_USER = Operation(
    name="erase_user",
    method="DELETE",
    path="/v1/users/{user_id:path}",
    room="erasure",
    summary="Erase a user with all that names it",
    gives=wire.ErasureView,
    repeatable=never,
    fails=(404,),
)
ERASE_SESSION = Operation(
    name="erase_session",
    method="DELETE",
    path="/v1/sessions/{session_id:path}",
    room="erasure",
    summary="Erase a session of the scope that is written to",
    takes=wire.EraseSessionRequest,
    gives=wire.ErasureView,
    lead=("scope_kind",),
    repeatable=never,
    fails=(404,),
)
ERASURE = Operation(
    name="erasure",
    method="GET",
    path="/v1/erasures/{name}",
    room="erasure",
    summary="Read how far an erasure is, or its receipt",
    gives=wire.ErasureView,
    fails=(404,),
)
CHECK_GRAPH = Operation(
    name="check_graph",
    method="GET",
    path="/v1/admin/fsck",
    room="erasure",
    summary="Check a part of the graph against itself, or mend it; with the key of who runs the service",
    takes=wire.CheckRequest,
    gives=wire.CheckAnswer,
    by_hand=True,
)
REPAIR_GRAPH = Operation(
    name="repair_graph",
    method="POST",
    path="/v1/admin/fsck",
    room="erasure",
    summary="Check the graph, and repair the flaws found",
    takes=wire.CheckRequest,
    gives=wire.CheckAnswer,
    by_hand=True,
    examples={"begin": ("From the beginning", {})},
)
