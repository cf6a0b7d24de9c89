"""Stratagraph as a candidate of the bench of memory services: seven methods of one class.

Like a user's program it starts `stratagraph serve` on the given database and uses `AsyncClient`. The folder of this
file is put on the bench's path; the module imports nothing of this package.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stratagraph import AsyncClient, ConnectionFailedError, UnavailableError

if TYPE_CHECKING:
    from stratagraph.fields import RememberFields, RowFields

_START_SECONDS = 120.0
_STOP_SECONDS = 60.0
_SETTLE_SECONDS = 1800.0
_POLL_SECONDS = 0.1
_STALE_SECONDS = 2.0  # maximum age of the count of unlinked memories
_SPEAKER = re.compile(r"([^:\n]{1,40}): ")
# The bench marks texts for which its embedder returns an invalid vector.
_BROKEN: dict[str, list[float]] = {"NANTEXT": [float("nan")] * 256, "EMPTYVEC": []}

Items = list[tuple[str, str]]


class Peer:
    """Its own service; each user of the bench is an agent.

    A turn has the speaker named in its text, and the session named in its id (``D3:7`` is in session ``D3``), as in a
    chat. ``variant``: empty, ``plain`` to store ids and texts only, or ``unlinked`` for a service without background
    work.
    """

    is_async = True

    def __init__(self, variant: str = "", database: str | None = None) -> None:
        self._plain, self._unlinked = variant == "plain", variant == "unlinked"
        self._database = database
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._client: AsyncClient | None = None
        self._unsettled: dict[str, tuple[str, str]] = {}

    async def setup(self) -> None:
        """Start the service and wait until it answers.

        Raises
        ------
        RuntimeError
            If it does not start; with what it said last.
        """
        database = self._database or importlib.import_module("common").URI
        self._folder = tempfile.TemporaryDirectory(prefix="stratagraph-peer-")
        home, port = Path(self._folder.name), _free_port()
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("NEO4J_", "OTEL_"))}
        given = {
            "NEO4J_URI": database,
            "STRATAGRAPH_HOME": str(home),
            "STRATAGRAPH_PORT": str(port),
            "STRATAGRAPH_EMBEDDER": "wordllama",  # the one that the bench gives to every candidate
            "STRATAGRAPH_WORKER": str(not self._unlinked).lower(),
        }
        with (home / "serve.log").open("wb") as log:
            process = self._process = subprocess.Popen(
                [sys.executable, "-m", "service", "serve"],
                env={**kept, **given},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        weakref.finalize(self, _end, process)  # the bench does not always close
        self._client = AsyncClient(f"http://127.0.0.1:{port}")
        await _until_ready(self._client.url, process, home / "serve.log")

    async def add_batch(self, user: str, items: Items) -> None:
        """Remember many turns of a user, in the client's own batches."""
        rows: list[RowFields] = [{"text": text, **self._fields(name, text)} for name, text in items]
        answer = await self._open().remember_all(rows, agent_id=user)
        refused = [row for row in answer.results if row.uid is None]
        if refused:
            raise RuntimeError(f"{len(refused)} of {len(items)} were refused: {refused[0]}")
        self._unsettled[user] = items[-1]

    async def add_one(self, user: str, name: str, text: str) -> None:
        """Remember one turn."""
        fields = self._fields(name, text)
        if (broken := _broken(text)) is not None:
            fields["vector"] = broken
        fields["agent_id"] = user
        await self._open().remember(text, **fields)
        self._unsettled[user] = (name, text)

    async def search(self, user: str, query: str, k: int) -> list[tuple[str, str]]:
        """Recall with the defaults: owner and id of each result."""
        asked: dict[str, Any] = {"text": query}
        if (broken := _broken(query)) is not None:
            asked = {"vector": broken}
        answer = await self._open().recall(k=k, agent_id=user, **asked)
        return [
            (each.scope.removeprefix("agent/"), each.external_id or "") for each in answer.results
        ]

    async def settle(self) -> None:
        """Wait until added memories are found by word and vector search.

        A memory is linked only once the vector index contains it, so linking is waited for; without it only word search
        is.

        Raises
        ------
        RuntimeError
            If that takes longer than half an hour.
        """
        deadline = time.monotonic() + _SETTLE_SECONDS
        await asyncio.sleep(_STALE_SECONDS if self._unsettled else 0)
        for user, (name, text) in self._unsettled.items():
            while not await self._is_settled(user, name, text):
                if time.monotonic() > deadline:
                    raise RuntimeError(f"what was added does not settle in {_SETTLE_SECONDS:.0f} s")
                await asyncio.sleep(_POLL_SECONDS)
        self._unsettled.clear()

    async def close(self) -> None:
        """End the service and remove its folder."""
        if self._client is not None:
            await self._client.close()
        if self._process is not None:
            await asyncio.to_thread(_end, self._process)
        if self._folder is not None:
            self._folder.cleanup()
        self._client = self._process = self._folder = None

    def _open(self) -> AsyncClient:
        if self._client is None:
            raise RuntimeError("setup comes first")
        return self._client

    def _fields(self, name: str, text: str) -> RememberFields:
        fields: RememberFields = {"external_id": name}
        if not self._plain and ":" in name:
            fields["session_id"] = name.rpartition(":")[0]
        if not self._plain and (found := _SPEAKER.match(text)):
            fields["speaker"] = found[1]
        return fields

    async def _is_settled(self, user: str, name: str, text: str) -> bool:
        answer = await self._open().recall(text, k=50, agent_id=user, explain=True)
        by_words = any(
            each.explanation is not None and each.explanation.components["lexical"] > 0
            for each in answer.results
            if each.external_id == name
        )
        return by_words and (self._unlinked or answer.links_pending == 0)


async def _until_ready(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    async with AsyncClient(url, retries=0) as client:
        while time.monotonic() < deadline and process.poll() is None:
            try:
                await client.ready()
                return
            except (ConnectionFailedError, UnavailableError):
                await asyncio.sleep(_POLL_SECONDS)
    raise RuntimeError(f"the service did not start: {log.read_text()[-600:]}")


def _broken(text: str) -> list[float] | None:
    return next((made for mark, made in _BROKEN.items() if text.startswith(mark)), None)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
    process.wait(_STOP_SECONDS)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
