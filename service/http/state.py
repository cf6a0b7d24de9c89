"""The running service, as routes reach it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

from fastapi import Depends, Request

from graph.errors import DatabaseUnavailableError
from service.bootstrap import Service

if TYPE_CHECKING:
    from fastapi import FastAPI


def bind(app: FastAPI, service: Service | None) -> None:
    app.state.service = service


def bound_service(request: Request) -> Service:
    service = cast("Service | None", getattr(request.app.state, "service", None))
    if service is None:
        raise DatabaseUnavailableError("the service is starting")
    return service


Bound = Annotated[Service, Depends(bound_service)]
