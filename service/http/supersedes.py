"""`/v1/memories/{name}/supersedes/{older}`: say that one memory replaces another, or that it does not."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Scope

from service.http.errors import problem_responses
from service.http.security import QueryCaller
from service.http.state import Bound
from service.http.views import MemoryName, json_answer
from stratagraph import wire

_BETWEEN = b"/supersedes/"


class BetweenNames(APIRoute):
    """A route between two names; where its word came encoded it belongs to an external id."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        raw: bytes = scope.get("raw_path") or b""
        return super().matches(scope) if raw.count(_BETWEEN) == 1 else (Match.NONE, {})


router = APIRouter(prefix="/v1/memories", tags=["memories"], route_class=BetweenNames)


@router.put(
    "/{name:path}/supersedes/{older:path}",
    summary="Say that a memory replaces another",
    responses={
        200: {"model": wire.SupersessionView},
        **problem_responses(401, 404, 409, 422, 503),
    },
)
async def state_supersession(
    name: MemoryName, older: MemoryName, caller: QueryCaller, service: Bound
) -> Response:
    created = await service.state_supersession(caller, name, older)
    view = wire.SupersessionView(newer=name, older=older, created=created)
    return json_answer(HTTPStatus.OK, view)


@router.delete(
    "/{name:path}/supersedes/{older:path}",
    summary="Say that a memory does not replace another",
    status_code=204,
    response_class=Response,
    responses=problem_responses(401, 404, 422, 503),
)
async def undo_supersession(
    name: MemoryName, older: MemoryName, caller: QueryCaller, service: Bound
) -> Response:
    await service.undo_supersession(caller, name, older)
    return Response(status_code=HTTPStatus.NO_CONTENT)
