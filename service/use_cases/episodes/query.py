"""Query episodes by filters and similarity: list them, or measure them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from graph.kernel.errors import InvalidInputError
from graph.kernel.scope import Caller
from graph.kernel.values import Vector
from graph.model.episodes.divergence import Divergence
from graph.model.episodes.questions import (
    EpisodeGroup,
    EpisodeQuestion,
    EpisodeSearch,
    FoundEpisode,
    RankPosition,
    Statement,
)
from graph.ports.embedding import EmbeddersInUse, SlotEmbedder
from graph.ports.world import Embedder
from graph.questions.checks import check_question
from graph.questions.literal import MATCHES_NOTHING, literal_pattern
from graph.store.episodes.queries import EpisodeQueries
from service.use_cases.episodes.comparing import compare_attempts
from service.use_cases.kernel import paging
from service.use_cases.kernel.embedding import QuestionVectors, any_direction, ask_embedder_in_use
from service.use_cases.kernel.watched import TimedUseCase, watched


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """Limits and defaults of a question.

    A similarity search reads ``nearest`` episodes; if these are measured, or sorted by another criterion, only those with
    at least ``least_similarity`` count. Similar problems have at least ``like_problems``.
    """

    rows: int
    default_rows: int
    groups: int
    nearest: int
    least_similarity: float
    like_problems: float


@dataclass(frozen=True, slots=True)
class EpisodeAnswer:
    """The question as it was run, its statement, and the result."""

    question: EpisodeQuestion
    statement: Statement
    episodes: tuple[FoundEpisode, ...] = ()
    cursor: str | None = None
    total: EpisodeGroup | None = None
    groups: tuple[EpisodeGroup, ...] | None = None
    divergence: Divergence | None = None

    @property
    def is_empty(self) -> bool:
        """Return whether no attempt was found."""
        counted = self.total is not None and self.total.attempts > 0
        return not (self.episodes or counted or self.divergence)


@dataclass(frozen=True, slots=True)
class QueryEpisodes(TimedUseCase):
    """Answer a question about episodes, within the caller's scopes.

    Raises
    ------
    InvalidInputError
        If the question is invalid, or the cursor is of another one.
    QueryTimeoutError
        If it takes longer than it may.
    """

    store: EpisodeQueries
    embedders: EmbeddersInUse
    vectors: QuestionVectors
    limits: QueryLimits

    @watched("query_episodes")
    async def __call__(
        self, caller: Caller, question: EpisodeQuestion, cursor: str | None = None
    ) -> EpisodeAnswer:
        """Return episodes, or the requested measures."""
        check_question(question, self.limits.groups if question.measures else self.limits.rows)
        question = self._with_defaults(question)
        answer = partial(self._answer, caller, question, cursor)
        return await ask_embedder_in_use(self.embedders, answer)

    def _with_defaults(self, question: EpisodeQuestion) -> EpisodeQuestion:
        """Return a question with defaults for missing fields."""
        limits = self.limits
        if question.measures:
            question = replace(question, measure=question.measure or "attempts")
            if question.by is not None:
                question = replace(question, limit=question.limit or limits.groups)
        elif question.divergence:
            question = replace(question, limit=question.limit or limits.default_rows)
        else:
            usual = "newest" if question.similar_to is None else "most_similar"
            question = replace(
                question,
                order=question.order or usual,
                limit=question.limit or limits.default_rows,
            )
        if question.similar_to is not None and question.min_similarity is None:
            question = replace(question, min_similarity=limits.least_similarity)
        return question

    async def _answer(
        self, caller: Caller, question: EpisodeQuestion, cursor: str | None, used: SlotEmbedder
    ) -> EpisodeAnswer:
        scopes = (caller.home,) if question.own else caller.readable
        # a cursor is independent of the page size
        asked = ("episodes", scopes, replace(question, limit=None))
        search = EpisodeSearch(
            scopes=scopes,
            question=question,
            now=self.clock.now(),
            slot=used.slot,
            limit=question.limit or 1,
            nearest=max(self.limits.nearest, question.limit or 1),
            least_similarity=question.min_similarity or 0.0,
            literal=self._literal(question),
            embedding=await self._embed(used.embedder, question.similar_to),
            after=_after(question, cursor, asked),
        )
        if question.measures:
            return await self._measure(search)
        if question.divergence:
            return await self._compare(search)
        return await self._find(search, asked)

    def _literal(self, question: EpisodeQuestion) -> str:
        """Return the pattern of problems that name a topic; a similarity that was asked for excludes them."""
        is_usual = question.min_similarity == self.limits.least_similarity
        return literal_pattern(question.similar_to or "") if is_usual else MATCHES_NOTHING

    async def _measure(self, search: EpisodeSearch) -> EpisodeAnswer:
        found = await self.store.measure(search)
        groups = found.groups if search.question.by is not None else None
        return EpisodeAnswer(search.question, found.statement, total=found.total, groups=groups)

    async def _compare(self, search: EpisodeSearch) -> EpisodeAnswer:
        compared = await compare_attempts(
            self.store, search, self.limits.rows, self.limits.like_problems
        )
        return EpisodeAnswer(search.question, compared.statement, divergence=compared.divergence)

    async def _find(self, search: EpisodeSearch, asked: object) -> EpisodeAnswer:
        one_more = search.question.similar_to is None  # a similarity search has one page
        found = await self.store.find(replace(search, limit=search.limit + one_more))
        episodes = found.episodes[: search.limit]
        more = len(found.episodes) > search.limit
        cursor = (
            paging.encode_rank(RankPosition(episodes[-1].rank, episodes[-1].uid), asked)
            if more
            else None
        )
        return EpisodeAnswer(search.question, found.statement, episodes, cursor)

    async def _embed(self, embedder: Embedder, text: str | None) -> Vector | None:
        if text is None:
            return None
        vector = await self.vectors.embed(embedder, text)
        # text without words has the zero vector, which a vector index refuses
        return vector if vector.any() else any_direction(embedder.dimension)


def _after(question: EpisodeQuestion, cursor: str | None, asked: object) -> RankPosition | None:
    if cursor is None:
        return None
    if question.measures or question.divergence or question.similar_to is not None:
        raise InvalidInputError(
            "cursor: only episodes without a similarity come in pages", field="cursor"
        )
    return paging.decode_rank(cursor, asked)
