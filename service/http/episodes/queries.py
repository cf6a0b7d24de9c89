"""`POST /v1/episodes/query` and `/v1/episodes/ask`: questions about episodes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fastapi import APIRouter

from graph.kernel.scope import Caller
from graph.model.episodes.attempts import ALWAYS, LISTS, NAMED, Bound, EpisodeFilters, Names
from graph.model.episodes.divergence import Branch, Divergence
from graph.model.episodes.questions import EpisodeGroup, EpisodeQuestion, FoundEpisode
from graph.model.recall.candidates import Window
from graph.questions.objects import object_of
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound as BoundService
from service.http.kernel.views import scope_view
from service.use_cases.episodes.query import EpisodeAnswer
from stratagraph import wire
from stratagraph.operations.episodes import ASK_EPISODES, QUERY_EPISODES

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
    return EpisodeQuestion(
        filters=in_domain(episode_filters(body.filters), body.domain),
        similar_to=body.similar_to,
        min_similarity=body.min_similarity,
        order=body.order,
        limit=body.limit,
        measure=body.measure,
        by=body.by,
        divergence=body.divergence,
        own=body.own,
        time_zone=body.time_zone,
    )


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
    """Read a field that takes one name or several."""
    return () if said is None else (said,) if isinstance(said, str) else said


def in_domain(filters: EpisodeFilters, domain: str | None) -> EpisodeFilters:
    """Narrow filters to the domain that a request names beside them."""
    return filters if domain is None else replace(filters, domain=Names.of(domain))


def _answer(answer: EpisodeAnswer) -> dict[str, Any]:
    shown = answer.statement
    listed = not (answer.question.measures or answer.question.divergence)
    return {
        "object": object_of(answer.question),
        "statement": wire.StatementView(
            name=shown.name, text=shown.text, parameters=dict(shown.parameters)
        ),
        "episodes": tuple(_episode(found) for found in answer.episodes) if listed else None,
        "next_cursor": answer.cursor,
        "total": answer.total and group_view(answer.total),
        "groups": None
        if answer.groups is None
        else tuple(group_view(group) for group in answer.groups),
        "divergence": answer.divergence and _divergence(answer.divergence),
    }


def _divergence(found: Divergence) -> wire.DivergenceView:
    points = tuple(
        wire.DivergencePointView(
            problems=point.problems,
            shared=point.shared,
            place=point.place,
            wrong=tuple(map(_branch, point.wrong)),
            right=tuple(map(_branch, point.right)),
        )
        for point in found.points
    )
    return wire.DivergenceView(
        right=found.right, wrong=found.wrong, unmatched=found.unmatched, points=points
    )


def _branch(branch: Branch) -> wire.BranchView:
    names = wire.BranchView.model_fields.keys() - {"said"}
    said = branch.said and wire.TrialStepView(
        thought=branch.said.thought,
        action=branch.said.action,
        observation=branch.said.observation,
    )
    return wire.BranchView(said=said, **{name: getattr(branch, name) for name in names})


def group_view(group: EpisodeGroup) -> wire.EpisodeGroupView:
    """Show attempts in numbers."""
    fields = wire.EpisodeGroupView.model_fields
    return wire.EpisodeGroupView(**{name: getattr(group, name) for name in fields})


def _episode(found: FoundEpisode) -> wire.FoundEpisodeView:
    other = ("scope", "episode")
    shown: dict[str, Any] = {
        name: getattr(found, name)
        for name in wire.FoundEpisodeView.model_fields
        if name not in other
    }
    whole = None if found.structured is None else dict(found.structured)
    return wire.FoundEpisodeView(scope=scope_view(found.scope), episode=whole, **shown)
