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
from service.mcp.tool import Ask, Tool, body_of
from stratagraph import wire


def _move(given: MoveInput) -> Ask:
    return Ask("POST", "/v1/strata/moves", body_of(wire.MovesRequest, given))


def _promote(given: PromoteInput) -> Ask:
    return Ask("POST", "/v1/strata/promotions", body_of(wire.PromotionsRequest, given))


def _predict(given: PredictInput) -> Ask:
    return Ask("POST", "/v1/predictions", body_of(wire.PredictionRequest, given))


def _report(given: SurpriseInput) -> Ask:
    return Ask("POST", "/v1/surprises", body_of(wire.SurpriseRequest, given))


def _list(given: SurprisesInput) -> Ask:
    query = {**body_of(wire.SurprisesRequest, given), "surprising": given.surprising}
    return Ask("GET", "/v1/surprises", query={**query, "limit": given.limit})


STRATA_TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="memory_move",
        toolset="strata",
        title="Move memories between strata",
        description="Move memories up (`promote`), so that they last, or down (`demote`), so that they fade "
        "sooner: working, short_term, episodic, long_term, semantic. The answer names a run by which "
        "it can be undone, and says of each that stays why.",
        takes=MoveInput,
        asks=_move,
    ),
    Tool(
        name="memory_promote_successful",
        toolset="strata",
        title="Promote what proved itself",
        description="Move up what helped often enough: a high learned utility and several successes, of a "
        "task that went well, of a session, or of all. Only looks, unless `dryRun` is false.",
        takes=PromoteInput,
        asks=_promote,
    ),
    Tool(
        name="memory_predict",
        toolset="strata",
        title="Predict",
        description="Say what you expect before you do something: what comes is held against it by "
        "memory_report_surprise, and what is usual in that `context` is learned.",
        takes=PredictInput,
        asks=_predict,
    ),
    Tool(
        name="memory_report_surprise",
        toolset="strata",
        title="Report what happened",
        description="Say what happened, and hear how surprising it is: against what was predicted or "
        "`expected`, else against what you know. Above the threshold its `text` is remembered with "
        "raised importance.",
        takes=SurpriseInput,
        asks=_report,
    ),
    Tool(
        name="memory_surprises",
        toolset="strata",
        title="Look at surprises",
        description="Show what surprised, the newest first: what was expected, what came, and how far apart.",
        takes=SurprisesInput,
        asks=_list,
        reads=True,
    ),
)
