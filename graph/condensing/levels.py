"""Share of a text that is kept on the way into each stratum."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_USUAL_RATIO = 0.5


@dataclass(frozen=True, slots=True)
class Level:
    """Rules for memories that come into one stratum."""

    kept_share: float
    """Share of the text that stays as whole sentences, in [0, 1]; of the rest the facts stay."""
    largest: int
    """How many memories become one at most, ``>= 1``."""


LEVELS: Mapping[str, Level] = MappingProxyType(
    {
        "short_term": Level(0.8, 2),
        "episodic": Level(0.5, 2),
        "long_term": Level(0.3, 2),
        "semantic": Level(0.15, 8),
    }
)
"""By the stratum that is come into. Two at a time is where recall within a budget is highest."""


def kept_share(stratum: str, compression_ratio: float = _USUAL_RATIO) -> float:
    """Return the share of a text that stays whole on the way into a stratum, in [0, 1].

    Raises
    ------
    ValueError
        If nothing is condensed into that stratum, or the ratio is negative.
    """
    if stratum not in LEVELS or not compression_ratio >= 0:
        raise ValueError(f"nothing becomes {stratum!r} at a ratio of {compression_ratio}")
    return min(LEVELS[stratum].kept_share * compression_ratio / _USUAL_RATIO, 1.0)
