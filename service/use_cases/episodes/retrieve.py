"""Retrieval of episodes: embed the problem, walk the graph, rank, read, and record what a task was given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import numpy as np

from graph.kernel.values import Vector
from graph.model.episodes.retrieval import AttemptPool, AttemptQuery, RetrievalAnswer, WalkLimits
from graph.model.recall.candidates import Context
from graph.model.utility.config import UtilityConfig
from graph.model.utility.tasks import Retrieval
from graph.ports.embedding import EmbeddersInUse, SlotEmbedder
from graph.ports.utility import UtilityConfigs
from graph.scoring.weights import RetrievalWeights
from graph.store.episodes.retrieval import ReasoningStore
from graph.store.utility.estimates import EstimateStore
from graph.store.utility.tasks import TaskStore
from service.use_cases.episodes.ranking import AttemptCut, rank_attempts
from service.use_cases.episodes.rendering import prompt_of, tokens_of
from service.use_cases.episodes.retrieval_answer import answer_of
from service.use_cases.episodes.retrieval_request import RetrieveRequest, check_request
from service.use_cases.kernel.embedding import QuestionVectors, any_direction
from service.use_cases.kernel.watched import TimedUseCase, watched
from service.use_cases.memories.guarding import Guard
from service.use_cases.recall.accesses import AccessCounter
from service.use_cases.recall.contexts import named_contexts
from service.use_cases.recall.question import understand
from service.use_cases.utility.worth import Valuation, utility_weights


@dataclass(frozen=True, slots=True)
class RetrieveDefaults:
    """Defaults of a request; utility reorders the first ``candidates``."""

    candidates: int
    task_life: timedelta
    hops: int = 2
    limits: WalkLimits = field(default_factory=WalkLimits)
    weights: RetrievalWeights = field(default_factory=RetrievalWeights)


@dataclass(frozen=True, slots=True)
class RetrieveEpisodes(TimedUseCase):
    """Find past attempts that help with a problem, and what they used.

    Raises
    ------
    InvalidInputError
        If there is no question, no such mode, or a number is out of range.
    DatabaseUnavailableError
        If Neo4j does not answer.
    EmbedderUnavailableError
        If the graph was re-embedded by a model that is not on this machine.
    """

    store: ReasoningStore
    tasks: TaskStore
    embedders: EmbeddersInUse
    questions: QuestionVectors
    accesses: AccessCounter
    configs: UtilityConfigs
    estimates: EstimateStore
    guard: Guard
    defaults: RetrieveDefaults
    random: Callable[[], np.random.Generator] = np.random.default_rng

    @watched("retrieve_episodes")
    async def __call__(self, request: RetrieveRequest) -> RetrievalAnswer:
        """Answer one request."""
        check_request(request)
        # redacted like stored names, so that both match
        query_text = await self.guard.question(request.caller.tenant, request.query, ("episode",))
        request = replace(request, query=query_text)
        now, used = self.clock.now(), self.embedders.reading
        config = self.configs.of(request.caller.tenant)
        query = await self._query(request, used, now)
        with self.telemetry.span("retrieval_phase", "walk") as phase:
            pool = await self.store.attempts(query)
            phase.note(episodes=len(pool), problems=len(pool.problems))
        contexts = _contexts(request, config)
        cut = await self._cut(request, config, pool, contexts)
        with self.telemetry.span("retrieval_phase", "rank"):
            ranking = rank_attempts(pool, request.query, cut)
        with self.telemetry.span("retrieval_phase", "read"):
            # also the successes that failures are compared with
            wanted = [int(i) for i in (*ranking.chosen, *ranking.beside.values())]
            uids = list(dict.fromkeys(pool.episodes[i].uid for i in wanted))
            contents = await self.store.contents(query.scopes, uids, now)
        answer = _with_prompt(answer_of(pool, ranking, contents, cut), request)
        with self.telemetry.span("retrieval_phase", "note"):
            # before the answer is returned: a reward may follow at once
            await self._note(request, answer, now, config, contexts)
        self.telemetry.observe("retrieval_candidates", len(pool))
        return answer

    async def _query(
        self, request: RetrieveRequest, used: SlotEmbedder, now: datetime
    ) -> AttemptQuery:
        mode = request.mode
        return AttemptQuery(
            scopes=request.caller.readable,
            embedding=await self._embed(used, request.query),
            terms=_terms(request.query),
            filters=request.filters,
            now=now,
            slot=used.slot,
            nearby=mode != "graph",
            walks=mode in ("graph", "all"),
            concepts=mode in ("dual", "graph", "all"),
            hops=request.hops or self.defaults.hops,
            limits=_widened(self.defaults.limits, request.k),
        )

    async def _embed(self, used: SlotEmbedder, text: str) -> Vector:
        """Embed a problem like stored ones; one without words gets an arbitrary direction."""
        # without a query prompt, so that equal text has distance 0 (ADR 43)
        vector = await self.questions.embed_as_stored(used.embedder, text)
        return vector if vector.any() else any_direction(used.embedder.dimension)

    async def _cut(
        self,
        request: RetrieveRequest,
        config: UtilityConfig,
        pool: AttemptPool,
        contexts: Sequence[str],
    ) -> AttemptCut:
        asked = request.utility_weight
        weight = config.utility_weight(request.phase) if asked is None else asked
        # estimates cost a read: only if they have an effect
        valuation = Valuation(utility_weights(config), random=self.random)
        if contexts and config.utility_learning and weight > 0:
            uids = sorted({*pool.uids, *pool.lenders.uids})
            found = await self.estimates.of(uids, request.caller.readable, contexts)
            valuation = replace(valuation, estimates=found)
        return AttemptCut(
            mode=request.mode,
            k=request.k,
            failures=request.failures,
            balance=request.balance,
            utility_weight=weight if config.utility_learning else 0.0,
            candidates=self.defaults.candidates,
            weights=self.defaults.weights,
            valuation=valuation,
        )

    async def _note(
        self,
        request: RetrieveRequest,
        answer: RetrievalAnswer,
        now: datetime,
        config: UtilityConfig,
        contexts: Sequence[str],
    ) -> None:
        """Record what a task was given."""
        uids = [result.content.uid for result in answer.results]
        self.accesses.add(uids)
        if request.task_id is None or not (config.utility_learning and config.track_memory_usage):
            return
        await self.tasks.record_retrieval(
            home=request.caller.home,
            task_id=request.task_id,
            phase=request.phase,
            retrievals=[
                Retrieval(result.content.uid, place, result.score)
                for place, result in enumerate(answer.results, start=1)
            ],
            now=now,
            expires_at=now + self.defaults.task_life,
            contexts=contexts,
        )


def _contexts(request: RetrieveRequest, config: UtilityConfig) -> tuple[str, ...]:
    if not (config.utility_learning and config.contextual_utility):
        return ()
    about = Context(request.filters.domain.one, request.filters.tags_all)
    return named_contexts(request.phase, about)


def _terms(text: str) -> tuple[str, ...]:
    """Return the search terms of a problem, without numbers."""
    # *3 apples* and *5 apples* are the same problem
    return tuple(word for word in understand(text, ()).terms if not word[0].isdecimal())


def _widened(limits: WalkLimits, k: int) -> WalkLimits:
    """Raise the limits of the walk for a large ``k``."""
    # twice as many as results, to choose among strategies
    return replace(limits, episodes=max(limits.episodes, 2 * k))


def _with_prompt(answer: RetrievalAnswer, request: RetrieveRequest) -> RetrievalAnswer:
    answer = replace(answer, task_id=request.task_id)
    if request.prompt_tokens is None:
        return answer
    prompt = prompt_of(
        answer.results, answer.strategies, answer.concepts, most_tokens=request.prompt_tokens
    )
    return replace(answer, prompt=prompt, tokens=tokens_of(prompt))
