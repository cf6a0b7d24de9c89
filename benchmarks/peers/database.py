"""A Neo4j without authentication, as the bench of the rivals needs one.

Only on a temporary home and on loopback. The product has no setting for it: the managed server is started once,
stopped, and its own command is run again with one more line of configuration.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import psutil

from benchmarks.runner import free_port
from service.bootstrap.managed import start_server
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Generator

_OPEN = "dbms.security.auth_enabled=false\n"
_START_SECONDS = 180.0
_STOP_SECONDS = 60.0


class OpenNeo4j:
    """One server on one home; every `start` is on an empty graph."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._process: subprocess.Popen[bytes] | None = None
        self._command, self.uri, self.query = asyncio.run(self._learn())

    async def _learn(self) -> tuple[list[str], str, str]:
        settings = Settings(
            home=self._home, neo4j_bolt_port=free_port(), neo4j_http_port=free_port()
        )
        server = await start_server(settings)
        try:
            process = psutil.Process(server.status().pid)
            web = server.browser_url.removesuffix("/browser/")
            return process.cmdline(), server.uri, f"{web}/db/neo4j/query/v2"
        finally:
            await server.stop()

    @property
    def pid(self) -> int:
        """The process of `start`."""
        assert self._process is not None, "start comes first"  # noqa: S101
        return self._process.pid

    def start(self) -> None:
        """Start it on an empty graph and wait until it answers.

        Raises
        ------
        SystemExit
            If it does not; with what it said last.
        """
        self.stop()
        shutil.rmtree(self._home / "data", ignore_errors=True)
        configuration = self._home / "conf" / "neo4j.conf"
        text = configuration.read_text(encoding="utf-8")
        if _OPEN not in text:
            configuration.write_text(text + _OPEN, encoding="utf-8")
        log = self._home / "open.log"
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                self._command,
                cwd=self._home,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C first ends its client
            )
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"Neo4j did not start:\n{log.read_text()[-2000:]}")
            time.sleep(0.1)

    def stop(self) -> None:
        """Stop it if it is running."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def _answers(self) -> bool:
        try:
            answer = httpx.post(self.query, json={"statement": "RETURN 1"}, timeout=5.0)
        except httpx.TransportError:
            return False
        return answer.is_success


@contextmanager
def open_neo4j() -> Generator[OpenNeo4j]:
    """Yield a server on a temporary home, not started yet; stop it and remove its home."""
    with tempfile.TemporaryDirectory(prefix="stratagraph-peers-") as folder:
        server = OpenNeo4j(Path(folder) / "home")
        try:
            yield server
        finally:
            server.stop()
