"""Minimal HTTP client, so that the service dominates the time."""

from __future__ import annotations

import asyncio
import json
import re
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_IDLE_SECONDS = 2.0  # servers close idle connections, often after five
_LIMIT_BYTES = 2**26


class LeanConnection:
    """One persistent connection; answers must state their length."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._host, self._port, self._name = parts.hostname, parts.port, parts.netloc
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._used = 0.0

    async def post(self, path: str, payload: Mapping[str, Any]) -> Any:
        """Send JSON, return JSON.

        Raises
        ------
        SystemExit
            If the service refuses; with what it says.
        """
        reader, writer = await self._opened()
        body = json.dumps(payload).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: {self._name}\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answered = await reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(answered)
        content = await reader.readexactly(int(length[1]) if length else 0)
        if not answered.startswith(b"HTTP/1.1 2"):
            raise SystemExit(f"{path}: {answered[9:12].decode()} {content[:500].decode()}")
        self._used = time.monotonic()
        return json.loads(content)

    async def _opened(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams and time.monotonic() - self._used < _IDLE_SECONDS:
            return self._streams
        await self.close()
        self._streams = await asyncio.open_connection(self._host, self._port, limit=_LIMIT_BYTES)
        return self._streams

    async def close(self) -> None:
        """Close what is open."""
        if self._streams:
            _, writer = self._streams
            self._streams = None
            writer.close()
            await writer.wait_closed()


@asynccontextmanager
async def connected(url: str) -> AsyncGenerator[LeanConnection]:
    """Keep one connection open for a block."""
    connection = LeanConnection(url)
    try:
        yield connection
    finally:
        await connection.close()
