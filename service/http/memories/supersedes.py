"""`/v1/memories/{name}/supersedes/{older}`: state that one memory replaces another, or that it does not."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.routing import Match
from starlette.types import Scope

from graph.kernel.scope import Caller
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import MemoryName
from stratagraph import wire
from stratagraph.operations.memories import SUPERSEDE, UNSUPERSEDE

_BETWEEN = b"/supersedes/"


class BetweenNames(APIRoute):
    """Route between two names; an encoded separator belongs to an external id."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        raw: bytes = scope.get("raw_path") or b""
        return super().matches(scope) if raw.count(_BETWEEN) == 1 else (Match.NONE, {})


router = APIRouter(route_class=BetweenNames)


@serves(router, SUPERSEDE)
async def state_supersession(
    newer: MemoryName, older: MemoryName, caller: Caller, service: Bound
) -> wire.SupersessionView:
    created = await service.state_supersession(caller, newer, older)
    return wire.SupersessionView(newer=newer, older=older, created=created)


@serves(router, UNSUPERSEDE)
async def undo_supersession(
    newer: MemoryName, older: MemoryName, caller: Caller, service: Bound
) -> None:
    await service.undo_supersession(caller, newer, older)
