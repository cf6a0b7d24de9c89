"""`/v1/memories`: remember one or many, remove one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from graph.errors import BudgetExceededError, InvalidInputError
from graph.model import Link, NewMemory, Saved
from graph.scope import Caller
from service.faults import FaultyRequestError, read_as
from service.http.body import Decoded
from service.http.errors import problem_responses
from service.http.openapi import request_body
from service.http.security import QueryCaller, Tenant, caller_of
from service.http.state import Bound
from service.http.views import MemoryName, entity_tag, json_answer
from service.use_cases.remember import Remember
from stratagraph import wire

router = APIRouter(prefix="/v1/memories", tags=["memories"])

BUDGET = "budget"  # the field of a row that its scope has no room for


class RememberOptions(BaseModel):
    """What the address of a batch may say."""

    model_config = ConfigDict(extra="forbid")

    atomic: bool = Field(
        default=False, description="Store all rows or none: one faulty row refuses the batch."
    )


@router.post(
    "",
    summary="Remember one memory, or a batch",
    status_code=201,
    responses={
        201: {"model": wire.RememberAnswer, "description": "A new memory"},
        200: {
            "model": wire.RememberAnswer | wire.BatchAnswer,
            "description": "Known before (unchanged, duplicate, a new version), or a batch",
        },
        **problem_responses(400, 401, 409, 413, 415, 422, 503),
    },
    openapi_extra=request_body(
        {
            "one": (
                "One memory",
                {
                    "agent_id": "planner",
                    "text": "Ada prefers answers with a worked example.",
                    "kind": "preference",
                    "tags": ["style"],
                },
            ),
            "batch": (
                "A conversation",
                {
                    "agent_id": "planner",
                    "memories": [
                        {"text": "The build broke.", "session_id": "monday", "speaker": "Ada"},
                        {"text": "A newer compiler mended it.", "session_id": "monday"},
                    ],
                },
            ),
        },
        wire.RememberRequest,
        wire.BatchRequest,
    ),
)
async def remember(
    tenant: Tenant,
    decoded: Decoded,
    options: Annotated[RememberOptions, Query()],
    service: Bound,
) -> Response:
    if _is_batch(decoded):
        envelope = read_as(wire.BatchEnvelope, decoded)
        caller = caller_of(tenant, envelope)
        return await _remember_batch(caller, envelope, service.remember, atomic=options.atomic)
    single = read_as(wire.RememberRequest, decoded)
    return await _remember_one(caller_of(tenant, single), single, service.remember)


@router.delete(
    "/{name:path}",
    summary="Remove one memory",
    status_code=204,
    response_class=Response,
    responses=problem_responses(401, 404, 422, 503),
)
async def delete_memory(name: MemoryName, caller: QueryCaller, service: Bound) -> Response:
    await service.delete_memory(caller, name)
    return Response(status_code=HTTPStatus.NO_CONTENT)


def _is_batch(decoded: object) -> bool:
    return isinstance(decoded, dict) and "memories" in decoded


async def _remember_one(
    caller: Caller, request: wire.MemoryRequest, remember: Remember
) -> Response:
    [saved] = await remember([new_memory(caller, request)])
    if saved.uid is None:
        if saved.field == BUDGET:
            raise BudgetExceededError
        raise FaultyRequestError([fault_of_row(saved)])
    status = HTTPStatus.CREATED if saved.status == "created" else HTTPStatus.OK
    view = wire.RememberAnswer(status=saved.status, uid=saved.uid, redacted=dict(saved.redacted))
    tag = {"ETag": entity_tag(saved.uid, saved.revision)} if saved.revision else {}
    return json_answer(status, view, tag)


async def _remember_batch(
    caller: Caller, envelope: wire.BatchEnvelope, remember: Remember, *, atomic: bool
) -> Response:
    rows = [_read_row(caller, row) for row in envelope.memories]
    if atomic and any(isinstance(row, Saved) for row in rows):
        raise _refusal([(index, row) for index, row in enumerate(rows) if isinstance(row, Saved)])
    fit = [row for row in rows if isinstance(row, NewMemory)]
    saved = iter(await remember(fit, atomic=atomic) if fit else ())
    answers = [next(saved) if isinstance(row, NewMemory) else row for row in rows]
    if atomic and any(answer.status == "rejected" for answer in answers):
        # A row that is only kept out by another names no field.
        numbered = list(enumerate(answers))
        guilty = [(index, answer) for index, answer in numbered if answer.field]
        raise _refusal(guilty or numbered)
    counts = Counter(answer.status for answer in answers)
    results = tuple(_row_answer(index, answer) for index, answer in enumerate(answers))
    view = wire.BatchAnswer(
        counts=wire.CountsView(**counts), results=results, redacted=wire.redacted_in(results)
    )
    return json_answer(HTTPStatus.OK, view)


def _read_row(caller: Caller, row: object) -> NewMemory | Saved:
    try:
        return new_memory(caller, read_as(wire.MemoryRequest, row))
    except FaultyRequestError as error:
        first = error.faults[0]
        return Saved("rejected", error=first.message, field=first.field)
    except InvalidInputError as error:
        return Saved("rejected", error=error.message, field=error.field)


def _refusal(rejected: Sequence[tuple[int, Saved]]) -> FaultyRequestError:
    faults = [fault_of_row(row, f"memories.{index}.") for index, row in rejected]
    return FaultyRequestError(faults, "the batch is atomic, and not every row can be stored")


def fault_of_row(saved: Saved, prefix: str = "") -> wire.FaultView:
    message = (saved.error or "cannot be stored").removeprefix(f"{saved.field}: ")
    return wire.FaultView(field=f"{prefix}{saved.field or ''}".rstrip(".") or None, message=message)


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
    """Join what is remembered with who remembers it."""
    return NewMemory(
        scope=caller.writable(request.scope_kind),
        agent_id=caller.agent_id,
        channel_id=only(caller.channel_ids),
        user_id=only(caller.user_ids),
        content_type=request.content_type or ("structured" if request.structured else "text"),
        text=request.text,
        kind=request.kind,
        external_id=request.external_id,
        session_id=request.session_id,
        sequence=request.sequence,
        task_id=request.task_id,
        speaker=request.speaker,
        structured=request.structured,
        vector=request.vector,
        stratum=request.stratum,
        importance=request.importance,
        tags=request.tags,
        domain=request.domain,
        phase=request.phase,
        source_type=request.source_type,
        event_id=request.event_id,
        correct=request.correct,
        model=request.model,
        occurred_at=request.occurred_at,
        valid_from=request.valid_from,
        valid_to=request.valid_to,
        expires_at=request.expires_at,
        metadata=request.metadata,
        links=tuple(Link(link.type, link.to) for link in request.links),
        initial_q=request.initial_q,
    )


def only(names: tuple[str, ...]) -> str | None:
    return names[0] if len(names) == 1 else None
