"""Garbage collection of useless episodes, and its runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import get_args

from graph.kernel.runs import Run
from stratagraph.vocabulary import CollectionState, CollectReason

COLLECT_REASONS: tuple[CollectReason, ...] = get_args(CollectReason)


@dataclass(frozen=True, slots=True)
class CollectionTerms:
    """Conditions for collecting in a scope: times, and confidence and Q in [0, 1].

    Episodes recorded after ``settled_before`` are kept, and as never useful those after ``unused_before``.
    """

    settled_before: datetime
    unused_before: datetime
    confidence: float
    q_low: float
    q_default: float


@dataclass(frozen=True, slots=True)
class Collectable:
    """A collectable episode, the reason, and for a duplicate the one that is kept."""

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
    """The first collectable episodes, and their number by reason."""

    items: tuple[Collectable, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def total(self) -> int:
        """Number of collectable episodes."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class CollectionRun(Run):
    """Run in one scope; it can be undone until ``purge_at``."""

    state: CollectionState
    purge_at: datetime
    finished_at: datetime | None = None
    collected: int = 0
    restored: int = 0
    purged: int = 0
    counts: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class Collection:
    """Result of a collection request: a plan alone, or the run that carried it out."""

    scope: str
    plan: CollectionPlan
    run: CollectionRun | None = None
