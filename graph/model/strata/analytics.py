"""Statistics of strata: population, flow, decay and surprise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from graph.kernel.values import Floats, Kind, State, Stratum
from graph.model.strata.gates import FadingColumns
from stratagraph.vocabulary import SourceType

SurpriseGrouping = Literal["agent", "channel", "type"]


class Population(NamedTuple):
    """Memories in a stratum; ``characters`` are those of active texts."""

    stratum: Stratum
    active: int
    archived: int
    characters: int


class Flow(NamedTuple):
    """Memories of one day that were added (``from_stratum`` None), moved, or left recall (``to_stratum`` None)."""

    day: str
    action: str
    from_stratum: Stratum | None
    to_stratum: Stratum | None
    memories: int


class PopulationDay(NamedTuple):
    """Active memories of each stratum at the end of a day (UTC), in the order of the strata."""

    day: str
    active: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightColumns(FadingColumns):
    """Inputs of decay weights, and when each memory was recorded."""

    recorded_at: Floats


class AgeWeights(NamedTuple):
    """Current weights of memories aged from ``from_day`` to before ``to_day`` days."""

    from_day: float
    to_day: float | None
    memories: int
    mean: float
    p10: float
    p50: float
    p90: float


class StratumDecay(NamedTuple):
    """Decay of a stratum by age, and its forecast without use: (days ahead, mean weight)."""

    stratum: Stratum
    memories: int
    ages: tuple[AgeWeights, ...]
    ahead: tuple[tuple[float, float], ...]


class SurpriseGroup(NamedTuple):
    """Events and surprises of one agent, channel or type."""

    name: str
    events: int
    surprising: int
    mean: float
    most: float


class ConsolidationSum(NamedTuple):
    """Totals of consolidation runs; ``undone`` ones are only in their own count."""

    runs: int
    undone: int
    clusters: int
    sources: int
    condensed: int
    chars_before: int
    chars_after: int


@dataclass(frozen=True, slots=True)
class StrataAnalysis:
    """Statistics of strata, over the readable scopes."""

    population: tuple[Population, ...]
    days: tuple[PopulationDay, ...]
    flow: tuple[Flow, ...]
    decay: tuple[StratumDecay, ...]
    surprises: tuple[tuple[SurpriseGrouping, tuple[SurpriseGroup, ...]], ...]
    consolidation: ConsolidationSum


class SourceNode(NamedTuple):
    """A memory that another is derived from."""

    uid: str
    scope: str
    kind: Kind
    stratum: Stratum
    state: State
    text: str
    recorded_at: datetime


class SourceEdge(NamedTuple):
    """``uid`` is derived from ``source``, at ``depth`` steps from the memory in question."""

    uid: str
    source: str
    type: SourceType
    run: str | None
    depth: int


class SourceStep(NamedTuple):
    """One step to a source; without a source that is not readable."""

    uid: str
    type: SourceType
    run: str | None
    source: SourceNode | None


@dataclass(frozen=True, slots=True)
class Provenance:
    """Sources of a memory; ``withheld``: some of them are not readable."""

    uid: str
    nodes: Sequence[SourceNode]
    edges: Sequence[SourceEdge]
    withheld: bool
    truncated: bool
