"""`/v1/episodes/query`, `/v1/episodes/ask` and `/v1/analytics/reasoning`: queries over episodes, and statistics."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fastapi import APIRouter

from graph.kernel.scope import Caller
from graph.model.episodes.attempts import ALWAYS, LISTS, NAMED, Bound, EpisodeFilters, Names
from graph.model.episodes.questions import EpisodeQuestion, FoundEpisode, ReasoningAnalysis
from graph.model.recall.candidates import Window
from graph.questions.objects import object_of
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound as BoundService
from service.http.kernel.views import value_of, view_of, views_of
from service.use_cases.episodes.analytics import ReasoningView
from service.use_cases.episodes.query import EpisodeAnswer
from stratagraph import wire
from stratagraph.operations.episodes import ASK_EPISODES, QUERY_EPISODES, REASONING_ANALYTICS

router = APIRouter()

_NUMBERS = ("tokens_used", "latency_ms", "confidence", "temperature", "step_count")


@serves(router, QUERY_EPISODES)
async def query_episodes(
    caller: Caller, body: wire.EpisodeQueryRequest, service: BoundService
) -> wire.EpisodeQueryView:
    answer = await service.query_episodes(caller, question_of(body), body.cursor)
    return wire.EpisodeQueryView(**_answer(answer))


@serves(router, ASK_EPISODES)
async def ask_episodes(
    caller: Caller, body: wire.EpisodeAskRequest, service: BoundService
) -> wire.EpisodeAskView:
    asked = await service.ask_episodes(
        caller,
        body.question,
        domain=body.domain,
        time_zone=body.time_zone,
        by_model=body.use_model,
        cursor=body.cursor,
    )
    return wire.EpisodeAskView(
        question=body.question,
        source=asked.source,
        unread=asked.unread,
        now=asked.now,
        model=asked.model,
        fallback=asked.fallback,
        **_answer(asked.answer),
    )


def question_of(body: wire.EpisodeQueryRequest) -> EpisodeQuestion:
    filters = in_domain(episode_filters(body.filters), body.domain)
    return value_of(EpisodeQuestion, body, filters=filters)


def episode_filters(asked: wire.EpisodeFiltersRequest) -> EpisodeFilters:
    said = asked.correct if isinstance(asked.correct, tuple) else (asked.correct,)
    judged = [one if isinstance(one, bool) else None for one in said if one is not None]
    values: dict[str, Any] = {name: getattr(asked, name) for name in LISTS}
    for name in NAMED:
        values[name] = Names(several(getattr(asked, name)), getattr(asked, f"{name}_not"))
    for name in _NUMBERS:
        values[name] = Bound(getattr(asked, f"{name}_min"), getattr(asked, f"{name}_max"))
    return EpisodeFilters(
        verdicts=tuple(dict.fromkeys(judged)) or EpisodeFilters().verdicts,
        occurred=Window(asked.occurred_from or ALWAYS.start, asked.occurred_to or ALWAYS.end),
        **values,
    )


def several(said: str | tuple[str, ...] | None) -> tuple[str, ...]:
    """Return a field that accepts one name or several as names."""
    return () if said is None else (said,) if isinstance(said, str) else said


def in_domain(filters: EpisodeFilters, domain: str | None) -> EpisodeFilters:
    """Limit filters to the domain of a request."""
    return filters if domain is None else replace(filters, domain=Names.of(domain))


def _answer(answer: EpisodeAnswer) -> dict[str, Any]:
    listed = not (answer.question.measures or answer.question.divergence)
    return {
        "object": object_of(answer.question),
        "statement": view_of(wire.StatementView, answer.statement),
        "episodes": tuple(_episode(found) for found in answer.episodes) if listed else None,
        "next_cursor": answer.cursor,
        "total": answer.total and view_of(wire.EpisodeGroupView, answer.total),
        "groups": None if answer.groups is None else views_of(wire.EpisodeGroupView, answer.groups),
        "divergence": answer.divergence and view_of(wire.DivergenceView, answer.divergence),
    }


def _episode(found: FoundEpisode) -> wire.FoundEpisodeView:
    return view_of(wire.FoundEpisodeView, found, episode=found.structured)


@serves(router, REASONING_ANALYTICS)
async def analyse_reasoning(
    caller: Caller, asked: wire.ReasoningAnalyticsRequest, service: BoundService
) -> wire.ReasoningAnalyticsView:
    occurred = Window(asked.occurred_from or ALWAYS.start, asked.occurred_to or ALWAYS.end)
    analysis = await service.analyse_reasoning(
        caller,
        EpisodeFilters(
            domain=Names.of(asked.domain), model=Names.of(asked.model), occurred=occurred
        ),
        value_of(ReasoningView, asked),
    )
    return _analysis_view(analysis)


def _analysis_view(analysis: ReasoningAnalysis) -> wire.ReasoningAnalyticsView:
    groups = {by: views_of(wire.EpisodeGroupView, each) for by, each in analysis.groups.items()}
    return view_of(wire.ReasoningAnalyticsView, analysis, groups=groups)
