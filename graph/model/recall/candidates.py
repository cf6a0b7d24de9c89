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
    """A span of time, ``start`` included, ``end`` not; an open end is a far date."""

    start: datetime = BEGINNING
    end: datetime = END


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters of a recall. The defaults let every active, currently valid memory pass."""

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
    """Whether what another has replaced passes too; what somebody has ended does not."""
    session_id: str | None = None
    domain: str | None = None
    phase: Phase | None = None
    agent_id: str | None = None
    correct: bool | None = None
    model: str | None = None

    @property
    def by_tags(self) -> bool:
        """Whether any tag is asked for."""
        return bool(self.tags_any or self.tags_all)


class Context(NamedTuple):
    """Context of a request."""

    domain: str | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """Number of candidates that each arm fetches, and of the best of each that are expanded."""

    vector: int = 20
    lexical: int = 40
    expanded: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolQuery:
    """Question of a statement that finds a pool; the embedding is for the slot."""

    scopes: tuple[str, ...]
    embedding: Vector
    slot: Slot
    terms: tuple[str, ...]
    now: datetime
    hops: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateQuery(PoolQuery):
    """All that the one recall statement needs."""

    filters: Filters
    limits: PoolLimits
    memorable: int = 0  # newest memories of each importance beside what the question finds
    embeddings: bool = False  # whether the law compares the vectors of candidates


class Recallable(NamedTuple):
    """Fields of a memory that an answer shows; a tuple, because each recall makes some hundred of them."""

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
    """Estimate of a memory's utility in one context; a pool's columns hold the one at large."""

    uid: str
    context: str
    q_value: float
    q_left: float
    q_init: float


@dataclass(frozen=True, slots=True)
class Lenders:
    """Strategies and concepts that candidates ``USED``, columns of shape ``(l,)``.

    ``borrower`` is the index of the candidate; one that several candidates used comes several times.
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
    """Times of use of candidates in days since 1970, columns of shape ``(n,)``, where a law asks for them.

    ``accessed_day`` is NaN where a memory was never recalled; ``replaced`` holds rows ``(newer, older)`` of shape ``(r, 2)``,
    ``embeddings`` unit vectors of shape ``(n, d)``, zero where a memory has none, if a law compares them.
    """

    recorded_day: Floats
    accessed_day: Floats
    replaced: Ints
    embeddings: Floats | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueColumns:
    """Utility of ``n`` memories, columns of shape ``(n,)``.

    ``q_left`` is the share of the initial value ``q_init`` that is left in a Q, ``q_variance`` that of its rewards.
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

    ``cosine`` is exact, in [-1, 1]; ``lexical`` is the full-text score, ``>= 0``, 0 without a hit;
    ``lexical_floor`` is the least of them where the full-text arm was cut off at its limit, else 0;
    times are days since 1970; ``edges`` holds rows ``(from, to)`` of shape ``(e, 2)`` with their
    type in ``edge_types``; what the background found similar is no edge. ``superseding`` are the uids of
    those that ended another or were ended.
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
        """The names of the candidates."""
        return tuple(memory.uid for memory in self.memories)

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
    replaced: tuple[Replaced, ...] = ()
    superseded_by: str | None = None
    may_be_superseded_by: str | None = None


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A candidate that was not returned, and what kept it out."""

    uid: str
    text: str
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class RecallAnswer:
    """The results of one recall, best first; ``links_pending`` memories wait for their links."""

    results: tuple[Recalled, ...]
    utility_weight: float
    candidates: int
    task_id: str | None = None
    near_misses: tuple[NearMiss, ...] = ()
    links_pending: int = 0
    engine: Engine = "utility"
