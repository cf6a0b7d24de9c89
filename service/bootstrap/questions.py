"""Questions about episodes, wired."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph.store.episode_queries import Neo4jEpisodeQueries
from service.use_cases.ask_episodes import AskEpisodes
from service.use_cases.query_episodes import QueryEpisodes, QueryLimits
from service.use_cases.reasoning_analytics import AnalyseReasoning

if TYPE_CHECKING:
    from graph.ports import Clock, EmbeddersInUse, LanguageModel, Telemetry
    from graph.store.driver import Database
    from service.settings import Settings
    from service.use_cases.embedding import QuestionVectors
    from service.use_cases.guarding import Guard

_USUAL_ROWS = 20


def question_use_cases(
    settings: Settings,
    database: Database,
    embedders: EmbeddersInUse,
    vectors: QuestionVectors,
    clock: Clock,
    guard: Guard,
    telemetry: Telemetry,
    language: LanguageModel | None = None,
) -> tuple[QueryEpisodes, AskEpisodes, AnalyseReasoning]:
    """Return what answers questions about episodes: as objects, in words, and at large."""
    store = Neo4jEpisodeQueries(database, settings.query_seconds)
    limits = QueryLimits(
        rows=settings.query_rows,
        default_rows=min(_USUAL_ROWS, settings.query_rows),
        groups=settings.query_rows,
        nearest=settings.query_nearest,
        least_similarity=settings.query_similarity,
    )
    query = QueryEpisodes(store, embedders, vectors, clock, limits, telemetry)
    ask = AskEpisodes(query, store, clock, guard, language, telemetry)
    return query, ask, AnalyseReasoning(store, clock, settings.query_rows, telemetry)
