"""Streamable HTTP without sessions, on top of the application's own routes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from service.mcp.asking import Asking
from service.mcp.observing import ServedCalls
from service.mcp.server import build_server

if TYPE_CHECKING:
    import httpx

    from graph.ports.telemetry import Telemetry

MAX_BODY_BYTES = 4 * 1024 * 1024


def session_manager(
    http: httpx.AsyncClient, telemetry: Telemetry, *, observe: bool
) -> tuple[StreamableHTTPSessionManager, ServedCalls | None]:
    """Return the manager, which answers each POST with one JSON object, and the observer of calls, if enabled."""

    async def here() -> httpx.AsyncClient:
        return http

    asks = Asking(here)
    served = ServedCalls(asks) if observe else None
    manager = StreamableHTTPSessionManager(
        build_server(asks, telemetry=telemetry, served=served),
        json_response=True,
        stateless=True,
        max_request_body_size=MAX_BODY_BYTES,
    )
    return manager, served
