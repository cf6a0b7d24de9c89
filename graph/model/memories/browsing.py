"""Pages, versions and neighbourhoods of memories."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, TypeVar, get_args

from graph.kernel.values import ContentType, Kind, State, Stratum
from graph.model.memories.memory import Content
from graph.model.recall.candidates import Filters
from stratagraph.vocabulary import EdgeType, PageOrder, ScopeKind
from stratagraph.vocabulary import Grouping as Grouping

EDGE_TYPES: tuple[EdgeType, ...] = get_args(EdgeType)

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class PagePosition:
    """Last entry of a page; the next page starts after it."""

    at: datetime
    uid: str


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """A page of entries, with the cursor of the next page, or None."""

    items: tuple[Item, ...]
    cursor: str | None


@dataclass(frozen=True, slots=True)
class PageQuery:
    """Filters of a page of memories, its order by ``recorded_at``, and its start."""

    scopes: tuple[str, ...]
    filters: Filters
    now: datetime
    order: PageOrder
    limit: int
    after: PagePosition | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """Number of memories, and of each requested group, the largest first."""

    total: int
    groups: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class RemovalRequest:
    """Memories to remove from a scope: by filters, by names, or all."""

    filters: Filters | None
    names: tuple[str, ...] | None
    scope_kind: ScopeKind | None
    dry_run: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """Uid and revision of a memory as it was read."""

    uid: str
    revision: int
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class Removal:
    """Requested and removed memories of a scope, and the uids of the first of them.

    ``counts`` are removed nodes by label, and memories by reason: ``copies`` and ``derived`` ones, ``restored``
    sources.
    """

    scope: str
    meant: int
    deleted: int
    sample: tuple[str, ...]
    counts: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class Removed:
    """Removed nodes; ``abandoned`` are problems and strategies removed with their last episode.

    ``counts`` are all removed nodes, by label; ``copies`` were removed with their originals. ``quoted`` memories are
    kept, as others are derived from them.
    """

    uids: frozenset[str]
    abandoned: Mapping[str, str] = field(default_factory=dict[str, str])
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    copies: int = 0
    quoted: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Version(Content):
    """Content of a memory until ``replaced_at``.

    ``revision`` and other properties are missing if an older release wrote it. ``changed`` names the properties that
    the next revision changed.
    """

    uid: str
    memory_uid: str
    replaced_at: datetime
    kind: Kind
    text: str
    importance: int
    revision: int | None = None
    recorded_at: datetime | None = None
    content_type: ContentType | None = None
    stratum: Stratum | None = None
    state: State | None = None
    tags: tuple[str, ...] = ()
    occurred_at: datetime | None = None
    changed: tuple[str, ...] = ()


_OF_THE_VERSION = frozenset(
    {"uid", "memory_uid", "replaced_at", "revision", "recorded_at", "changed"}
)
VERSIONED = tuple(
    each.name for each in dataclasses.fields(Version) if each.name not in _OF_THE_VERSION
)
"""Content that a version keeps, and that a revision can change."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Request for the neighbourhood of memories; terms with more than ``mentioned`` mentions end it."""

    scopes: tuple[str, ...]
    name: str
    types: tuple[EdgeType, ...]
    hops: int
    limit: int
    mentioned: int


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a neighbourhood; ``hop`` is its distance from the start.

    ``document_frequency`` is that of a term.
    """

    id: str
    label: str
    text: str
    hop: int
    kind: Kind | None = None
    state: State | None = None
    importance: int | None = None
    q_value: float | None = None
    occurred_at: datetime | None = None
    document_frequency: int | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge between two nodes of a neighbourhood, with its properties."""

    start: str
    end: str
    type: EdgeType
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Neighbourhood of a memory; ``truncated`` if it is larger."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    truncated: bool
