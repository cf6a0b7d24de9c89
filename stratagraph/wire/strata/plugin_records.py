"""The line of an export that stands for a surprise plugin; docs/transfer.md describes it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints

from stratagraph.wire.kernel.values import Name, Number, Share, Time
from stratagraph.wire.strata.arousal import Level, PluginValues
from stratagraph.wire.transfer.records import AgentScope, Count, Line

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

    surprise: Share = Field(description="How surprising it was.")
    seen: _Seen = Field(description="What was observed.")
    probability: Share | None = Field(
        default=None, description="Of the signature or action, before."
    )
    expected: _Means = Field(default_factory=dict, description="What was expected, by stimulus.")
    parts: _Means = Field(default_factory=dict, description="Surprise of each stimulus.")


class PluginStateLine(Line):
    """Counts and means of what a plugin has seen; what was seen last stands at the end."""

    observations: Count = Field(default=0, description="How many it has seen.")
    means: _Means = Field(default_factory=dict, description="Moving means by stimulus.")
    counts: _Counts = Field(
        default=(), description="Signatures or actions, and how often each came."
    )
    pairs: _Pairs = Field(default=(), description="Actions after actions, and how often.")
    previous: Level | None = Field(default=None, description="The last action.")
    latest: Annotated[tuple[SensedLine, ...], Field(max_length=MAX_LATEST)] = Field(
        default=(), description="The last observations, the newest at the end."
    )


class PluginLine(Line):
    """Surprise plugin of an agent, with what it has learned."""

    type: Literal["plugin"]
    scope: AgentScope = Field(description="The agent.")
    settings: PluginSettingsLine = Field(description="Its kind and settings.")
    state: PluginStateLine = Field(description="What it has learned.")
    attached_at: Time = Field(description="Since when.")
    observed_at: Time | None = Field(default=None, description="When it observed last.")
