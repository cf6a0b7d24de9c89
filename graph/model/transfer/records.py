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

# The walks of an export, ordered so that lines refer to earlier ones only.
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
    """One node or edge; ``values`` are named as in its line, ``scope`` is complete."""

    type: RecordType
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RecordPage:
    """Some records of one section, and the key to continue from; None at the section's end."""

    records: tuple[Record, ...]
    next_key: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Position:
    """Position of an export: a section, the key in it, and the number of records so far."""

    section: Section = "scopes"
    key: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class KeptMemory:
    """An exported memory: content, names, and later state.

    ``life`` holds stored properties: Q, counts, state, decay. ``vector`` is used only if ``embedder`` is the graph's
    own.
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
    """An exported memory that is ready to be written."""

    memory: PreparedMemory
    life: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LineFault:
    """Fault of a line, or (``skipped``) an unknown type."""

    field: str | None
    message: str
    skipped: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A line that was read: its number from 1, its length, and its content.

    ``content`` is None for a line that says nothing about the graph. ``faults`` without ``skipped`` come without
    content.
    """

    line: int
    size: int
    content: NewMemory | KeptMemory | Record | None = None
    faults: tuple[LineFault, ...] = ()
