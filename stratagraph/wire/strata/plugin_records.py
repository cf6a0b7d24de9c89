"""Lines of an export for surprise plugins and statistics of contexts; docs/transfer.md describes them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints

from stratagraph.vocabulary import SurpriseType
from stratagraph.wire.kernel.values import Name, Number, Share, Time
from stratagraph.wire.strata.arousal import Level, PluginValues
from stratagraph.wire.transfer.records import AgentScope, Count, Line, ScopeName

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
    """One of the last observations of a plugin."""

    surprise: Share = Field(description="How surprising it was.")
    seen: _Seen = Field(description="What was observed.")
    probability: Share | None = Field(
        default=None, description="Of the signature or action, before."
    )
    expected: _Means = Field(default_factory=dict, description="What was expected, by stimulus.")
    parts: _Means = Field(default_factory=dict, description="Surprise of each stimulus.")


class PluginStateLine(Line):
    """Counts and means of a plugin, ordered by last observation."""

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
    """Surprise plugin of an agent, with its learned state."""

    type: Literal["plugin"]
    scope: AgentScope = Field(description="The agent.")
    settings: PluginSettingsLine = Field(description="Its kind and settings.")
    state: PluginStateLine = Field(description="What it has learned.")
    attached_at: Time = Field(description="Since when.")
    observed_at: Time | None = Field(default=None, description="When it observed last.")


MAX_PATHS = 200
MAX_WORDS = 64

_Finite = Annotated[float, Field(strict=True, ge=-1e300, le=1e300)]
_Positive = Annotated[float, Field(strict=True, ge=0, le=1e300)]
_Path = Annotated[str, StringConstraints(max_length=4096)]
_Numbers = tuple[_Finite, _Positive, _Positive, _Finite]
_Words = Annotated[dict[Name, _Positive], Field(max_length=MAX_WORDS)]
_Repeats = tuple[_Positive, _Positive]
_Spread = tuple[_Finite, _Positive, Count]


class OutcomesLine(Line):
    """Learned distribution of the outcomes of a context."""

    model_config = ConfigDict(extra="ignore")

    events: Count = Field(default=0, description="How many outcomes it has met.")
    lead: _Finite = Field(default=0.0, description="Nats ahead of the fixed form.")
    paths: Annotated[dict[_Path, _Numbers | _Words], Field(max_length=MAX_PATHS)] = Field(
        default_factory=dict,
        description="Of a number mean, squares, count and unit; of a word its counts.",
    )


class ExpectationLine(Line):
    """Usual outcomes in one context of a scope."""

    type: Literal["expectation"]
    scope: ScopeName = Field(description="Whose it is.")
    context: Annotated[str, StringConstraints(min_length=1, max_length=300)] = Field(
        description="`novelty`, or `expected:` and the context."
    )
    mean: Share = Field(default=0.0, description="Usual difference.")
    variance: Share = Field(default=0.0, description="Its variance.")
    count: _Positive = Field(default=0.0, description="Events that is worth.")
    day: _Positive = Field(default=0.0, description="When it moved last, in days since 1970.")
    familiar: dict[SurpriseType, _Repeats] = Field(
        default_factory=dict[SurpriseType, _Repeats],
        description="Repeats and day by type of surprise.",
    )
    spreads: Annotated[dict[_Path, _Spread], Field(max_length=MAX_PATHS)] = Field(
        default_factory=dict, description="Mean, squares and count of numbers by path."
    )
    outcomes: OutcomesLine | None = Field(
        default=None, description="What was learned of its outcomes."
    )
    expires_at: Time = Field(description="When it is forgotten.")
