"""Recall: take the query apart, embed, fetch one pool, rank, note what was given."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from graph.errors import (
    DatabaseError,
    DatabaseUnavailableError,
    InvalidInputError,
    NotFoundError,
)
from graph.model import (
    MAX_HOPS,
    MAX_RESULTS,
    CandidateQuery,
    Explanation,
    Filters,
    NearMiss,
    Phase,
    PoolLimits,
    RecallAnswer,
    Recalled,
    Retrieval,
    Walk,
)
from graph.ports import UNWATCHED
from service.use_cases.embedding import QuestionVectors, any_direction, unit_vector
from service.use_cases.question import Question, understand
from service.use_cases.ranking import Cut, rank
from service.use_cases.watched import watched
from service.use_cases.worth import Valuation, utility_weights

if TYPE_CHECKING:
    from graph.model import CandidatePool, UtilityConfig, Vector
    from graph.ports import (
        Clock,
        Embedder,
        EmbeddersInUse,
        LinkStore,
        MemoryStore,
        SlotEmbedder,
        Span,
        TaskStore,
        Telemetry,
        UtilityConfigs,
    )
    from graph.scope import Caller
    from graph.scoring.weights import RankingWeights
    from service.use_cases.accesses import AccessCounter
    from service.use_cases.ranking import Ranking

_NEAR_MISSES = 5
_SECONDS_PER_DAY = 86_400.0
_NOTHING = Question(text="", terms=(), asks=False, speakers=frozenset(), dates=())


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """What is asked: exactly one of ``text``, ``vector`` and ``like`` (a uid or external:<id>).

    ``utility_weight`` is λ in [0, 1], ``k`` 1–200, ``hops`` 0–2, ``min_similarity`` a cosine in
    [-1, 1]; what is None is a setting.
    """

    caller: Caller
    text: str | None = None
    vector: tuple[float, ...] | None = None
    like: str | None = None
    phase: Phase | None = None
    utility_weight: float | None = None
    k: int | None = None
    hops: int | None = None
    filters: Filters = field(default_factory=Filters)
    min_similarity: float | None = None
    explain: bool = False
    task_id: str | None = None


@dataclass(frozen=True, slots=True)
class RecallDefaults:
    """What a request that leaves something open gets."""

    k: int
    candidates: int
    threshold: float
    hops: int
    limits: PoolLimits
    walk: Walk
    task_life: timedelta


@dataclass(frozen=True, slots=True)
class Recall:
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
    links: LinkStore
    tasks: TaskStore
    embedders: EmbeddersInUse
    questions: QuestionVectors
    clock: Clock
    accesses: AccessCounter
    configs: UtilityConfigs
    weights: RankingWeights
    defaults: RecallDefaults
    telemetry: Telemetry = UNWATCHED

    @watched("recall")
    async def __call__(self, request: RecallRequest) -> RecallAnswer:
        """Answer one request."""
        _check(request)
        used = self.embedders.reading
        try:
            return await self._recall(request, used)
        except DatabaseUnavailableError:
            raise
        except DatabaseError:
            # The slot's index is gone when the graph was re-embedded and this process overslept it.
            await self.embedders.refresh()
            if self.embedders.reading == used:
                raise
            return await self._recall(request, self.embedders.reading)

    async def _recall(self, request: RecallRequest, used: SlotEmbedder) -> RecallAnswer:
        now = self.clock.now()
        question, embedding = await self._understand(request, used)
        hops = self.defaults.hops if request.hops is None else request.hops
        config = self.configs.of(request.caller.tenant)
        cut = self._cut(request, config)
        query = CandidateQuery(
            scopes=request.caller.readable,
            embedding=embedding,
            terms=question.terms,
            filters=request.filters,
            now=now,
            hops=hops,
            limits=_limits(self.defaults.limits, cut),
            slot=used.slot,
            walk=self._walk(),
        )
        with self._phase("candidates") as phase:
            pool, waiting = await asyncio.gather(
                self.store.candidates(query), self.links.lag(query.scopes)
            )
            phase.note(candidates=len(pool))
        with self._phase("rank"):
            now_day = now.timestamp() / _SECONDS_PER_DAY
            ranking = rank(pool, question, now_day, hops, self.weights, cut)
            answer = replace(_answer(pool, ranking, cut, request), links_pending=waiting)
        with self._phase("note"):
            await self._note(request, answer, now, config)
        self.telemetry.observe("recall_candidates", len(pool))
        self.telemetry.observe("recall_results", len(answer.results))
        return answer

    def _phase(self, name: str) -> Span:
        return self.telemetry.span("recall_phase", name)

    async def _understand(
        self, request: RecallRequest, used: SlotEmbedder
    ) -> tuple[Question, Vector]:
        if request.text is not None:
            with self._phase("understand"):
                speakers = await self.store.speakers(request.caller.readable)
                question = understand(request.text, speakers)
            with self._phase("embed"):
                return question, await self._embed(used.embedder, question.text, request.text)
        with self._phase("understand"):
            return await self._understand_vector(request, used)

    async def _understand_vector(
        self, request: RecallRequest, used: SlotEmbedder
    ) -> tuple[Question, Vector]:
        if request.vector is not None:
            vector = np.asarray(request.vector, dtype=np.float32)
            return _NOTHING, unit_vector(vector, used.embedder.dimension)
        found = await self.store.vector_of(request.caller.readable, request.like or "", used.slot)
        if found is None:
            raise NotFoundError("like: no such memory in the scopes of this caller")
        text, vector = found
        return replace(understand(text, ()), asks=False), unit_vector(
            vector, used.embedder.dimension
        )

    async def _embed(self, embedder: Embedder, *texts: str) -> Vector:
        """Embed the first text that has a vector; a query of signs alone gets any direction."""
        for text in texts:
            vector = await self.questions.embed(embedder, text)
            if vector.any():
                return vector
        return any_direction(embedder.dimension)

    def _walk(self) -> Walk:
        """Walk over what has a weight, and ask the database for nothing else."""
        walk = self.defaults.walk
        return replace(
            walk,
            similar=self.weights.similar_weight > 0,
            mentioned=walk.mentioned if self.weights.mentions_weight > 0 else 0,
        )

    def _cut(self, request: RecallRequest, config: UtilityConfig) -> Cut:
        weight = request.utility_weight
        return Cut(
            k=request.k or self.defaults.k,
            candidates=self.defaults.candidates,
            threshold=self.defaults.threshold,
            min_similarity=request.min_similarity,
            utility_weight=config.utility_weight(request.phase) if weight is None else weight,
            learn=config.utility_learning,
            valuation=Valuation(utility_weights(config)),
        )

    async def _note(
        self, request: RecallRequest, answer: RecallAnswer, now: datetime, config: UtilityConfig
    ) -> None:
        self.accesses.add(result.memory.uid for result in answer.results)
        if request.task_id is None or not (config.utility_learning and config.track_memory_usage):
            return
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
        )


def _check(request: RecallRequest) -> None:
    given = [v for v in (request.text, request.vector, request.like) if v is not None]
    if len(given) != 1:
        raise InvalidInputError("give exactly one of text, vector and like", field="text")
    if request.text is not None and not request.text.strip():
        raise InvalidInputError("text: must not be empty", field="text")
    for name, value, low, high in (
        ("k", request.k, 1, MAX_RESULTS),
        ("hops", request.hops, 0, MAX_HOPS),
        ("lambda", request.utility_weight, 0, 1),
        ("min_similarity", request.min_similarity, -1, 1),
    ):
        if value is not None and not low <= value <= high:
            raise InvalidInputError(f"{name}: must lie in {low}–{high}", field=name)


def _limits(limits: PoolLimits, cut: Cut) -> PoolLimits:
    """Widen the arms where more results are asked for than they would bring."""
    return PoolLimits(
        vector=max(limits.vector, cut.k),
        lexical=max(limits.lexical, 2 * cut.k),
        expanded=limits.expanded,
    )


def _answer(
    pool: CandidatePool, ranking: Ranking, cut: Cut, request: RecallRequest
) -> RecallAnswer:
    explain = request.explain
    return RecallAnswer(
        results=tuple(_result(pool, ranking, int(i), explain) for i in ranking.chosen),
        utility_weight=cut.utility_weight if cut.learn else 0.0,
        candidates=len(pool),
        task_id=request.task_id,
        near_misses=_near_misses(pool, ranking) if explain else (),
    )


def _result(pool: CandidatePool, ranking: Ranking, i: int, explain: bool) -> Recalled:
    return Recalled(
        memory=pool.memories[i],
        occurred_at=datetime.fromtimestamp(pool.occurred_day[i] * _SECONDS_PER_DAY, UTC),
        importance=int(pool.importance[i]),
        score=float(ranking.score[i]),
        relevance=float(ranking.relevance[i]),
        similarity=float(pool.cosine[i]),
        q_value=float(pool.q_value[i]),
        explanation=_explanation(pool, ranking, i) if explain else None,
    )


def _explanation(pool: CandidatePool, ranking: Ranking, i: int) -> Explanation:
    components = {name: round(float(part[i]), 6) for name, part in ranking.parts.items()}
    components |= {
        "cosine": round(float(pool.cosine[i]), 6),
        "lexical": round(float(pool.lexical[i]), 6),
        "q_value": round(float(pool.q_value[i]), 6),
        "q_count": float(pool.q_count[i]),
        "q_variance": round(float(pool.q_variance[i]), 6),
        "utility": round(float(ranking.worth.utility[i]), 6),
        "evidence": round(float(ranking.worth.evidence[i]), 6),
        "q_error": round(float(ranking.worth.error[i]), 6),
    }
    return Explanation(components, _path(pool, i))


def _path(pool: CandidatePool, i: int) -> tuple[str, ...]:
    """Say which arm found the memory, or along which edges of the pool it was reached."""
    if pool.hop[i] == 0:
        return ("lexical" if pool.lexical[i] > 0 else "vector",)
    ends: list[tuple[int, int]] = [(int(a), int(b)) for a, b in pool.edges]
    for (start, end), kind in zip(ends, pool.edge_types, strict=True):
        other = end if start == i else start
        if i in (start, end) and pool.hop[other] < pool.hop[i]:
            step = f"{kind}→" if start == other else f"←{kind}"
            return (*_path(pool, other), f"{pool.memories[other].uid} {step}")
    return _path_over_terms(pool, i)


def _path_over_terms(pool: CandidatePool, i: int) -> tuple[str, ...]:
    """Name the first candidate of a lower hop that mentions the rarest shared term."""
    own = {int(term) for candidate, term in pool.mentions if candidate == i}
    shared = [
        (int(pool.term_frequency[term]), int(candidate))
        for candidate, term in pool.mentions
        if term in own and pool.hop[candidate] < pool.hop[i]
    ]
    if not shared:
        return ()
    other = min(shared)[1]
    return (*_path(pool, other), f"{pool.memories[other].uid} MENTIONS→←MENTIONS")


def _near_misses(pool: CandidatePool, ranking: Ranking) -> tuple[NearMiss, ...]:
    return tuple(
        NearMiss(
            uid=pool.memories[i].uid,
            text=pool.memories[i].text,
            score=float(ranking.relevance[i]),
            reason=ranking.reasons.get(i, "weaker"),
        )
        for i in map(int, ranking.rest[:_NEAR_MISSES])
    )
