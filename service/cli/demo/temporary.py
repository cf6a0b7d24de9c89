"""The demo's own service on a temporary home, removed at the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from graph.kernel.errors import ServerStartError
from service.bootstrap.managed import read_service
from service.cli.neo4j import ensure_all_installed
from service.settings import load_settings

START_SECONDS = 180.0
STOP_SECONDS = 60.0
POLL_SECONDS = 0.1
# Settings that the demo does not inherit: the user's database, keys, ports and home.
DROPPED = (
    "NEO4J_",
    "STRATAGRAPH_API_KEY",
    "STRATAGRAPH_HOST",
    "STRATAGRAPH_PORT",
    "STRATAGRAPH_NEO4J_BOLT_PORT",
    "STRATAGRAPH_NEO4J_HTTP_PORT",
)


@contextmanager
def temporary_service() -> Generator[tuple[str, Path]]:
    """Run a service on an empty temporary home; yields address and home."""
    ensure_all_installed(load_settings())
    with tempfile.TemporaryDirectory(prefix="stratagraph-demo-") as folder:
        home = Path(folder)
        process = _start(home)
        try:
            yield address_of(home, process), home
        finally:
            _end(process)


def _start(home: Path) -> subprocess.Popen[bytes]:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(DROPPED)
    }
    environment["STRATAGRAPH_HOME"] = str(home)
    # small: a second Neo4j may be running on this machine
    environment.setdefault("STRATAGRAPH_NEO4J_HEAP", "512m")
    with (home / "demo.log").open("wb") as log:
        # In its own session: Ctrl-C goes to the demo, which ends the service in order.
        return subprocess.Popen(
            [sys.executable, "-m", "service", "serve"],
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def address_of(home: Path, process: subprocess.Popen[bytes]) -> str:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        record = read_service(home)
        if record is not None:
            return record.api_url
        # it ended before it answered
        if process.poll() is not None:
            break
        time.sleep(POLL_SECONDS)
    told = (home / "demo.log").read_text(encoding="utf-8", errors="replace").strip()
    raise ServerStartError(f"The demo's service did not start:\n{told}")


def _end(process: subprocess.Popen[bytes]) -> None:
    # SIGTERM: a killed service would leave its Neo4j running
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
