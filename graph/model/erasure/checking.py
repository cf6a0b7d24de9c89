"""Results of a check of the graph: orphaned nodes, missing evidence, wrong counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from stratagraph.vocabulary import FlawKind

FLAW_KINDS: tuple[FlawKind, ...] = get_args(FlawKind)

CheckKey = tuple[str, ...]
"""A uid, the scope and name of a session or term, or label, scope and key of what executions taught."""


@dataclass(frozen=True, slots=True)
class CheckPage:
    """A page of a walk: its last key (None: the end), the number of nodes, and the flaws."""

    last: CheckKey | None
    seen: int
    found: Mapping[FlawKind, tuple[CheckKey, ...]]


@dataclass(frozen=True, slots=True)
class Flaw:
    """Flaws of one kind: their number, first examples, and how many were repaired."""

    kind: FlawKind
    count: int
    examples: tuple[CheckKey, ...]
    mended: int = 0


@dataclass(frozen=True, slots=True)
class CheckPlace:
    """Position of a check: its walk, and the last node; None: at the beginning."""

    walk: str
    after: CheckKey | None = None


@dataclass(frozen=True, slots=True)
class CheckReport:
    """Flaws by kind; nodes checked by each walk; the position to continue from, if there is more."""

    flaws: tuple[Flaw, ...]
    seen: Mapping[str, int]
    place: CheckPlace | None = None
