"""What every benchmark needs: a service of its own on an empty home, progress, one last line."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

if TYPE_CHECKING:
    import argparse
    from collections.abc import Generator, Mapping

_START_SECONDS = 300.0
_STOP_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Running:
    """A service that was started here: its client, its home, and the service's process id."""

    client: httpx.Client
    url: str
    home: Path
    pid: int


def add_common_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what every benchmark takes."""
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def progress(label: str, done: int, total: int) -> None:
    """Show how far a long step is, about twenty times."""
    step = max(1, total // 20)
    if done % step == 0 or done == total:
        end = "\n" if done == total or not sys.stderr.isatty() else "\r"
        print(f"  {label} {done:,} of {total:,}", end=end, file=sys.stderr, flush=True)


def say(text: str) -> None:
    """Print what is a message and not a result."""
    print(text, file=sys.stderr, flush=True)


def print_result(values: Mapping[str, float], *, as_json: bool) -> None:
    """Print the last line: `name=value …`, or JSON."""
    rounded = {name: round(value, 4) for name, value in values.items()}
    if as_json:
        print(json.dumps(rounded))
    else:
        print(" ".join(f"{name}={value:g}" for name, value in rounded.items()))


@contextmanager
def running_service(environment: Mapping[str, str] | None = None) -> Generator[Running]:
    """Start the service on an empty temporary home, and stop it at the end.

    Raises
    ------
    SystemExit
        If it is not ready within five minutes; with what it printed last.
    """
    with tempfile.TemporaryDirectory(prefix="stratagraph-bench-") as folder:
        home, log = Path(folder) / "home", Path(folder) / "serve.log"
        port = free_port()
        variables = {
            **{k: v for k, v in os.environ.items() if not k.startswith("NEO4J_")},
            "STRATAGRAPH_HOME": str(home),
            "STRATAGRAPH_PORT": str(port),
            "STRATAGRAPH_NEO4J_BOLT_PORT": str(free_port()),
            "STRATAGRAPH_NEO4J_HTTP_PORT": str(free_port()),
            **(environment or {}),
        }
        say("starting a service on an empty home")
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
                yield Running(client, url, home, process.pid)
        finally:
            process.terminate()
            process.wait(_STOP_SECONDS)


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
    """Find a port on loopback that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
