"""Membership of channels, and the memories and patterns shared there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from stratagraph.vocabulary import CopyStatus


@dataclass(frozen=True, slots=True)
class Membership:
    """Membership of an agent in a channel, both as scopes; ``copies`` is the number of its copies there."""

    agent: str
    channel: str
    joined_at: datetime
    copies: int = 0


@dataclass(frozen=True, slots=True)
class Copy:
    """The copy of a memory in a channel; ``original`` is the memory's uid."""

    uid: str
    original: str
    channel: str
    published_by: str
    published_at: datetime


@dataclass(frozen=True, slots=True)
class Publication(Copy):
    """A copy, and how publishing changed it."""

    status: CopyStatus


@dataclass(frozen=True, slots=True)
class Left:
    """Result of leaving a channel: whether the agent was a member, and how many copies were removed."""

    channel: str
    was_member: bool
    copies: int


@dataclass(frozen=True, slots=True)
class PatternTerms:
    """Conditions for sharing a pattern: how many members have it, with which minimum confidence."""

    agents: int
    confidence: float


@dataclass(frozen=True, slots=True)
class PatternsShared:
    """Changes to the shared patterns of a channel, and their number now."""

    shared: int = 0
    created: int = 0
    updated: int = 0
    withdrawn: int = 0

    def __add__(self, other: PatternsShared) -> PatternsShared:
        """Add up two pages."""
        return PatternsShared(
            self.shared + other.shared,
            self.created + other.created,
            self.updated + other.updated,
            self.withdrawn + other.withdrawn,
        )
