"""Profiles: valid statements about a subject, each with its evidence."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from stratagraph.vocabulary import Kind, ProfileGroup


@dataclass(frozen=True, slots=True)
class Successor:
    """A memory that may replace a mention, with the confidence in [0, 1]; it need not name the subject."""

    uid: str
    text: str
    occurred_at: datetime
    confidence: float


@dataclass(frozen=True, slots=True)
class Mention:
    """A memory that names a subject or was said by it; ``newer`` may replace it."""

    uid: str
    kind: Kind
    text: str
    speaker: str | None
    occurred_at: datetime
    importance: int
    surprise: float
    q_value: float
    newer: tuple[Successor, ...] = ()


@dataclass(frozen=True, slots=True)
class ProfileLine:
    """One statement, said by ``speaker`` at ``occurred_at``; ``evidence`` are uids of memories, newest first.

    ``relation`` and ``value`` are those of its claim about the subject, if any; ``replaced_by`` is the uid of a later
    memory that may replace it.
    """

    group: ProfileGroup
    text: str
    speaker: str | None
    occurred_at: datetime
    evidence: tuple[str, ...]
    relation: str | None = None
    value: str | None = None
    negated: bool = False
    replaced_by: str | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """Statements about a subject at a time, within a budget of tokens.

    ``text`` has all lines for a prompt, ``tokens`` its length; ``left_out`` counts lines beyond the budget.
    """

    subject: str
    at: datetime
    lines: tuple[ProfileLine, ...]
    text: str
    tokens: int
    left_out: int
