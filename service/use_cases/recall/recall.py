"""Recall: take the query apart, embed, fetch one pool, rank, note what was given."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import numpy as np

from graph.kernel.errors import (
    required,
)
from graph.kernel.events import Event, EventName
from graph.kernel.values import Vector
from graph.model.memories.superseding import Succession
from graph.model.recall.candidates import (
    CandidatePool,
    CandidateQuery,
    PoolLimits,
    RecallAnswer,
    Recalled,
    Window,
)
from graph.model.utility.config import UtilityConfig
from graph.model.utility.tasks import Retrieval
from graph.ports.embedding import EmbeddersInUse, SlotEmbedder
from graph.ports.events import NO_EVENTS, EventLog
from graph.ports.telemetry import Span
from graph.ports.utility import EngineConfigs, StrataConfigs, UtilityConfigs
from graph.ports.world import Embedder, Identifiers, PairReader
from graph.questions.spelling import corrected
from graph.scoring.weights import Exploration, RankingWeights, UtilityWeights
from graph.store.episodes.retrieval import ReasoningStore
from graph.store.memories.links import LinkStore
from graph.store.memories.store import MemoryStore
from graph.store.utility.estimates import EstimateStore
from graph.store.utility.tasks import TaskStore
from service.use_cases.engines.choice import ChosenEngine, choose_engine
from service.use_cases.engines.ranking import rank_by, situation_of
from service.use_cases.kernel.embedding import any_direction, ask_embedder_in_use, unit_vector
from service.use_cases.kernel.watched import RecordingUseCase, watched
from service.use_cases.memories.guarding import Guard
from service.use_cases.recall.accesses import AccessCounter
from service.use_cases.recall.answering import answer_of, may_supersede
from service.use_cases.recall.attention import Attention, memorable, with_important
from service.use_cases.recall.choosing import rank
from service.use_cases.recall.contexts import contexts_of
from service.use_cases.recall.groups import contested, in_groups
from service.use_cases.recall.meaning import Meanings
from service.use_cases.recall.question import Question, understand
from service.use_cases.recall.ranking import (
    Cut,
    Ranking,
    RankingQuery,
    doubtful,
    paired,
    rivals,
    succeeding,
)
from service.use_cases.recall.reading import Reading, read, read_rivals
from service.use_cases.recall.request import RecallRequest, check_request, filters_at
from service.use_cases.utility.worth import Valuation, utility_weights

_SECONDS_PER_DAY = 86_400.0
_NOTHING = Question(text="", terms=(), asks=False, speakers=frozenset(), dates=())


@dataclass(frozen=True, slots=True)
class RecallDefaults:
    """Defaults of a request."""

    k: int
    candidates: int
    hops: int
    limits: PoolLimits
    task_life: timedelta


@dataclass(frozen=True, slots=True)
class Recall(RecordingUseCase):
    """Find what is relevant, ranked by relevance and learned utility.

    Raises
    ------
    InvalidInputError
        If not exactly one of text, vector and like is given, or a number is out of range.
    NotFoundError
        If ``like`` names nothing in the caller's scopes.
    DatabaseUnavailableError
        If Neo4j does not answer.
    EmbedderUnavailableError
        If the graph was re-embedded by a model that is not on this machine.
    """

    store: MemoryStore
    reasoning: ReasoningStore
    links: LinkStore
    tasks: TaskStore
    embedders: EmbeddersInUse
    meanings: Meanings
    accesses: AccessCounter
    configs: UtilityConfigs
    strata: StrataConfigs
    weights: RankingWeights
    defaults: RecallDefaults
    estimates: EstimateStore
    guard: Guard
    engines: EngineConfigs
    attention: Attention
    events: EventLog = NO_EVENTS
    random: Callable[[], np.random.Generator] = np.random.default_rng

    @watched("recall")
    async def __call__(self, request: RecallRequest) -> RecallAnswer:
        """Answer one request."""
        check_request(request)
        # first of all: arousal decides k, and k the size of the pool
        request = await self.attention.counted(request)
        # once more where a re-embedding has just dropped the slot's index (ADR 11)
        return await ask_embedder_in_use(self.embedders, partial(self._recall, request))

    async def _recall(self, request: RecallRequest, used: SlotEmbedder) -> RecallAnswer:
        now = self.clock.now()
        question, embedding = await self._understand(request, used, request.now or now)
        hops = self.defaults.hops if request.hops is None else request.hops
        config = self.configs.of(request.caller.tenant)
        engine = choose_engine(request, self.engines.engines_of(request.caller.tenant))
        cut = self._cut(request, config, engine)
        contexts = self._contexts(request, config)
        query = CandidateQuery(
            scopes=request.caller.readable,
            embedding=embedding,
            terms=question.terms,
            filters=filters_at(request, former=question.former),
            now=now,
            hops=hops,
            limits=_limits(self.defaults.limits, cut),
            slot=used.slot,
            memorable=memorable(request, cut.k, by_age=not engine.is_default),
            embeddings=engine.settings.config.asks_embeddings(engine.name),
        )
        with self._phase("candidates") as phase:
            # the lag is asked beside the pool, so it takes no time of its own
            pool, waiting = await asyncio.gather(
                self._candidates(question, query), self.links.lag(query.scopes)
            )
            question, pool = await self._respelt(request, used, question, query, pool)
            phase.note(candidates=len(pool))
        if contexts and cut.by_utility:
            with self._phase("contexts"):
                cut = await self._in_contexts(cut, pool, query.scopes, contexts)
        weights = self._aging(request.caller.tenant)
        scale = await self.meanings.scale(used.embedder)
        if engine.is_default:
            now_day = now.timestamp() / _SECONDS_PER_DAY
            asked = RankingQuery(question, now_day, hops, weights, scale)
            order = partial(rank, pool, asked, cut)
            ranking = await self._ranked(request, used, pool, question, order)
        else:
            with self._phase("rank"):
                at = situation_of(request, pool, question, engine, now)
                ranking = rank_by(engine.name, at, hops, weights, cut, scale)
        with self._phase("answer"):
            answer = answer_of(pool, ranking, cut, explain=request.explain)
            answer = replace(
                answer, task_id=request.task_id, links_pending=waiting, engine=engine.name
            )
            if request.important:
                at = situation_of(request, pool, question, engine, now)
                answer = with_important(answer, pool, ranking, at.left, request)
        # for results alone, and only where the walk saw such an edge (ADR 45)
        answer = await self._with_successions(answer, pool, now)
        answer = await self._with_attempts(answer, query.scopes, now)
        with self._phase("note"):
            # before the answer leaves: what a task was given is what its outcome is credited to
            await self._note(request, answer, now, config, contexts)
        if cut.learn:
            # not awaited: a recall waits for no event (ADR 21)
            self.events.note(retrieved(request, answer, self.identifiers, now))
        self._observe(pool, answer)
        return answer

    def _observe(self, pool: CandidatePool, answer: RecallAnswer) -> None:
        self.telemetry.observe("recall_candidates", len(pool))
        self.telemetry.observe("recall_results", len(answer.results))

    async def _ranked(
        self,
        request: RecallRequest,
        used: SlotEmbedder,
        pool: CandidatePool,
        question: Question,
        order: Callable[..., Ranking],
    ) -> Ranking:
        """Rank a pool, and again where reading notes with the question may change the answer.

        First the best notes are read, then the first result with newer notes that may answer in its place.
        """
        with self._phase("rank"):
            ranking = order()
        reader = used.embedder.reader
        # rules suit a goal, which they do not answer
        if reader is None or request.text is None or request.rules_relevance is not None:
            return ranking
        reading = await self._read(reader, pool, question, ranking)
        if reading is not None:
            with self._phase("rank"):
                ranking = order(read=reading)
        pairs = rivals(pool, question, ranking, self.weights)
        if not len(pairs):
            return ranking
        with self._phase("read"):
            reading = await asyncio.to_thread(
                read_rivals,
                reader,
                pool,
                question.text,
                pairs,
                reading,
                ranking.relevance,
                self.weights,
            )
        with self._phase("rank"):
            return order(read=reading)

    async def _read(
        self, reader: PairReader, pool: CandidatePool, question: Question, ranking: Ranking
    ) -> Reading | None:
        """Read the best notes with the question where that may change the answer, else none."""
        doubt = doubtful(pool, question, ranking, self.weights)
        replaced = succeeding(pool, question, ranking, self.weights)
        either = contested(pool, ranking, question, self.weights)
        if not len(doubt) + len(replaced) + len(either):
            return None
        reading = partial(read, reader, pool)
        with self._phase("read"):
            # in one call: the doubtful and the replaced are often the same notes
            wanted = np.unique(np.concatenate([doubt, replaced, either]))
            by_line = doubt[: self.weights.read_lines]
            # in a thread: ten turns take 45 ms, in which the event loop serves others (ADR 76)
            log_odds = await asyncio.to_thread(reading, question.text, wanted, by_line)
            asked_now = None
            # only pairs that were read: each text more costs some 4 ms
            if question.asking_now and len(
                pairs := paired(pool, question, ranking, wanted, self.weights)
            ):
                asked_now = await asyncio.to_thread(reading, question.asking_now, pairs, ())
        return Reading(log_odds, asked_now, in_groups(pool, doubt))

    async def _candidates(self, question: Question, query: CandidateQuery) -> CandidatePool:
        """Read the pool; of a question about a time alone that of the memories of the time, if there are any."""
        if (asked := question.occurred) is not None:
            given = query.filters.occurred
            within = Window(max(given.start, asked.start), min(given.end, asked.end))
            pool = await self.store.candidates(
                replace(query, filters=replace(query.filters, occurred=within))
            )
            if len(pool):
                return pool
        return await self.store.candidates(query)

    async def _respelt(
        self,
        request: RecallRequest,
        used: SlotEmbedder,
        question: Question,
        query: CandidateQuery,
        pool: CandidatePool,
    ) -> tuple[Question, CandidatePool]:
        """Look again where a word of the question is misspelt and memories tell which is meant."""
        texts = [memory.text for memory in pool.memories]
        text = corrected(question.text, texts, used.embedder.knows) if request.text else None
        if text is None or text == question.text:
            return question, pool
        speakers = await self.store.speakers(query.scopes)
        question = understand(text, speakers, request.now or query.now)
        embedding = await self._embed(used.embedder, text)
        filters = filters_at(request, former=question.former)
        query = replace(query, embedding=embedding, terms=question.terms, filters=filters)
        return question, await self._candidates(question, query)

    async def _with_successions(
        self, answer: RecallAnswer, pool: CandidatePool, now: datetime
    ) -> RecallAnswer:
        """Say of the results what they replaced, what replaced them, and what may replace them."""
        results = {result.memory.uid for result in answer.results}
        newer = may_supersede(pool)
        uids = pool.superseding & results
        if not uids and not newer.keys() & results:
            return answer
        found = dict[str, Succession]()
        if uids:
            found |= await self.store.successions(sorted(uids), now)
        return replace(
            answer,
            results=tuple(_succeeded_by(result, found, newer) for result in answer.results),
        )

    async def _with_attempts(
        self, answer: RecallAnswer, scopes: Sequence[str], now: datetime
    ) -> RecallAnswer:
        """Say of attempts among the results what came of them."""
        uids = [each.memory.uid for each in answer.results if each.memory.kind == "episode"]
        found = await self.reasoning.contents(scopes, uids, now)
        return replace(
            answer,
            results=tuple(
                replace(each, attempt=found[each.memory.uid].outcome)
                if each.memory.uid in found
                else each
                for each in answer.results
            ),
        )

    def _aging(self, tenant: str) -> RankingWeights:
        """Return the weights of the ranking with what a tenant's memories fade by."""
        fading = self.strata.fading_of(tenant)
        return replace(
            self.weights,
            decay_rates={stratum: each.decay for stratum, each in fading.items()},
            utility_factors={stratum: each.spared for stratum, each in fading.items()},
        )

    def _phase(self, name: str) -> Span:
        return self.telemetry.span("recall_phase", name)

    async def _understand(
        self, request: RecallRequest, used: SlotEmbedder, now: datetime
    ) -> tuple[Question, Vector]:
        if request.text is not None:
            with self._phase("understand"):
                speakers = await self.store.speakers(request.caller.readable)
                kinds = request.filters.kinds
                # cleaned as the memories were: a name is not near the token that stands for it (ADR
                # 29)
                text = await self.guard.question(request.caller.tenant, request.text, kinds)
                question = understand(text, speakers, now)
            with self._phase("embed"):
                return question, await self._embed(used.embedder, text)
        with self._phase("understand"):
            return await self._understand_vector(request, used)

    async def _understand_vector(
        self, request: RecallRequest, used: SlotEmbedder
    ) -> tuple[Question, Vector]:
        if request.vector is not None:
            vector = np.asarray(request.vector, dtype=np.float32)
            return _NOTHING, unit_vector(vector, used.embedder.dimension)
        found = required(
            await self.store.vector_of(request.caller.readable, request.like or "", used.slot),
            "like: no such memory in the scopes of this caller",
        )
        text, vector = found
        # the text of a memory asks nothing, whatever mark it ends with (ADR 14)
        return replace(understand(text, ()), asks=False, idle=False, words=()), unit_vector(
            vector, used.embedder.dimension
        )

    async def _embed(self, embedder: Embedder, text: str) -> Vector:
        """Embed a question; one of signs alone gets any direction."""
        vector = await self.meanings.question(embedder, text)
        return vector if vector.any() else any_direction(embedder.dimension)

    def _cut(self, request: RecallRequest, config: UtilityConfig, engine: ChosenEngine) -> Cut:
        return Cut(
            k=request.k or engine.results(self.defaults.k),
            candidates=self.defaults.candidates,
            min_relevance=engine.min_relevance(request, config),
            rules_relevance=request.rules_relevance,
            min_similarity=request.min_similarity,
            utility_weight=engine.utility_weight(request, config),
            learn=config.utility_learning,
            valuation=Valuation(_weights(config, request.explore), random=self.random),
        )

    def _contexts(self, request: RecallRequest, config: UtilityConfig) -> tuple[str, ...]:
        by_context = config.utility_learning and config.contextual_utility
        return contexts_of(request) if by_context else ()

    async def _in_contexts(
        self, cut: Cut, pool: CandidatePool, scopes: Sequence[str], contexts: Sequence[str]
    ) -> Cut:
        """Look up what the pool, and what lends to it, is worth in the contexts of a request."""
        # lenders, too: a new memory is valued by the strategies that it used (ADR 18)
        uids = {memory.uid for memory in pool.memories}.union(pool.lenders.uids)
        found = await self.estimates.of(sorted(uids), scopes, contexts)
        return replace(cut, valuation=replace(cut.valuation, estimates=found))

    async def _note(
        self,
        request: RecallRequest,
        answer: RecallAnswer,
        now: datetime,
        config: UtilityConfig,
        contexts: Sequence[str],
    ) -> None:
        # into a buffer that is written every two seconds: no recall waits for a count
        self.accesses.add(result.memory.uid for result in answer.results)
        if request.task_id is None or not (config.utility_learning and config.track_memory_usage):
            return
        event = tracked(request, answer, self.identifiers, now)
        await self.tasks.record_retrieval(
            home=request.caller.home,
            task_id=request.task_id,
            phase=request.phase,
            retrievals=[
                Retrieval(result.memory.uid, place, result.score)
                for place, result in enumerate(answer.results, start=1)
            ],
            now=now,
            expires_at=now + self.defaults.task_life,
            contexts=contexts,
            events=(event,),
        )
        self.events.told(event)


def _weights(config: UtilityConfig, explore: bool | None) -> UtilityWeights:
    """Return how memories are valued; who asks for exploring while none is set gets the bonus."""
    weights = utility_weights(config)
    if explore is None:
        return weights
    usual: Exploration = weights.exploration if weights.exploration != "none" else "ucb"
    return replace(weights, exploration=usual if explore else "none")


def _limits(limits: PoolLimits, cut: Cut) -> PoolLimits:
    """Widen the arms where more results are asked for than they would bring."""
    return PoolLimits(
        vector=max(limits.vector, cut.k),
        # twice k: the arm for words brings most of what is right (ADR 5)
        lexical=max(limits.lexical, 2 * cut.k),
        expanded=limits.expanded,
    )


def _succeeded_by(
    result: Recalled, found: Mapping[str, Succession], newer: Mapping[str, str]
) -> Recalled:
    """Add to a result what it replaced and what replaced it, or may."""
    uid = result.memory.uid
    known = found.get(uid, Succession())
    may = None if known.superseded_by else newer.get(uid)
    return replace(
        result,
        replaced=known.replaced,
        superseded_by=known.superseded_by,
        may_be_superseded_by=may,
    )


def retrieved(
    request: RecallRequest, answer: RecallAnswer, identifiers: Identifiers, now: datetime
) -> Event:
    """Return that memories were ranked by their utility too."""
    data = {
        "results": len(answer.results),
        "candidates": answer.candidates,
        "lambda": answer.utility_weight,
        "phase": request.phase or "",
    }
    return _event("memory:utility_retrieval_completed", request, data, identifiers, now)


def tracked(
    request: RecallRequest, answer: RecallAnswer, identifiers: Identifiers, now: datetime
) -> Event:
    """Return that it was noted what a task was given."""
    data = {
        "task_id": request.task_id or "",
        "memories": len(answer.results),
        "phase": request.phase or "",
    }
    return _event("memory:tracked", request, data, identifiers, now)


def _event(
    name: EventName,
    request: RecallRequest,
    data: dict[str, Any],
    identifiers: Identifiers,
    now: datetime,
) -> Event:
    caller = request.caller
    return Event(identifiers.new_uid(now), name, caller.home, caller.agent_id or "", now, data)
