"""Operations on consolidation."""

from __future__ import annotations

from stratagraph import wire
from stratagraph.operations.declaration import (
    Operation,
    unless_done,
)

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
CONSOLIDATIONS = Operation(
    name="consolidations",
    method="GET",
    path="/v1/consolidations",
    room="consolidation",
    summary="Read which consolidations there were",
    takes=wire.RunsRequest,
    gives=wire.ConsolidationsAnswer,
    lead=("limit",),
)
CONSOLIDATION = Operation(
    name="consolidation",
    method="GET",
    path="/v1/consolidations/{run}",
    room="consolidation",
    summary="Read one consolidation, how far it is, and its clusters",
    takes=wire.RunItemsRequest,
    gives=wire.ConsolidationAnswer,
    lead=("limit",),
    fails=(404,),
)
UNDO_CONSOLIDATION = Operation(
    name="undo_consolidation",
    method="POST",
    path="/v1/consolidations/{run}/undo",
    room="consolidation",
    summary="Bring back what a consolidation condensed, and remove what it made",
    takes=wire.UndoRequest,
    gives=wire.ConsolidationView,
    fails=(
        404,
        409,
    ),
    examples={"undo": ("All of it", {"agent_id": "planner"})},
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
