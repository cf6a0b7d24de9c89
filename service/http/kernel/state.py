"""Access of routes to the running service."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Annotated, cast

from fastapi import Depends, FastAPI, Request

from graph.kernel.errors import DatabaseUnavailableError
from graph.ports.telemetry import Telemetry
from service.bootstrap import Service, service_of


class Streams:
    """Open streaming answers, and the signal that ends them."""

    def __init__(self) -> None:
        self.open = 0
        self._closing = asyncio.Event()

    @contextmanager
    def one_more(self, telemetry: Telemetry) -> Generator[None]:
        """Count a stream while it is open."""
        self.open += 1
        telemetry.gauge("event_streams", self.open)
        try:
            yield
        finally:
            self.open -= 1
            telemetry.gauge("event_streams", self.open)

    def close(self) -> None:
        """End all streams."""
        self._closing.set()

    async def closes_within(self, seconds: float) -> bool:
        """Wait for seconds at most; return whether streams have to end."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), seconds)
        return self._closing.is_set()


def bind(app: FastAPI, service: Service | None) -> None:
    app.state.service = service
    if service is not None:
        app.state.streams = Streams()


def end_streams(app: object) -> None:
    """End an application's streams, so that its stop does not wait for them."""
    streams = getattr(getattr(app, "state", None), "streams", None)
    if isinstance(streams, Streams):
        streams.close()


def streams_of(request: Request) -> Streams:
    return cast("Streams", request.app.state.streams)


def bound_service(request: Request) -> Service:
    service = service_of(request.app)
    # it starts, or its Neo4j is unavailable: retry soon
    if service is None:
        raise DatabaseUnavailableError("the service is starting")
    return service


Bound = Annotated[Service, Depends(bound_service)]
