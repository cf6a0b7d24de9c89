"""Operations on consolidation."""

from __future__ import annotations

from stratagraph import wire
from stratagraph.operations.declaration import (
    Operation,
    unless_done,
)
from stratagraph.operations.runs import run_operations

CONSOLIDATE = Operation(
    name="consolidate",
    method="POST",
    path="/v1/consolidations",
    room="consolidation",
    summary="Say what would become one memory; with ``dry_run=False`` make it so",
    takes=wire.ConsolidateRequest,
    gives=wire.ConsolidateAnswer,
    repeatable=unless_done,
    fails=(
        404,
        409,
    ),
    examples={
        "dry": ("A try", {"agent_id": "planner"}),
        "run": ("Do it", {"agent_id": "planner", "dry_run": False}),
    },
)
CONSOLIDATIONS, CONSOLIDATION, UNDO_CONSOLIDATION = run_operations(
    "/v1/consolidations",
    "consolidation",
    listed=("consolidations", "Read which consolidations there were", wire.ConsolidationsAnswer),
    shown=(
        "consolidation",
        "Read one consolidation, how far it is, and its clusters",
        wire.ConsolidationAnswer,
    ),
    undone=(
        "undo_consolidation",
        "Bring back what a consolidation condensed, and remove what it made",
        wire.ConsolidationView,
    ),
)
PROVENANCE = Operation(
    name="provenance",
    method="GET",
    path="/v1/memories/{name:path}/provenance",
    room="consolidation",
    summary="Follow a memory down to what it came from",
    takes=wire.ProvenanceRequest,
    gives=wire.ProvenanceView,
    lead=("limit",),
    fails=(404,),
)
