"""`/healthz`: this process lives. `/readyz`: it can answer, or what keeps it from that."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.responses import Response

from graph.errors import StratagraphError
from service.http.errors import RETRY_SECONDS
from service.http.state import Bound

router = APIRouter(tags=["health"])


class Health(BaseModel):
    status: str = Field(description="`ok`, `ready` or `not ready`.", examples=["ready"])
    waiting_for: dict[str, str] = Field(
        default_factory=dict,
        description="What is not ready, and why.",
        examples=[{"neo4j": "does not answer"}],
    )


@router.get("/healthz", summary="Is the process alive?", responses={200: {"model": Health}})
async def healthz() -> Response:
    return _answer(HTTPStatus.OK, Health(status="ok"))


@router.get(
    "/readyz",
    summary="Can it answer?",
    responses={200: {"model": Health}, 503: {"model": Health, "description": "Not ready"}},
)
async def readyz(service: Bound) -> Response:
    try:
        missing = dict(await service.readiness())
    except StratagraphError as error:
        missing = {"service": error.message}
    if missing:
        health = Health(status="not ready", waiting_for=missing)
        return _answer(HTTPStatus.SERVICE_UNAVAILABLE, health)
    return _answer(HTTPStatus.OK, Health(status="ready"))


def _answer(status: HTTPStatus, health: Health) -> Response:
    headers = {} if status == HTTPStatus.OK else {"Retry-After": str(RETRY_SECONDS)}
    return Response(health.model_dump_json(), status, headers, "application/json")
