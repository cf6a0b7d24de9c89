"""The tools of surprise plugins: attach one, observe, and ask how the agent thinks."""

from __future__ import annotations

from typing import Any

from service.mcp.inputs import Who, input_of
from service.mcp.tool import Tool
from stratagraph.operations.arousal import (
    ATTACH_SURPRISE,
    GET_COGNITIVE_SYSTEM,
    GET_SURPRISE_TRACE,
    OBSERVE,
    RESET_SURPRISE,
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
