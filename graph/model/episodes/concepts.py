"""Concepts learned from attempts, and the problems that wait for one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graph.model.memories.memory import PreparedMemory


@dataclass(frozen=True, slots=True)
class TriedOnce:
    """One attempt at a problem, as it is looked at."""

    uid: str
    name: str
    right: bool
    actions: tuple[str, ...]
    insight: str = ""
    """Lesson that its agent learned from it, in its own words."""


@dataclass(frozen=True, slots=True)
class KnownProblem:
    """A problem as it is looked at: what it says, what was done about it, the concept it has.

    ``attempts`` are some of its attempts, right ones first.
    """

    uid: str
    name: str
    text: str
    domain: str
    attempts: tuple[TriedOnce, ...]
    concept: str | None = None

    @property
    def solved(self) -> bool:
        """Whether any of these attempts was right."""
        return any(each.right for each in self.attempts)


@dataclass(frozen=True, slots=True)
class WaitingProblem:
    """A problem without a concept, and what is near it; ``near`` pairs problems with cosines."""

    problem: KnownProblem
    near: tuple[tuple[KnownProblem, float], ...]


@dataclass(frozen=True, slots=True)
class Founding:
    """A concept to be made of problems; ``evidence`` are uids of episodes that it is derived from."""

    prepared: PreparedMemory
    name: str
    problems: tuple[str, ...]
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConceptPlan:
    """Result of an extraction: problems that were ``looked`` at, that join a concept, or found one.

    A founding whose name or meaning (a cosine of at least ``same``) a concept of its domain has
    already becomes evidence of that concept. Those near a founding are looked at ``again``: they were
    refused while there was nothing to join.
    """

    scope: str
    looked: tuple[str, ...]
    joins: tuple[tuple[str, str], ...]
    foundings: tuple[Founding, ...]
    same: float
    again: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Extracted:
    """Counts of an extraction; ``counted`` correct episodes are off the scope's count.

    ``done`` says that no problem is left that was never looked at.
    """

    created: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    joined: int = 0
    counted: int = 0
    done: bool = True


@dataclass(frozen=True, slots=True)
class Rated:
    """Rating of a concept: attempts that used it, how many of them were right, and its examples."""

    uid: str
    attempts: int
    successes: int
    examples: tuple[str, ...]
    structured: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CoveredEpisode:
    """An active attempt that a concept covers; they come best first."""

    uid: str
    problem: str
    right: bool
    actions: tuple[str, ...]
    revision: int


@dataclass(frozen=True, slots=True)
class Covered:
    """Attempts that one concept covers, and which of them would stay; ``kept`` was so at the last look."""

    concept: str
    name: str
    episodes: tuple[CoveredEpisode, ...]


@dataclass(frozen=True, slots=True)
class Unarchived:
    """Attempts that an undo restored; ``kept`` were changed since they were archived, and stay."""

    restored: int
    kept: tuple[str, ...]
    more: bool
