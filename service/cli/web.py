"""The web server that `serve` runs."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import uvicorn

from service.app import create_app
from service.cli.port import port_taken, reuse_address
from service.http.kernel.state import end_streams

if TYPE_CHECKING:
    from service.bootstrap import Service

GRACE_SECONDS = 10


class Api(uvicorn.Server):
    """The web server, with our signal handlers, and a notification when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = asyncio.Event()

    @contextmanager
    # our own handlers also stop Neo4j
    def capture_signals(self) -> Generator[None]:
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # streams do not end by themselves: the server would wait for them
        end_streams(self.config.app)
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()


async def answer(api: Api, listener: socket.socket) -> None:
    reuse_address(listener, yes=True)
    try:
        await api.serve(sockets=[listener])
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        raise port_taken(listener.getsockname()[1]) from error


def api_config(service: Service) -> uvicorn.Config:
    return uvicorn.Config(
        create_app(service),
        http="httptools",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
