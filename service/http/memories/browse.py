"""`GET /v1/memories…`: pages, counts, one memory, its versions and its neighbourhood."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Header
from fastapi.routing import APIRoute
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Scope

from graph.kernel.scope import Caller
from graph.model.memories.browsing import EDGE_TYPES
from service.http.kernel.filters import filters_of
from service.http.kernel.preconditions import tags_of
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import (
    MemoryName,
    entity_tag,
    memory_answer,
    view_of,
)
from stratagraph import wire
from stratagraph.operations.consolidation import PROVENANCE
from stratagraph.operations.memories import COUNT, GET, LIST_MEMORIES, LIST_VERSIONS, NEIGHBOURHOOD


class UnderName(APIRoute):
    """Route below a memory's name; an encoded slash belongs to an external id."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        raw: bytes = scope.get("raw_path") or b""
        if b"%2F" in raw.upper().rpartition(b"/")[2] and not self.path.endswith("}"):
            return Match.NONE, {}
        return super().matches(scope)


router = APIRouter(route_class=UnderName)

IfNoneMatch = Annotated[
    str | None, Header(description="An ETag; what still has it is answered with 304.")
]


@serves(router, LIST_MEMORIES)
async def list_memories(caller: Caller, asked: wire.ListRequest, service: Bound) -> wire.MemoryPage:
    page = await service.list_memories(
        caller,
        filters_of(asked, asked.written_by),
        scope_kind=asked.scope_kind,
        order=asked.order,
        limit=asked.limit,
        cursor=asked.cursor,
    )
    return view_of(wire.MemoryPage, page, next_cursor=page.cursor)


@serves(router, COUNT)
async def count_memories(
    caller: Caller, asked: wire.CountRequest, service: Bound
) -> wire.MemoryCount:
    count = await service.count_memories(
        caller,
        filters_of(asked, asked.written_by),
        scope_kind=asked.scope_kind,
        by=asked.by,
    )
    return view_of(wire.MemoryCount, count, count=count.total)


@serves(router, LIST_VERSIONS)
async def list_versions(
    name: MemoryName, caller: Caller, asked: wire.VersionsRequest, service: Bound
) -> wire.VersionPage:
    page = await service.list_versions(caller, name, limit=asked.limit, cursor=asked.cursor)
    return view_of(wire.VersionPage, page, next_cursor=page.cursor)


@serves(router, NEIGHBOURHOOD)
async def show_neighbourhood(
    name: MemoryName, caller: Caller, asked: wire.NeighbourhoodRequest, service: Bound
) -> wire.NeighbourhoodView:
    types = asked.types or EDGE_TYPES
    found = await service.show_neighbourhood(
        caller, name, types=types, hops=asked.hops, limit=asked.limit
    )
    return view_of(wire.NeighbourhoodView, found)


@serves(router, PROVENANCE)
async def show_provenance(
    name: MemoryName, caller: Caller, asked: wire.ProvenanceRequest, service: Bound
) -> wire.ProvenanceView:
    found = await service.show_provenance(caller, name, asked.limit)
    return view_of(wire.ProvenanceView, found)


@serves(router, GET, responses={304: {"description": "What the memory says has not changed"}})
async def get_memory(
    name: MemoryName, caller: Caller, service: Bound, if_none_match: IfNoneMatch = None
) -> Response:
    memory = await service.get_memory(caller, name)
    known = tags_of("If-None-Match", if_none_match, weak=True)
    if known is not None and (known.any or (memory.uid, memory.revision) in known.pairs):
        tag = entity_tag(memory.uid, memory.revision)
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers={"ETag": tag})
    return memory_answer(memory)
