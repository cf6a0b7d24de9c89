"""Memories that become one, and the runs that make them so and can take it back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from graph.kernel.runs import Run
from graph.kernel.values import Phase, Stratum, Vector
from graph.model.consolidation.agreements import AgreementNews
from graph.model.consolidation.patterns import FoundPattern, PatternType
from graph.model.memories.memory import PreparedMemory

ConsolidationState = Literal["planning", "running", "done", "undoing", "undone", "purged", "erased"]
ClusterState = Literal["planned", "condensed", "skipped", "undone", "kept", "purged"]

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
    """Features of a memory that decide with which others it is condensed."""

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
    """Memories of one stratum that become one of another; uids in the order in which they are told."""

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


@dataclass(frozen=True, slots=True)
class SourceMemory:
    """One memory that is to be condensed, with what the condensed one is made of."""

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
    replaced: bool = False  # by a memory that is active; a decisive one is not condensed at all
    vector: Vector | None = field(default=None, compare=False)  # (d,), of the slot that is read


@dataclass(frozen=True, slots=True, kw_only=True)
class Earned:
    """Results of outcomes and use of a memory, none of it by an edit; of ``q_value``, ``q_left`` is no evidence."""

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
    """Learned value of a source, and the parts of its weight; times in days."""

    stratum: Stratum
    importance: int
    surprise: float
    w0: float
    anchored_at: float
    grace_until: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Inherited(Earned):
    """Values that a condensed memory inherits from its sources, beside its text; ``weight`` as of now."""

    surprise: float | None
    weight: float
    grace_until: datetime | None


@dataclass(frozen=True, slots=True)
class Condensing:
    """A cluster with the memory that takes its place; ``sequence`` is its place in its session."""

    cluster: Cluster
    prepared: PreparedMemory
    sequence: int | None


@dataclass(frozen=True, slots=True)
class KnownPattern:
    """A pattern that a scope has; ``support`` in sessions, ``confidence`` in [0, 1].

    Not ``kept`` is one that somebody made another kind of memory of: it is theirs. Without a ``type`` it was
    never found, but stored by somebody.
    """

    uid: str
    type: PatternType | None
    items: tuple[str, ...]
    support: int
    confidence: float
    kept: bool


@dataclass(frozen=True, slots=True)
class SeenPattern:
    """A pattern that was found, by uids of what it rests on, and the memory that it becomes or is."""

    found: FoundPattern
    evidence: tuple[str, ...]
    uid: str
    prepared: PreparedMemory | None = None


@dataclass(frozen=True, slots=True)
class ConsolidationRun(Run):
    """A run in one scope; what it condensed can come back until ``undo_until``.

    From ``purge_at`` on, where there is one, its sources are removed for good. With ``everything``
    it does not ask whether a memory is due.
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
    """Answer to a request for a consolidation: a plan alone, or the run that carried it out."""

    scope: str
    plan: ConsolidationPlan
    run: ConsolidationRun | None = None
    reason: str | None = None
    """Why nothing was condensed, or would be; None where something is."""


Inherit = Callable[[Sequence[SourceStanding]], Inherited]
