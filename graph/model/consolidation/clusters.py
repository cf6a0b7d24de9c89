"""Clusters of memories to condense, and the runs that condense them and can be undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from graph.kernel.runs import Run
from graph.kernel.values import Phase, Stratum, Vector
from graph.model.consolidation.agreements import AgreementNews
from graph.model.consolidation.patterns import FoundPattern, PatternType
from graph.model.memories.memory import PreparedMemory
from stratagraph.vocabulary import ClusterState, ConsolidationState

CONSOLIDATION_COUNTS = (
    "looked",
    "clusters",
    "condensed",
    "sources",
    "skipped",
    "restored",
    "purged",
    "patterns",
    "agreements",
    "withdrawn",
    "disagreements",
    "chars_before",
    "chars_after",
)


@dataclass(frozen=True, slots=True)
class Outlined:
    """Properties of a memory that decide with which others it is condensed."""

    uid: str
    revision: int
    chars: int
    lines: int
    """A condensed memory has one for each turn."""
    beginning: str
    """The first 300 characters of its text."""
    asks: bool
    """Its text ends with a question mark."""
    vector: Vector | None
    session_id: str | None
    sequence: int | None
    occurred_at: datetime
    alike: tuple[str, ...]
    """Whose it is: agent, channel, user, domain and phase. Only what is alike in these becomes one."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Memories of one stratum to be condensed into another; uids in the order of the text."""

    uid: str
    position: int
    condensed_uid: str
    from_stratum: Stratum
    to_stratum: Stratum
    sources: tuple[str, ...]
    revisions: tuple[int, ...]
    state: ClusterState = "planned"
    chars_before: int = 0
    chars_after: int = 0
    text: str | None = None
    """Text of the one memory to be, in a dry run."""
    context: tuple[str, ...] = ()
    """Memories of its sessions that stand before one of the sources and may name whom it is about."""


@dataclass(frozen=True, slots=True)
class SourceMemory:
    """Source memory of a condensed one, with the properties that this inherits."""

    uid: str
    text: str
    agent_id: str | None
    channel_id: str | None
    user_id: str | None
    session_id: str | None
    sequence: int | None
    speaker: str | None
    domain: str | None
    phase: Phase | None
    source_type: str | None
    occurred_at: datetime
    tags: tuple[str, ...]
    metadata: Mapping[str, Any]
    importance: int
    q_value: float
    surprise: float
    replaced: bool = (
        False  # superseded by an active memory; decisively superseded ones are not condensed
    )
    vector: Vector | None = field(default=None, compare=False)  # (d,), of the slot in use


@dataclass(frozen=True, slots=True)
class NearbyMemory:
    """Text of a memory, and its place in its session."""

    uid: str
    text: str
    speaker: str | None
    session_id: str | None
    sequence: int | None
    occurred_at: datetime


class PlannedCluster(NamedTuple):
    """A cluster with its memories as they are now, and those of its context."""

    cluster: Cluster
    sources: tuple[SourceMemory, ...]
    context: tuple[NearbyMemory, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Earned:
    """Utility and use of a memory; ``q_left`` is the share of ``q_value`` without evidence."""

    q_value: float
    q_count: int
    q_left: float
    q_m2: float
    retrieval_count: int
    success_count: int
    failure_count: int
    access_count: int
    last_reward_at: datetime | None
    last_accessed_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceStanding(Earned):
    """Utility of a source, and the components of its weight; times in days."""

    stratum: Stratum
    importance: int
    surprise: float
    w0: float
    anchored_at: float
    grace_until: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Inherited(Earned):
    """Values that a condensed memory inherits from its sources; ``weight`` as of now."""

    surprise: float | None
    weight: float
    grace_until: datetime | None


@dataclass(frozen=True, slots=True)
class Condensing:
    """A cluster with its condensed memory; ``sequence`` is its place in its session."""

    cluster: Cluster
    prepared: PreparedMemory
    sequence: int | None


@dataclass(frozen=True, slots=True)
class KnownPattern:
    """Stored pattern; ``support`` in sessions, ``confidence`` in [0, 1].

    ``kept`` is false if a client has changed its kind. Without a ``type`` a client stored it.
    """

    uid: str
    type: PatternType | None
    items: tuple[str, ...]
    support: int
    confidence: float
    kept: bool


@dataclass(frozen=True, slots=True)
class SeenPattern:
    """Found pattern, with the uids of its evidence, and its new or stored memory."""

    found: FoundPattern
    evidence: tuple[str, ...]
    uid: str
    prepared: PreparedMemory | None = None


@dataclass(frozen=True, slots=True)
class ConsolidationRun(Run):
    """Run in one scope; it can be undone until ``undo_until``.

    From ``purge_at``, if any, its sources are deleted. ``everything`` includes memories that are not due.
    """

    state: ConsolidationState
    undo_until: datetime
    strata: tuple[Stratum, ...]
    everything: bool = False
    purge_at: datetime | None = None
    finished_at: datetime | None = None
    counts: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class ConsolidationPlan:
    """Plan of a consolidation: the first clusters, the number of clusters and memories, and new patterns."""

    clusters: tuple[Cluster, ...]
    total: int
    sources: int
    looked: int
    patterns: tuple[FoundPattern, ...] = ()
    agreements: AgreementNews = field(default_factory=AgreementNews)


@dataclass(frozen=True, slots=True)
class Consolidated:
    """Result of a consolidation request: a plan alone, or the run that carried it out."""

    scope: str
    plan: ConsolidationPlan
    run: ConsolidationRun | None = None
    reason: str | None = None
    """Why nothing was condensed, or would be; None where something is."""


Inherit = Callable[[Sequence[SourceStanding]], Inherited]
