"""Ranking of a pool by the engines other than utility, which use the initial importance of memories."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache

import numpy as np

from graph.kernel.values import Floats, Ints
from graph.kernel.words import CHARACTER
from graph.model.engines.config import DAYS, AgentEngine, Engine, EngineConfig, Table
from graph.model.recall.candidates import CandidatePool, Uses
from graph.questions.content import content_words, stems, text_stems
from graph.scoring.base_level import base_level_hybrid
from graph.scoring.basic import basic_ranking
from graph.scoring.generative import between_extremes, hourly_recency
from graph.scoring.human_centric import initial_importance, linear_recency, saliency
from graph.scoring.relevance import Flags
from graph.scoring.resonance import (
    pairwise_embedded_resonance,
    pairwise_resonance,
    resonance,
    retroactive_interference,
)
from graph.scoring.retention import importance_share
from graph.scoring.utility import best_first
from graph.scoring.weights import RankingWeights
from service.use_cases.engines.choice import ChosenEngine
from service.use_cases.recall.choosing import allowed, floors_of
from service.use_cases.recall.groups import relevance_by_group
from service.use_cases.recall.meaning import Scale
from service.use_cases.recall.question import Question
from service.use_cases.recall.ranking import Cut, Ranking, RankingQuery
from service.use_cases.recall.request import RecallRequest
from service.use_cases.utility.worth import worth

_KEPT_TABLES = 256


def importance_of(pool: CandidatePool, engine: AgentEngine) -> Floats:
    """Return the initial importance ``I`` of a pool, shape ``(n,)``, each in [0, 1]."""
    texts = [f"{memory.text}\n{memory.speaker or ''}" for memory in pool.memories]
    emotion = importance_share(np.clip(pool.importance.astype(np.float64), 1.0, 5.0))
    if engine.emotions:
        emotion = weights_of(texts, engine.emotions, engine.config.emotion_default)
    if not engine.sources:
        return emotion
    return initial_importance(
        emotion, weights_of(texts, engine.sources, engine.config.source_default)
    )


def weights_of(texts: Sequence[str], table: Table, usual: float) -> Floats:
    """Return the greatest weight of a table's words in each text, or the default."""
    pattern = _pattern(tuple(table))
    return np.array(
        [
            max((table[word] for word in pattern.findall(text.casefold())), default=usual)
            for text in texts
        ],
        dtype=np.float64,
    )


@lru_cache(_KEPT_TABLES)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern of whole words, the longest first; cached by words, whatever their weights."""
    longest = sorted(words, key=len, reverse=True)
    either = "|".join(map(re.escape, longest))
    # a lookahead, so that words may overlap
    return re.compile(rf"(?<!{CHARACTER})(?=({either})(?!{CHARACTER}))")


_SECONDS_PER_DAY = 86_400.0
_HOURS_PER_DAY = 24.0
_INSTANT = 1.0 / _SECONDS_PER_DAY  # least age of an access: a power of 0 is infinite
Parts = Mapping[str, "Floats"]


@dataclass(frozen=True)
class Situation:
    """A pool and its question, with the lazily computed inputs of the engines; columns of shape ``(n,)``."""

    pool: CandidatePool
    uses: Uses
    question: Question
    tags: Collection[str]
    now_day: float
    engine: AgentEngine

    @property
    def config(self) -> EngineConfig:
        """Settings of the engine."""
        return self.engine.config

    @cached_property
    def importance(self) -> Floats:
        """Initial importance, each in [0, 1]."""
        return importance_of(self.pool, self.engine)

    @cached_property
    def age(self) -> Floats:
        """Time since each happened, in the unit of the settings."""
        days = np.maximum(self.now_day - self.pool.occurred_day, 0.0)
        return days / DAYS[self.config.time_unit]

    @cached_property
    def first_day(self) -> Floats:
        """Day from which each is known: when it happened, or was recorded if that was earlier."""
        return np.minimum(self.pool.occurred_day, self.uses.recorded_day)

    @cached_property
    def recalled(self) -> Flags:
        """Flags of memories recalled before the time of the request."""
        return self.uses.accessed_day <= self.now_day + _INSTANT

    @cached_property
    def last_day(self) -> Floats:
        """Day of the last use of each: recalled, or else stored."""
        return np.where(self.recalled, self.uses.accessed_day, self.first_day)

    @cached_property
    def accesses(self) -> Ints:
        """Number of uses of each, the first one included."""
        return 1 + np.where(self.recalled, self.pool.access_count, 0)

    @cached_property
    def left(self) -> Floats:
        """Decayed importance, each in [0, 1]."""
        return saliency(self.importance, self.age, decay=self.config.decay_rate)

    @cached_property
    def recency(self) -> Floats:
        """Freshness, each in [0, 1]."""
        return linear_recency(self.age, oldest=self.config.max_age or None)

    @cached_property
    def context(self) -> Floats:
        """1 for memories with a tag of the request, or with a tag in its text."""
        asked = stems(content_words(self.question.text))
        tags = {tag.casefold() for tag in self.tags}

        # by its words: *our club of books* has the tag *book club*
        def named(tag: str) -> bool:
            words = stems(content_words(tag))
            return tag.casefold() in tags or (bool(words) and words <= asked)

        found = [any(map(named, memory.tags)) for memory in self.pool.memories]
        return np.array(found, dtype=np.float64)

    @cached_property
    def keywords(self) -> tuple[Flags, Flags]:
        """Keywords of the question, shape ``(t,)``, and of each memory, shape ``(n, t)``."""
        asked = stems(content_words(self.question.text))
        texts = [text_stems(memory.text) for memory in self.pool.memories]
        place = {word: i for i, word in enumerate(asked.union(*texts))}
        present = np.zeros((len(texts) + 1, len(place)), dtype=np.bool_)
        for row, words in enumerate([asked, *texts]):
            present[row, [place[word] for word in words]] = True
        return present[0], present[1:]

    @cached_property
    def relevance(self) -> Floats:
        """Contextual resonance with the question, each in [0, 1]."""
        if self.config.relevance_by == "embeddings":
            return np.clip(self.pool.cosine, 0.0, 1.0)
        return resonance(*self.keywords)

    @cached_property
    def likeness(self) -> Floats:
        """Contextual resonance of each pair of memories, shape ``(n, n)``."""
        embeddings = self.uses.embeddings
        if self.config.interference_by == "embeddings" and embeddings is not None:
            return pairwise_embedded_resonance(embeddings)
        return pairwise_resonance(self.keywords[1])

    @cached_property
    def interference(self) -> Floats:
        """Suppression by newer memories of the same scope, without those that have replaced a memory."""
        scopes = np.array([memory.scope for memory in self.pool.memories], dtype=np.str_)
        settled = scopes[:, np.newaxis] != scopes[np.newaxis, :]
        # a replaced memory is ranked lower already
        settled[self.uses.replaced[:, 1], self.uses.replaced[:, 0]] = True
        return retroactive_interference(
            self.likeness,
            self.pool.occurred_day,
            cap=self.config.interference_cap,
            settled=settled,
        )


def _saliency(at: Situation) -> tuple[Floats, Parts]:
    return at.left, {"importance": at.importance, "age": at.age, "saliency": at.left}


def _weighted(at: Situation) -> tuple[Floats, Parts]:
    config, none = at.config, np.zeros(len(at.pool))
    parts = {
        "recency": config.recency_weight * at.recency,
        "importance": config.importance_weight * at.left,
        "context": config.context_weight * at.context,
        # only with a weight: the similarity of all pairs is expensive
        "relevance": config.relevance_weight * at.relevance if config.relevance_weight else none,
        "interference": none - config.interference_weight * at.interference
        if config.interference_weight
        else none,
    }
    return np.sum(list(parts.values()), axis=0), parts


def _basic(at: Situation) -> tuple[Floats, Parts]:
    """Rank the recent first, by age, then the important, then all others by decayed importance."""
    config = at.config
    places = basic_ranking(at.age, at.left, recent=config.recent, important=config.important)
    chosen = np.zeros(len(at.pool))
    recent, important = places[: config.recent], places[config.recent :]
    chosen[recent[recent >= 0]], chosen[important[important >= 0]] = 2.0, 1.0
    score = np.where(chosen == 2.0, 2.0 + 1.0 / (1.0 + at.age), chosen + at.left)
    return score, {"age": at.age, "saliency": at.left, "recent": chosen // 2.0}


def _actr(at: Situation) -> tuple[Floats, Parts]:
    lifetime, since = (
        np.maximum(at.now_day - day, _INSTANT) * _SECONDS_PER_DAY
        for day in (at.first_day, at.last_day)
    )
    activation = base_level_hybrid(
        since[:, np.newaxis],
        at.accesses,
        np.maximum(lifetime, since),
        decay=at.config.base_level_decay,
    )
    uses = at.accesses.astype(np.float64)
    parts = {"base_level": activation, "uses": uses, "seconds_since_use": since}
    return activation, {**parts, "seconds_since_first_use": lifetime}


def _generative(at: Situation) -> tuple[Floats, Parts]:
    config = at.config
    hours = np.maximum(at.now_day - at.last_day, 0.0) * _HOURS_PER_DAY
    columns = {
        "recency": (
            config.generative_recency_weight,
            hourly_recency(hours, decay=config.hourly_recency),
        ),
        "importance": (config.generative_importance_weight, at.importance),
        "relevance": (config.generative_relevance_weight, at.pool.cosine),
    }
    parts = {name: weight * between_extremes(column) for name, (weight, column) in columns.items()}
    return np.sum(list(parts.values()), axis=0), parts


LAWS: Mapping[Engine, Callable[[Situation], tuple[Floats, Parts]]] = {
    "weighted": _weighted,
    "saliency": _saliency,
    "basic": _basic,
    "actr": _actr,
    "generative": _generative,
}


def situation_of(
    request: RecallRequest,
    pool: CandidatePool,
    question: Question,
    engine: ChosenEngine,
    now: datetime,
) -> Situation:
    """Return the inputs of an engine; ages are as of the time of the request."""
    tags = request.context.tags if request.context else request.filters.tags_all
    at = request.now or request.as_of or now
    now_day = at.timestamp() / _SECONDS_PER_DAY
    size = len(pool)
    uses = pool.uses or Uses(
        pool.occurred_day, np.full(size, np.nan), np.empty((0, 2), dtype=np.int64)
    )
    return Situation(pool, uses, question, tags, now_day, engine.settings)


def rank_by(
    engine: Engine,
    at: Situation,
    hops: int,
    weights: RankingWeights,
    cut: Cut,
    scale: Scale,
) -> Ranking:
    """Rank a pool by an engine; its relevance is reported, and cuts results if the request says so."""
    query = RankingQuery(at.question, at.now_day, hops, weights, scale)
    relevance, _ = relevance_by_group(at.pool, query)
    score, parts = LAWS[engine](at)
    order, reasons = allowed(
        best_first(score, relevance, at.pool.cosine),
        relevance,
        at.pool,
        cut,
        floors_of(at.pool, cut),
    )
    reasons |= {
        int(i): f"ranked {place} of the {cut.k} asked for"
        for place, i in enumerate(order[cut.k :], start=cut.k + 1)
    }
    return Ranking(
        chosen=order[: cut.k],
        rest=_remaining(order, cut.k, relevance),
        relevance=relevance,
        score=score,
        worth=worth(at.pool, cut.valuation),
        parts=parts,
        reasons=reasons,
    )


def _remaining(order: Ints, k: int, relevance: Floats) -> Ints:
    by_relevance = best_first(relevance)
    return np.concatenate([order[k:], by_relevance[~np.isin(by_relevance, order)]])
