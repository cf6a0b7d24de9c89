"""Whether of two facts the newer replaces the older: pure, from their words and their nearness."""

from __future__ import annotations

import re
from dataclasses import dataclass

_CHANGED = re.compile(
    r"\b(?:now|no longer|not any ?more|anymore|moved|switched|renewed|raised|lowered|changed|replaced"
    r"|instead|became|new)\b",
    re.IGNORECASE,
)
_LEAST_SIMILARITY = 0.75
_CUE_CONFIDENCE = 0.8
_PLAIN_CONFIDENCE = 0.5


@dataclass(frozen=True, slots=True)
class Fact:
    """A short text, who said it, and the day it is of (days since 1970)."""

    text: str
    speaker: str | None
    day: float


@dataclass(frozen=True, slots=True)
class Replacement:
    """How sure it is that one fact replaces another, in (0, 1], and what shows it."""

    confidence: float
    evidence: str


def replacement(newer: Fact, older: Fact, similarity: float) -> Replacement | None:
    """Return how the newer fact replaces the older, or None; ``similarity`` is their cosine."""
    words, before = _words(newer.text), _words(older.text)
    if similarity < _LEAST_SIMILARITY or newer.speaker != older.speaker or words == before:
        return None
    if not words & before:
        return None
    cue = _CHANGED.search(newer.text)
    if cue is None:
        return Replacement(_PLAIN_CONFIDENCE, "same subject, other words, later")
    return Replacement(_CUE_CONFIDENCE, f"says: {cue.group().lower()}")


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w{4,}", text.lower()))
