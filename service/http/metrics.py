"""`/metrics`: the service's numbers, for Prometheus."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.security import HTTPAuthorizationCredentials
from starlette.responses import PlainTextResponse, Response

from graph.errors import AuthenticationError
from service.http.errors import problem_responses
from service.http.security import KeyRing, bearer_scheme, header_scheme, refuse_other_hosts
from service.http.state import Bound

router = APIRouter(tags=["health"])


def may_watch(
    request: Request,
    service: Bound,
    authorization: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer_scheme)],
    header: Annotated[str | None, Depends(header_scheme)],
) -> None:
    """Let in who has the metrics key; without any keys, whoever is on this machine.

    A tenant's key does not do: the numbers are those of all tenants together.

    Raises
    ------
    AuthenticationError
        If the key is missing or wrong, or there is none that would open.
    """
    settings = service.settings
    if settings.metrics_key is not None:
        given = authorization.credentials if authorization else header
        if not given:
            raise AuthenticationError("send the metrics key as `Authorization: Bearer <key>`")
        KeyRing.of([("metrics", settings.metrics_key)]).tenant_of(given)
    elif settings.api_keys:
        raise AuthenticationError(
            "set STRATAGRAPH_METRICS_KEY and send that key: a tenant's does not open this path"
        )
    else:
        refuse_other_hosts(request)


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
