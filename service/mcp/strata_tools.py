"""The tools that move memories between strata, predict, and tell what surprises."""

from __future__ import annotations

from typing import Any

from service.mcp.strata_inputs import (
    MoveInput,
    PredictInput,
    PromoteInput,
    SurpriseInput,
    SurprisesInput,
)
from service.mcp.tool import Tool, request_of
from stratagraph.call import Call
from stratagraph.operations.strata import (
    MOVE,
    PREDICT,
    PROMOTE_SUCCESSFUL,
    REPORT_SURPRISE,
    SURPRISES,
)


def _list(given: SurprisesInput) -> Call[Any]:
    said = {**given.given(), "surprising": given.surprising, "limit": given.limit}
    return request_of(SURPRISES, said)


STRATA_TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="memory_move",
        toolset="strata",
        title="Move memories between strata",
        description="Move memories `up`, so that they last, or `down`, so that they fade "
        "sooner: working, short_term, episodic, long_term, semantic. The answer names a run by which "
        "it can be undone, and says of each that stays why.",
        takes=MoveInput,
        operation=MOVE,
    ),
    Tool(
        name="memory_promote_successful",
        toolset="strata",
        title="Promote what proved itself",
        description="Move up what helped often enough: a high learned utility and several successes, of a "
        "task that went well, of a session, or of all. Only looks, unless `dryRun` is false.",
        takes=PromoteInput,
        operation=PROMOTE_SUCCESSFUL,
    ),
    Tool(
        name="memory_predict",
        toolset="strata",
        title="Predict",
        description="Say what you expect before you do something: what comes is held against it by "
        "memory_report_surprise, and what is usual in that `context` is learned.",
        takes=PredictInput,
        operation=PREDICT,
    ),
    Tool(
        name="memory_report_surprise",
        toolset="strata",
        title="Report what happened",
        description="Say what happened, and hear how surprising it is: against what was predicted or "
        "`expected`, else against what you know. Above the threshold its `text` is remembered with "
        "raised importance.",
        takes=SurpriseInput,
        operation=REPORT_SURPRISE,
    ),
    Tool(
        name="memory_surprises",
        toolset="strata",
        title="Look at surprises",
        description="Show what surprised, the newest first: what was expected, what came, and how far apart.",
        takes=SurprisesInput,
        operation=SURPRISES,
        asks=_list,
        reads=True,
    ),
)
