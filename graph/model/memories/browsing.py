"""Pages of memories, what they said before, and what surrounds them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, Literal, TypeVar, get_args

from graph.kernel.values import ContentType, Kind, State, Stratum
from graph.model.memories.memory import Content
from graph.model.recall.candidates import Filters

ScopeKind = Literal["agent", "channel", "user", "shared"]
PageOrder = Literal["newest", "oldest"]
Grouping = Literal["kind", "stratum", "state", "session", "agent"]
EdgeType = Literal[
    "NEXT",
    "SIMILAR_TO",
    "REQUIRES",
    "SOLVED",
    "ATTEMPTED",
    "USED",
    "DERIVED_FROM",
    "SUPERSEDES",
    "VERSION_OF",
    "MENTIONS",
]

EDGE_TYPES: tuple[EdgeType, ...] = get_args(EdgeType)

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class PagePosition:
    """The last entry of a page; the next page starts after it."""

    at: datetime
    uid: str


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """Some entries, and the cursor of what follows; None at the end."""

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
    """Number of memories, and of each group asked for, the largest first."""

    total: int
    groups: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class RemovalRequest:
    """Memories to remove from a scope: by filters, by names, or all where both are absent."""

    filters: Filters | None
    names: tuple[str, ...] | None
    scope_kind: ScopeKind | None
    dry_run: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """A memory as it was met: what is at another revision by now is another matter."""

    uid: str
    revision: int
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class Removal:
    """Memories meant and removed in a scope, and the uids of the first of them.

    ``counts`` says how many nodes went by label, and how many memories by how they came to it: ``copies`` and
    ``derived`` of what was meant, ``restored`` sources that came back.
    """

    scope: str
    meant: int
    deleted: int
    sample: tuple[str, ...]
    counts: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class Removed:
    """Removed nodes; ``abandoned`` are problems and strategies that went with the last of their episodes.

    ``counts`` says how many nodes went in all, by label; ``copies`` of memories went with their originals.
    ``quoted`` stay: others were made of them.
    """

    uids: frozenset[str]
    abandoned: Mapping[str, str] = field(default_factory=dict[str, str])
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    copies: int = 0
    quoted: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Version(Content):
    """Content of a memory until ``replaced_at``.

    ``revision`` is absent where an older release wrote it; then so is what it did not write.
    ``changed`` names what the next revision says otherwise.
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
    """Request for the surroundings of memories; terms that more than ``mentioned`` memories mention end them."""

    scopes: tuple[str, ...]
    name: str
    types: tuple[EdgeType, ...]
    hops: int
    limit: int
    mentioned: int


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a drawing; ``hop`` is its distance from the memory asked about.

    ``document_frequency`` says of a term how many memories mention it.
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
    """An edge between two nodes of a drawing, with what is stored on it."""

    start: str
    end: str
    type: EdgeType
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Surroundings of a memory; ``truncated`` where more was left out than is shown."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    truncated: bool
