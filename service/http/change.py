"""`PATCH /v1/memories/{name}`: change what a stored memory says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, cast

from fastapi import APIRouter, Header, Request
from starlette.responses import Response

from service.http.body import Decoded
from service.http.errors import problem_responses
from service.http.faults import FaultyRequestError, MediaTypeError, read_as
from service.http.openapi import request_body
from service.http.preconditions import tags_of
from service.http.security import QueryCaller
from service.http.state import Bound
from service.http.views import MemoryName, memory_answer
from stratagraph import wire

router = APIRouter(prefix="/v1/memories", tags=["memories"])

MERGE_PATCH = "application/merge-patch+json"
# What a memory is, as against what it says.
FIXED = frozenset(wire.MemoryView.model_fields) - frozenset(wire.PatchRequest.model_fields) | {
    "scope_kind",
    "links",
}

IfMatch = Annotated[
    str | None,
    Header(description="The ETag the change was made from; another revision is answered by 412."),
]


@router.patch(
    "/{name:path}",
    summary="Change what a memory says",
    responses={
        200: {"model": wire.MemoryView},
        **problem_responses(400, 401, 404, 409, 412, 413, 415, 422, 503),
    },
    openapi_extra=request_body(
        {
            "text": ("Another text", {"text": "Ada prefers short answers.", "importance": 4}),
            "keys": ("One key of the metadata", {"metadata": {"ticket": 18, "draft": None}}),
            "archive": ("No longer recalled", {"state": "archived"}),
        },
        wire.PatchRequest,
        media_types=(MERGE_PATCH, "application/json"),
    ),
)
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
    return memory_answer(await service.amend_memory(caller, name, changes, expected=expected))


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
