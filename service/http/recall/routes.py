"""`/v1/recall`: recall of memories."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from graph.kernel.scope import Caller, without_tenant
from graph.model.recall.candidates import Context, RecallAnswer, Recalled
from service.http.kernel.filters import filters_of
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import value_of, view_of
from service.use_cases.recall.recall import RecallRequest
from stratagraph import wire
from stratagraph.operations.recall import RECALL

router = APIRouter()


@serves(router, RECALL)
async def recall(caller: Caller, body: wire.RecallRequest, service: Bound) -> Response:
    answer = await service.recall(recall_request(caller, body))
    view = recall_view(answer, explained=body.explain)
    # Rendered here once: the framework would validate and copy it again.
    return Response(view.model_dump_json(by_alias=True), media_type="application/json")


def recall_request(caller: Caller, body: wire.RecallRequest) -> RecallRequest:
    return value_of(
        RecallRequest,
        body,
        caller=caller,
        filters=replace(
            filters_of(body.filters, body.filters.agent_id), superseded=body.include_superseded
        ),
        context=body.context and Context(body.context.domain, body.context.tags),
    )


def recall_view(answer: RecallAnswer, *, explained: bool) -> wire.RecallAnswerView:
    explanation = wire.RecallExplanationView(
        near_misses=tuple(
            wire.NearMissView(uid=miss.uid, text=miss.text, score=miss.score, reason=miss.reason)
            for miss in answer.near_misses
        )
    )
    return wire.RecallAnswerView(
        results=tuple(_result(result) for result in answer.results),
        utility_weight=answer.utility_weight,
        engine=answer.engine,
        candidates=answer.candidates,
        links_pending=answer.links_pending,
        task_id=answer.task_id,
        explanation=explanation if explained else None,
    )


def _result(result: Recalled) -> wire.RecalledView:
    memory, why = result.memory, result.explanation
    metadata: dict[str, Any] | None = json.loads(memory.metadata) if memory.metadata else None
    return wire.RecalledView(
        uid=memory.uid,
        external_id=memory.external_id,
        scope=without_tenant(memory.scope),
        kind=memory.kind,
        stratum=memory.stratum,
        text=memory.text,
        speaker=memory.speaker,
        session_id=memory.session_id,
        tags=memory.tags,
        metadata=metadata,
        occurred_at=result.occurred_at,
        importance=result.importance,
        score=result.score,
        relevance=result.relevance,
        similarity=result.similarity,
        q_value=result.q_value,
        replaced=tuple(view_of(wire.ReplacedView, each) for each in result.replaced),
        superseded_by=result.superseded_by,
        may_be_superseded_by=result.may_be_superseded_by,
        attempt=result.attempt and view_of(wire.AttemptOutcomeView, result.attempt),
        explanation=why and wire.ExplanationView(components=dict(why.components), path=why.path),
    )
