"""Surprise plugins, their observations, and cognitive systems of agents."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from stratagraph.vocabulary import CognitiveSystem, DecisionMode, MemoryProfile, PluginKind
from stratagraph.wire.kernel.base import Answer, Identity, Request
from stratagraph.wire.kernel.values import MAX_BATCH, NOW, Flag, Name, Number

_STEP_EXAMPLE = 0.3
Level = Annotated[str, StringConstraints(min_length=1, max_length=256)]
_Observation = Annotated[dict[Name, Flag | Number | Level], Field(min_length=1, max_length=32)]
_Positive = Annotated[float, Field(strict=True, gt=0, le=1e9)]
_ByName = Annotated[dict[Name, _Positive], Field(max_length=32)]
_OBSERVED = {"FLOOD": "HIGH"}


class PluginValues(Request):
    """Kind of a surprise plugin and its settings."""

    kind: PluginKind = Field(
        description="`ema`: numbers beside their moving means, the greatest surprise counts; `multidimensional`: "
        "the same, weighted; `symbolic`: how rare a situation is; `decision`: how rare an action is.",
        examples=["symbolic"],
    )
    step: Annotated[float, Field(strict=True, gt=0, le=1)] = Field(
        default=_STEP_EXAMPLE,
        description="Weight of an observation in a moving mean.",
        examples=[_STEP_EXAMPLE],
    )
    start: Number = Field(
        default=0.0, description="What is expected before the first observation.", examples=[0.0]
    )
    scale: _Positive = Field(
        default=1.0, description="Difference that surprises by 1.", examples=[2.0]
    )
    scales: _ByName = Field(
        default_factory=dict, description="`scale` by stimulus.", examples=[{"flood_depth": 2.0}]
    )
    weights: _ByName = Field(
        default_factory=dict,
        description="Weight of each dimension; one that is not named weighs 1.",
        examples=[{"flood_depth": 3.0}],
    )
    mode: DecisionMode = Field(
        default="unigram",
        description="An action beside all before (`unigram`), or beside those after the same action (`bigram`).",
        examples=["bigram"],
    )
    smoothing: Annotated[float, Field(strict=True, gt=0, le=1000)] = Field(
        default=1.0, description="What Laplace smoothing adds to each count.", examples=[1.0]
    )
    actions: Annotated[int, Field(strict=True, ge=0, le=10_000)] = Field(
        default=0,
        description="How many actions are possible; 0: those that were seen, and one more.",
        examples=[4],
    )


class PluginRequest(PluginValues, Identity):
    """Surprise plugin of the agent, with its settings."""


class ObserveRequest(Identity):
    """Observation of the agent."""

    observation: _Observation = Field(
        description="Numbers by stimulus; of `symbolic` levels by sensor; of `decision` the `action`.",
        examples=[_OBSERVED],
    )


class ObservationRow(Request):
    """Observation of one agent among many."""

    agent_id: Name | None = Field(
        default=None,
        description="Agent that observes; unset: the caller.",
        examples=["household-7"],
    )
    observation: _Observation = Field(description="What it observes.", examples=[_OBSERVED])


class ObserveManyRequest(Identity):
    """Observations of many agents, or several of one, in order."""

    rows: Annotated[tuple[ObservationRow, ...], Field(min_length=1, max_length=MAX_BATCH)] = Field(
        description="The observations: all count, or none.",
        examples=[[{"agent_id": "household-7", "observation": _OBSERVED}]],
    )


class MindRequest(Identity):
    """Question for the system in which the agent thinks."""

    arousal: Annotated[float, Field(ge=0, le=1)] | None = Field(
        default=None,
        description="Unset: the latest surprise of its plugin, 0 without one.",
        examples=[0.8],
    )
    profile: MemoryProfile | None = Field(
        default=None,
        description="How many memories are given; unset: a setting (MILLER_STANDARD).",
        examples=["MILLER_STANDARD"],
    )


class SensedView(Answer):
    """One observation, with its surprise."""

    seen: str = Field(description="What was observed.", examples=["FLOOD:HIGH"])
    surprise: float = Field(description="How surprising it was, in [0, 1].", examples=[0.25])
    probability: float | None = Field(
        default=None, description="Of the signature or action, before.", examples=[0.75]
    )
    expected: dict[str, float] = Field(
        default_factory=dict, description="What was expected, by stimulus.", examples=[{}]
    )
    parts: dict[str, float] = Field(
        default_factory=dict, description="Surprise of each stimulus.", examples=[{}]
    )


class PluginView(Answer):
    """Current state of a surprise plugin."""

    agent_id: str = Field(description="Whose it is.", examples=["planner"])
    kind: PluginKind = Field(description="How surprise is computed.", examples=["symbolic"])
    observations: int = Field(description="How many it has seen since it began.", examples=[4])
    attached_at: datetime = Field(description="Since when.", examples=[NOW])
    begun: bool = Field(
        description="Whether it begins anew; attached again as it is it goes on.", examples=[True]
    )


class ObservedView(Answer):
    """Surprise of an observation, and the cognitive system after it."""

    agent_id: str = Field(description="Whose it is.", examples=["planner"])
    surprise: float = Field(description="In [0, 1]; 0 without a plugin.", examples=[0.25])
    system: CognitiveSystem = Field(description="How it thinks.", examples=["SYSTEM_1"])
    memory_count: int = Field(description="How many memories that asks for.", examples=[6])
    attached: bool = Field(description="Whether the agent has a plugin.", examples=[True])


class ObservedManyView(Answer):
    """Observations of many agents, in the order given."""

    results: tuple[ObservedView, ...] = Field(description="One result for each row.", examples=[[]])


class MindView(Answer):
    """Cognitive system of an agent, and its number of memories."""

    agent_id: str = Field(description="Whose it is.", examples=["planner"])
    system: CognitiveSystem = Field(
        description="SYSTEM_2 above the threshold, else SYSTEM_1.", examples=["SYSTEM_1"]
    )
    arousal: float = Field(description="In [0, 1].", examples=[0.25])
    threshold: float = Field(description="The setting.", examples=[0.5])
    plugin: PluginKind | None = Field(
        default=None,
        description="What computes its surprise; null: nothing.",
        examples=["symbolic"],
    )
    profile: MemoryProfile = Field(
        description="How many memories are given.", examples=["MILLER_STANDARD"]
    )
    memory_count: int = Field(description="At this arousal.", examples=[6])
    important: int = Field(description="Important ones beside these.", examples=[2])
    working_capacity: int = Field(description="What working memory holds.", examples=[10])


class PluginTraceView(Answer):
    """State of a plugin, and its last observations with their reasons."""

    kind: PluginKind = Field(description="How surprise is computed.", examples=["symbolic"])
    observations: int = Field(description="How many it has seen since it began.", examples=[4])
    arousal: float = Field(description="The latest surprise.", examples=[0.25])
    known: int = Field(
        description="Stimuli, signatures, actions or pairs that it remembers.", examples=[1]
    )
    means: dict[str, float] = Field(
        default_factory=dict, description="Expectation by stimulus.", examples=[{}]
    )
    actions: dict[str, int] = Field(
        default_factory=dict, description="How often each action was chosen.", examples=[{}]
    )
    latest: tuple[SensedView, ...] = Field(
        description="The last 20 observations, the newest first.", examples=[[]]
    )
    attached_at: datetime = Field(description="Since when.", examples=[NOW])
    observed_at: datetime | None = Field(
        default=None, description="When it observed last.", examples=[NOW]
    )


class TraceAnswer(Answer):
    """Trace of the agent's plugin, if it has one."""

    trace: PluginTraceView | None = Field(
        default=None, description="Null without a plugin.", examples=[None]
    )
