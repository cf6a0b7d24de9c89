"""`/metrics`: the service's numbers, for Prometheus."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.security import HTTPAuthorizationCredentials
from starlette.responses import PlainTextResponse, Response

from service.http.errors import problem_responses
from service.http.security import bearer_scheme, header_scheme, refuse_but_operators
from service.http.state import Bound

router = APIRouter(tags=["health"])


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


@router.get(
    "/metrics",
    summary="The service's numbers, for Prometheus",
    dependencies=[Depends(may_watch)],
    response_class=PlainTextResponse,
    responses={
        200: {"description": "Prometheus' text format; docs/operations.md names each metric"},
        **problem_responses(401, 503),
    },
)
async def metrics(service: Bound) -> Response:
    return Response(await service.exposition(), media_type=service.metrics.media_type)
