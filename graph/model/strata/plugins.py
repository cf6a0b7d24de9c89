"""Surprise plugins of agents, their state, and the number of memories for an arousal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple, TypeVar, get_args

from stratagraph.vocabulary import CognitiveSystem as CognitiveSystem
from stratagraph.vocabulary import DecisionMode, MemoryProfile, PluginKind

MEMORY_PROFILES: tuple[MemoryProfile, ...] = get_args(MemoryProfile)
Observation = Mapping[str, str | bool | float]
CountKey = tuple[str, ...]
IMPORTANT_BESIDE = 2
"""Important memories that a recall by arousal gives beside the others."""


class MemoryCounts(NamedTuple):
    """Numbers of memories to return by system, and the size of working memory."""

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
    """Kind of a surprise plugin and its parameters; those of other kinds are ignored.

    ``step`` is the weight of an observation in a moving mean, ``start`` the first expectation, ``scale`` the difference
    of surprise 1, and ``scales`` that of named stimuli. ``weights`` are those of dimensions, 1 by default. ``actions``
    is the number of possible actions, if known.
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

    ``seen`` is the observation in words. ``probability`` is that of a signature or action; ``expected`` and ``parts``
    hold the expectation and surprise of each stimulus.
    """

    surprise: float
    seen: str
    probability: float | None = None
    expected: Mapping[str, float] = field(default_factory=dict[str, float])
    parts: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True, slots=True)
class PluginState:
    """State of a plugin; mappings are ordered by last observation.

    ``means`` are moving means by stimulus, ``counts`` count signatures or actions, ``pairs`` successive actions;
    ``latest`` are the last observations, newest last.
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
