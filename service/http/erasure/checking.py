"""`/v1/admin/fsck`: consistency checks and repairs of the graph, for operators."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.security import HTTPAuthorizationCredentials

from service.faults import read_as
from service.http.kernel.body import read_json
from service.http.kernel.routing import serves
from service.http.kernel.security import bearer_scheme, header_scheme, refuse_but_operators
from service.http.kernel.state import Bound
from service.http.kernel.views import view_of
from service.use_cases.kernel.paging import decode_check, encode_check
from stratagraph import wire
from stratagraph.operations.erasure import CHECK_GRAPH, REPAIR_GRAPH

_AT_ONCE = timedelta(seconds=5)


def may_operate(
    request: Request,
    service: Bound,
    authorization: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer_scheme)],
    header: Annotated[str | None, Depends(header_scheme)],
) -> None:
    """Refuse callers without access to the graph of all tenants."""
    given = authorization.credentials if authorization else header
    refuse_but_operators(request, service.settings.admin_key, given, "STRATAGRAPH_ADMIN_KEY")


async def asked_of_operators(
    request: Request, _allowed: Annotated[None, Depends(may_operate)]
) -> wire.CheckRequest:
    return read_as(wire.CheckRequest, await read_json(request))


router = APIRouter(dependencies=[Depends(may_operate)])


@serves(router, CHECK_GRAPH)
async def check_graph(asked: wire.CheckRequest, service: Bound) -> wire.CheckAnswer:
    return await _checked(service, asked, repair=False)


@serves(router, REPAIR_GRAPH)
async def mend_graph(
    body: Annotated[wire.CheckRequest, Depends(asked_of_operators)], service: Bound
) -> wire.CheckAnswer:
    return await _checked(service, body, repair=True)


async def _checked(service: Bound, asked: wire.CheckRequest, *, repair: bool) -> wire.CheckAnswer:
    place = None if asked.cursor is None else decode_check(asked.cursor)
    report = await service.check_graph(repair=repair, place=place, most=_AT_ONCE)
    cursor = encode_check(report.place) if report.place else None
    return view_of(wire.CheckAnswer, report, next_cursor=cursor)
