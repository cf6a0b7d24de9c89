"""`PATCH /v1/memories/{name}` and `POST /v1/memories/delete`."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Any, cast

from fastapi import APIRouter, Header, Request
from starlette.responses import Response

from graph.kernel.scope import Caller
from graph.model.memories.browsing import RemovalRequest
from service.faults import FaultyRequestError, MediaTypeError, read_as
from service.http.kernel.body import Decoded
from service.http.kernel.filters import filters_of
from service.http.kernel.preconditions import tags_of
from service.http.kernel.routing import serves
from service.http.kernel.security import QueryCaller
from service.http.kernel.state import Bound
from service.http.kernel.views import MemoryName, entity_tag, json_answer, value_of, view_of
from stratagraph import wire
from stratagraph.operations.memories import AMEND, DELETE_MANY

router = APIRouter()

MERGE_PATCH = "application/merge-patch+json"
# Fields that identify a memory, and cannot be changed.
FIXED = frozenset(wire.SingleMemoryView.model_fields) - frozenset(
    wire.PatchRequest.model_fields
) | {
    "scope_kind",
    "links",
}

IfMatch = Annotated[
    str | None,
    Header(description="The ETag the change was made from; another revision is answered by 412."),
]


@serves(router, AMEND, media_types=(MERGE_PATCH, "application/json"))
async def amend_memory(
    request: Request,
    name: MemoryName,
    caller: QueryCaller,
    decoded: Decoded,
    service: Bound,
    if_match: IfMatch = None,
) -> Response:
    _refuse_other_patches(request)
    _refuse_fixed(decoded)
    patch = read_as(wire.PatchRequest, decoded)
    changes: dict[str, Any] = {field: getattr(patch, field) for field in patch.model_fields_set}
    wanted = tags_of("If-Match", if_match, weak=False)
    expected = None if wanted is None or wanted.any else wanted.pairs
    amended = await service.amend_memory(caller, name, changes, expected=expected)
    view = view_of(wire.AmendedView, amended)
    return json_answer(HTTPStatus.OK, view, {"ETag": entity_tag(amended.uid, amended.revision)})


@serves(router, DELETE_MANY)
async def delete_memories(
    caller: Caller, body: wire.DeleteRequest, service: Bound
) -> wire.DeleteAnswer:
    asked = body.filters
    filters = filters_of(asked, asked.agent_id) if asked else None
    request = value_of(RemovalRequest, body, filters=filters, names=body.memories)
    removal = await service.remove_memories(caller, request)
    return view_of(wire.DeleteAnswer, removal, dry_run=body.dry_run, matched=removal.meant)


def _refuse_other_patches(request: Request) -> None:
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type not in {MERGE_PATCH, "application/json"}:
        raise MediaTypeError(f"send a JSON merge patch, with `Content-Type: {MERGE_PATCH}`")


def _refuse_fixed(decoded: object) -> None:
    if not isinstance(decoded, Mapping):
        return
    named = [key for key in cast("Mapping[str, object]", decoded) if key in FIXED]
    if named:
        raise FaultyRequestError(
            [wire.FaultView(field=key, message="cannot be changed") for key in named]
        )
