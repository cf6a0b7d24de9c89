"""Ask about episodes in words: a language model or the grammar fills the question, and it is run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, cast

from graph.kernel.errors import InvalidInputError, LanguageModelError
from graph.kernel.scope import Caller
from graph.kernel.values import MAX_TEXT_BYTES
from graph.model.episodes.attempts import Names
from graph.model.episodes.questions import EpisodeQuestion, Vocabulary
from graph.ports.language import LanguageModel
from graph.questions.checks import check_question, zone_of
from graph.questions.grammar import Reading
from graph.questions.objects import SCHEMA, question_of
from graph.questions.translation import read_in_english
from graph.store.episodes.queries import EpisodeQueries
from service.use_cases.episodes.query import EpisodeAnswer, QueryEpisodes
from service.use_cases.kernel.watched import TimedUseCase, watched
from service.use_cases.memories.guarding import Guard

_NAMES_TOLD = 50  # of each sort, to limit the prompt
_INSTRUCTIONS = """\
Fill a JSON object that asks a store of problem-solving attempts (episodes) what the user wants to know.
Use null or leave out what the user does not ask for. Never invent a name.
- filters.correct: [true] right attempts, [false] wrong ones, ["unknown"] those nobody judged.
- filters.domain, filters.model, filters.agent_id: only names that are listed below; a list for any of several.
- filters.domain_not, model_not, agent_id_not, tags_none, actions_none: what the user wants to leave out.
- filters.occurred_from and filters.occurred_to: ISO times with an offset; the end is not included.
- similar_to: what the problems are about, in words, where no filter says it.
- measure and by: only when the user asks for numbers; else the episodes themselves are shown.
- unread: words of the question that ask for something no other field holds, such as a comparison.
- divergence: true when the user asks why attempts fail or succeed, or where right and wrong ones part.
- own: true when the user says "my" or "I".
"""
_UNREAD = "unread"
_NOTHING_READ = (
    "nothing was understood, so no attempts are shown: name an outcome, a time, a domain, a model, an agent or a topic,"
    " or send an object"
)
_FILLED: Mapping[str, Any] = {
    **SCHEMA,
    "properties": {
        **SCHEMA["properties"],
        _UNREAD: {"type": "array", "items": {"type": "string"}},
    },
}


@dataclass(frozen=True, slots=True)
class AskedAnswer:
    """The answer to a question in words, with who parsed it, and the words that were not understood.

    ``fallback`` is the reason why the grammar parsed it instead of a language model.
    """

    answer: EpisodeAnswer
    source: Literal["grammar", "model"]
    unread: tuple[str, ...]
    now: datetime
    model: str | None = None
    fallback: str | None = None


@dataclass(frozen=True, slots=True)
class AskEpisodes(TimedUseCase):
    """Answer a question in words about the episodes that a caller reads.

    Raises
    ------
    InvalidInputError
        If the text is empty, or asks for something out of range.
    QueryTimeoutError
        If it takes longer than it may.
    """

    query: QueryEpisodes
    store: EpisodeQueries
    guard: Guard
    language: LanguageModel | None = None

    @watched("ask_episodes")
    async def __call__(
        self,
        caller: Caller,
        text: str,
        *,
        domain: str | None = None,
        time_zone: str = "UTC",
        by_model: bool = True,
        cursor: str | None = None,
    ) -> AskedAnswer:
        """Return the answer; days begin at midnight in ``time_zone``."""
        if not text.strip() or "\0" in text or len(text.encode()) > MAX_TEXT_BYTES:
            raise InvalidInputError("question: 1 to 100,000 bytes, without NUL", field="question")
        now = self.clock.now().astimezone(zone_of(time_zone))
        # redacted like stored names, so that both match
        text = await self.guard.question(caller.tenant, text, ("episode",))
        vocabulary = await self.store.vocabulary(caller.readable)
        model, fallback = (self.language if by_model else None), None
        if model is not None:
            try:
                question, left = await self._filled(model, text, vocabulary, now, time_zone)
                question, unread = _in_domain(question, domain)
                answer = await self.query(caller, question, cursor)
                return AskedAnswer(answer, "model", (*left, *unread), now, model.name)
            except (LanguageModelError, InvalidInputError) as error:
                # an invalid cursor is no failure of the model
                if isinstance(error, InvalidInputError) and error.field == "cursor":
                    raise
                self.telemetry.count("question_fallbacks")
                fallback = error.message
        reading = read_in_english(text, vocabulary, now)
        answer, unread = await self._answer(caller, reading, domain, cursor)
        name = model.name if model else None
        return AskedAnswer(answer, "grammar", unread, now, name, fallback)

    async def _answer(
        self, caller: Caller, reading: Reading, domain: str | None, cursor: str | None
    ) -> tuple[EpisodeAnswer, tuple[str, ...]]:
        """Answer what the grammar read; return the unread words too."""
        question, unread = _in_domain(reading.question, domain)
        if reading.is_unread:
            answer = await self.query(caller, question, None)
            # all attempts would answer another question
            return replace(answer, episodes=(), cursor=None), (*reading.unread, _NOTHING_READ)
        without = replace(question, similar_to=None, min_similarity=None)
        # a search by similarity has one page, so a cursor is of the answer without it
        skipped = bool(reading.left) and cursor is not None
        answer = await self.query(caller, without if skipped else question, cursor)
        if reading.left and not skipped and answer.is_empty:
            answer, skipped = await self.query(caller, without, None), True
        left = reading.left if skipped else ()
        return answer, (*reading.unread, *left, *unread)

    async def _filled(
        self,
        model: LanguageModel,
        text: str,
        vocabulary: Vocabulary,
        now: datetime,
        time_zone: str,
    ) -> tuple[EpisodeQuestion, tuple[str, ...]]:
        filled = await model.fill(_instructions(vocabulary, now, time_zone), text, _FILLED)
        fields = {name: value for name, value in filled.items() if name != _UNREAD}
        question = question_of(fields, time_zone)
        limits = self.query.limits
        # checked here, so that invalid values of a model fall back to the grammar
        check_question(question, limits.groups if question.measures else limits.rows)
        return question, _unread_words(filled)


def _unread_words(filled: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the words that a language model reports as unread; none if the field is invalid."""
    words: object = filled.get(_UNREAD)
    return tuple(map(str, cast("list[object]", words))) if isinstance(words, list) else ()


def _in_domain(
    question: EpisodeQuestion, domain: str | None
) -> tuple[EpisodeQuestion, tuple[str, ...]]:
    """Restrict a question to a given domain; another domain that it names becomes unread."""
    named = question.filters.domain
    if domain is None or named == Names.of(domain):
        return question, ()
    narrowed = replace(question, filters=replace(question.filters, domain=Names.of(domain)))
    return narrowed, (*named.any, *(f"not {name}" for name in named.none))


def _instructions(vocabulary: Vocabulary, now: datetime, time_zone: str) -> str:
    names = {
        name: list(getattr(vocabulary, name))[:_NAMES_TOLD]
        for name in ("domains", "models", "agents", "actions", "tags")
    }
    known = json.dumps(names, ensure_ascii=False)
    return f"{_INSTRUCTIONS}Now it is {now.isoformat()} ({time_zone}). Names: {known}"
