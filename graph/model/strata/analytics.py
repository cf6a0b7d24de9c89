"""Strata at large: how many memories they hold, what flows between them, how they fade, what surprised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from graph.kernel.values import Floats, Kind, State, Stratum
from graph.model.strata.gates import FadingColumns

SurpriseGrouping = Literal["agent", "channel", "type"]
SourceType = Literal["PROMOTED_FROM", "DERIVED_FROM", "PUBLISHED_FROM"]


class Population(NamedTuple):
    """Memories in a stratum; ``characters`` are those of active texts."""

    stratum: Stratum
    active: int
    archived: int
    characters: int


class Flow(NamedTuple):
    """Memories of one day that came in (``from_stratum`` None), moved, or left recall (``to_stratum`` None)."""

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
    """Weights now of the memories of one age, in days from ``from_day`` to before ``to_day``."""

    from_day: float
    to_day: float | None
    memories: int
    mean: float
    p10: float
    p50: float
    p90: float


class StratumDecay(NamedTuple):
    """Decay of a stratum by age, and its forecast if nothing happens: (days ahead, mean weight)."""

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
    """Totals of consolidation runs; ``undone`` of them count for nothing else."""

    runs: int
    undone: int
    clusters: int
    sources: int
    condensed: int
    chars_before: int
    chars_after: int


@dataclass(frozen=True, slots=True)
class StrataAnalysis:
    """Strata at large, over what a caller reads."""

    population: tuple[Population, ...]
    days: tuple[PopulationDay, ...]
    flow: tuple[Flow, ...]
    decay: tuple[StratumDecay, ...]
    surprises: tuple[tuple[SurpriseGrouping, tuple[SurpriseGroup, ...]], ...]
    consolidation: ConsolidationSum


class SourceNode(NamedTuple):
    """A memory that another came from."""

    uid: str
    scope: str
    kind: Kind
    stratum: Stratum
    state: State
    text: str
    recorded_at: datetime


class SourceEdge(NamedTuple):
    """``uid`` came from ``source``, at ``depth`` steps from the memory that was asked about."""

    uid: str
    source: str
    type: SourceType
    run: str | None
    depth: int


class SourceStep(NamedTuple):
    """One step down; without a source it lies in a scope that the caller does not read."""

    uid: str
    type: SourceType
    run: str | None
    source: SourceNode | None


@dataclass(frozen=True, slots=True)
class Provenance:
    """Sources of a memory; ``withheld``: some of them lie in scopes that the caller does not read."""

    uid: str
    nodes: Sequence[SourceNode]
    edges: Sequence[SourceEdge]
    withheld: bool
    truncated: bool
