"""Rules for memories on their way into each stratum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Form = Literal["turns", "episode", "statements", "profile"]
"""Layout of a condensed text: turns as they came, an episode with its heads, one statement a line, by subject."""

_USUAL_RATIO = 0.5


@dataclass(frozen=True, slots=True)
class Level:
    """Rules for memories that come into one stratum."""

    kept_share: float
    """Share of the text up to which sentences without a fact stay, in [0, 1]."""
    largest: int
    """Most memories that become one, ``>= 1``."""
    form: Form
    sure: Literal["facts", "lasting"] = "facts"
    """Sentences that stay whatever the share: those with a name, a number, a date, a denial, a duty, a decision or a
    claim, or those alone that may hold for good: a claim, a lasting denial, a habit, a name or a number."""


LEVELS: Mapping[str, Level] = MappingProxyType(
    {
        "short_term": Level(1.0, 6, "turns"),
        "episodic": Level(0.7, 6, "episode"),
        "long_term": Level(1.0, 3, "statements"),
        "semantic": Level(0.15, 12, "profile", "lasting"),
    }
)
"""By the stratum that is come into."""


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
