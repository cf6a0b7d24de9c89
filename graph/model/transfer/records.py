"""Records of an export and an import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, get_args

from graph.kernel.values import Vector
from graph.model.memories.memory import NewMemory, PreparedMemory

RecordType = Literal[
    "scope",
    "membership",
    "relationship",
    "plugin",
    "expectation",
    "session",
    "memory",
    "version",
    "edge",
    "vote",
    "task",
    "retrieval",
    "reward",
    "rewarded",
    "estimate",
    "credit",
    "cycle",
    "visit",
    "step",
    "patch",
]
RECORD_TYPES: tuple[RecordType, ...] = get_args(RecordType)
SCOPES = ("scope", "channel", "other")  # values of records that are scopes

# The walks of an export, in their order: what a line names stands before it.
Section = Literal[
    "scopes",
    "memberships",
    "relationships",
    "plugins",
    "expectations",
    "sessions",
    "memories",
    "versions",
    "edges",
    "tasks",
    "rewards",
    "estimates",
    "credits",
    "cycles",
    "visits",
    "steps",
    "patches",
]
SECTIONS: tuple[Section, ...] = get_args(Section)


@dataclass(frozen=True, slots=True)
class Record:
    """One node or edge; ``values`` are named as in its line, ``scope`` in full."""

    type: RecordType
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RecordPage:
    """Some records of one section, and the key to go on from; None at the section's end."""

    records: tuple[Record, ...]
    next_key: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Position:
    """Position of an export: a section, the key in it, and how many records came so far."""

    section: Section = "scopes"
    key: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class KeptMemory:
    """A memory that had a life before: what it says, its names, and what became of it.

    ``life`` holds properties as they were stored: Q, counts, state, decay. ``vector`` counts only
    where ``embedder`` is the graph's own.
    """

    new: NewMemory
    uid: str
    recorded_at: datetime | None = None
    content_hash: str | None = None
    embedder: str | None = None
    vector: Vector | None = None
    life: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Restored:
    """A kept memory that is ready to be written."""

    memory: PreparedMemory
    life: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LineFault:
    """Fault of a line, or (``skipped``) a type that this release does not know."""

    field: str | None
    message: str
    skipped: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A line that was read: its number from 1, its length, and what is to become of it.

    ``content`` is None for a line that says nothing about the graph. ``faults`` without
    ``skipped`` come without content.
    """

    line: int
    size: int
    content: NewMemory | KeptMemory | Record | None = None
    faults: tuple[LineFault, ...] = ()
