"""What is condensed, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Source:
    """One memory that is to be condensed, as far as its text goes."""

    text: str
    speaker: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence, or what is left of it, with where it comes from."""

    source: int
    """Place of the source that it was taken from."""
    text: str
    whole: bool
    """Whether it is the sentence as it stood; else only its facts."""
    also: tuple[int, ...] = ()
    """Places of other sources that say the same."""


@dataclass(frozen=True, slots=True)
class Condensed:
    """A text in place of several, and which source gave which piece of it, in the order of the text."""

    text: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """What a memory stands at beside its text; times in days."""

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
class Abstraction:
    """What several memories have in common, the most frequent first."""

    phrases: tuple[tuple[str, int], ...]
    """Names and key phrases, with how many memories say them."""
    actions: tuple[tuple[tuple[str, ...], int], ...]
    """Runs of actions, with how many memories take them."""
    concepts: tuple[tuple[str, int], ...]
    """Concepts, with how many memories have them."""
