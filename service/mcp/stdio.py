"""MCP over standard input and output."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Protocol

import httpx
from mcp.server.stdio import stdio_server

from graph.kernel.errors import InvalidInputError
from service.faults import FaultyRequestError, read_as
from service.mcp.asking import Asking
from service.mcp.inputs import Who
from service.mcp.observing import ServedCalls
from service.mcp.server import Caller, build_server, faults_said, toolsets_of
from stratagraph.connect import http_options, target_of


def speaker(
    agent: str | None,
    channels: Sequence[str],
    users: Sequence[str],
    toolsets: Sequence[str] = (),
) -> Caller:
    """Return the identity of a connection, and its toolsets; a call may name another caller.

    Raises
    ------
    InvalidInputError
        If a name cannot be one, or there is no such toolset.
    """
    named = {"agent_id": agent, "channel_ids": tuple(channels), "user_ids": tuple(users)}
    said = {name: value for name, value in named.items() if value}
    try:
        return Caller(read_as(Who, said, by_name=True), {}, toolsets_of(toolsets))
    except FaultyRequestError as error:
        raise InvalidInputError(faults_said(error)) from None


class Place(Protocol):
    """Address of the service."""

    async def url(self) -> str:
        """Return the address; may be slow, as the handshake does not wait for it."""
        ...

    async def close(self) -> None:
        """Release the resources of the address."""
        ...


async def speak(place: Place, key: str | None, caller: Caller, *, observe: bool = False) -> None:
    """Serve until standard input ends; other output goes to standard error."""
    async with AsyncExitStack() as stack:
        known: dict[str, httpx.AsyncClient] = {}

        async def reach() -> httpx.AsyncClient:
            # lazily: only the first call waits for it
            base = await place.url()
            if base not in known:
                # one client per address: connections are reused
                options = http_options(target_of(base, key, {}), verify=True, cert=None, proxy=None)
                known[base] = await stack.enter_async_context(httpx.AsyncClient(**options))
            return known[base]

        incoming, outgoing = await stack.enter_async_context(stdio_server())
        stack.push_async_callback(place.close)
        asks = Asking(reach)
        served = ServedCalls(asks) if observe else None
        server = build_server(asks, caller, served=served)
        try:
            await server.run(incoming, outgoing, server.create_initialization_options())
        finally:
            if served is not None:
                await served.close()
