"""Tools for moves between strata, predictions and surprises, and surprise plugins."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from service.mcp.inputs import Who, input_of
from service.mcp.tool import Tool, request_of
from stratagraph import wire
from stratagraph.call import Call
from stratagraph.operations.arousal import (
    ATTACH_SURPRISE,
    GET_COGNITIVE_SYSTEM,
    GET_SURPRISE_TRACE,
    OBSERVE,
    RESET_SURPRISE,
)
from stratagraph.operations.strata import (
    MOVE,
    PREDICT,
    PROMOTE_SUCCESSFUL,
    REPORT_SURPRISE,
    SURPRISES,
)


def _list(given: Who) -> Call[Any]:
    return request_of(SURPRISES, {"surprising": True, "limit": 20, **given.given()})


STRATA_TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="memory_move",
        toolset="strata",
        title="Move memories between strata",
        description="Move memories `up`, so that they last, or `down`, so that they fade "
        "sooner: working, short_term, episodic, long_term, semantic. The answer names a run by which "
        "it can be undone, and says of each that stays why.",
        takes=input_of(
            MOVE,
            memories="The memories: uids, or `external:<external_id>`.",
            to=(wire.MoveTarget, "Where to: a stratum, or `up` or `down` for the next one."),
            dry_run="Only say what would move.",
        ),
    ),
    Tool(
        name="memory_promote_successful",
        toolset="strata",
        title="Promote what proved itself",
        description="Move up what helped often enough: a high learned utility and several successes, of a "
        "task that went well, of a session, or of all. Only looks, unless `dryRun` is false.",
        takes=input_of(
            PROMOTE_SUCCESSFUL,
            task_id="Only what this task was given; it must have ended in a success.",
            session_id="Only of this session.",
            min_q="At least this learned utility, 0 to 1.",
            min_successes="At least so many successes.",
            to="The stratum to move to; unset: the next one.",
            dry_run="Only say what would move; false moves.",
        ),
    ),
    Tool(
        name="memory_predict",
        toolset="strata",
        title="Predict",
        description="Say what you expect before you do something: what comes is held against it by "
        "memory_report_surprise, and what is usual in that `context` is learned.",
        takes=input_of(
            PREDICT,
            expected="What you expect: a text, a number, or an object of them.",
            context=(
                wire.Name,
                Field(
                    default="default",
                    description="In which kind of situation: what is usual is learned for each.",
                ),
            ),
            prediction_id="Its name, to answer it by.",
            confidence="How sure you are, 0 to 1.",
            stands_seconds=(
                float,
                Field(
                    default=3600.0,
                    ge=1,
                    le=31_536_000,
                    description="How long it waits for its outcome.",
                ),
            ),
        ),
    ),
    Tool(
        name="memory_report_surprise",
        toolset="strata",
        title="Report what happened",
        description="Say what happened, and hear how surprising it is: against what was predicted or "
        "`expected`, else against what you know. Above the threshold its `text` is remembered with "
        "raised importance.",
        takes=input_of(
            REPORT_SURPRISE,
            actual="What happened, in the form of what was expected.",
            text="What is remembered of it if it surprises: one self-contained statement.",
            expected="What was expected; unset: a prediction, else what is known.",
            context=(
                wire.Name,
                Field(default="default", description="In which kind of situation."),
            ),
            prediction_id="The prediction that this answers.",
            importance="1 (trivial) to 5 (vital), before the surprise.",
            tags="Labels of its memory; at most 64.",
            event_id="Its name: reported twice, it counts once.",
        ),
    ),
    Tool(
        name="memory_surprises",
        toolset="strata",
        title="Look at surprises",
        description="Show what surprised, the newest first: what was expected, what came, and how far apart.",
        takes=input_of(
            SURPRISES,
            type="Only of these types.",
            context="Only of these contexts.",
            surprising="Only those above their threshold.",
            limit="How many at most, the newest first.",
        ),
        asks=_list,
        reads=True,
    ),
)


AROUSAL_TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="memory_attach_surprise",
        toolset="engines",
        title="Attach a surprise plugin",
        description="Choose how surprising what you observe is computed. Attached again with the same settings it "
        "goes on; with others it begins anew.",
        takes=input_of(
            ATTACH_SURPRISE,
            kind="`ema` and `multidimensional` for numbers, `symbolic` for situations, `decision` for your actions.",
            scales="By stimulus, the difference that surprises by 1.",
            weights="Of `multidimensional`: the weight of each stimulus.",
            mode="Of `decision`: `bigram` heeds the action before.",
        ),
        repeats=True,
    ),
    Tool(
        name="memory_observe",
        toolset="engines",
        title="Observe",
        description="Say what you observe or do, and hear how surprising it is beside what you are used to: from 0 to "
        "1, and whether to think by habit (SYSTEM_1) or with care (SYSTEM_2).",
        takes=input_of(
            OBSERVE, observation="Numbers by stimulus, or levels by sensor, or your `action`."
        ),
    ),
    Tool(
        name="memory_cognitive_system",
        toolset="engines",
        title="Look at how to think",
        description="Show whether to think by habit (SYSTEM_1) or with care (SYSTEM_2), and how many memories that "
        "asks for.",
        takes=input_of(
            GET_COGNITIVE_SYSTEM,
            arousal="From 0 to 1; unset: your latest surprise.",
            profile="How many memories are given; unset: a setting.",
        ),
        reads=True,
    ),
    Tool(
        name="memory_surprise_trace",
        toolset="engines",
        title="Look at what was observed",
        description="Show what you are used to, and the last observations with why they surprised.",
        takes=Who,
        operation=GET_SURPRISE_TRACE,
        reads=True,
    ),
    Tool(
        name="memory_reset_surprise",
        toolset="engines",
        title="Forget what you are used to",
        description="Begin a new episode: what was observed counts no longer.",
        takes=Who,
        operation=RESET_SURPRISE,
        repeats=True,
    ),
)
