"""Replacements of memories: as written, and as shown in answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from stratagraph.vocabulary import FoundBy

"""Most memories that one memory may be said to replace in one request."""
STATED_CONFIDENCE = 1.0


@dataclass(frozen=True, slots=True)
class Supersession:
    """Replacement of an older memory by another of its scope, as uids.

    ``confidence`` is in (0, 1]. A ``decisive`` one ends the validity of the older at the start of the newer. A
    ``suspected`` one ends nothing: the two are compared again when both answer a question. ``revisions`` are those that
    were compared; changed memories are left. ``starts`` is a later time from which the newer says that it holds.
    """

    newer: str
    older: str
    confidence: float = STATED_CONFIDENCE
    evidence: str | None = None
    found_by: FoundBy = "stated"
    decisive: bool = True
    suspected: bool = False
    revisions: tuple[int, int] | None = None
    starts: datetime | None = None


@dataclass(frozen=True, slots=True)
class Superseding:
    """One replacement, seen from either memory. ``ends``: whether the replaced one becomes invalid."""

    uid: str
    confidence: float
    evidence: str | None
    found_by: FoundBy
    found_at: datetime
    ends: bool


@dataclass(frozen=True, slots=True)
class Replaced:
    """A memory that a result replaced."""

    uid: str
    text: str
    occurred_at: datetime
    confidence: float
    evidence: str | None
    found_by: FoundBy


@dataclass(frozen=True, slots=True)
class Succession:
    """Memories that a result replaced, newest first, and the uid of the one that replaced it."""

    replaced: tuple[Replaced, ...] = ()
    superseded_by: str | None = None


@dataclass(frozen=True, slots=True)
class Replaceable:
    """A memory that another may replace: uid, start of validity, and whether it is a copy."""

    uid: str
    begins: datetime
    is_copy: bool = False
