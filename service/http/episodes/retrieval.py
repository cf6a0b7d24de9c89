"""`POST /v1/episodes/retrieve`: past attempts that help with a problem."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import APIRouter
from starlette.responses import Response

from graph.kernel.scope import Caller, without_tenant
from graph.model.episodes.retrieval import RetrievalAnswer, RetrievedEpisode, RetrievedKnowledge
from service.http.episodes.queries import episode_filters, in_domain
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import value_of
from service.use_cases.episodes.retrieve import RetrieveRequest
from stratagraph import wire
from stratagraph.operations.episodes import RETRIEVE

router = APIRouter()


@serves(router, RETRIEVE)
async def retrieve(caller: Caller, body: wire.RetrieveEpisodesRequest, service: Bound) -> Response:
    answer = await service.retrieve_episodes(retrieve_request(caller, body))
    view = retrieval_view(answer)
    return Response(view.model_dump_json(by_alias=True), media_type="application/json")


def retrieve_request(caller: Caller, body: wire.RetrieveEpisodesRequest) -> RetrieveRequest:
    return value_of(
        RetrieveRequest,
        body,
        caller=caller,
        filters=in_domain(episode_filters(body.filters), body.domain),
        balance=None if body.diversity is None else 1.0 - body.diversity,
        prompt_tokens=body.max_tokens,
    )


def retrieval_view(answer: RetrievalAnswer) -> wire.RetrievalAnswerView:
    return wire.RetrievalAnswerView(
        mode=answer.mode,
        results=tuple(_result(result) for result in answer.results),
        strategies=_knowledge(answer.strategies),
        concepts=_knowledge(answer.concepts),
        candidates=answer.candidates,
        utility_weight=answer.utility_weight,
        tokens=answer.tokens,
        prompt=answer.prompt,
        task_id=answer.task_id,
        nodes=dict(answer.nodes),
    )


def _result(result: RetrievedEpisode) -> wire.RetrievedEpisodeView:
    content = result.content
    return wire.RetrievedEpisodeView(
        uid=content.uid,
        episode_id=content.external_id,
        scope=without_tenant(content.scope),
        role=result.role,
        problem=result.problem,
        steps=tuple(
            wire.AttemptStepView(
                step=step.step,
                thought=step.thought,
                action=step.action,
                observation=step.observation,
            )
            for step in result.steps
        ),
        step_count=result.step_count,
        answer=result.answer,
        correct={"success": True, "failure": False}.get(result.role),
        confidence=result.confidence,
        insight=result.insight,
        lesson=result.lesson,
        strategy=result.strategy,
        domain=content.domain,
        model=content.model,
        occurred_at=content.occurred_at,
        score=result.score,
        similarity=result.similarity,
        q_value=content.q_value,
        hops=result.hops,
        path=result.path,
        components=dict(result.components),
    )


def _knowledge(found: Iterable[RetrievedKnowledge]) -> tuple[wire.KnowledgeView, ...]:
    return tuple(
        wire.KnowledgeView(
            uid=known.uid,
            text=known.text,
            success_rate=known.success_rate,
            attempts=known.attempts,
            support=known.support,
        )
        for known in found
    )
