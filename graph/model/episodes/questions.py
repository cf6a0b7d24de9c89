"""Queries over episodes, and their results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, get_args

from graph.kernel.embedding import Slot
from graph.kernel.values import State, Vector
from graph.model.episodes.attempts import EpisodeFilters
from stratagraph.vocabulary import EpisodeGrouping, EpisodeMeasure, EpisodeOrder

Verdict = bool | None
"""Right, wrong, or judged by nobody."""
EPISODE_ORDERS: tuple[EpisodeOrder, ...] = get_args(EpisodeOrder)
EPISODE_MEASURES: tuple[EpisodeMeasure, ...] = get_args(EpisodeMeasure)
EPISODE_GROUPINGS: tuple[EpisodeGrouping, ...] = get_args(EpisodeGrouping)


_ALL = EpisodeFilters()


@dataclass(frozen=True, slots=True)
class EpisodeQuestion:
    """A query over episodes: filters, and order or measures.

    ``similar_to`` is a text that selects the nearest problems, of a cosine of at least ``min_similarity``. With
    ``measure`` or ``by`` the answer is numbers, with ``divergence`` the steps where correct and wrong attempts diverge,
    else episodes. ``own`` limits it to the caller's own scope. None leaves a value to the service. ``time_zone``
    decides where days begin.
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
        """Return whether numbers are requested."""
        return self.measure is not None or self.by is not None


@dataclass(frozen=True, slots=True)
class RankPosition:
    """Last episode of a page: its value of the order, and its uid."""

    rank: float
    uid: str


@dataclass(frozen=True, slots=True)
class EpisodeSearch:
    """Parameters of the statements on episodes; ``nearest`` is the number of episodes compared by similarity.

    Those whose text matches the regular expression ``literal`` are found besides similar ones.
    """

    scopes: tuple[str, ...]
    question: EpisodeQuestion
    now: datetime
    slot: Slot
    limit: int
    nearest: int
    least_similarity: float
    literal: str
    embedding: Vector | None = None
    after: RankPosition | None = None


@dataclass(frozen=True, slots=True)
class FoundEpisode:
    """A found episode; unreported numbers are None."""

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

    ``judged`` attempts have a verdict; the rate is that of these.
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
    """An executed statement: its file, text, and parameters without vectors."""

    name: str
    text: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class EpisodeFindings:
    """Result of a query: episodes, or statistics of all and of each group."""

    statement: Statement
    episodes: tuple[FoundEpisode, ...] = ()
    total: EpisodeGroup | None = None
    groups: tuple[EpisodeGroup, ...] = ()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Names in the episodes of some scopes, matched with the words of a question."""

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
    """Problems with wrong attempts, the most failed first, and the pairs of similar ones."""

    problems: tuple[FailedProblem, ...]
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FailureCluster:
    """Similar problems with wrong attempts, and common properties of these attempts.

    ``domains``, ``actions`` and ``models`` are counts, the most frequent first.
    """

    problems: tuple[FailedProblem, ...]
    failures: int
    successes: int
    domains: Mapping[str, int]
    actions: Mapping[str, int]
    models: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ReasoningAnalysis:
    """Statistics of attempts: totals, by groups, over time, and clusters of failures."""

    total: EpisodeGroup
    groups: Mapping[EpisodeGrouping, tuple[EpisodeGroup, ...]]
    trend: tuple[EpisodeGroup, ...]
    clusters: tuple[FailureCluster, ...]
