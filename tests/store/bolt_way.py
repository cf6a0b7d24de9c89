"""A proxy of Neo4j's Bolt that loses the connection at a chosen moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from graph.database.driver import Connection

_COMMIT = (
    b"\x00\x02\xb0\x12\x00\x00"  # a chunk of Bolt: two bytes of length, a message without fields
)


@dataclass
class BoltWay:
    """Forwards messages.

    ``is_down`` ends each connection at once. ``loses_commits`` ends one when Neo4j has answered a commit, and drops the
    answer.
    """

    target: str
    is_down: bool = False
    loses_commits: bool = False
    open: set[asyncio.Task[None]] = field(default_factory=set["asyncio.Task[None]"])

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self.open.add(task)
        task.add_done_callback(self.open.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        place = urlsplit(self.target)
        there, back = await asyncio.open_connection(place.hostname, place.port)
        answering = asyncio.create_task(_pass_on(there, writer))
        try:
            with suppress(ConnectionError):
                while not self.is_down and (said := await reader.read(65536)):
                    lost = self.loses_commits and _COMMIT in said
                    if lost:
                        await _end(answering)
                    back.write(said)
                    if lost:
                        await there.read(65536)
                        return
        finally:
            await _end(answering)
            for end in (writer, back):
                end.close()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while said := await reader.read(65536):
            writer.write(said)
            await writer.drain()
    writer.close()


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def bolt_way(connection: Connection) -> AsyncGenerator[tuple[BoltWay, Connection]]:
    """Open such a proxy; yield it with the connection through it."""
    way = BoltWay(connection.uri)
    server = await asyncio.start_server(way.accept, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    async with server:
        yield way, replace(connection, uri=f"bolt://{host}:{port}", timeout_seconds=0.5)
        for task in list(way.open):
            await _end(task)
