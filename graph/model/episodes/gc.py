"""Garbage collection of episodes that help nobody, and its runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, get_args

from graph.kernel.runs import Run

CollectReason = Literal["duplicate", "low_confidence", "never_useful"]
COLLECT_REASONS: tuple[CollectReason, ...] = get_args(CollectReason)

CollectionState = Literal["running", "done", "undoing", "undone", "purged", "erased"]


@dataclass(frozen=True, slots=True)
class CollectionTerms:
    """Conditions for collecting in a scope: bounds in time as of now, confidence and Q in [0, 1].

    Nothing recorded after ``settled_before`` goes, and as never useful nothing after
    ``unused_before``.
    """

    settled_before: datetime
    unused_before: datetime
    confidence: float
    q_low: float
    q_default: float


@dataclass(frozen=True, slots=True)
class Collectable:
    """An episode that would go: why, and for a duplicate which one stays."""

    uid: str
    reason: CollectReason
    text: str
    recorded_at: datetime
    q_value: float
    confidence: float
    retrieval_count: int
    failure_count: int
    kept: str | None = None


@dataclass(frozen=True, slots=True)
class CollectionPlan:
    """The first of what would go, and how many by reason."""

    items: tuple[Collectable, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def total(self) -> int:
        """Number of episodes that would go in all."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class CollectionRun(Run):
    """A run in one scope; what it collected can come back until ``purge_at``."""

    state: CollectionState
    purge_at: datetime
    finished_at: datetime | None = None
    collected: int = 0
    restored: int = 0
    purged: int = 0
    counts: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class Collection:
    """Answer to a request for a collection: a plan alone, or a run that carried it out."""

    scope: str
    plan: CollectionPlan
    run: CollectionRun | None = None
