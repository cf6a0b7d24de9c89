"""Cycles of reasoning: phases, modes, steps, and reactions to surprise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple

from graph.kernel.values import STRATA, Phase, Status, Stratum
from graph.model.cycles.checks import Check, Finding
from graph.model.strata.config import StrataConfig
from stratagraph.vocabulary import CycleState, Mode, Steer

CallStatus = Literal["success", "failure"]
Order = Literal["primary", "secondary"]
PARTS = ("tools", "consistency", "patterns", "history")
"""Parts of a confidence, in their order."""
KEPT_SCORES = 10
_TAGS: Mapping[Phase, tuple[str, ...]] = {
    "observation": ("observation", "context"),
    "reflection": ("reflection", "learning", "insight"),
}


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool: arguments, outcome and result."""

    tool: str
    status: CallStatus
    arguments: Any = None
    result: Any = None
    latency_ms: float | None = None


class GivenMemory(NamedTuple):
    """A memory given to a phase, and its strata; ``used``: the agent reported that it helped."""

    uid: str
    rank: int
    score: float
    order: Order
    used: bool = False


@dataclass(frozen=True, slots=True)
class Advice:
    """Recommended reaction to a surprise; ``observations`` are the number still to make."""

    steer: Steer
    score: float
    confidence: float
    severity: Literal["low", "medium", "high"]
    observations: int = 0


@dataclass(frozen=True, slots=True)
class SimilarAttempts:
    """Judged attempts at similar goals: similarities, verdicts and actions."""

    similarity: tuple[float, ...] = ()
    correct: tuple[bool, ...] = ()
    actions: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """Base of what a cycle records in a phase; a repeated ``key`` counts once."""

    uid: str
    key: str
    position: int
    phase: Phase
    at: datetime


@dataclass(frozen=True, slots=True)
class Step(Record):
    """A judged step within a phase."""

    mode: Mode
    calls: tuple[ToolCall, ...] = ()
    findings: tuple[Finding, ...] = ()
    advice: Advice | None = None
    confidence: float | None = None
    parts: Mapping[str, float] = field(default_factory=dict[str, float])
    outcome: Literal["success", "failure", "undecided"] = "undecided"
    note_uid: str | None = None


@dataclass(frozen=True, slots=True)
class PhaseVisit(Record):
    """One visit of a phase, with the memories given to it."""

    given: tuple[GivenMemory, ...] = ()


@dataclass(frozen=True, slots=True)
class Cycle:
    """Current state of a cycle; ``position`` counts its visits and steps.

    ``tools`` counts successes and calls by tool; ``answers`` has by call its first result, equal ones, and all.
    ``failures`` counts consecutive ones, ``scores`` are the latest surprises, ``due`` the observations still to make.
    """

    uid: str
    scope: str
    cycle_id: str
    goal: str
    started_at: datetime
    touched_at: datetime
    expires_at: datetime
    agent_id: str | None = None
    user_id: str | None = None
    domain: str | None = None
    state: CycleState = "open"
    phase: Phase | None = None
    mode: Mode = "solver"
    position: int = 0
    failures: int = 0
    repairs: int = 0
    due: int = 0
    scores: tuple[float, ...] = ()
    highest: float = 0.0
    confidence: float | None = None
    parts: Mapping[str, float] = field(default_factory=dict[str, float])
    tools: Mapping[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    actions: tuple[str, ...] = ()
    answers: Mapping[str, tuple[str, int, int]] = field(
        default_factory=dict[str, tuple[str, int, int]]
    )
    similar: SimilarAttempts = field(default_factory=SimilarAttempts)
    status: Status | None = None
    quality: float | None = None
    report: str | None = None
    ended_at: datetime | None = None
    promotion: float | None = None
    reward_uid: str | None = None
    episode_uid: str | None = None

    @property
    def task_id(self) -> str:
        """Task that its recalls belong to."""
        return f"cycle:{self.uid}"


class Route(NamedTuple):
    """Strata that a phase reads first and second, and the one that it writes to."""

    primary: tuple[Stratum, ...]
    secondary: tuple[Stratum, ...]
    target: Stratum
    importance: int
    tags: tuple[str, ...]


def route_of(config: StrataConfig, phase: Phase) -> Route:
    """Return the route of a phase from a tenant's settings."""
    order: str = getattr(config, f"cycle_{phase}_reads")
    first, _, second = order.partition(" | ")
    target: Stratum = getattr(config, f"cycle_{phase}_writes")
    importance = 3 if phase in ("observation", "action") else 4
    tags = _TAGS.get(phase, ())
    return Route(_strata(first), _strata(second), target, importance, tags)


def _strata(names: str) -> tuple[Stratum, ...]:
    wanted = names.split()
    return tuple(sorted((name for name in STRATA if name in wanted), key=wanted.index))


@dataclass(frozen=True, slots=True)
class NewStep:
    """Reported step before it is judged.

    ``used`` names memories that helped, ``text`` is remembered in the stratum of the phase. ``surprise`` is reported in
    [0, 1], or measured from ``expected`` and ``actual``.
    """

    key: str
    text: str | None = None
    calls: tuple[ToolCall, ...] = ()
    checks: tuple[Check, ...] = ()
    used: tuple[str, ...] = ()
    surprise: float | None = None
    expected: Any = None
    actual: Any = None
    measures: bool = False


class CycleQuery(NamedTuple):
    """Filter for cycles of some scopes, newest first; ``before`` is a uid."""

    scopes: tuple[str, ...]
    states: tuple[CycleState, ...] = ()
    before: str | None = None
    limit: int = 20


@dataclass(frozen=True, slots=True)
class CycleStory:
    """A cycle with its visits and steps, in order."""

    cycle: Cycle
    visits: tuple[PhaseVisit, ...] = ()
    steps: tuple[Step, ...] = ()


class Change(NamedTuple):
    """State of a cycle after a call, with the recorded visit or step."""

    cycle: Cycle
    visit: PhaseVisit | None = None
    step: Step | None = None
    used: tuple[str, ...] = ()


Decide = Callable[["Cycle"], Change]
"""A locked cycle, as it stands, to what becomes of it; called again after a clash."""
