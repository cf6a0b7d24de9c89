"""`stratagraph mcp` as a host starts it: the protocol over standard input and output."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from service.bootstrap import Service
from service.bootstrap.managed import read_service
from tests.doors.mcp.test_mcp import found, guarded
from tests.doors.operation.test_serve import command, environment, neo4j_pid
from tests.doors.tools import call, refused
from tests.prepared_home import HomeCopy
from tests.served import served

pytestmark = pytest.mark.slow

RED = "red-key-0123456789"
PATIENCE_SECONDS = 60.0
GREETING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@asynccontextmanager
async def hosting(home: Path, *arguments: str, **more: str) -> AsyncGenerator[Client]:
    """Start the command as a host does, and speak to it."""
    home.mkdir(exist_ok=True)
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "service", "mcp", *arguments],
        env=environment(home, **more),
    )
    with (home / "mcp-errors.txt").open("a") as errors:
        async with Client(stdio_client(parameters, errlog=errors)) as client:
            yield client


async def until_it_answers(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call again while the service starts."""
    deadline = time.monotonic() + 3 * PATIENCE_SECONDS
    while time.monotonic() < deadline:
        result = await client.call_tool(tool, arguments)
        if not result.is_error:
            return result.structured_content
    raise AssertionError(result.content)  # pyright: ignore[reportPossiblyUnboundVariable]


@contextmanager
def started(home: Path, *arguments: str) -> Generator[subprocess.Popen[str]]:
    home.mkdir(exist_ok=True)
    with (home / "mcp-errors.txt").open("a") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "service", "mcp", *arguments],
            env=environment(home),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()
        command(home, "stop")


async def test_it_speaks_to_the_service_that_is_named(service: Service, tmp_path: Path) -> None:
    async with (
        served(guarded(service)) as url,
        hosting(tmp_path, "--agent", "anna", "--url", url, "--key", RED) as client,
    ):
        saved = await call(client, "memory_remember", text="Ada likes tea.")
        answer = await found(client, "tea", taskId="t")
        assert answer["results"][0]["uid"] == saved["uid"]
        outcome = await call(client, "memory_report_outcome", taskId="t", status="success")
        assert outcome["applied"] is True
        assert "no such task" in await refused(
            client, "memory_report_outcome", taskId="other", status="success"
        )


async def test_a_wrong_key_is_told_to_whoever_calls(service: Service, tmp_path: Path) -> None:
    async with (
        served(guarded(service)) as url,
        hosting(tmp_path, "--agent", "anna", "--url", url, "--key", "x" * 20) as client,
    ):
        assert "API key" in await refused(client, "memory_recall", text="tea")


async def test_hosts_of_one_home_share_a_service_that_outlives_the_first(
    tmp_path: Path, prepared_home: HomeCopy
) -> None:
    home = prepared_home(tmp_path / "home")
    with started(home, "--agent", "anna") as first:
        greeting = await asyncio.to_thread(greet, first)
        assert greeting["result"]["serverInfo"]["name"] == "stratagraph"
        await until_ready(home, first)
        async with hosting(home, "--agent", "anna") as second:
            saved = await call(second, "memory_remember", text="Ada likes tea.")
            first.send_signal(signal.SIGTERM)
            rest, _ = await asyncio.to_thread(first.communicate, timeout=PATIENCE_SECONDS)
            assert (first.returncode, rest) == (0, ""), "only the protocol is on standard output"
            told = (home / "mcp-errors.txt").read_text()
            assert "Stratagraph is ready" in told
            assert "Stopped." in told
            answer = await until_it_answers(second, "memory_recall", text="tea")
            assert answer["results"][0]["uid"] == saved["uid"]
            assert read_service(home) is not None
    assert read_service(home) is None
    assert neo4j_pid(home) is None


def greet(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(GREETING) + "\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


async def until_ready(home: Path, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 2 * PATIENCE_SECONDS
    while read_service(home) is None:
        assert process.poll() is None, (home / "mcp-errors.txt").read_text()
        assert time.monotonic() < deadline
        await asyncio.sleep(0.1)


def test_it_greets_before_there_is_a_service_and_ends_with_its_input(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "service", "mcp", "--url", "http://127.0.0.1:9"],
        env=environment(tmp_path),
        input=json.dumps(GREETING) + "\n",
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    [answer] = [json.loads(line) for line in done.stdout.splitlines()]
    assert answer["id"] == 1


async def test_why_no_service_starts_is_told_to_whoever_calls(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    nothing = str(tmp_path / "no-java")
    async with hosting(home, "--agent", "anna", STRATAGRAPH_JAVA=nothing) as client:
        said = await refused(client, "memory_recall", text="tea")
        assert nothing in said
        assert "Java" in said
    assert nothing in (home / "mcp-errors.txt").read_text()
