"""Pages, counts, versions and neighbourhoods of memories."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from stratagraph.vocabulary import ContentType, EdgeType, Grouping, Kind, PageOrder, State
from stratagraph.wire.kernel.base import Answer, Identity
from stratagraph.wire.kernel.values import NOW, UID_EXAMPLE, NextCursor, StratumName
from stratagraph.wire.memories.content import ShownContent
from stratagraph.wire.memories.models import MemoryView
from stratagraph.wire.recall.filters import QueryFilters

Cursor = Annotated[str, Field(min_length=1, max_length=1024)]
PageLimit = Annotated[int, Field(ge=1, le=200)]

_CURSOR = "The `next_cursor` of the page before; unset: the first page."


class ListRequest(QueryFilters):
    """Filters of memories, their order, and the page."""

    order: PageOrder = Field(
        default="newest", description="By the time they were stored.", examples=["newest"]
    )
    limit: PageLimit = Field(default=50, description="Memories per page, 1 to 200.", examples=[50])
    cursor: Cursor | None = Field(default=None, description=_CURSOR, examples=["WyIyMDI2…"])


class CountRequest(QueryFilters):
    """Filters of memories, and their grouping."""

    by: Grouping | None = Field(
        default=None, description="Count each group too.", examples=["kind"]
    )


class VersionsRequest(Identity):
    """Page of a memory's versions."""

    limit: PageLimit = Field(default=50, description="Versions per page, 1 to 200.", examples=[50])
    cursor: Cursor | None = Field(default=None, description=_CURSOR, examples=["WyIyMDI2…"])


class NeighbourhoodRequest(Identity):
    """Distance, edges and size of a neighbourhood."""

    hops: Annotated[int, Field(ge=1, le=2)] = Field(
        default=1, description="How far from the memory, 1 or 2.", examples=[1]
    )
    limit: PageLimit = Field(
        default=50, description="Nodes at most, 1 to 200, the memory among them.", examples=[50]
    )
    types: Annotated[tuple[EdgeType, ...], Field(max_length=32)] = Field(
        default=(), description="Along these edges; unset: all.", examples=[["NEXT"]]
    )


class MemoryPage(Answer):
    """A page of memories."""

    items: tuple[MemoryView, ...] = Field(description="In the order asked for.", examples=[[]])
    next_cursor: NextCursor = None


class MemoryCount(Answer):
    """Number of memories."""

    count: int = Field(description="All of them.", examples=[42])
    groups: dict[str, int] | None = Field(
        default=None,
        description="With `by`: each group's, the largest first, at most 1,000; "
        "an empty name stands for none.",
        examples=[{"observation": 40, "insight": 2}],
    )


class NamedVersion(Answer):
    """Version of a memory: what it said before an update, and when."""

    uid: str = Field(description="The version's own name.", examples=[UID_EXAMPLE])
    memory_uid: str = Field(description="The memory's name.", examples=[UID_EXAMPLE])
    revision: int | None = Field(default=None, description="Which revision it was.", examples=[1])
    recorded_at: datetime | None = Field(
        default=None, description="Since when the memory said this.", examples=[NOW]
    )
    replaced_at: datetime = Field(description="Until when.", examples=[NOW])
    changed: tuple[str, ...] = Field(
        default=(), description="What the next revision says otherwise.", examples=[["text"]]
    )
    kind: Kind = Field(description="What sort of memory.", examples=["preference"])
    text: str = Field(description="Its text.", examples=["Ada prefers short answers."])
    content_type: ContentType | None = Field(
        default=None, description="What it was given as.", examples=["text"]
    )
    stratum: StratumName | None = Field(
        default=None, description="How lasting it was.", examples=["long_term"]
    )
    state: State | None = Field(
        default=None, description="Whether it was recalled.", examples=["active"]
    )
    importance: int = Field(description="1 to 5.", examples=[3])
    tags: tuple[str, ...] = Field(default=(), description="Its labels.", examples=[["style"]])


class VersionView(ShownContent, NamedVersion):
    """Content of a memory before an update; null where an old release did not store it."""

    occurred_at: datetime | None = Field(
        default=None, description="When it happened.", examples=[NOW]
    )


class VersionPage(Answer):
    """A page of versions of a memory, newest first."""

    items: tuple[VersionView, ...] = Field(description="The newest first.", examples=[[]])
    next_cursor: NextCursor = None


class NodeView(Answer):
    """A node of a neighbourhood."""

    id: str = Field(
        description="A uid, or `term:<scope>/<name>`; edges name it.", examples=[UID_EXAMPLE]
    )
    label: str = Field(description="Memory, Version or Term.", examples=["Memory"])
    text: str = Field(
        description="The start of its text, at most 280 characters; a term as it was written.",
        examples=["Ada prefers …"],
    )
    hop: int = Field(description="How far from the memory asked about, from 0.", examples=[1])
    kind: Kind | None = Field(
        default=None, description="What sort of memory.", examples=["preference"]
    )
    state: State | None = Field(
        default=None, description="Whether it is recalled.", examples=["active"]
    )
    importance: int | None = Field(default=None, description="1 to 5.", examples=[3])
    q_value: float | None = Field(
        default=None, description="Learned utility, 0 to 1.", examples=[0.5]
    )
    occurred_at: datetime | None = Field(
        default=None, description="When it happened.", examples=[NOW]
    )
    document_frequency: int | None = Field(
        default=None, description="Of a term: how many memories mention it.", examples=[3]
    )


class EdgeView(Answer):
    """An edge between two nodes of the same answer."""

    start: str = Field(description="The node it leads from.", examples=[UID_EXAMPLE])
    end: str = Field(description="The node it leads to.", examples=[UID_EXAMPLE])
    type: EdgeType = Field(description="What it means.", examples=["NEXT"])
    similarity: float | None = Field(
        default=None, description="Of an edge that says how near.", examples=[0.83]
    )


class NeighbourhoodView(Answer):
    """Neighbourhood of a memory."""

    nodes: tuple[NodeView, ...] = Field(
        description="The memory itself first, then the nearer ones.", examples=[[]]
    )
    edges: tuple[EdgeView, ...] = Field(description="All between these nodes.", examples=[[]])
    truncated: bool = Field(description="Whether more was left out.", examples=[False])
