"""The line of an export that stands for a surprise plugin; docs/transfer.md describes it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints

from stratagraph.wire.kernel.values import TIME_EXAMPLE, Name, Number, Share, Time
from stratagraph.wire.strata.arousal import Level, PluginValues
from stratagraph.wire.transfer.records import SCOPE_EXAMPLE, AgentScope, Count, Line

MAX_KEYS = 10_000
MAX_LATEST = 20

_Times = Annotated[int, Field(strict=True, ge=1, lt=2**53)]
_Counts = Annotated[tuple[tuple[Level, _Times], ...], Field(max_length=MAX_KEYS)]
_Pairs = Annotated[tuple[tuple[Level, Level, _Times], ...], Field(max_length=MAX_KEYS)]
_Means = Annotated[dict[Name, Number], Field(max_length=MAX_KEYS)]
_Seen = Annotated[str, StringConstraints(max_length=256)]


class PluginSettingsLine(PluginValues):
    """Kind and settings of a plugin in its line."""

    model_config = ConfigDict(extra="ignore")


class SensedLine(Line):
    """Observation among the last ones of a plugin."""

    surprise: Share = Field(description="How surprising it was.", examples=[0.25])
    seen: _Seen = Field(description="What was observed.", examples=["FLOOD:HIGH"])
    probability: Share | None = Field(
        default=None, description="Of the signature or action, before.", examples=[0.75]
    )
    expected: _Means = Field(
        default_factory=dict, description="What was expected, by stimulus.", examples=[{}]
    )
    parts: _Means = Field(
        default_factory=dict, description="Surprise of each stimulus.", examples=[{}]
    )


class PluginStateLine(Line):
    """Counts and means of what a plugin has seen; what was seen last stands at the end."""

    observations: Count = Field(default=0, description="How many it has seen.", examples=[4])
    means: _Means = Field(
        default_factory=dict, description="Moving means by stimulus.", examples=[{}]
    )
    counts: _Counts = Field(
        default=(), description="Signatures or actions, and how often each came.", examples=[[]]
    )
    pairs: _Pairs = Field(
        default=(), description="Actions after actions, and how often.", examples=[[]]
    )
    previous: Level | None = Field(default=None, description="The last action.", examples=["wait"])
    latest: Annotated[tuple[SensedLine, ...], Field(max_length=MAX_LATEST)] = Field(
        default=(), description="The last observations, the newest at the end.", examples=[[]]
    )


class PluginLine(Line):
    """Surprise plugin of an agent, with what it has learned."""

    type: Literal["plugin"] = Field(description="What line this is.", examples=["plugin"])
    scope: AgentScope = Field(description="The agent.", examples=[SCOPE_EXAMPLE])
    settings: PluginSettingsLine = Field(
        description="Its kind and settings.", examples=[{"kind": "symbolic"}]
    )
    state: PluginStateLine = Field(description="What it has learned.", examples=[{}])
    attached_at: Time = Field(description="Since when.", examples=[TIME_EXAMPLE])
    observed_at: Time | None = Field(
        default=None, description="When it observed last.", examples=[TIME_EXAMPLE]
    )
