"""Predictions, events compared with them, and surprises."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from stratagraph.vocabulary import ScopeKind, SurpriseForm, SurpriseGround, SurpriseType
from stratagraph.wire.kernel.base import Answer, Identity
from stratagraph.wire.kernel.values import (
    NOW,
    TIME_EXAMPLE,
    UID_EXAMPLE,
    Flag,
    Importance,
    JsonObject,
    JsonValue,
    Name,
    SaidJson,
    Share,
    Tags,
    Text,
    Time,
    owner,
)

_LONGEST_NAME = 256
_EXPECTED = {"status": "success", "seconds": 20}
_ACTUAL = {"status": "failed", "seconds": 95}


class PredictionRequest(Identity):
    """Prediction before the event."""

    expected: SaidJson = Field(
        description="What is expected, as JSON; not empty.", examples=[_EXPECTED]
    )
    context: Name | JsonObject = Field(
        default="default",
        description="In which kind of situation: what is usual is learned for each. An object is named by its "
        "entries.",
        examples=["deploy"],
    )
    prediction_id: Name | None = Field(
        default=None,
        description="Its name, once in its scope; unset: it gets one.",
        examples=["deploy-42"],
    )
    confidence: Share = Field(
        default=0.5, description="How sure it is; of several the surest is taken.", examples=[0.8]
    )
    stands_seconds: Annotated[float, Field(ge=1, le=31_536_000)] = Field(
        default=3600.0, description="How long it waits for its outcome.", examples=[3600]
    )
    scope_kind: ScopeKind | None = owner()


def context_name(context: str | Mapping[str, JsonValue]) -> str:
    """Return the name of a context given as an object, from its sorted entries: `agent=agent-1, task=api-call`."""
    if isinstance(context, str):
        return context
    told = (f"{key}={value}" for key, value in sorted(context.items()))
    return ", ".join(told)[:_LONGEST_NAME] or "default"


class SurpriseRequest(Identity):
    """An event, and its expectation."""

    actual: SaidJson = Field(description="What happened, as JSON; not empty.", examples=[_ACTUAL])
    context: Name | JsonObject = Field(
        default="default",
        description="In which kind of situation: what is usual is learned for each. An object is named by its "
        "entries, and kept as the circumstances where none are given.",
        examples=["deploy"],
    )
    expected: JsonValue = Field(
        default=None,
        description="What was expected, as JSON; unset: a prediction, else novelty alone.",
        examples=[_EXPECTED],
    )
    prediction_id: Name | None = Field(
        default=None, description="The prediction that this answers.", examples=["deploy-42"]
    )
    match: Flag = Field(
        default=True,
        description="Look for a prediction of the context where nothing else is expected.",
        examples=[True],
    )
    circumstances: JsonObject | None = Field(
        default=None, description="What belongs to it, kept with it.", examples=[{"host": "b"}]
    )
    text: Text | None = Field(
        default=None,
        description="What is remembered of it if it surprises, and what novelty is asked of.",
        examples=["The deploy of host b failed after 95 seconds."],
    )
    importance: Importance = Field(
        default=3, description="What it would be stored with, before the surprise.", examples=[3]
    )
    tags: Tags = Field(default=(), description="Tags of its memory.", examples=[["deploy"]])
    event_id: Name | None = Field(
        default=None, description="Its name: reported twice, it counts once.", examples=["run-42"]
    )
    scope_kind: ScopeKind | None = owner()


class SurprisesRequest(Identity):
    """Filter of surprises to list."""

    type: tuple[SurpriseType, ...] = Field(
        default=(), description="Only of these types.", examples=[["unexpected_error"]]
    )
    context: Annotated[tuple[Name, ...], Field(max_length=100)] = Field(
        default=(), description="Only of these contexts.", examples=[["deploy"]]
    )
    since: Time | None = Field(
        default=None, description="Only from this time on.", examples=[TIME_EXAMPLE]
    )
    before: Name | None = Field(
        default=None,
        description="Go on behind this one: the last `uid` shown.",
        examples=[UID_EXAMPLE],
    )
    surprising: bool = Field(
        default=False, description="Only events above their threshold.", examples=[True]
    )
    limit: Annotated[int, Field(ge=1, le=200)] = Field(
        default=50, description="Most surprises to list.", examples=[50]
    )


class PredictionView(Answer):
    """A stored prediction."""

    uid: str = Field(description="Its node.", examples=[UID_EXAMPLE])
    prediction_id: str = Field(description="Its name.", examples=["deploy-42"])
    scope: str = Field(description="Whose it is.", examples=["agent/planner"])
    context: str = Field(description="In which situation.", examples=["deploy"])
    expected: Any = Field(description="What is expected.", examples=[_EXPECTED])
    confidence: float = Field(description="How sure it is.", examples=[0.8])
    made_at: datetime = Field(description="When it was made.", examples=[NOW])
    expires_at: datetime = Field(description="Until when it waits.", examples=[NOW])
    matched_at: datetime | None = Field(
        default=None, description="When an event answered it.", examples=[NOW]
    )


class ContributionView(Answer):
    """Share of one path in the distance."""

    path: str = Field(description="Path that was compared.", examples=["status"])
    kind: str = Field(description="Sort of the values that were compared.", examples=["category"])
    distance: float = Field(description="Distance of the two values, in [0, 1].", examples=[1.0])
    share: float = Field(description="Share of the whole difference, in [0, 1].", examples=[0.88])


class ForecastView(Answer):
    """Forecast for one path before the event, from the outcomes of its context so far."""

    path: str = Field(description="Path of the outcome.", examples=["seconds"])
    kind: str = Field(description="Sort of its values.", examples=["number"])
    value: float | str | None = Field(
        default=None,
        description="Usual number, or likeliest word; null: a word that is kept as a hash alone.",
        examples=[21.5],
    )
    low: float | None = Field(
        default=None,
        description="Of a number: 95 of 100 are expected from here on.",
        examples=[14.2],
    )
    high: float | None = Field(default=None, description="To here.", examples=[31.8])
    probability: float | None = Field(
        default=None, description="Of a word: how likely the likeliest one is.", examples=[0.95]
    )
    tail: float = Field(
        description="Probability of an outcome at least as unlikely as this one, in (0, 1].",
        examples=[0.002],
    )


class SurpriseView(Answer):
    """An event with its surprise."""

    uid: str = Field(description="Its node.", examples=[UID_EXAMPLE])
    scope: str = Field(description="Whose it is.", examples=["agent/planner"])
    agent_id: str | None = Field(
        default=None, description="Agent that told of it.", examples=["planner"]
    )
    channel_id: str | None = Field(
        default=None, description="Channel whose usual counted too.", examples=["support"]
    )
    context: str = Field(description="In which situation.", examples=["deploy"])
    score: float = Field(
        description="How surprising, in [0, 1); one half is usual in the fixed form, and below 0.2 in the learned one.",
        examples=[0.8],
    )
    quotient: float = Field(description="Difference over what is usual, as it is.", examples=[4.1])
    surprising: bool = Field(description="Whether it is above the threshold.", examples=[True])
    threshold: float = Field(description="The threshold then.", examples=[0.7])
    type: SurpriseType | None = Field(
        default=None,
        description="What sort of surprise; null where it is not above the threshold.",
        examples=["unexpected_error"],
    )
    ground: SurpriseGround = Field(description="Measure that decided.", examples=["quotient"])
    familiarity: float = Field(
        description="What earlier ones of its kind left of it, in (0, 1].", examples=[1.0]
    )
    violation: float | None = Field(
        default=None, description="Surprise against what was expected.", examples=[0.8]
    )
    novelty: float | None = Field(
        default=None, description="Surprise against what is known.", examples=[0.6]
    )
    expected: Any = Field(default=None, description="What was expected.", examples=[_EXPECTED])
    actual: Any = Field(default=None, description="What happened.", examples=[_ACTUAL])
    circumstances: dict[str, Any] | None = Field(
        default=None, description="What belongs to it.", examples=[{"host": "b"}]
    )
    contributions: tuple[ContributionView, ...] = Field(
        description="Which paths made the difference, greatest share first.", examples=[[]]
    )
    form: SurpriseForm = Field(
        default="fixed",
        description="Form that measured it against what was expected: `learned` where that has predicted the context better.",
        examples=["learned"],
    )
    observations: int = Field(
        default=0, description="Outcomes of the context that were known before.", examples=[42]
    )
    lead: float = Field(
        default=0.0,
        description="By how many nats the learned form had predicted the latest outcomes better than the fixed one.",
        examples=[6.3],
    )
    forecast: tuple[ForecastView, ...] = Field(
        default=(),
        description="What the learned form expected, least likely outcome first.",
        examples=[[]],
    )
    event_id: str | None = Field(default=None, description="The event.", examples=["run-42"])
    prediction_id: str | None = Field(
        default=None, description="The prediction it answered.", examples=["deploy-42"]
    )
    memory_uid: str | None = Field(
        default=None, description="The memory of it.", examples=[UID_EXAMPLE]
    )
    at: datetime = Field(description="When it was told.", examples=[NOW])
    expires_at: datetime = Field(description="Until when this is kept.", examples=[NOW])


class SurprisesAnswer(Answer):
    """Surprises, the newest first."""

    items: tuple[SurpriseView, ...] = Field(description="The surprises.", examples=[[]])
