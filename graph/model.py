"""The values that use cases, store and doors pass to each other. All are frozen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Mapping

Kind = Literal[
    "observation", "problem", "episode", "concept", "strategy", "pattern", "insight", "preference"
]
Stratum = Literal["working", "short_term", "episodic", "long_term", "semantic"]
State = Literal["active", "archived", "hidden"]
Phase = Literal["observation", "reasoning", "planning", "action", "reflection"]
ContentType = Literal["text", "structured", "embedding"]
Status = Literal["success", "failure", "partial", "timeout"]
LinkType = Literal["SIMILAR_TO", "REQUIRES", "SOLVED", "ATTEMPTED", "USED", "DERIVED_FROM"]
SaveStatus = Literal["created", "updated", "unchanged", "duplicate", "rejected"]

KINDS: tuple[Kind, ...] = get_args(Kind)
STRATA: tuple[Stratum, ...] = get_args(Stratum)
STATES: tuple[State, ...] = get_args(State)
PHASES: tuple[Phase, ...] = get_args(Phase)
STATUSES: tuple[Status, ...] = get_args(Status)
LINK_TYPES: tuple[LinkType, ...] = get_args(LinkType)

# An open end of a window is a far date: the vector index takes no `IS NULL OR …`.
BEGINNING = datetime(1, 1, 2, tzinfo=UTC)
END = datetime(9999, 1, 1, tzinfo=UTC)

MAX_TEXT_BYTES = 100_000
MAX_RESULTS = 200
MAX_HOPS = 2

Vector = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Link:
    """A typed edge from a new memory to ``to``: a uid, or ``external:<id>`` in the same scope."""

    type: LinkType
    to: str


@dataclass(frozen=True, slots=True)
class NewMemory:
    """What a caller wants remembered; ``importance`` 1–5, times zoned."""

    scope: str
    text: str
    kind: Kind = "observation"
    external_id: str | None = None
    agent_id: str | None = None
    channel_id: str | None = None
    user_id: str | None = None
    session_id: str | None = None
    sequence: int | None = None
    task_id: str | None = None
    speaker: str | None = None
    content_type: ContentType = "text"
    structured: Mapping[str, Any] | None = None
    vector: tuple[float, ...] | None = None
    stratum: Stratum = "long_term"
    importance: int = 3
    tags: tuple[str, ...] = ()
    domain: str | None = None
    phase: Phase | None = None
    source_type: str | None = None
    event_id: str | None = None
    correct: bool | None = None
    model: str | None = None
    occurred_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    metadata: Mapping[str, Any] | None = None
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class PreparedMemory:
    """A new memory with all that the store adds: ids, hash, times and its unit vector."""

    new: NewMemory
    uid: str
    content_hash: str
    recorded_at: datetime
    vector: Vector


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of one row: its uid, or why it was rejected."""

    status: SaveStatus
    uid: str | None = None
    error: str | None = None
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """A stored memory. ``q_value`` is in [0, 1]; counts are never negative."""

    uid: str
    scope: str
    kind: Kind
    text: str
    content_type: ContentType
    stratum: Stratum
    state: State
    importance: int
    recorded_at: datetime
    occurred_at: datetime
    q_value: float
    q_count: int
    initialized_from: str
    retrieval_count: int
    success_count: int
    failure_count: int
    access_count: int
    external_id: str | None = None
    agent_id: str | None = None
    channel_id: str | None = None
    user_id: str | None = None
    session_id: str | None = None
    sequence: int | None = None
    task_id: str | None = None
    speaker: str | None = None
    structured: Mapping[str, Any] | None = None
    tags: tuple[str, ...] = ()
    domain: str | None = None
    phase: Phase | None = None
    source_type: str | None = None
    event_id: str | None = None
    correct: bool | None = None
    model: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    last_reward_at: datetime | None = None
    last_accessed_at: datetime | None = None
    metadata: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Window:
    """A span of time, ``start`` included, ``end`` not; an open end is a far date."""

    start: datetime = BEGINNING
    end: datetime = END


@dataclass(frozen=True, slots=True)
class Filters:
    """What a recall may return. The defaults let every active, currently valid memory pass."""

    kinds: tuple[Kind, ...] = KINDS
    strata: tuple[Stratum, ...] = STRATA
    states: tuple[State, ...] = ("active",)
    tags_any: tuple[str, ...] = ()
    tags_all: tuple[str, ...] = ()
    importance_min: int = 1
    importance_max: int = 5
    occurred: Window = Window()
    recorded: Window = Window()
    valid_at: datetime | None = None
    session_id: str | None = None
    domain: str | None = None
    phase: Phase | None = None
    agent_id: str | None = None
    correct: bool | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """How many candidates each arm fetches, and how many of the best of each are expanded."""

    vector: int = 20
    lexical: int = 40
    expanded: int = 5


@dataclass(frozen=True, slots=True)
class CandidateQuery:
    """All that the one recall statement needs."""

    scopes: tuple[str, ...]
    embedding: Vector
    terms: tuple[str, ...]
    filters: Filters
    now: datetime
    hops: int
    limits: PoolLimits


@dataclass(frozen=True, slots=True)
class Recallable:
    """What an answer shows of a memory."""

    uid: str
    external_id: str | None
    scope: str
    kind: Kind
    stratum: Stratum
    text: str
    speaker: str | None
    session_id: str | None
    tags: tuple[str, ...]
    metadata: str | None


@dataclass(frozen=True, slots=True)
class CandidatePool:
    """The candidates of one recall: ``n`` memories, columns of shape ``(n,)``, ``e`` edges.

    ``cosine`` is exact, in [-1, 1]; ``lexical`` is the full-text score, ``>= 0``, 0 without a hit;
    times are days since 1970; ``edges`` holds rows ``(from, to)`` of shape ``(e, 2)`` with their
    type in ``edge_types``.
    """

    memories: tuple[Recallable, ...]
    cosine: Floats
    lexical: Floats
    q_value: Floats
    q_count: Ints
    importance: Ints
    access_count: Ints
    weight: Floats
    weight_day: Floats
    occurred_day: Floats
    hop: Ints
    edges: Ints
    edge_types: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.memories)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a memory stands where it stands: what each part added, and the path that reached it."""

    components: Mapping[str, float]
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recalled:
    """One result; ``score`` orders, ``relevance`` is in [0, 1] of the pool's best."""

    memory: Recallable
    occurred_at: datetime
    importance: int
    score: float
    relevance: float
    similarity: float
    q_value: float
    explanation: Explanation | None = None


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A candidate that was not returned, and what kept it out."""

    uid: str
    text: str
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class RecallAnswer:
    """The results of one recall, best first."""

    results: tuple[Recalled, ...]
    utility_weight: float
    candidates: int
    task_id: str | None = None
    near_misses: tuple[NearMiss, ...] = ()


@dataclass(frozen=True, slots=True)
class Retrieval:
    """One memory that a task was given."""

    uid: str
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Reward:
    """How an outcome changed one memory's Q."""

    uid: str
    q_before: float
    q_after: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an outcome; ``applied`` is False when it had been reported before."""

    task_id: str
    status: Status
    quality: float | None
    reward: float
    applied: bool
    rewarded: tuple[Reward, ...] = ()


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """Which embedder filled the graph."""

    name: str
    dimension: int
