"""The tools of surprise plugins: attach one, observe, and ask how the agent thinks."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from service.mcp.inputs import Who
from service.mcp.tool import Tool
from stratagraph import wire
from stratagraph.operations.arousal import (
    ATTACH_SURPRISE,
    GET_COGNITIVE_SYSTEM,
    GET_SURPRISE_TRACE,
    OBSERVE,
    RESET_SURPRISE,
)

_Positive = Annotated[float, Field(gt=0)]


class AttachInput(Who):
    """Settings of a surprise plugin."""

    kind: wire.PluginKind = Field(
        description="`ema` and `multidimensional` for numbers, `symbolic` for situations, `decision` for your actions.",
        examples=["decision"],
    )
    scales: dict[wire.Name, _Positive] = Field(
        default_factory=dict, description="By stimulus, the difference that surprises by 1."
    )
    weights: dict[wire.Name, _Positive] = Field(
        default_factory=dict, description="Of `multidimensional`: the weight of each stimulus."
    )
    mode: wire.DecisionMode = Field(
        default="unigram", description="Of `decision`: `bigram` heeds the action before."
    )


class ObserveInput(Who):
    """Observation."""

    observation: dict[wire.Name, bool | float | str] = Field(
        min_length=1,
        max_length=32,
        description="Numbers by stimulus, or levels by sensor, or your `action`.",
        examples=[{"action": "restart the server"}],
    )


class MindInput(Who):
    """Question how the agent thinks."""

    arousal: wire.Share | None = Field(
        default=None, description="From 0 to 1; unset: your latest surprise."
    )
    profile: wire.MemoryProfile | None = Field(
        default=None, description="How many memories are given; unset: a setting."
    )


AROUSAL_TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="memory_attach_surprise",
        toolset="engines",
        title="Attach a surprise plugin",
        description="Choose how surprising what you observe is computed. Attached again with the same settings it "
        "goes on; with others it begins anew.",
        takes=AttachInput,
        operation=ATTACH_SURPRISE,
        repeats=True,
    ),
    Tool(
        name="memory_observe",
        toolset="engines",
        title="Observe",
        description="Say what you observe or do, and hear how surprising it is beside what you are used to: from 0 to "
        "1, and whether to think by habit (SYSTEM_1) or with care (SYSTEM_2).",
        takes=ObserveInput,
        operation=OBSERVE,
    ),
    Tool(
        name="memory_cognitive_system",
        toolset="engines",
        title="Look at how to think",
        description="Show whether to think by habit (SYSTEM_1) or with care (SYSTEM_2), and how many memories that "
        "asks for.",
        takes=MindInput,
        operation=GET_COGNITIVE_SYSTEM,
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
