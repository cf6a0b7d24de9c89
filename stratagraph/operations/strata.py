"""Operations on strata."""

from __future__ import annotations

from dataclasses import replace

from stratagraph import wire
from stratagraph.operations.declaration import (
    Operation,
    if_dry,
    once_named,
    unless_done,
)
from stratagraph.operations.runs import run_operations

STRATA_CONFIG = Operation(
    name="strata_config",
    method="GET",
    path="/v1/strata/config",
    room="strata",
    summary="Read the settings of strata in force, and where each value comes from",
    gives=wire.ConfigView,
)
CHANGE_STRATA_CONFIG = Operation(
    name="change_strata_config",
    method="PATCH",
    path="/v1/strata/config",
    room="strata",
    summary="Set values of strata while the service runs; None leaves one to the environment again",
    takes=wire.StrataConfigRequest,
    gives=wire.ConfigView,
    null_is_value=True,
    fails=(409,),
    examples={
        "capacity": (
            "More room for working memories",
            {"agent_id": "planner", "working_capacity": 100},
        ),
        "own": (
            "A stratum of your own",
            {
                "agent_id": "planner",
                "own_strata": "project after short_term capacity=200 retention_hours=336 decay=0.2",
            },
        ),
        "reset": ("One value left to the environment", {"agent_id": "a", "expired": None}),
    },
)
RESET_STRATA_CONFIG = Operation(
    name="reset_strata_config",
    method="DELETE",
    path="/v1/strata/config",
    room="strata",
    summary="Leave every value of strata to the environment again",
    fails=(409,),
    takes=wire.Identity,
    gives=wire.ConfigView,
)
STRATA_CONFIG_CHANGES = Operation(
    name="strata_config_changes",
    method="GET",
    path="/v1/strata/config/changes",
    room="strata",
    summary="List who set what of strata, newest first",
    takes=wire.ConfigChangesRequest,
    gives=wire.ConfigChangePage,
)
RUN_GATES = Operation(
    name="run_gates",
    method="POST",
    path="/v1/strata/gates",
    room="strata",
    summary="Say what would move between strata and why; with ``dry_run=False`` let it",
    takes=wire.RunRequest,
    gives=wire.GatesAnswer,
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
GATE_RUNS, GATE_RUN, UNDO_GATE_RUN = run_operations(
    "/v1/strata/gates",
    "strata",
    listed=("gate_runs", "Read which runs of the gates there were", wire.GateRunsAnswer),
    shown=("gate_run", "Read one run of the gates, and what it moved", wire.GateRunAnswer),
    undone=("undo_gate_run", "Move back what a run of the gates moved", wire.GateRunView),
)
MOVE = Operation(
    name="move",
    method="POST",
    path="/v1/strata/moves",
    room="strata",
    summary="Move memories ``to`` a stratum, or ``up`` or ``down`` to the next one",
    takes=wire.MovesRequest,
    gives=wire.MovesAnswer,
    lead=("memories", "to"),
    repeatable=if_dry,
    fails=(409,),
    examples={
        "up": (
            "One stratum up",
            {"agent_id": "planner", "memories": ["external:rule-7"], "to": "up"},
        ),
        "named": (
            "To a named one",
            {"agent_id": "planner", "memories": ["external:rule-7"], "to": "short_term"},
        ),
    },
)
PROMOTE = replace(
    MOVE,
    name="promote",
    summary="Move memories up, one stratum or ``to`` a named one",
    fixed={"to": "up"},
)
DEMOTE = replace(
    PROMOTE,
    name="demote",
    summary="Move memories down, one stratum or ``to`` a named one",
    fixed={"to": "down"},
)
PROMOTE_SUCCESSFUL = Operation(
    name="promote_successful",
    method="POST",
    path="/v1/strata/promotions",
    room="strata",
    summary="Say what proved itself; with ``dry_run=False`` move it up",
    takes=wire.PromotionsRequest,
    gives=wire.MovesAnswer,
    repeatable=unless_done,
    fails=(
        404,
        409,
    ),
    examples={
        "dry": ("A try", {"agent_id": "planner"}),
        "task": (
            "What helped a task",
            {"agent_id": "planner", "task_id": "ticket-17", "dry_run": False},
        ),
    },
)
STRATA_ANALYTICS = Operation(
    name="strata_analytics",
    method="GET",
    path="/v1/strata/analytics",
    room="strata",
    summary="Measure strata: population, flows, decay and surprises",
    takes=wire.StrataAnalyticsRequest,
    gives=wire.StrataAnalyticsView,
    lead=("days",),
)
PREDICT = Operation(
    name="predict",
    method="POST",
    path="/v1/predictions",
    room="strata",
    summary="Say what is expected, ahead of what happens",
    takes=wire.PredictionRequest,
    gives=wire.PredictionView,
    lead=("expected",),
    repeatable=once_named("prediction_id"),
    fails=(409,),
    examples={
        "prediction": (
            "A deploy that should work",
            {
                "agent_id": "planner",
                "context": "deploy",
                "expected": {"status": "success", "seconds": 20},
                "confidence": 0.8,
            },
        )
    },
)
REPORT_SURPRISE = Operation(
    name="report_surprise",
    method="POST",
    path="/v1/surprises",
    room="strata",
    summary="Say what happened, and hear how surprising it is; with ``text`` it is remembered then",
    takes=wire.SurpriseRequest,
    gives=wire.SurpriseView,
    lead=("actual",),
    repeatable=once_named("event_id"),
    fails=(
        404,
        409,
    ),
    examples={
        "expected": (
            "Held against what was expected, and remembered if it surprises",
            {
                "agent_id": "planner",
                "context": "deploy",
                "expected": {"status": "success", "seconds": 20},
                "actual": {"status": "failed", "seconds": 95},
                "text": "The deploy of host b failed after 95 seconds.",
            },
        ),
        "novel": (
            "Held against what the agent knows",
            {"agent_id": "planner", "actual": "The printer speaks Latin now."},
        ),
    },
)
SURPRISES = Operation(
    name="surprises",
    method="GET",
    path="/v1/surprises",
    room="strata",
    summary="Read what surprised, the newest first",
    takes=wire.SurprisesRequest,
    gives=wire.SurprisesAnswer,
)
