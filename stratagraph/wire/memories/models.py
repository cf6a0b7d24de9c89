"""Requests and answers with memories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from stratagraph.vocabulary import (
    ContentType,
    FoundBy,
    Kind,
    LinkType,
    SaveStatus,
    ScopeKind,
    State,
)
from stratagraph.wire.kernel.base import Answer, FaultView, Identity, Request
from stratagraph.wire.kernel.values import (
    MAX_BATCH,
    NOW,
    TIME_EXAMPLE,
    UID_EXAMPLE,
    Importance,
    MemoryName,
    MemoryNames,
    Name,
    Stratum,
    StratumName,
    Tags,
    Text,
    Time,
    Vector,
    fault,
    owner,
)
from stratagraph.wire.memories.content import Content, ShownContent

Redacted = Annotated[
    dict[str, int],
    Field(
        description="What identified a person and was taken out of what was stored, by type; absent: nothing.",
        examples=[{"EMAIL": 2}],
        exclude_if=lambda found: not found,
    ),
]


class LinkRequest(Request):
    """A typed edge from the new memory to one that exists in the same scope."""

    type: LinkType = Field(description="What the edge means.", examples=["USED"])
    to: MemoryName = Field(
        description="A uid, or `external:<external_id>`.", examples=["external:ticket-17"]
    )


class NamedRequest(Request):
    """Content of a memory, its names and its place."""

    text: Text = Field(
        description="What to remember; at most 100,000 bytes of UTF-8.",
        examples=["Ada prefers answers with a worked example."],
    )
    kind: Kind = Field(
        default="observation", description="What sort of memory.", examples=["preference"]
    )
    scope_kind: ScopeKind | None = owner("Whose memory it is", example="user")
    external_id: Name | None = Field(
        default=None,
        description="Your id, unique in its scope: sent again, it is the same memory.",
        examples=["ticket-17"],
    )
    session_id: Name | None = Field(
        default=None,
        description="The conversation it belongs to; its memories are chained in order.",
        examples=["monday-call"],
    )
    sequence: Annotated[int, Field(strict=True, ge=0, lt=2**53)] | None = Field(
        default=None,
        description="Place in the session, from 0; unset: after the last. Needs `session_id`.",
        examples=[12],
    )
    content_type: ContentType | None = Field(
        default=None,
        description="Unset: `structured` when `structured` is given, else `text`.",
        examples=["text"],
    )
    vector: Vector | None = Field(
        default=None,
        description="Its embedding, of the graph's dimension; unset: the text is embedded.",
        examples=[[0.12, -0.4, 0.07]],
    )
    stratum: Stratum = Field(
        default="long_term", description="How lasting it is.", examples=["long_term"]
    )
    importance: Importance = Field(default=3, description="1 (trivial) to 5 (vital).", examples=[4])
    tags: Tags = Field(
        default=(), description="Labels to filter by; at most 64.", examples=[["style", "teaching"]]
    )
    occurred_at: Time | None = Field(
        default=None, description="When it happened, zoned; unset: now.", examples=[TIME_EXAMPLE]
    )


class MemoryRequest(Content, NamedRequest):
    """One memory to store."""

    links: Annotated[tuple[LinkRequest, ...], Field(max_length=64)] = Field(
        default=(),
        description="Edges to memories that exist; at most 64.",
        examples=[[{"type": "USED", "to": "external:ticket-16"}]],
    )
    supersedes: MemoryNames = Field(
        default=(),
        description="What it replaces, which stops holding when it begins to: one name or at most 16, each a uid or "
        "`external:<external_id>` in the same scope.",
        examples=[["external:ticket-16"]],
    )
    initial_q: Annotated[float, Field(ge=0, le=1)] | None = Field(
        default=None,
        description="Utility it begins with, where you know better than the default; an update "
        "leaves what was learned alone.",
        examples=[0.8],
    )

    @model_validator(mode="after")
    def _content_matches(self) -> Self:
        if self.sequence is not None and self.session_id is None:
            raise fault("request", "sequence: needs a session_id")
        if self.content_type == "structured" and self.structured is None:
            raise fault("request", "structured: is needed for content_type structured")
        if self.content_type == "embedding" and self.vector is None:
            raise fault("request", "vector: is needed for content_type embedding")
        return self


class RememberRequest(Identity, MemoryRequest):
    """One memory with its owner."""


class BatchRequest(Identity):
    """Up to 1,000 memories of one caller; a row cannot name another."""

    memories: Annotated[tuple[MemoryRequest, ...], Field(min_length=1, max_length=MAX_BATCH)] = (
        Field(
            description="The memories, 1 to 1,000.",
            examples=[[{"text": "The build broke."}, {"text": "A newer compiler mended it."}]],
        )
    )


class BatchEnvelope(Identity):
    """A batch with unparsed rows, so that each is validated separately."""

    memories: Annotated[tuple[Any, ...], Field(min_length=1, max_length=MAX_BATCH)] = Field(
        description="The rows, 1 to 1,000.", examples=[[{"text": "The build broke."}]]
    )


class RememberAnswer(Answer):
    """Result of remembering one memory."""

    status: SaveStatus = Field(
        description="created, updated (a new version), unchanged or duplicate.",
        examples=["created"],
    )
    uid: str = Field(description="Its name from now on.", examples=[UID_EXAMPLE])
    redacted: Redacted = Field(default_factory=dict[str, int])


class RowAnswer(Answer):
    """Result of one row of a batch."""

    index: int = Field(description="The row, from 0.", examples=[0])
    status: SaveStatus = Field(description="What became of it.", examples=["created"])
    uid: str | None = Field(
        default=None, description="Its name, unless it was rejected.", examples=[UID_EXAMPLE]
    )
    error: FaultView | None = Field(
        default=None,
        description="Why it was rejected.",
        examples=[{"field": "text", "message": "must not be empty"}],
    )
    redacted: Redacted = Field(default_factory=dict[str, int])


class CountsView(Answer):
    """Number of rows of a batch by result."""

    created: int = Field(default=0, description="New memories.", examples=[2])
    updated: int = Field(default=0, description="New versions of known memories.", examples=[0])
    unchanged: int = Field(
        default=0, description="Known external ids with the same content.", examples=[0]
    )
    duplicate: int = Field(
        default=0, description="Rows of memories that were stored already.", examples=[0]
    )
    rejected: int = Field(
        default=0, description="Faulty rows; nothing of them was stored.", examples=[0]
    )


class BatchAnswer(Answer):
    """Result of a batch."""

    counts: CountsView = Field(description="Rows by result.", examples=[{"created": 2}])
    results: tuple[RowAnswer, ...] = Field(
        description="One per row, in order.", examples=[[{"index": 0, "status": "created"}]]
    )
    redacted: Redacted = Field(default_factory=dict[str, int])


def redacted_in(rows: Iterable[RowAnswer]) -> Redacted:
    """Add up the redactions of the rows of a batch."""
    total = Counter[str]()
    for row in rows:
        total.update(row.redacted)
    return dict(total)


class NamedMemory(Answer):
    """Content of a stored memory, its names and its place."""

    uid: str = Field(description="Its name.", examples=[UID_EXAMPLE])
    revision: int = Field(
        default=1, description="1 at birth; grows with each change of content.", examples=[1]
    )
    external_id: str | None = Field(default=None, description="Your id.", examples=["ticket-17"])
    scope: str = Field(description="Whose it is.", examples=["agent/planner"])
    kind: Kind = Field(description="What sort of memory.", examples=["preference"])
    text: str = Field(description="Its text.", examples=["Ada prefers worked examples."])
    content_type: ContentType = Field(description="What it was given as.", examples=["text"])
    stratum: StratumName = Field(description="How lasting it is.", examples=["long_term"])
    state: State = Field(description="Whether it is recalled.", examples=["active"])
    importance: int = Field(description="1 to 5.", examples=[3])
    tags: tuple[str, ...] = Field(default=(), description="Its labels.", examples=[["style"]])
    agent_id: str | None = Field(default=None, description="Who wrote it.", examples=["planner"])
    channel_id: str | None = Field(default=None, description="Its channel.", examples=["support"])
    user_id: str | None = Field(default=None, description="Its user.", examples=["ada"])
    session_id: str | None = Field(
        default=None, description="Its session.", examples=["monday-call"]
    )
    sequence: int | None = Field(
        default=None, description="Its place in the session.", examples=[12]
    )


class MemoryView(ShownContent, NamedMemory):
    """A stored memory."""

    occurred_at: datetime = Field(description="When it happened.", examples=[NOW])
    recorded_at: datetime = Field(description="When it was stored.", examples=[NOW])
    q_value: float = Field(description="Learned utility, 0 to 1.", examples=[0.5])
    q_count: int = Field(description="How many outcomes taught it.", examples=[0])
    retrieval_count: int = Field(description="How often a recall returned it.", examples=[7])
    success_count: int = Field(
        description="How many tasks it was given to went well.", examples=[2]
    )
    failure_count: int = Field(description="How many of them failed.", examples=[1])
    access_count: int = Field(description="How often it was recalled.", examples=[7])
    last_accessed_at: datetime | None = Field(
        default=None, description="Last recalled.", examples=[NOW]
    )
    last_reward_at: datetime | None = Field(
        default=None, description="Last rewarded.", examples=[NOW]
    )
    published_by: str | None = Field(
        default=None, description="Of a copy: the agent that shares it.", examples=["planner"]
    )
    published_at: datetime | None = Field(
        default=None, description="Of a copy: when it was first shared.", examples=[NOW]
    )


class SupersedingView(Answer):
    """A memory that replaces another, or is replaced by it."""

    uid: str = Field(description="The other memory.", examples=[UID_EXAMPLE])
    confidence: float = Field(description="How sure it is, 0 to 1; stated is 1.", examples=[0.85])
    evidence: str | None = Field(
        default=None, description="What shows it, where it was detected.", examples=["says: now"]
    )
    found_by: FoundBy = Field(
        description="`stated` by somebody, or `detected` in the background.", examples=["stated"]
    )
    found_at: datetime = Field(description="When that was stored.", examples=[NOW])
    ends: bool = Field(
        description="Whether the replaced memory stops holding by it: it is stated, or sure enough.",
        examples=[True],
    )


class SingleMemoryView(MemoryView):
    """A memory that was read alone, with its replacements in both directions."""

    supersedes: tuple[SupersedingView, ...] = Field(
        default=(), description="What it replaces, newest first.", examples=[[]]
    )
    superseded_by: tuple[SupersedingView, ...] = Field(
        default=(), description="What replaces it, newest first.", examples=[[]]
    )


class SupersessionView(Answer):
    """Replacement of one memory by another, by the given names."""

    newer: str = Field(description="What replaces the other.", examples=[UID_EXAMPLE])
    older: str = Field(description="What is replaced.", examples=["external:ticket-16"])
    created: bool = Field(
        description="Whether that is new; false: somebody had said so before.", examples=[True]
    )


class AmendedView(MemoryView):
    """A memory after a change."""

    redacted: Redacted = Field(default_factory=dict[str, int])
