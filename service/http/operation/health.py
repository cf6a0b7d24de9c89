"""`/healthz`: this process lives. `/readyz`: it can answer, or what keeps it from that."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import APIRouter
from starlette.responses import Response

from graph.kernel.errors import StratagraphError
from service.http.kernel.errors import RETRY_SECONDS
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from stratagraph.operations.operation import HEALTH, READY
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
