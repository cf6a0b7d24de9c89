"""Steps at which correct and wrong attempts at the same or similar problems diverge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graph.kernel.values import Vector


@dataclass(frozen=True, slots=True)
class AttemptTrace:
    """Properties of an attempt for comparison of steps: ``structured`` is the whole object of its agent.

    ``similarity`` is the cosine of its problem to the topic of the question; None without a topic.
    """

    uid: str
    problem: str
    problem_id: str | None
    domain: str | None
    structured: Mapping[str, Any] | None
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class TrialStep:
    """A step of an attempt: the name of its action, and its text."""

    name: str
    thought: str = ""
    action: str = ""
    observation: str = ""


@dataclass(frozen=True, slots=True)
class Trial:
    """A judged attempt for comparison of steps; ``problem_key`` identifies its problem."""

    uid: str
    problem: str
    problem_key: str
    correct: bool
    steps: tuple[TrialStep, ...]
    insight: str = ""
    answer: str = ""
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class AttemptVector:
    """Vector of an attempt, float32 of shape ``(d,)`` and unit length or None, and the concepts of its problem."""

    uid: str
    vector: Vector | None
    concepts: frozenset[str]


@dataclass(frozen=True, slots=True)
class Branch:
    """Attempts with the same next step; ``step`` is None where they ended.

    ``said`` is the text of that step in the first of them; insights, observations and answers are collected, each once.
    """

    step: str | None
    attempts: int
    uids: tuple[str, ...]
    said: TrialStep | None
    insights: tuple[str, ...]
    observations: tuple[str, ...]
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DivergencePoint:
    """The step after a common prefix at which wrong attempts leave all correct ones."""

    problems: tuple[str, ...]
    shared: tuple[str, ...]
    wrong: tuple[Branch, ...]
    right: tuple[Branch, ...]

    @property
    def place(self) -> int:
        """Number of the step, from 1."""
        return len(self.shared) + 1


@dataclass(frozen=True, slots=True)
class Divergence:
    """All points of the compared attempts, those with the most wrong attempts first.

    ``unmatched`` wrong attempts have no correct one at the same or a similar problem.
    """

    right: int
    wrong: int
    unmatched: int
    points: tuple[DivergencePoint, ...]
