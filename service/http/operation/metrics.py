"""`/metrics`: the service's numbers, for Prometheus."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.security import HTTPAuthorizationCredentials
from starlette.responses import PlainTextResponse, Response

from service.http.kernel.routing import serves
from service.http.kernel.security import bearer_scheme, header_scheme, refuse_but_operators
from service.http.kernel.state import Bound
from stratagraph.operations.operation import METRICS

router = APIRouter()


def may_watch(
    request: Request,
    service: Bound,
    authorization: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer_scheme)],
    header: Annotated[str | None, Depends(header_scheme)],
) -> None:
    """Let in whoever may see the numbers of all tenants together."""
    given = authorization.credentials if authorization else header
    key = service.settings.metrics_key
    refuse_but_operators(request, key, given, "STRATAGRAPH_METRICS_KEY")


@serves(
    router,
    METRICS,
    responses={
        200: {"description": "Prometheus' text format; docs/operations.md names each metric"}
    },
    response_class=PlainTextResponse,
    dependencies=[Depends(may_watch)],
)
async def metrics(service: Bound) -> Response:
    return Response(await service.exposition(), media_type=service.metrics.media_type)
