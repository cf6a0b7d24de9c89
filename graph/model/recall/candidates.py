"""Request, candidates and answer of a recall."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from graph.kernel.embedding import Slot
from graph.kernel.values import (
    BEGINNING,
    END,
    KINDS,
    Floats,
    Ints,
    Kind,
    Phase,
    State,
    Stratum,
    Vector,
)
from graph.model.engines.config import Engine
from graph.model.memories.superseding import Replaced


@dataclass(frozen=True, slots=True)
class Window:
    """A time span, ``start`` inclusive, ``end`` exclusive; an open end is a far date."""

    start: datetime = BEGINNING
    end: datetime = END


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters of a recall; the defaults accept every active, currently valid memory."""

    kinds: tuple[Kind, ...] = KINDS
    strata: tuple[Stratum, ...] = ()
    """Empty: any, also those that the tenant has added."""
    states: tuple[State, ...] = ("active",)
    tags_any: tuple[str, ...] = ()
    tags_all: tuple[str, ...] = ()
    importance_min: int = 1
    importance_max: int = 5
    access_count_min: int = 0
    """Of pages and counts alone: what changes with each recall stands in no index that a recall asks."""
    occurred: Window = Window()
    recorded: Window = Window()
    valid_at: datetime | None = None
    superseded: bool = False
    """Flag that lets replaced memories pass too, but not those that somebody has ended."""
    session_id: str | None = None
    domain: str | None = None
    phase: Phase | None = None
    agent_id: str | None = None
    correct: bool | None = None
    model: str | None = None

    @property
    def by_tags(self) -> bool:
        """Return whether any tag is asked for."""
        return bool(self.tags_any or self.tags_all)


class Context(NamedTuple):
    """Context of a request."""

    domain: str | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """Number of candidates of each arm, and of those whose edges are followed."""

    vector: int = 20
    lexical: int = 40
    expanded: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolQuery:
    """Query of a statement that fetches a pool; the embedding is of the slot."""

    scopes: tuple[str, ...]
    embedding: Vector
    slot: Slot
    terms: tuple[str, ...]
    now: datetime
    hops: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateQuery(PoolQuery):
    """Parameters of the recall statement."""

    filters: Filters
    limits: PoolLimits
    memorable: int = 0  # newest memories of each importance, beside those that match
    embeddings: bool = False  # whether the law compares the vectors of candidates


class Recallable(NamedTuple):
    """Properties of a memory in an answer; a tuple, as each recall creates hundreds."""

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


class Estimate(NamedTuple):
    """Utility of a memory in one context; the columns of a pool have the general one."""

    uid: str
    context: str
    q_value: float
    q_left: float
    q_init: float


@dataclass(frozen=True, slots=True)
class Lenders:
    """Strategies and concepts that candidates ``USED``, columns of shape ``(l,)``.

    ``borrower`` is the index of the candidate; one used by several candidates is repeated.
    """

    borrower: Ints
    uids: tuple[str, ...]
    q_value: Floats
    q_left: Floats
    q_init: Floats

    def __len__(self) -> int:
        return len(self.uids)


@dataclass(frozen=True, slots=True)
class Uses:
    """Times of use of candidates in days since 1970, columns of shape ``(n,)``, if a law needs them.

    ``accessed_day`` is NaN where a memory was never recalled; ``replaced`` holds rows ``(newer, older)`` of shape ``(r,
    2)``, ``embeddings`` unit vectors of shape ``(n, d)``, zero if missing, if a law compares them.
    """

    recorded_day: Floats
    accessed_day: Floats
    replaced: Ints
    embeddings: Floats | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueColumns:
    """Utility of ``n`` memories, columns of shape ``(n,)``.

    ``q_left`` is the share of the initial value ``q_init`` in Q, ``q_variance`` the variance of the rewards.
    """

    q_value: Floats
    q_count: Ints
    q_left: Floats
    q_init: Floats
    q_variance: Floats
    lenders: Lenders


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidatePool(ValueColumns):
    """The candidates of one recall: ``n`` memories, columns of shape ``(n,)``, ``e`` edges.

    ``cosine`` is exact, in [-1, 1]; ``lexical`` is the full-text score, ``>= 0``, 0 without a hit; ``lexical_floor`` is
    the lowest of them if the full-text arm reached its limit, else 0; times are days since 1970; ``edges`` holds rows
    ``(from, to)`` of shape ``(e, 2)`` with their types in ``edge_types``, but detected similarities. ``superseding`` are the uids of memories that
    replaced others or were replaced.
    """

    memories: tuple[Recallable, ...]
    cosine: Floats
    lexical: Floats
    lexical_floor: float
    importance: Ints
    access_count: Ints
    weight: Floats
    weight_day: Floats
    occurred_day: Floats
    hop: Ints
    edges: Ints
    edge_types: tuple[str, ...]
    superseding: frozenset[str] = frozenset()
    uses: Uses | None = None

    @property
    def uids(self) -> tuple[str, ...]:
        """Uids of the candidates."""
        return tuple(memory.uid for memory in self.memories)

    def __len__(self) -> int:
        return len(self.memories)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a memory has its rank: the contribution of each part, and the path that reached it."""

    components: Mapping[str, float]
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AttemptOutcome:
    """Answer and verdict of an attempt; None is not judged."""

    answer: str
    correct: bool | None
    insight: str | None = None


@dataclass(frozen=True, slots=True)
class Recalled:
    """One result, ordered by ``score``; ``relevance`` is in [0, 1], relative to the best of the pool."""

    memory: Recallable
    occurred_at: datetime
    importance: int
    score: float
    relevance: float
    similarity: float
    q_value: float
    explanation: Explanation | None = None
    replaced: tuple[Replaced, ...] = ()
    superseded_by: str | None = None
    may_be_superseded_by: str | None = None
    attempt: AttemptOutcome | None = None


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A candidate that was not returned, with the reason."""

    uid: str
    text: str
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class RecallAnswer:
    """The results of one recall, best first; ``links_pending`` memories have no links yet."""

    results: tuple[Recalled, ...]
    utility_weight: float
    candidates: int
    task_id: str | None = None
    near_misses: tuple[NearMiss, ...] = ()
    links_pending: int = 0
    engine: Engine = "utility"
