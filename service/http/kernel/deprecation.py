"""`Deprecation` (RFC 9745): a response header for requests that use an old name of a field."""

from __future__ import annotations

from datetime import UTC, datetime

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stratagraph.wire.kernel.base import OLD_NAMES

# When the names became old; they are removed in the release after.
SINCE = datetime(2026, 11, 23, tzinfo=UTC)


class Deprecations:
    """Middleware that sets a header if a request uses old names."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        used: list[str] = []

        async def send_noted(message: Message) -> None:
            if used and message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Deprecation"] = f"@{SINCE.timestamp():.0f}"
            await send(message)

        token = OLD_NAMES.set(used)
        try:
            await self._app(scope, receive, send_noted)
        finally:
            OLD_NAMES.reset(token)
