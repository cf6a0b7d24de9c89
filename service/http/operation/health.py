"""`/healthz`, `/readyz` and `/metrics`: liveness, readiness and metrics."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.security import HTTPAuthorizationCredentials
from starlette.responses import PlainTextResponse, Response

from graph.kernel.errors import StratagraphError
from service.http.kernel.errors import RETRY_SECONDS
from service.http.kernel.routing import serves
from service.http.kernel.security import bearer_scheme, header_scheme, refuse_but_operators
from service.http.kernel.state import Bound
from stratagraph.operations.operation import HEALTH, METRICS, READY
from stratagraph.wire import HealthView

router = APIRouter()


@serves(router, HEALTH)
async def healthz() -> Response:
    return _answer(HTTPStatus.OK, HealthView(status="ok"))


@serves(router, READY, responses={503: {"model": HealthView, "description": "Not ready"}})
async def readyz(service: Bound) -> Response:
    try:
        missing = dict(await service.readiness())
    except StratagraphError as error:
        missing = {"service": error.message}
    if missing:
        health = HealthView(status="not ready", waiting_for=missing)
        return _answer(HTTPStatus.SERVICE_UNAVAILABLE, health)
    full = service.database.why_no_writes()
    limits = {"writes": full} if full else {}
    return _answer(HTTPStatus.OK, HealthView(status="ready", limited_by=limits))


def _answer(status: HTTPStatus, health: HealthView) -> Response:
    headers = {} if status == HTTPStatus.OK else {"Retry-After": str(RETRY_SECONDS)}
    return Response(health.model_dump_json(), status, headers, "application/json")


def may_watch(
    request: Request,
    service: Bound,
    authorization: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer_scheme)],
    header: Annotated[str | None, Depends(header_scheme)],
) -> None:
    """Refuse callers without access to the metrics of all tenants."""
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
