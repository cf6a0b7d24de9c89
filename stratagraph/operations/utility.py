"""Operations on utility."""

from __future__ import annotations

from types import NoneType

from stratagraph import wire
from stratagraph.operations.declaration import (
    Operation,
    never,
    once_named,
)

REPORT_OUTCOME = Operation(
    name="report_outcome",
    method="POST",
    path="/v1/tasks/{task_id:path}/outcome",
    room="utility",
    summary="Say how a task ended: what it was given is ranked higher, or lower, from now on",
    details="``used``: what was of use, as names or a share by name; then it alone is rewarded.",
    takes=wire.OutcomeRequest,
    gives=wire.OutcomeView,
    lead=(
        "status",
        "quality",
        "used",
    ),
    fails=(
        404,
        409,
    ),
    examples={
        "success": ("A success", {"agent_id": "planner", "status": "success", "quality": 0.8}),
        "used": (
            "What was of use",
            {"agent_id": "planner", "status": "success", "used": ["external:ticket-17"]},
        ),
    },
)
REPORT_SIGNAL = Operation(
    name="report_signal",
    method="POST",
    path="/v1/tasks/{task_id:path}/signals",
    room="utility",
    summary="Say what was heard of a task before it ends: a ``step``, or a judgement",
    details="One with an ``id`` counts once; one without is not tried again when it may have arrived.",
    takes=wire.SignalRequest,
    gives=wire.SignalView,
    lead=("signal",),
    repeatable=once_named("id"),
    fails=(
        404,
        409,
    ),
    examples={
        "feedback": (
            "What a user thinks",
            {"agent_id": "planner", "signal": "user_feedback", "value": 1.0, "id": "thumb-1"},
        ),
        "step": ("A step", {"agent_id": "planner", "signal": "step", "status": "failure"}),
    },
)
INJECT_REWARD = Operation(
    name="inject_reward",
    method="POST",
    path="/v1/memories/{name:path}/rewards",
    room="utility",
    summary="Reward one memory by hand, from -1 to 1; not tried again when it may have arrived",
    takes=wire.InjectRequest,
    gives=wire.InjectView,
    lead=(
        "reward",
        "reason",
    ),
    repeatable=never,
    fails=(
        404,
        409,
    ),
    examples={
        "helpful": (
            "It helped",
            {"agent_id": "planner", "reward": 1.0, "reason": "confirmed by the vendor"},
        )
    },
)
REVERT_REWARD = Operation(
    name="revert_reward",
    method="POST",
    path="/v1/rewards/{reward_uid}/revert",
    room="utility",
    summary="Take a reward back; its task can be reported anew",
    takes=wire.RevertRequest,
    gives=wire.RevertView,
    lead=("reason",),
    fails=(
        404,
        409,
    ),
    examples={"mistake": ("A mistake", {"agent_id": "planner", "reason": "reported by mistake"})},
)
UTILITY = Operation(
    name="utility",
    method="GET",
    path="/v1/memories/{name:path}/utility",
    room="utility",
    summary="Read what one memory is worth and how it came to be; ``at``: also its Q as of a time",
    takes=wire.UtilityRequest,
    gives=wire.UtilityView,
    fails=(
        404,
        409,
    ),
)
UTILITY_ANALYTICS = Operation(
    name="utility_analytics",
    method="GET",
    path="/v1/utility/analytics",
    room="utility",
    summary="Measure utility over all that the caller reads",
    takes=wire.AnalyticsRequest,
    gives=wire.UtilityAnalyticsView,
)
UTILITY_CONFIG = Operation(
    name="utility_config",
    method="GET",
    path="/v1/utility/config",
    room="utility",
    summary="Show what is in force of utility, and where each value comes from",
    gives=wire.ConfigView,
)
CHANGE_UTILITY_CONFIG = Operation(
    name="change_utility_config",
    method="PATCH",
    path="/v1/utility/config",
    room="utility",
    summary="Set values of the whole tenant while the service runs; None takes one back",
    takes=wire.UtilityConfigRequest,
    gives=wire.ConfigView,
    null_is_value=True,
    examples={
        "lambda": (
            "More weight to utility",
            {"agent_id": "planner", "utility_weight_default": 0.6},
        ),
        "reset": ("One value left to the environment", {"agent_id": "a", "exploration": None}),
    },
)
RESET_UTILITY_CONFIG = Operation(
    name="reset_utility_config",
    method="DELETE",
    path="/v1/utility/config",
    room="utility",
    summary="Leave every value to the environment again",
    takes=wire.Identity,
    gives=wire.ConfigView,
)
UTILITY_CONFIG_CHANGES = Operation(
    name="utility_config_changes",
    method="GET",
    path="/v1/utility/config/changes",
    room="utility",
    summary="List one page of who set what, the newest first",
    takes=wire.ConfigChangesRequest,
    gives=wire.ConfigChangePage,
)
EVENTS = Operation(
    name="events",
    method="GET",
    path="/v1/events",
    room="utility",
    summary="Listen to what happens to utility, as it happens, until you stop or it fails for good",
    details="``names`` and ``agent`` choose; ``after`` goes on behind an event's ``id`` (0: all that are kept), else it begins now. What breaks off is taken up where it was; events that expired meanwhile are told as one called ``stream:gap``.",
    takes=wire.EventsRequest,
    gives=NoneType,
    by_hand=True,
)
