"""Input and output of condensing, and its rules for each target stratum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Literal


@dataclass(frozen=True, slots=True)
class Source:
    """Text of one memory to condense, with its speaker, time and weight."""

    text: str
    speaker: str | None = None
    at: datetime | None = None
    weight: float = 1.0
    """Weight beside others, ``> 0``: importance, surprise and learned utility."""
    before: tuple[Source, ...] | None = None
    """Memories that precede it in its session and may name whom it is about, the nearest first; None where unknown."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence of a condensed text, verbatim, with its sources."""

    source: int
    """Index of the source that it was taken from."""
    text: str
    also: tuple[int, ...] = ()
    """Indices of other sources that say the same."""


@dataclass(frozen=True, slots=True)
class Condensed:
    """A condensed text and its pieces with their sources, in the order of the text."""

    text: str
    pieces: tuple[Piece, ...]
    told: int
    """Characters of the sources, written with speakers and days as the text is."""
    plain: str
    """The same sentences as turns, without the headings of a form."""
    clear: bool = True
    """False where a *he* or *she* is nobody whom the text names, or it begins without its subject or verb."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Utility, weight and tags of a memory, which condensing passes on; times in days."""

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
    """Sessions with the pattern, ``>= 2``."""
    minimum_confidence: float = 0.7
    """In [0, 1]."""
    most: int = 20
    """Patterns of each type, ``>= 0``; those of the highest support times confidence."""
    most_evidence: int = 20
    """Memories cited as evidence of each, ``>= 0``."""
    nearly_all: float = 0.9
    """Share of the memories, in (0, 1], above which a label is ignored as uninformative."""
    chance: float = 0.01
    """Significance level of correlations and structural patterns, over all of a type, in (0, 1]."""
    error_rate: float = 0.05
    """Significance level of sequences and of causes, over all of a type, in [0, 1]."""

    def __post_init__(self) -> None:
        shares = (self.minimum_confidence, self.nearly_all, self.chance, self.error_rate)
        if self.minimum_support < 2 or min(self.most, self.most_evidence) < 0:
            raise ValueError("a pattern needs two sessions, and no count below 0")
        if not all(0 <= share <= 1 for share in shares) or not self.nearly_all * self.chance > 0:
            raise ValueError(f"shares must lie in [0, 1], not {shares}")


Form = Literal["turns", "episode", "statements", "profile"]
"""Layout of a condensed text: turns in order, an episode with headings, one statement a line, or by subject."""

_USUAL_RATIO = 0.5


@dataclass(frozen=True, slots=True)
class Level:
    """Rules for memories condensed into one stratum."""

    kept_share: float
    """Share of the text up to which sentences without a fact stay, in [0, 1]."""
    largest: int
    """Most memories in one cluster, ``>= 1``."""
    form: Form
    sure: Literal["facts", "lasting"] = "facts"
    """Sentences that stay whatever the share: those with a name, a number, a date, a denial, a duty, a decision or a
    claim, or those alone that may hold for good: a claim, a lasting denial, a habit, a name or a number."""
    alike: float = 0.7
    """Share of a sentence's words that a chosen one has, beyond which it tells little more, in [0, 1]."""


LEVELS: Mapping[str, Level] = MappingProxyType(
    {
        # alike 1: turns lose nothing but repeats
        "short_term": Level(1.0, 6, "turns", alike=1.0),
        "episodic": Level(0.7, 6, "episode"),
        # three at most: with six, the same token budget kept .94 of the evidence, with three .96 (ADR 51)
        "long_term": Level(1.0, 3, "statements"),
        "semantic": Level(0.15, 12, "profile", "lasting"),
    }
)
"""Rules by target stratum."""


def kept_share(stratum: str, compression_ratio: float = _USUAL_RATIO) -> float:
    """Return the share of a text up to which sentences without a fact stay, in [0, 1].

    Raises
    ------
    ValueError
        If nothing is condensed into that stratum, or the ratio is negative.
    """
    if stratum not in LEVELS or not compression_ratio >= 0:
        raise ValueError(f"nothing becomes {stratum!r} at a ratio of {compression_ratio}")
    return min(LEVELS[stratum].kept_share * compression_ratio / _USUAL_RATIO, 1.0)


def inherited(sources: Sequence[Standing]) -> Standing:
    """Return the utility, weight and tags of a memory condensed from others.

    Q is their mean weighed by how often each was rewarded (the plain mean where none was), counts and
    accesses add up, importance, surprise, grace and weight are the highest, tags are all of them.

    Raises
    ------
    ValueError
        If there is nothing to inherit from.
    """
    if not sources:
        raise ValueError("nothing is inherited from nobody")
    count = sum(source.q_count for source in sources)
    counts = [source.q_count if count else 1 for source in sources]
    values = (source.q_value * times for source, times in zip(sources, counts, strict=True))
    return Standing(
        q_value=sum(values) / sum(counts),
        q_count=count,
        importance=max(source.importance for source in sources),
        weight=max(source.weight for source in sources),
        accesses=sum(source.accesses for source in sources),
        surprise=max(source.surprise for source in sources),
        grace_until=max(source.grace_until for source in sources),
        tags=tuple(sorted({tag for source in sources for tag in source.tags})),
    )
