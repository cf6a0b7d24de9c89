"""Concepts learned from attempts, and problems without one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graph.model.memories.memory import PreparedMemory


@dataclass(frozen=True, slots=True)
class TriedOnce:
    """One attempt at a problem, as an extraction reads it."""

    uid: str
    name: str
    right: bool
    actions: tuple[str, ...]
    insight: str = ""
    """Lesson that its agent learned from it, in its own words."""


@dataclass(frozen=True, slots=True)
class KnownProblem:
    """A problem as an extraction reads it: its text, its attempts, and its concept.

    ``attempts`` are some of its attempts, correct ones first.
    """

    uid: str
    name: str
    text: str
    domain: str
    attempts: tuple[TriedOnce, ...]
    concept: str | None = None

    @property
    def solved(self) -> bool:
        """Return whether any of these attempts was correct."""
        return any(each.right for each in self.attempts)


@dataclass(frozen=True, slots=True)
class WaitingProblem:
    """A problem without a concept; ``near`` pairs problems with cosines."""

    problem: KnownProblem
    near: tuple[tuple[KnownProblem, float], ...]


@dataclass(frozen=True, slots=True)
class Founding:
    """A new concept of problems; ``evidence`` are uids of episodes that it is derived from."""

    prepared: PreparedMemory
    name: str
    problems: tuple[str, ...]
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConceptPlan:
    """Result of an extraction: problems that were examined (``looked``), that join a concept, or form a new one.

    A new concept whose name or meaning (a cosine of at least ``same``) exists in its domain becomes evidence of the
    existing one. Problems near a new concept are examined ``again``, as they were rejected before it existed.
    """

    scope: str
    looked: tuple[str, ...]
    joins: tuple[tuple[str, str], ...]
    foundings: tuple[Founding, ...]
    same: float
    again: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Extracted:
    """Counts of an extraction; ``counted`` correct episodes were subtracted from the scope's count.

    ``done`` means that no new problem is left.
    """

    created: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    joined: int = 0
    counted: int = 0
    done: bool = True


@dataclass(frozen=True, slots=True)
class Rated:
    """Rating of a concept: attempts that used it, how many of them were correct, and its examples."""

    uid: str
    attempts: int
    successes: int
    examples: tuple[str, ...]
    structured: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CoveredEpisode:
    """An active attempt that a concept covers; the best come first."""

    uid: str
    problem: str
    right: bool
    actions: tuple[str, ...]
    revision: int


@dataclass(frozen=True, slots=True)
class Covered:
    """Attempts that one concept covers, and which of them would stay; ``kept`` is the number at the last check."""

    concept: str
    name: str
    episodes: tuple[CoveredEpisode, ...]


@dataclass(frozen=True, slots=True)
class Unarchived:
    """Attempts that an undo restored; ``kept`` ones were changed since they were archived."""

    restored: int
    kept: tuple[str, ...]
    more: bool
