"""What a tool says when the service is somewhere else, gone, or answers nonsense."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from mcp import Client

from graph.kernel.errors import InvalidInputError, JavaError, StratagraphError
from service.app import create_app
from service.bootstrap import Service
from service.bootstrap.managed import remove_service, write_service
from service.cli.mcp import Nearby
from service.mcp.asking import Asking
from service.mcp.server import build_server
from service.settings import Settings
from tests.doors.operation.test_command_line import invoke
from tests.doors.tools import call, refused

ASKED = {"text": "tea", "agentId": "anna"}


@asynccontextmanager
async def speaking(*clients: httpx.AsyncClient) -> AsyncGenerator[Client]:
    """A client of tools that find the first service at first, and the next one after that."""
    left = list(clients)

    async def reach() -> httpx.AsyncClient:
        return left.pop(0) if len(left) > 1 else left[0]

    async with Client(build_server(Asking(reach))) as client:
        yield client


@asynccontextmanager
async def answering(said: bytes) -> AsyncGenerator[str]:
    """Something that listens, says that much to each request, and hangs up."""

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(said)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def dead(port: int) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}")


async def test_who_is_gone_is_replaced_by_who_answers_now(service: Service) -> None:
    transport = httpx.ASGITransport(app=create_app(service))
    live = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1")
    async with dead(9) as gone, live, speaking(gone, live) as client:
        assert (await call(client, "memory_recall", **ASKED))["results"] == []


async def test_where_nobody_answers_the_last_place_is_named() -> None:
    async with dead(9) as one, dead(10) as other, speaking(one, other) as client:
        said = await refused(client, "memory_recall", **ASKED)
        assert said == "no service answers at http://127.0.0.1:10; start it: stratagraph serve"


async def test_a_call_that_was_lost_on_its_way_is_not_repeated() -> None:
    async with (
        answering(b"") as url,
        httpx.AsyncClient(base_url=url) as http,
        speaking(http) as client,
    ):
        said = await refused(client, "memory_recall", **ASKED)
    assert "did not answer (RemoteProtocolError)" in said
    assert "is not known" in said


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 6\r\n\r\n<html>",
            "the service answered 502",
        ),
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n[]", "the service answered 404"),
        (
            b'HTTP/1.1 503 Unavailable\r\nContent-Length: 22\r\n\r\n{"detail": "starting"}',
            "starting; try again in a moment",
        ),
    ],
)
async def test_what_stands_in_front_may_answer_otherwise(answer: bytes, said: str) -> None:
    async with (
        answering(answer) as url,
        httpx.AsyncClient(base_url=url) as http,
        speaking(http) as client,
    ):
        assert await refused(client, "memory_recall", **ASKED) == said


def test_who_asks_is_checked_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRATAGRAPH_HOME", str(tmp_path))
    done = invoke("mcp", "--agent", "a\n", "--url", "http://127.0.0.1:9")
    assert isinstance(done.exception, InvalidInputError)
    assert "agent_id: must be printable" in done.exception.message


async def test_the_service_of_a_home_is_found(tmp_path: Path) -> None:
    nearby = Nearby(Settings(home=tmp_path), None)
    write_service(tmp_path, "http://127.0.0.1:8499")
    try:
        assert await nearby.url() == "http://127.0.0.1:8499"
    finally:
        remove_service(tmp_path)
    await nearby.close()
    assert await Nearby(Settings(home=tmp_path), "http://there").url() == "http://there"


async def test_why_none_can_be_started_is_said_each_time(tmp_path: Path) -> None:
    nearby = Nearby(Settings(home=tmp_path, java=tmp_path / "no-java"), None)
    for _ in range(2):
        with pytest.raises(JavaError, match="no-java"):
            await nearby.url()
    await nearby.close()
    assert issubclass(JavaError, StratagraphError)
