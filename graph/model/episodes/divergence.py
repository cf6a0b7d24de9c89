"""Steps at which right and wrong attempts at the same or like problems part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graph.kernel.values import Vector


@dataclass(frozen=True, slots=True)
class AttemptTrace:
    """Parts of an attempt that a comparison reads: ``structured`` is the whole object of its agent."""

    uid: str
    problem: str
    problem_id: str | None
    domain: str | None
    structured: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class TrialStep:
    """A step of an attempt: what its action is called, and what it says."""

    name: str
    thought: str = ""
    action: str = ""
    observation: str = ""


@dataclass(frozen=True, slots=True)
class Trial:
    """A judged attempt as far as its steps are compared; ``problem_key`` is equal at the same problem."""

    uid: str
    problem: str
    problem_key: str
    correct: bool
    steps: tuple[TrialStep, ...]
    insight: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class AttemptVector:
    """An attempt's vector, float32 of shape ``(d,)`` and unit length or None, and the concepts its problem needs."""

    uid: str
    vector: Vector | None
    concepts: frozenset[str]


@dataclass(frozen=True, slots=True)
class Branch:
    """Attempts that went on alike; ``step`` is None where they ended.

    ``said`` is that step of the first of them; insights, observations and answers are theirs, each once.
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
    """The step behind a shared beginning at which wrong attempts leave all right ones."""

    problems: tuple[str, ...]
    shared: tuple[str, ...]
    wrong: tuple[Branch, ...]
    right: tuple[Branch, ...]

    @property
    def place(self) -> int:
        """The number of the step, from 1."""
        return len(self.shared) + 1


@dataclass(frozen=True, slots=True)
class Divergence:
    """All points of the attempts that were looked at, those with the most wrong attempts first.

    ``unmatched`` wrong attempts stand alone: nothing right was tried at the same or a like problem.
    """

    right: int
    wrong: int
    unmatched: int
    points: tuple[DivergencePoint, ...]
