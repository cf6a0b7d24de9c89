"""`/v1/memories`: remember one or many, remove one."""

from __future__ import annotations

from collections import Counter
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from graph.kernel.scope import Caller
from graph.model.memories.memory import Link, NewMemory, Saved
from service.faults import read_as
from service.http.erasure.routes import erasure_answer, receipt_of
from service.http.kernel.body import Decoded
from service.http.kernel.routing import serves
from service.http.kernel.security import Tenant, caller_of
from service.http.kernel.state import Bound
from service.http.kernel.views import MemoryName, entity_tag, json_answer, value_of
from service.http.memories.batches import (
    RememberOptions,
    fault_of_row,
    is_batch,
    read_rows,
    refusal_of,
    remember_rows,
)
from service.use_cases.memories.remember import Remember
from stratagraph import wire
from stratagraph.operations.memories import DELETE, REMEMBER

router = APIRouter()


@serves(
    router,
    REMEMBER,
    status_code=201,
    responses={
        201: {"model": wire.RememberAnswer, "description": "A new memory"},
        200: {
            "model": wire.RememberAnswer | wire.BatchAnswer,
            "description": "Known before (unchanged, duplicate, a new version), or a batch",
        },
    },
)
async def remember(
    tenant: Tenant, decoded: Decoded, options: Annotated[RememberOptions, Query()], service: Bound
) -> Response:
    if is_batch(decoded, "memories"):
        envelope = read_as(wire.BatchEnvelope, decoded)
        caller = caller_of(tenant, envelope)
        return await _remember_batch(caller, envelope, service.remember, atomic=options.atomic)
    single = read_as(wire.RememberRequest, decoded)
    return await _remember_one(caller_of(tenant, single), single, service.remember)


@serves(
    router,
    DELETE,
    responses={
        200: {"model": wire.ErasureView, "description": "With `receipt`: nothing is left"},
        202: {
            "model": wire.ErasureView,
            "description": "With `receipt`: the rest goes in the background",
        },
    },
    status_code=204,
    response_class=Response,
)
async def delete_memory(
    name: MemoryName,
    tenant: Tenant,
    asked: Annotated[wire.DeleteMemoryRequest, Query()],
    service: Bound,
) -> Response:
    erasure = await service.delete_memory(caller_of(tenant, asked), name)
    if asked.receipt:
        return erasure_answer(erasure)
    return Response(status_code=HTTPStatus.NO_CONTENT, headers=receipt_of(erasure))


async def _remember_one(
    caller: Caller, request: wire.MemoryRequest, remember: Remember
) -> Response:
    [saved] = await remember([new_memory(caller, request)])
    if saved.uid is None:
        raise refusal_of(saved)
    status = HTTPStatus.CREATED if saved.status == "created" else HTTPStatus.OK
    view = wire.RememberAnswer(status=saved.status, uid=saved.uid, redacted=dict(saved.redacted))
    tag = {"ETag": entity_tag(saved.uid, saved.revision)} if saved.revision else {}
    return json_answer(status, view, tag)


async def _remember_batch(
    caller: Caller, envelope: wire.BatchEnvelope, remember: Remember, *, atomic: bool
) -> Response:
    def read(row: object) -> NewMemory:
        return new_memory(caller, read_as(wire.MemoryRequest, row))

    rows = read_rows(read, envelope.memories)
    answers = await remember_rows(remember, rows, name="memories", atomic=atomic)
    counts = Counter(answer.status for answer in answers)
    results = tuple(_row_answer(index, answer) for index, answer in enumerate(answers))
    view = wire.BatchAnswer(
        counts=wire.CountsView(**counts), results=results, redacted=wire.redacted_in(results)
    )
    return json_answer(HTTPStatus.OK, view)


def _row_answer(index: int, saved: Saved) -> wire.RowAnswer:
    error = fault_of_row(saved) if saved.status == "rejected" else None
    return wire.RowAnswer(
        index=index,
        status=saved.status,
        uid=saved.uid,
        error=error,
        redacted=dict(saved.redacted),
    )


def new_memory(caller: Caller, request: wire.MemoryRequest) -> NewMemory:
    """Return a new memory of a request, with its owner."""
    return value_of(
        NewMemory,
        request,
        scope=caller.writable(request.scope_kind),
        agent_id=caller.agent_id,
        channel_id=only(caller.channel_ids),
        user_id=only(caller.user_ids),
        content_type=request.content_type or ("structured" if request.structured else "text"),
        links=tuple(Link(link.type, link.to) for link in request.links),
    )


def only(names: tuple[str, ...]) -> str | None:
    return names[0] if len(names) == 1 else None
