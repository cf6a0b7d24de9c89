"""Questions about episodes, and their answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from graph.kernel.embedding import Slot
from graph.kernel.values import State, Vector
from graph.model.episodes.attempts import EpisodeFilters

Verdict = bool | None
"""Right, wrong, or judged by nobody."""
EpisodeOrder = Literal[
    "newest",
    "oldest",
    "slowest",
    "fastest",
    "most_tokens",
    "fewest_tokens",
    "most_confident",
    "least_confident",
    "most_steps",
    "fewest_steps",
    "highest_temperature",
    "lowest_temperature",
    "most_similar",
]
EpisodeMeasure = Literal[
    "attempts",
    "success_rate",
    "failure_rate",
    "mean_tokens",
    "total_tokens",
    "mean_latency",
    "mean_confidence",
    "mean_steps",
]
EpisodeGrouping = Literal[
    "domain",
    "model",
    "strategy",
    "concept",
    "action",
    "problem",
    "agent",
    "session",
    "day",
    "week",
    "month",
]
EPISODE_ORDERS: tuple[EpisodeOrder, ...] = get_args(EpisodeOrder)
EPISODE_MEASURES: tuple[EpisodeMeasure, ...] = get_args(EpisodeMeasure)
EPISODE_GROUPINGS: tuple[EpisodeGrouping, ...] = get_args(EpisodeGrouping)


_ALL = EpisodeFilters()


@dataclass(frozen=True, slots=True)
class EpisodeQuestion:
    """A question about episodes: which, ordered or measured how.

    ``similar_to`` is a text; without it all that pass the filters are meant, with it those whose
    problems are nearest, at least ``min_similarity`` (a cosine). With ``measure`` or ``by`` the answer
    is numbers, with ``divergence`` the steps where right and wrong attempts part, else episodes.
    ``own``: in the caller's own scope alone. What is None is left to the service. ``time_zone`` is
    where days begin.
    """

    filters: EpisodeFilters = _ALL
    similar_to: str | None = None
    min_similarity: float | None = None
    order: EpisodeOrder | None = None
    limit: int | None = None
    measure: EpisodeMeasure | None = None
    by: EpisodeGrouping | None = None
    divergence: bool = False
    own: bool = False
    time_zone: str = "UTC"

    @property
    def measures(self) -> bool:
        """Whether numbers are asked for."""
        return self.measure is not None or self.by is not None


@dataclass(frozen=True, slots=True)
class RankPosition:
    """The last episode of a page: what it was ordered by, and its uid."""

    rank: float
    uid: str


@dataclass(frozen=True, slots=True)
class EpisodeSearch:
    """All that the statements on episodes need; ``nearest`` episodes are looked at by similarity."""

    scopes: tuple[str, ...]
    question: EpisodeQuestion
    now: datetime
    slot: Slot
    limit: int
    nearest: int
    least_similarity: float
    embedding: Vector | None = None
    after: RankPosition | None = None


@dataclass(frozen=True, slots=True)
class FoundEpisode:
    """An episode that was found; numbers are None where the agent did not tell."""

    uid: str
    episode_id: str | None
    scope: str
    state: State
    problem: str
    problem_id: str | None
    domain: str | None
    model: str | None
    agent_id: str | None
    session_id: str | None
    correct: bool | None
    answer: str | None
    occurred_at: datetime
    tokens_used: int | None
    latency_ms: float | None
    confidence: float | None
    temperature: float | None
    step_count: int | None
    actions: tuple[str, ...]
    tags: tuple[str, ...]
    structured: Mapping[str, Any] | None
    similarity: float | None
    rank: float


@dataclass(frozen=True, slots=True)
class EpisodeGroup:
    """Statistics of a group of attempts; None where no attempt has a value.

    ``judged`` attempts are known to be right or wrong; the rate is that of these.
    """

    name: str
    attempts: int
    judged: int
    successes: int
    success_rate: float | None
    total_tokens: int | None
    mean_tokens: float | None
    mean_latency: float | None
    mean_confidence: float | None
    mean_steps: float | None


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that was run: its file, its text, and its parameters without any vector."""

    name: str
    text: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class EpisodeFindings:
    """Answer of a statement on episodes: episodes, or the numbers of all and of each group."""

    statement: Statement
    episodes: tuple[FoundEpisode, ...] = ()
    total: EpisodeGroup | None = None
    groups: tuple[EpisodeGroup, ...] = ()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Names that occur in the episodes of some scopes; a question's words are looked up among them."""

    domains: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FailedProblem:
    """A problem with wrong attempts; ``actions`` and ``models`` are those of all wrong attempts."""

    uid: str
    text: str
    domain: str
    failures: int
    successes: int
    actions: tuple[str, ...]
    models: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FailedProblems:
    """Problems with wrong attempts, the most failed first, and the pairs of uids that are similar."""

    problems: tuple[FailedProblem, ...]
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FailureCluster:
    """Similar problems that attempts fail at, and what these attempts have in common.

    ``domains``, ``actions`` and ``models``: how often each occurs, the most frequent first.
    """

    problems: tuple[FailedProblem, ...]
    failures: int
    successes: int
    domains: Mapping[str, int]
    actions: Mapping[str, int]
    models: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ReasoningAnalysis:
    """Attempts at large: in all, by groups, over time, and where they fail."""

    total: EpisodeGroup
    groups: Mapping[EpisodeGrouping, tuple[EpisodeGroup, ...]]
    trend: tuple[EpisodeGroup, ...]
    clusters: tuple[FailureCluster, ...]
