"""Shared parts of benchmarks: a service on an empty home, progress, one last line."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import httpx
import psutil
import uvloop

from service.bootstrap import Service, open_service
from service.bootstrap.managed import build_server, running_connection
from service.settings import Settings

if TYPE_CHECKING:
    import argparse
    from collections.abc import AsyncGenerator, Coroutine, Generator, Mapping

T = TypeVar("T")

_START_SECONDS = 300.0
_STOP_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Running:
    """A service that was started here: client, home, and process id."""

    client: httpx.Client
    url: str
    home: Path
    pid: int


def add_common_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of every benchmark."""
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def add_home_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option for the folder of filled stores."""
    parser.add_argument(
        "--home",
        type=Path,
        metavar="FOLDER",
        help="keep the stores there, and use again what is there; unset: empty ones, removed at the end",
    )


def progress(label: str, done: int, total: int) -> None:
    """Print progress, about twenty times."""
    step = max(1, total // 20)
    if done % step == 0 or done == total:
        end = "\n" if done == total or not sys.stderr.isatty() else "\r"
        print(f"  {label} {done:,} of {total:,}", end=end, file=sys.stderr, flush=True)


def say(text: str) -> None:
    """Print a message that is no result."""
    print(text, file=sys.stderr, flush=True)


def print_result(values: Mapping[str, float], *, as_json: bool) -> None:
    """Print the last line: `name=value …`, or JSON."""
    rounded = {name: round(value, 4) for name, value in values.items()}
    if as_json:
        print(json.dumps(rounded))
    else:
        print(" ".join(f"{name}={value:g}" for name, value in rounded.items()))


@contextmanager
def running_service(
    environment: Mapping[str, str] | None = None, home: Path | None = None
) -> Generator[Running]:
    """Start the service on a kept or an empty temporary home; stop it at the end.

    Raises
    ------
    SystemExit
        If it is not ready within five minutes; with what it printed last.
    """
    with tempfile.TemporaryDirectory(prefix="stratagraph-bench-") as folder:
        log, port = Path(folder) / "serve.log", free_port()
        place = Path(folder) / "home" if home is None else home.expanduser().absolute()
        variables = {
            **{k: v for k, v in os.environ.items() if not k.startswith("NEO4J_")},
            "STRATAGRAPH_HOME": str(place),
            "STRATAGRAPH_PORT": str(port),
            "STRATAGRAPH_NEO4J_BOLT_PORT": str(free_port()),
            "STRATAGRAPH_NEO4J_HTTP_PORT": str(free_port()),
            **(environment or {}),
        }
        say(f"starting a service on {place if home else 'an empty home'}")
        place.mkdir(parents=True, exist_ok=True)
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "service", "serve"],
                env=variables,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        url = f"http://127.0.0.1:{port}"
        try:
            with httpx.Client(base_url=url, timeout=120.0) as client:
                _wait_ready(client, process, log)
                yield Running(client, url, place, process.pid)
        finally:
            process.terminate()
            process.wait(_STOP_SECONDS)


@asynccontextmanager
async def opened_service(running: Running, **settings: Any) -> AsyncGenerator[Service]:
    """Open the same graph in this process too, without background work."""
    connection = running_connection(running.home)
    chosen = Settings(neo4j_uri=connection.uri, **settings)
    async with open_service(chosen, connection) as service:
        yield service


def run_loop(work: Coroutine[Any, Any, T]) -> T:
    """Run on the event loop of the service."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


def memory_megabytes(running: Running) -> tuple[float, float]:
    """Return the memory use of the service and its Neo4j."""
    service, database = (
        process.memory_info().rss / 2**20 for process in _service_and_server(running)
    )
    return service, database


def cpu_seconds(running: Running, service_pid: int | None = None) -> tuple[float, float]:
    """Return the processor time of the service, or of another process, and of its Neo4j so far."""
    service, database = (
        sum(process.cpu_times()[:2]) for process in _service_and_server(running, service_pid)
    )
    return service, database


def _service_and_server(running: Running, service_pid: int | None = None) -> list[psutil.Process]:
    server = build_server(Settings(home=running.home)).status().pid
    return [psutil.Process(pid) for pid in (service_pid or running.pid, server) if pid]


def _wait_ready(client: httpx.Client, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if client.get("/readyz").status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.2)
    raise SystemExit(f"the service did not start:\n{log.read_text()[-2000:]}")


def free_port() -> int:
    """Return a free port on loopback."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
