"""Analytics of attempts: success rates by group and time, and clusters of failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from graph.kernel.scope import Caller
from graph.model.episodes.attempts import EpisodeFilters
from graph.model.episodes.questions import (
    EpisodeGroup,
    EpisodeGrouping,
    EpisodeQuestion,
    EpisodeSearch,
    FailedProblem,
    FailedProblems,
    FailureCluster,
    ReasoningAnalysis,
)
from graph.model.recall.candidates import Window
from graph.questions.checks import check_question
from graph.questions.literal import MATCHES_NOTHING
from graph.store.episodes.queries import EpisodeQueries
from service.use_cases.kernel.watched import TimedUseCase, watched

_FAILED = 500  # problems to cluster, those with most failures
_SHOWN = 5  # names of each sort that a cluster shows


@dataclass(frozen=True, slots=True)
class ReasoningView:
    """Options of the analysis: groups, time spans, and limits.

    Problems with at least ``similarity`` are in one cluster.
    """

    by: tuple[EpisodeGrouping, ...] = ("domain", "model", "strategy", "concept")
    over: EpisodeGrouping = "month"
    limit: int = 50
    clusters: int = 10
    similarity: float = 0.83
    own: bool = False
    time_zone: str = "UTC"


@dataclass(frozen=True, slots=True)
class AnalyseReasoning(TimedUseCase):
    """Measure the attempts that a caller reads.

    Raises
    ------
    InvalidInputError
        If a filter, the limit or the time zone cannot be used.
    QueryTimeoutError
        If a statement takes longer than it may.
    """

    store: EpisodeQueries
    rows: int

    @watched("analyse_reasoning")
    async def __call__(
        self, caller: Caller, filters: EpisodeFilters, view: ReasoningView
    ) -> ReasoningAnalysis:
        """Return the analysis of the filtered attempts; clusters only use the filter of time."""
        question = EpisodeQuestion(
            filters=filters,
            measure="success_rate",
            by=view.over,
            limit=view.limit,
            own=view.own,
            time_zone=view.time_zone,
        )
        check_question(question, self.rows)
        scopes = (caller.home,) if view.own else caller.readable
        total, trend = await self._measured(scopes, question)
        groups: dict[EpisodeGrouping, tuple[EpisodeGroup, ...]] = {}
        for by in view.by:
            groups[by] = (await self._measured(scopes, replace(question, by=by)))[1]
        clusters = await self._clusters(scopes, filters.occurred, view) if view.clusters else ()
        return ReasoningAnalysis(total, groups, trend, clusters)

    async def _measured(
        self, scopes: tuple[str, ...], question: EpisodeQuestion
    ) -> tuple[EpisodeGroup, tuple[EpisodeGroup, ...]]:
        search = EpisodeSearch(
            scopes=scopes,
            question=question,
            now=self.clock.now(),
            slot="a",
            limit=question.limit or self.rows,
            nearest=1,
            least_similarity=0.0,
            literal=MATCHES_NOTHING,
        )
        found = await self.store.measure(search)
        assert found.total is not None  # noqa: S101 - the store gives it with every measure
        return found.total, found.groups

    async def _clusters(
        self, scopes: Sequence[str], occurred: Window, view: ReasoningView
    ) -> tuple[FailureCluster, ...]:
        failed = await self.store.failed_problems(scopes, occurred, view.similarity, _FAILED)
        clusters = [_cluster(problems) for problems in connected(failed)]
        clusters.sort(key=lambda cluster: (-cluster.failures, cluster.problems[0].uid))
        return tuple(clusters[: view.clusters])


def connected(failed: FailedProblems) -> list[list[FailedProblem]]:
    """Return the connected components of failed problems, each in their order (union-find)."""
    leader = {problem.uid: problem.uid for problem in failed.problems}

    def root_of(uid: str) -> str:
        while leader[uid] != uid:
            leader[uid] = uid = leader[leader[uid]]  # path halving
        return uid

    for one, other in failed.pairs:
        leader[root_of(one)] = root_of(other)
    clusters: dict[str, list[FailedProblem]] = {}
    for problem in failed.problems:
        clusters.setdefault(root_of(problem.uid), []).append(problem)
    return list(clusters.values())


def _cluster(problems: list[FailedProblem]) -> FailureCluster:
    return FailureCluster(
        problems=tuple(problems),
        failures=sum(problem.failures for problem in problems),
        successes=sum(problem.successes for problem in problems),
        domains=_counted(problem.domain for problem in problems if problem.domain),
        actions=_counted(name for problem in problems for name in problem.actions),
        models=_counted(name for problem in problems for name in problem.models),
    )


def _counted(names: Iterable[str]) -> Mapping[str, int]:
    counts = sorted(Counter(names).items(), key=lambda pair: (-pair[1], pair[0]))
    return dict(counts[:_SHOWN])
