"""Detection of facts that a later fact replaces, without a language model.

Two notes are compared as statements: what they share, and where they part. A later note replaces an
earlier one where it says so (*moved to*, *no longer*, *switched from … to …*) about the same subject and
attribute, or where both give a value of an attribute that has one value at a time (*lives in*, *is at
9:15*, *costs*) and nothing but this value differs. Everything else is left alone: two allergies, two
meetings or two invoices merely resemble each other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graph.replacing.statements import Statement, statement

if TYPE_CHECKING:
    from collections.abc import Collection

FROM_TO = 0.95
DENIED = 0.9
SAID_SO = 0.85
VALUE_CHANGED = 0.75
"""Confidence by what was found; the order is that of the measured precision."""

_LEAST_SIMILARITY = 0.5


@dataclass(frozen=True, slots=True)
class Fact:
    """A note: what it says, who said it, and on which day since 1970 it began to hold."""

    text: str
    speaker: str | None
    day: float


@dataclass(frozen=True, slots=True)
class Replacement:
    """How sure it is that one fact replaces another, in (0, 1], and what says so."""

    confidence: float
    evidence: str


def replacement(newer: Fact, older: Fact, similarity: float) -> Replacement | None:
    """Find out whether a later fact replaces an earlier one; None where nothing says so.

    ``similarity`` is the cosine of the two texts, in [-1, 1].
    """
    if similarity < _LEAST_SIMILARITY or newer.text == older.text or newer.day < older.day:
        return None
    new, old = statement(newer.text, newer.speaker), statement(older.text, older.speaker)
    if new.asks or old.asks or not _same_subject(new, old):
        return None
    return _left(new, old) or _denied(new, old) or _said_so(new, old) or _changed_value(new, old)
