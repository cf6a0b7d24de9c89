"""`/mcp`: streamable HTTP without sessions, so that any replica can answer any request."""

from __future__ import annotations

import asyncio
import contextvars
from typing import TYPE_CHECKING

import httpx
from starlette.responses import Response

from graph.ports.telemetry import UNWATCHED
from service.bootstrap import service_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.types import ASGIApp, Receive, Scope, Send

    from graph.ports.telemetry import Telemetry
    from service.mcp.observing import ServedCalls

# Base address of requests to the routes beneath, which use no socket.
_HERE = "http://127.0.0.1"


class McpDoor:
    """The endpoint; its imports take a second and are made by the first request."""

    path = "/mcp"

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._running: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[StreamableHTTPSessionManager] | None = None
        self._closing = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["route"] = self
        if scope["method"] != "POST":
            # Without sessions there is nothing to delete, and no stream to open.
            refusal = Response(status_code=405, headers={"Allow": "POST"})
            await refusal(scope, receive, send)
            return
        manager = await self._manager(scope)
        await manager.handle_request(scope, receive, send)

    async def close(self) -> None:
        """Close what the first request opened."""
        self._closing.set()
        if self._running is not None:
            await self._running

    async def _manager(self, scope: Scope) -> StreamableHTTPSessionManager:
        # the first request starts it; concurrent ones wait for the same future
        if self._ready is None:
            self._ready = asyncio.get_running_loop().create_future()
            # In its own context: it outlives the request that started it.
            self._running = asyncio.create_task(
                self._begin(self._ready, _telemetry(scope), observe=_observes(scope)),
                context=contextvars.Context(),
            )
        # shielded: a disconnected client must not cancel what others wait for
        return await asyncio.shield(self._ready)

    async def _begin(
        self,
        ready: asyncio.Future[StreamableHTTPSessionManager],
        telemetry: Telemetry,
        *,
        observe: bool,
    ) -> None:
        """Start; on failure, waiting requests get the error, and the next one starts again."""
        try:
            await self._run(ready, telemetry, observe=observe)
        except Exception as error:
            self._ready = None
            if ready.done():
                raise
            ready.set_exception(error)

    async def _run(
        self,
        ready: asyncio.Future[StreamableHTTPSessionManager],
        telemetry: Telemetry,
        *,
        observe: bool,
    ) -> None:
        """Enter and leave the manager in one task, as its cancel scopes require."""
        # in a thread: the import takes a second
        build = await asyncio.to_thread(_load)
        transport = httpx.ASGITransport(app=self._beneath, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=_HERE) as http:
            manager, served = build(http, telemetry, observe=observe)
            async with manager.run():
                ready.set_result(manager)
                await self._closing.wait()
            if served is not None:
                await served.close()

    async def _beneath(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a request to a route, marked with this door."""
        # in the state, which a client cannot set, unlike a header
        scope["state"] = {"door": "mcp"}
        await self._app(scope, receive, send)


def _load() -> Callable[..., tuple[StreamableHTTPSessionManager, ServedCalls | None]]:
    from service.mcp.sessions import session_manager

    return session_manager


def _telemetry(scope: Scope) -> Telemetry:
    service = service_of(scope["app"])
    return service.telemetry if service else UNWATCHED


def _observes(scope: Scope) -> bool:
    service = service_of(scope["app"])
    return service is not None and service.settings.mcp_observe
