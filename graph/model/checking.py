"""What a check of the graph finds: nodes that hang on nothing, evidence that is gone, counts that are not true."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

FlawKind = Literal[
    "versions",
    "estimates",
    "credits",
    "transitions",
    "surprises",
    "rewards",
    "copies",
    "marked",
    "stranded",
    "homeless",
    "sessions",
    "terms",
    "degrees",
    "validity",
    "vectors",
]
FLAW_KINDS: tuple[FlawKind, ...] = get_args(FlawKind)

CheckKey = tuple[str, ...]
"""A uid, or the scope and name of a session or term."""


@dataclass(frozen=True, slots=True)
class CheckPage:
    """A page of a walk: where the next begins (None: nowhere), how many it saw, and what is wrong."""

    last: CheckKey | None
    seen: int
    found: Mapping[FlawKind, tuple[CheckKey, ...]]


@dataclass(frozen=True, slots=True)
class Flaw:
    """What of one kind is wrong: how often, the first of it, and how much of it was mended."""

    kind: FlawKind
    count: int
    examples: tuple[CheckKey, ...]
    mended: int = 0


@dataclass(frozen=True, slots=True)
class CheckPlace:
    """Where a check goes on: the walk it is in, and behind which node; None: at its beginning."""

    walk: str
    after: CheckKey | None = None


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What is wrong of the part that was looked at, by kind; how many nodes each walk saw; where to go on, if there is more."""

    flaws: tuple[Flaw, ...]
    seen: Mapping[str, int]
    place: CheckPlace | None = None
