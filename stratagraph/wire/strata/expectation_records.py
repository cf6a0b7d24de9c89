"""The line of an export that stands for what is usual in a context; docs/transfer.md describes it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints

from stratagraph.wire.kernel.values import Name, Share, Time
from stratagraph.wire.strata.surprises import SurpriseType
from stratagraph.wire.transfer.records import Count, Line, ScopeName

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
    """What is usual in one context of a scope."""

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
