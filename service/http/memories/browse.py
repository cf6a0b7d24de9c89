"""`GET /v1/memories…`: pages, counts, one memory, its past and its surroundings."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Header
from fastapi.routing import APIRoute
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Scope

from graph.kernel.scope import Caller
from graph.model.memories.browsing import EDGE_TYPES, Version
from service.http.kernel.filters import filters_of
from service.http.kernel.preconditions import tags_of
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import (
    MemoryName,
    entity_tag,
    memory_answer,
    memory_view,
    scope_view,
)
from stratagraph import wire
from stratagraph.operations.consolidation import PROVENANCE
from stratagraph.operations.memories import COUNT, GET, LIST_MEMORIES, LIST_VERSIONS, NEIGHBOURHOOD


class UnderName(APIRoute):
    """A route that may follow a memory's name: a last slash that came encoded belongs to an external id."""

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
    items = tuple(memory_view(memory) for memory in page.items)
    return wire.MemoryPage(items=items, next_cursor=page.cursor)


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
    groups = None if count.groups is None else dict(count.groups)
    return wire.MemoryCount(count=count.total, groups=groups)


@serves(router, LIST_VERSIONS)
async def list_versions(
    name: MemoryName, caller: Caller, asked: wire.VersionsRequest, service: Bound
) -> wire.VersionPage:
    page = await service.list_versions(caller, name, limit=asked.limit, cursor=asked.cursor)
    items = tuple(_version_view(version) for version in page.items)
    return wire.VersionPage(items=items, next_cursor=page.cursor)


@serves(router, NEIGHBOURHOOD)
async def show_neighbourhood(
    name: MemoryName, caller: Caller, asked: wire.NeighbourhoodRequest, service: Bound
) -> wire.NeighbourhoodView:
    types = asked.types or EDGE_TYPES
    found = await service.show_neighbourhood(
        caller, name, types=types, hops=asked.hops, limit=asked.limit
    )
    return wire.NeighbourhoodView(
        nodes=tuple(_view(wire.NodeView, node) for node in found.nodes),
        edges=tuple(_view(wire.EdgeView, edge) for edge in found.edges),
        truncated=found.truncated,
    )


@serves(router, PROVENANCE)
async def show_provenance(
    name: MemoryName, caller: Caller, asked: wire.ProvenanceRequest, service: Bound
) -> wire.ProvenanceView:
    found = await service.show_provenance(caller, name, asked.limit)
    return wire.ProvenanceView(
        uid=found.uid,
        nodes=tuple(
            _view(wire.SourceView, node._replace(scope=scope_view(node.scope)))
            for node in found.nodes
        ),
        edges=tuple(_view(wire.SourceEdgeView, edge) for edge in found.edges),
        withheld=found.withheld,
        truncated=found.truncated,
    )


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


def _version_view(version: Version) -> wire.VersionView:
    return _view(wire.VersionView, version)


def _view(model: type[Any], value: object) -> Any:
    return model(**{name: getattr(value, name) for name in model.model_fields})
