"""Input and output of condensing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Source:
    """One memory that is to be condensed, as far as its text goes."""

    text: str
    speaker: str | None = None
    at: datetime | None = None
    weight: float = 1.0
    """Weight beside others, ``> 0``: importance, surprise and learned utility."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence as it stood, with where it comes from."""

    source: int
    """Place of the source that it was taken from."""
    text: str
    also: tuple[int, ...] = ()
    """Places of other sources that say the same."""


@dataclass(frozen=True, slots=True)
class Condensed:
    """A text in place of several, and which source gave which piece of it, in the order of the text."""

    text: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """State of a memory beside its text; times in days."""

    q_value: float
    q_count: int
    importance: int
    weight: float
    """Decay weight now."""
    accesses: int = 0
    surprise: float = 0.0
    grace_until: float = float("-inf")
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PatternLimits:
    """Limits above which something that recurs is a pattern."""

    minimum_support: int = 3
    """Sessions, ``>= 2``."""
    minimum_confidence: float = 0.7
    """In [0, 1]."""
    most: int = 20
    """Patterns of each type, ``>= 0``; those of the highest support times confidence."""
    most_evidence: int = 20
    """Places of memories told with each, ``>= 0``."""
    nearly_all: float = 0.9
    """A label on a larger share of the memories tells nothing, in (0, 1]."""
    chance: float = 0.01
    """Highest probability of one false pattern of another type where there is none, in (0, 1]."""
    error_rate: float = 0.05
    """Highest probability of one false sequence, or one false cause, where there is none, in [0, 1]."""

    def __post_init__(self) -> None:
        shares = (self.minimum_confidence, self.nearly_all, self.chance, self.error_rate)
        if self.minimum_support < 2 or min(self.most, self.most_evidence) < 0:
            raise ValueError("a pattern needs two sessions, and no count below 0")
        if not all(0 <= share <= 1 for share in shares) or not self.nearly_all * self.chance > 0:
            raise ValueError(f"shares must lie in [0, 1], not {shares}")
