"""Predictions, outcomes, and the surprise momentum of an agent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from stratagraph.vocabulary import SurpriseForm, SurpriseGround, SurpriseType

MomentumKey = tuple[str, str]
"""A scope and what is met in it: novelty, or what was expected in one context."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """Prediction in a context, before the event; ``expected`` is a JSON value.

    ``user_id`` is the one user that it is about.
    """

    uid: str
    scope: str
    prediction_id: str
    context: str
    expected: Any
    confidence: float
    made_at: datetime
    expires_at: datetime
    matched_at: datetime | None = None
    user_id: str | None = None


@dataclass(frozen=True, slots=True)
class MomentumState:
    """Stored surprise momentum of one scope and context; days are counted since 1970.

    ``count`` is the effective number of events at the last one; ``familiar`` holds repeats and day by type of surprise,
    ``spreads`` mean, squares and count by path, ``outcomes`` the learned outcomes as a JSON value.
    """

    mean: float = 0.0
    variance: float = 0.0
    count: float = 0.0
    day: float = 0.0
    familiar: Mapping[str, tuple[float, float]] = field(
        default_factory=dict[str, tuple[float, float]]
    )
    spreads: Mapping[str, tuple[float, float, int]] = field(
        default_factory=dict[str, tuple[float, float, int]]
    )
    outcomes: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class SurpriseForecast:
    """Forecast for one path before the event, from the outcomes of its context so far.

    For a number the median ``value`` and a 95 % interval; for a word the most probable, None if only its hash is
    stored, and its ``probability``. ``tail`` is the probability of an outcome at least as unlikely as this one.
    """

    path: str
    kind: str
    value: float | str | None
    tail: float
    low: float | None = None
    high: float | None = None
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class SurprisePart:
    """Share of one path in the distance between expectation and outcome."""

    path: str
    kind: str
    distance: float
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentEvent:
    """An event of an agent, and its expectation, if any.

    ``user_id`` is the one user that it is about.
    """

    uid: str
    scope: str
    context: str
    expected: Any
    actual: Any
    at: datetime
    expires_at: datetime
    agent_id: str | None = None
    channel_id: str | None = None
    user_id: str | None = None
    circumstances: Mapping[str, Any] | None = None
    event_id: str | None = None
    prediction_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SurpriseRecord(AgentEvent):
    """An event with its surprise and the reasons.

    ``quotient`` is distance over momentum, of the decisive side, without upper limit. ``violation`` and ``novelty`` are
    the two sides in [0, 1), None if not computed. ``form`` measured the violation, with ``observations`` known before;
    ``lead`` is by how many nats the learned form had predicted the context better, ``forecast`` its expectation.
    """

    score: float
    quotient: float
    surprising: bool
    threshold: float
    type: SurpriseType
    ground: SurpriseGround
    familiarity: float
    violation: float | None = None
    novelty: float | None = None
    contributions: tuple[SurprisePart, ...]
    memory_uid: str | None = None
    form: SurpriseForm = "fixed"
    observations: int = 0
    lead: float = 0.0
    forecast: tuple[SurpriseForecast, ...] = ()


@dataclass(frozen=True, slots=True)
class SurpriseQuery:
    """Query for surprises, newest first; empty names match any."""

    scopes: tuple[str, ...]
    types: tuple[SurpriseType, ...] = ()
    contexts: tuple[str, ...] = ()
    since: datetime | None = None
    before: str | None = None
    surprising: bool = False
    limit: int = 50


@dataclass(frozen=True, slots=True)
class Surprised:
    """Initial importance and Q of a memory of a surprising event."""

    surprise: float
    grace_until: datetime


Decide = Callable[
    ["Mapping[MomentumKey, MomentumState]"],
    "tuple[SurpriseRecord, Mapping[MomentumKey, MomentumState]]",
]
"""Function from the momenta known so far to the surprise of an event and the momenta after it."""
