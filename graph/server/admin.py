"""Neo4j's administration tool, run on data that no server uses."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from asyncio.subprocess import Process
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from graph.kernel.errors import DumpError, HomeInUseError, RecoveryNeededError
from graph.server.archive import class_archive
from graph.server.config import ServerConfig
from graph.server.java import Java, common_options, find_java
from graph.server.lock import installed_jars
from graph.server.logs import log_end
from graph.server.process import not_installed

# Its launcher, Neo4jAdminCommand, starts a second JVM for the same work.
ADMIN_CLASS = "org.neo4j.cli.AdminTool"
CHUNK_BYTES = 65536
KEPT_LINES = 200

PERCENT = re.compile(r"(\d+(?:\.\d+)?) ?%")
FAILED = re.compile(r"-{5,}\s*Command Failed\s*(?P<why>.*?)-{5,}", re.DOTALL)
NOISE = re.compile(r"WARNING: |\.{5,}|Files: \d+/|\d{4}-\d\d-\d\d ")

Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class AdminTool:
    """`neo4j-admin` for one home, or for a folder with the same layout."""

    java: Java
    jars: Path
    heap: str
    home: Path
    class_options: tuple[str, ...] = ()

    async def run(
        self,
        *arguments: str,
        does: str,
        progress: Progress,
        reads: IO[bytes] | None = None,
        writes: IO[bytes] | None = None,
    ) -> str:
        """Run one command and return its output; it is killed when cancelled.

        Raises
        ------
        RecoveryNeededError
            If the data were not closed properly.
        HomeInUseError
            If a server holds the data.
        DumpError
            If it failed for another reason, which the message tells.
        """
        with tempfile.TemporaryDirectory(prefix="stratagraph-admin-") as conf:
            process = await asyncio.create_subprocess_exec(
                *self._command(arguments),
                # an empty settings folder: the server's own settings do not apply
                env={"NEO4J_HOME": str(self.home), "NEO4J_CONF": conf, "PATH": os.defpath},
                stdin=reads or asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                # stdout is the dump itself, if one is written
                stderr=asyncio.subprocess.PIPE if writes else asyncio.subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C ends the service first, which then ends this process
            )
            try:
                text = await _messages_of(process, writes, lambda percent: progress(does, percent))
                code = await process.wait()
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
        if code:
            raise _failure(text, does, self.home)
        return text

    def _command(self, arguments: tuple[str, ...]) -> list[str]:
        return [
            str(self.java.path),
            f"-Xmx{self.heap}",
            *common_options(self.java),
            *self.class_options,
            "-Djava.awt.headless=true",
            "-cp",
            f"{self.jars}/*",
            ADMIN_CLASS,
            *arguments,
        ]


def admin_tool(config: ServerConfig, home: Path | None = None) -> AdminTool:
    """Return the tool, with Java and jars.

    Raises
    ------
    ServerStartError
        If Neo4j's jars are not installed.
    JavaError
        If there is no Java that will do.
    """
    jars = installed_jars(config.cache)
    if jars is None:
        raise not_installed(config.cache)
    java = find_java(config.java)
    classes = class_archive(config.cache, java, jars).options()
    return AdminTool(java, jars, config.heap, home or config.home, tuple(classes))


async def _messages_of(
    process: Process, writes: IO[bytes] | None, tell: Callable[[float], None]
) -> str:
    assert process.stdout is not None  # noqa: S101 -- it is a pipe
    if writes is None:
        return await _follow(process.stdout, tell)
    assert process.stderr is not None  # noqa: S101 -- it is a pipe
    # concurrently: a full pipe of messages would stop the dump
    following = asyncio.create_task(_follow(process.stderr, tell))
    try:
        await _copy(process.stdout, writes)
        return await following
    finally:
        following.cancel()


async def _copy(stream: asyncio.StreamReader, file: IO[bytes]) -> None:
    # Not by passing the file: the tool does not notice write errors.
    while chunk := await stream.read(CHUNK_BYTES):
        file.write(chunk)


async def _follow(stream: asyncio.StreamReader, tell: Callable[[float], None]) -> str:
    lines: deque[str] = deque(maxlen=KEPT_LINES)
    rest = ""
    while chunk := await stream.read(CHUNK_BYTES):
        # progress overwrites itself with a carriage return
        *whole, rest = re.split(r"[\r\n]+", rest + chunk.decode(errors="replace"))
        lines.extend(whole)
        for line in whole:
            if found := PERCENT.search(line):
                tell(float(found[1]))
    return "\n".join([*lines, rest])


def _failure(text: str, does: str, home: Path) -> Exception:
    # a separate error: starting and stopping a server fixes it
    if "recover database" in text:
        return RecoveryNeededError()
    if "No space left on device" in text:
        return DumpError(f"The disk ran full while {does}. Free some space and try again.")
    if "has been locked by another process" in text:
        return HomeInUseError(f"A Neo4j still works on {home}. Stop it and try again.")
    found = FAILED.search(text)
    why = found["why"] if found else log_end(text)
    kept = dict.fromkeys(
        line for line in why.splitlines() if line.strip() and not NOISE.match(line)
    )
    return DumpError(f"Neo4j failed while {does}: " + " ".join(kept))
