"""The least an HTTP client can be, so that what is timed is the service."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)


class LeanConnection:
    """One kept connection; answers must state their length."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._host = host

    async def post(self, path: str, payload: Mapping[str, Any]) -> Any:
        """Send JSON, return JSON.

        Raises
        ------
        SystemExit
            If the service refuses; with what it says.
        """
        body = json.dumps(payload).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: {self._host}\r\nContent-Type: application/json\r\n"
        self._writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answered = await self._reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(answered)
        content = await self._reader.readexactly(int(length[1]) if length else 0)
        if not answered.startswith(b"HTTP/1.1 2"):
            raise SystemExit(f"{path}: {answered[9:12].decode()} {content[:500].decode()}")
        return json.loads(content)


@asynccontextmanager
async def connected(url: str) -> AsyncGenerator[LeanConnection]:
    """Keep one connection open."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port, limit=2**26)
    try:
        yield LeanConnection(reader, writer, parts.netloc)
    finally:
        writer.close()
        await writer.wait_closed()
