"""A TCP proxy with planned faults, one connection after another."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

# refuse: the connection is closed at once. lose: the service answers, but the answer is dropped.
# close: all goes well, then the connection ends. cut: half of the answer is sent. stall: nothing is
# forwarded or answered. Bytes: an answer instead of the service's.
Fault = Literal["refuse", "lose", "close", "cut", "stall"] | bytes


@dataclass
class LossyWay:
    """Forwards requests and answers, except for planned faults; each ends its connection."""

    target: str
    faults: deque[Fault] = field(default_factory=deque["Fault"])
    url: str = ""
    connections: int = 0
    open: set[asyncio.Task[None]] = field(default_factory=set["asyncio.Task[None]"])
    stalled: asyncio.Event = field(default_factory=asyncio.Event)

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.create_task(self.serve(reader, writer))
        self.open.add(task)
        task.add_done_callback(self.open.discard)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        fault = self.faults.popleft() if self.faults else None
        try:
            await self._serve(reader, writer, fault)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, fault: Fault | None
    ) -> None:
        if fault == "refuse":
            return
        if fault == "stall":
            self.stalled.set()
            await reader.read()
            return
        while request := await _message(reader):
            answer = fault if isinstance(fault, bytes) else await self._ask(request)
            if fault == "lose":
                return
            writer.write(answer[: len(answer) // 2] if fault == "cut" else answer)
            await writer.drain()
            if fault is not None:
                return

    async def _ask(self, request: bytes) -> bytes:
        place = urlsplit(self.target)
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        writer.write(request)
        answer = await _message(reader)
        writer.close()
        return answer


async def _message(reader: asyncio.StreamReader) -> bytes:
    """Read one request or answer: its head, and a body of the stated length."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return b""
    lengths = [
        line.partition(b":")[2]
        for line in head.lower().split(b"\r\n")
        if line.startswith(b"content-length:")
    ]
    if b"transfer-encoding: chunked" in head.lower():
        return head + await _chunks(reader)
    return head + await reader.readexactly(int(lengths[0])) if lengths else head


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while True:
        size = await reader.readuntil(b"\r\n")
        body += size + await reader.readexactly(int(size, 16) + 2)
        if int(size, 16) == 0:
            return body


def said(status: str, body: bytes = b"", **headers: str) -> bytes:
    """Return an answer as bytes."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


@asynccontextmanager
async def lossy_way(target: str) -> AsyncGenerator[LossyWay]:
    way = LossyWay(target)
    server = await asyncio.start_server(way.accept, "127.0.0.1", 0, limit=64 * 1024 * 1024)
    host, port = server.sockets[0].getsockname()
    way.url = f"http://{host}:{port}"
    async with server:
        yield way
    for task in way.open:
        task.cancel()
    await asyncio.gather(*way.open, return_exceptions=True)
