"""`/mcp`: streamable HTTP without sessions, so that any replica answers any request."""

from __future__ import annotations

import asyncio
import contextvars
from typing import TYPE_CHECKING, cast

import httpx
from starlette.responses import Response

from graph.ports.telemetry import UNWATCHED

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.types import ASGIApp, Receive, Scope, Send

    from graph.ports.telemetry import Telemetry
    from service.bootstrap import Service
    from service.mcp.observing import ServedCalls

# The name by which the routes beneath are asked; nothing goes over a socket.
_HERE = "http://127.0.0.1"


class McpDoor:
    """The endpoint. What it needs takes a second to import, so its first request does that."""

    path = "/mcp"

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._running: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[StreamableHTTPSessionManager] | None = None
        self._closing = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["route"] = self
        if scope["method"] != "POST":
            # There are no sessions to end, and nothing is said that was not asked.
            refusal = Response(status_code=405, headers={"Allow": "POST"})
            await refusal(scope, receive, send)
            return
        manager = await self._manager(scope)
        await manager.handle_request(scope, receive, send)

    async def close(self) -> None:
        """End what the first request began."""
        self._closing.set()
        if self._running is not None:
            await self._running

    async def _manager(self, scope: Scope) -> StreamableHTTPSessionManager:
        # the first request begins it; those that come meanwhile wait for the same future
        if self._ready is None:
            self._ready = asyncio.get_running_loop().create_future()
            # In a context of its own: it outlives the request that began it.
            self._running = asyncio.create_task(
                self._begin(self._ready, _telemetry(scope), observe=_observes(scope)),
                context=contextvars.Context(),
            )
        # shielded: a client that goes away must not cancel what others wait for
        return await asyncio.shield(self._ready)

    async def _begin(
        self,
        ready: asyncio.Future[StreamableHTTPSessionManager],
        telemetry: Telemetry,
        *,
        observe: bool,
    ) -> None:
        """Run; if that fails, those who wait hear of it, and the next request begins again."""
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
        """Enter the manager and leave it in one task, as its cancel scopes demand."""
        # off the event loop: the import takes a second
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
        """Ask a route, which may want to know by which door; a header could be anybody's."""
        # noted in the state, where no client can put it
        scope["state"] = {"door": "mcp"}
        await self._app(scope, receive, send)


def _load() -> Callable[..., tuple[StreamableHTTPSessionManager, ServedCalls | None]]:
    from service.mcp.sessions import session_manager

    return session_manager


def _telemetry(scope: Scope) -> Telemetry:
    service = cast("Service | None", getattr(scope["app"].state, "service", None))
    return service.telemetry if service else UNWATCHED


def _observes(scope: Scope) -> bool:
    service = cast("Service | None", getattr(scope["app"].state, "service", None))
    return service is not None and service.settings.mcp_observe
