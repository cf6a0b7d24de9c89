"""Surprise plugins of agents, what they have seen, and how many memories an arousal asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple, TypeVar, get_args

PluginKind = Literal["ema", "symbolic", "decision", "multidimensional"]
DecisionMode = Literal["unigram", "bigram"]
CognitiveSystem = Literal["SYSTEM_1", "SYSTEM_2"]
MemoryProfile = Literal["MILLER_STANDARD", "COWAN_CONSERVATIVE", "EXTENDED_CONTEXT", "MINIMAL"]
MEMORY_PROFILES: tuple[MemoryProfile, ...] = get_args(MemoryProfile)
Observation = Mapping[str, str | bool | float]
CountKey = tuple[str, ...]
IMPORTANT_BESIDE = 2
"""Important memories that a recall by arousal gives beside the others."""


class MemoryCounts(NamedTuple):
    """Memories given in each system, and what working memory holds."""

    system_1: int
    system_2: int
    capacity: int


COUNTS: Mapping[MemoryProfile, MemoryCounts] = {
    "MILLER_STANDARD": MemoryCounts(5, 7, 10),
    "COWAN_CONSERVATIVE": MemoryCounts(3, 5, 7),
    "EXTENDED_CONTEXT": MemoryCounts(7, 9, 15),
    "MINIMAL": MemoryCounts(3, 4, 5),
}


@dataclass(frozen=True, slots=True)
class PluginSettings:
    """Kind of a surprise plugin and its parameters; those of another kind are not read.

    ``step`` is the weight of an observation in a moving mean, ``start`` what is expected before the first,
    ``scale`` the difference that surprises by 1, and ``scales`` that of named stimuli. ``weights`` are those
    of dimensions; one that is not named weighs 1. ``actions`` is how many actions are possible, if that is known.
    """

    kind: PluginKind
    step: float = 0.3
    start: float = 0.0
    scale: float = 1.0
    scales: Mapping[str, float] = field(default_factory=dict[str, float])
    weights: Mapping[str, float] = field(default_factory=dict[str, float])
    mode: DecisionMode = "unigram"
    smoothing: float = 1.0
    actions: int = 0


@dataclass(frozen=True, slots=True)
class Sensed:
    """Surprise of one observation, and why.

    ``seen`` is what was observed, in words. ``probability`` is that of a signature or action; ``expected`` and
    ``parts`` hold, by stimulus, what was expected and how surprising what came was.
    """

    surprise: float
    seen: str
    probability: float | None = None
    expected: Mapping[str, float] = field(default_factory=dict[str, float])
    parts: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True, slots=True)
class PluginState:
    """State of a plugin; a mapping holds what was seen last at its end.

    ``means`` are moving means by stimulus, ``counts`` count signatures or actions, ``pairs`` actions after actions;
    ``latest`` are the last observations, the newest at the end.
    """

    observations: int = 0
    means: Mapping[str, float] = field(default_factory=dict[str, float])
    counts: Mapping[CountKey, int] = field(default_factory=dict[CountKey, int])
    pairs: Mapping[CountKey, int] = field(default_factory=dict[CountKey, int])
    previous: str | None = None
    latest: tuple[Sensed, ...] = ()

    @property
    def arousal(self) -> float:
        """The surprise of the latest observation; 0 before the first."""
        return self.latest[-1].surprise if self.latest else 0.0


@dataclass(frozen=True, slots=True)
class SurprisePlugin:
    """Surprise plugin of one agent."""

    scope: str
    settings: PluginSettings
    state: PluginState
    attached_at: datetime
    observed_at: datetime | None = None


T = TypeVar("T")

Decide = Callable[["Mapping[str, SurprisePlugin]"], "tuple[T, Mapping[str, PluginState]]"]
"""Plugins by scope, as they stand, to an answer and what they have learned then."""
