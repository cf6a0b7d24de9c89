"""Memories before they are stored, and as they are read."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from graph.kernel.embedding import Slot, SlotVector
from graph.kernel.values import (
    ContentType,
    Kind,
    LinkType,
    Phase,
    SaveStatus,
    State,
    Stratum,
)
from graph.model.memories.superseding import Superseding
from graph.model.strata.surprises import Surprised


@dataclass(frozen=True, slots=True)
class Link:
    """A typed edge from a new memory to ``to``: a uid, or ``external:<id>`` in the same scope."""

    type: LinkType
    to: str


def _name() -> Any:
    return dataclasses.field(default=None, metadata={"name": True})


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """Optional content of new and stored memories and of versions.

    Texts are redacted like the memory's own; a name that others are joined by is refused instead, if it identifies a
    person.
    """

    task_id: str | None = _name()
    speaker: str | None = None
    structured: Mapping[str, Any] | None = None
    domain: str | None = None
    phase: Phase | None = None
    source_type: str | None = None
    event_id: str | None = _name()
    correct: bool | None = None
    model: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    metadata: Mapping[str, Any] | None = None


CONTENT = tuple(field.name for field in dataclasses.fields(Content))
# External and session ids are names too, but are in NewMemory, as they cannot be changed.
NAMES = (
    "external_id",
    "session_id",
    *(field.name for field in dataclasses.fields(Content) if "name" in field.metadata),
)
TEXTS = (
    "text",
    *(
        field.name
        for field in dataclasses.fields(Content)
        if field.type == "str | None" and field.name not in NAMES
    ),
)
LISTS_AND_OBJECTS = (
    "tags",
    *(field.name for field in dataclasses.fields(Content) if "Mapping" in str(field.type)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed(Content):
    """Names and owners of a memory, and its place in a session."""

    external_id: str | None = None
    agent_id: str | None = None
    channel_id: str | None = None
    user_id: str | None = None
    session_id: str | None = None
    sequence: int | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NewMemory(Placed):
    """Memory to store; ``importance`` 1–5, times with zone, ``initial_q`` in [0, 1]."""

    scope: str
    text: str
    kind: Kind = "observation"
    content_type: ContentType = "text"
    vector: tuple[float, ...] | None = None
    stratum: Stratum = "long_term"
    importance: int = 3
    occurred_at: datetime | None = None
    links: tuple[Link, ...] = ()
    supersedes: tuple[str, ...] = ()  # replaced memories: uids, or external:<id> in the same scope
    initial_q: float | None = None
    surprised: Surprised | None = None  # set by reports of surprises, not by clients


@dataclass(frozen=True, slots=True)
class PreparedMemory:
    """A new memory with ids, hash, times and unit vectors.

    One that is ``beside`` others is written only if one of them links to it, and never overwrites a stored one.
    """

    new: NewMemory
    uid: str
    content_hash: str
    recorded_at: datetime
    embedding: SlotVector
    also: SlotVector | None = None  # for the other slot, during a re-embedding
    state: State = "active"
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Amendment:
    """New content of a stored memory; without an embedding it keeps its vectors.

    ``beside`` are the problem and strategy of an episode, created if missing.
    """

    new: NewMemory
    state: State
    version_uid: str
    content_hash: str
    recorded_at: datetime
    slot: Slot
    embedding: SlotVector | None
    also: SlotVector | None
    beside: tuple[PreparedMemory, ...] = ()


@dataclass(frozen=True, slots=True)
class Evicted:
    """An episode evicted for capacity, and the reason it was chosen."""

    uid: str
    external_id: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Saved:
    """The result of one row: its uid and revision, or the reason it was rejected.

    ``redacted`` counts redactions by type. ``evicted`` are the episodes evicted for a batch, in its first row.
    ``replaced`` are uids of newly replaced memories.
    """

    status: SaveStatus
    uid: str | None = None
    revision: int | None = None
    error: str | None = None
    field: str | None = None
    redacted: Mapping[str, int] = dataclasses.field(default_factory=dict[str, int])
    evicted: tuple[Evicted, ...] = ()
    replaced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Memory(Placed):
    """A stored memory.

    ``q_value`` is in [0, 1]. ``revision`` is 1 at first and grows with each change of content. ``valid_to`` is the end
    of validity, ``valid_to_given`` the stated one, which a replacement may shorten.
    """

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
    q_value: float = 0.5
    q_count: int = 0
    initialized_from: str = "default"
    retrieval_count: int = 0
    success_count: int = 0
    failure_count: int = 0
    access_count: int = 0
    valid_to_given: datetime | None = None
    last_reward_at: datetime | None = None
    last_accessed_at: datetime | None = None
    revision: int = 1
    published_by: str | None = None  # the agent whose memory this is a copy of
    published_at: datetime | None = None
    replaces: tuple[
        Superseding, ...
    ] = ()  # this and the following only of a memory that was read alone
    replaced_by: tuple[Superseding, ...] = ()


@dataclass(frozen=True, slots=True)
class Amended(Memory):
    """A memory after a change; ``redacted`` counts redactions of the change by type."""

    redacted: Mapping[str, int] = dataclasses.field(default_factory=dict[str, int])


class Amend(Protocol):
    """Function that decides, under a memory's lock, its new content."""

    async def __call__(self, memory: Memory, content_hash: str) -> Amendment | None:
        """Return the new content, or None to keep the old."""
        ...
