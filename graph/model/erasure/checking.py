"""Results of a check of the graph: orphaned nodes, missing evidence, wrong counts."""

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
    "visits",
    "steps",
    "patches",
    "parts",
    "counts",
    "bases",
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
"""A uid, the scope and name of a session or term, or label, scope and key of what executions taught."""


@dataclass(frozen=True, slots=True)
class CheckPage:
    """A page of a walk: where the next begins (None: nowhere), how many it saw, and what is wrong."""

    last: CheckKey | None
    seen: int
    found: Mapping[FlawKind, tuple[CheckKey, ...]]


@dataclass(frozen=True, slots=True)
class Flaw:
    """Flaws of one kind: how many, the first of them, and how many were repaired."""

    kind: FlawKind
    count: int
    examples: tuple[CheckKey, ...]
    mended: int = 0


@dataclass(frozen=True, slots=True)
class CheckPlace:
    """Position of a check: the walk it is in, and the node behind which it goes on; None: at its beginning."""

    walk: str
    after: CheckKey | None = None


@dataclass(frozen=True, slots=True)
class CheckReport:
    """Flaws of the part that was checked, by kind; nodes seen by each walk; the position to go on from, if there is more."""

    flaws: tuple[Flaw, ...]
    seen: Mapping[str, int]
    place: CheckPlace | None = None
