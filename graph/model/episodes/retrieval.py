"""Request, candidates and answer of a retrieval of episodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, get_args

from graph.model.episodes.attempts import EpisodeFilters, attempt_of
from graph.model.recall.candidates import AttemptOutcome, PoolQuery, ValueColumns
from stratagraph.vocabulary import AttemptRole as Role
from stratagraph.vocabulary import RetrievalMode

RETRIEVAL_MODES: tuple[RetrievalMode, ...] = get_args(RetrievalMode)
MAX_EPISODES = 50


@dataclass(frozen=True, slots=True)
class WalkLimits:
    """Limits of one traversal."""

    episodes: int = 50
    """Episodes found by their own vectors."""
    problems: int = 50
    """Problems found by their vectors."""
    worded: int = 50
    """Problems found by their words."""
    expanded: int = 10
    """Problems, of the nearest, from which the walk goes on to similar ones."""
    similar: int = 10
    """Similar problems of each of them."""
    attempts: int = 4
    """Right attempts of each problem, the latest."""
    failures: int = 2
    """Other attempts of each problem, the latest."""
    concepts: int = 5
    """Concepts found by their vectors, and of those as many as the nearest problems require."""
    examples: int = 4
    """Episodes of each concept that it was derived from."""
    looked: int = 64
    """Relationships of one type that are looked at from one node, before anything is filtered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptQuery(PoolQuery):
    """Parameters of the retrieval statement; ``hops`` is 1 or 2."""

    filters: EpisodeFilters
    nearby: bool
    walks: bool
    concepts: bool
    limits: WalkLimits = WalkLimits()


class FoundProblem(NamedTuple):
    """A problem on the path; ``via`` is the similar problem that led to it, if any."""

    uid: str
    text: str
    cosine: float
    hop: int
    via: str | None
    similarity: float


class FoundAttempt(NamedTuple):
    """An attempt, reached by a problem, a concept, or (both empty) its own vector."""

    uid: str
    text: str
    cosine: float
    correct: str
    actions: tuple[str, ...]
    problem: str | None
    concept: str | None
    strategies: tuple[str, ...]
    nearby: bool


class FoundKnowledge(NamedTuple):
    """A strategy or a concept; uncounted numbers are -1."""

    uid: str
    text: str
    attempts: int
    successes: int
    cosine: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptPool(ValueColumns):
    """Candidates of one retrieval: ``n`` episodes with their rewards."""

    episodes: tuple[FoundAttempt, ...]
    problems: tuple[FoundProblem, ...]
    strategies: tuple[FoundKnowledge, ...]
    concepts: tuple[FoundKnowledge, ...]

    @property
    def uids(self) -> tuple[str, ...]:
        """Uids of the episodes."""
        return tuple(episode.uid for episode in self.episodes)

    def __len__(self) -> int:
        return len(self.episodes)


@dataclass(frozen=True, slots=True)
class EpisodeContent:
    """Properties of an episode that an answer contains."""

    uid: str
    external_id: str | None
    scope: str
    text: str
    structured: Mapping[str, Any] | None
    domain: str | None
    model: str | None
    correct: bool | None
    occurred_at: datetime
    q_value: float

    @property
    def insight(self) -> str | None:
        """Insight of the attempt's agent, if it gave one."""
        insight = (self.structured or {}).get("insight")
        return insight.strip() or None if isinstance(insight, str) else None

    @property
    def outcome(self) -> AttemptOutcome:
        """Outcome of the attempt, with the insight of its agent."""
        return AttemptOutcome(attempt_of(self.structured).answer, self.correct, self.insight)


@dataclass(frozen=True, slots=True)
class ShownStep:
    """One step of an attempt, as reported."""

    step: int
    thought: str
    action: str
    observation: str


@dataclass(frozen=True, slots=True)
class RetrievedEpisode:
    """One result: the seed's context (problem, first steps, outcome, key insight), and why it was found."""

    content: EpisodeContent
    role: Role
    problem: str
    steps: tuple[ShownStep, ...]
    step_count: int
    answer: str
    confidence: float | None
    insight: str | None
    lesson: str | None
    strategy: str | None
    score: float
    similarity: float
    hops: int
    path: tuple[str, ...]
    components: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class RetrievedKnowledge:
    """A strategy or a concept of the results; ``support`` in [0, 1] is its strength."""

    uid: str
    text: str
    success_rate: float | None
    attempts: int
    support: float


@dataclass(frozen=True, slots=True)
class RetrievalAnswer:
    """Retrieved episodes, best first; ``prompt`` on request, of about ``tokens``."""

    mode: RetrievalMode
    results: tuple[RetrievedEpisode, ...]
    strategies: tuple[RetrievedKnowledge, ...]
    concepts: tuple[RetrievedKnowledge, ...]
    candidates: int
    utility_weight: float
    tokens: int
    prompt: str | None = None
    task_id: str | None = None
    nodes: Mapping[str, int] = field(default_factory=dict[str, int])
