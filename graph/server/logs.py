"""Logs of a managed server, and errors read from them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import psutil

from graph.kernel.errors import (
    HeapTooSmallError,
    HomeInUseError,
    ManagedServerError,
    PortTakenError,
    ServerStartError,
)
from graph.server.disk import LEAST_BYTES

OUT_OF_HEAP = "java.lang.OutOfMemoryError: Java heap space"
TAIL_BYTES = 256_000
BOLT_IS_UP = "Bolt enabled on"
FAILED_DATABASE = '"message":"Failed to start DatabaseId'
STORE_LOCKED = re.compile(r"store_lock|database_lock|FileLockException")
PORT_TAKEN = re.compile(r"PortBindException|BindException|Address already in use")


class ServerLogs:
    """Logs of one home; `mark` records where a start begins."""

    def __init__(self, home: Path) -> None:
        self.console = home / "logs" / "console.log"
        self._user = home / "logs" / "neo4j.log"
        self._debug = home / "logs" / "debug.log"
        self._user_mark = 0
        self._debug_mark = 0
        self._seen = 0

    def mark(self) -> None:
        # logs of earlier starts do not explain this one
        self._user_mark, self._debug_mark = _size(self._user), _size(self._debug)

    def keep_last_console(self) -> None:
        self.console.parent.mkdir(parents=True, exist_ok=True)
        if self.console.exists():
            self.console.replace(self.console.with_suffix(".log.1"))

    def tail(self, lines: int) -> str:
        """Return the last lines: the server's own log, then the output of its JVM."""
        self._seen = _size(self._user)
        text = _read(self._user, 0) + _read(self.console, 0)
        return "\n".join(text.splitlines()[-lines:])

    def new_text(self) -> str:
        """Return the new lines of the server's own log since `tail`, or since the last call."""
        text = _read(self._user, self._seen)
        self._seen = _size(self._user)
        return text

    def since_mark(self) -> str:
        return _read(self._user, self._user_mark) + _read(self.console, 0)

    def failed_database(self) -> str | None:
        """Return why a database did not open; the server itself continues without it."""
        for line in _read(self._debug, self._debug_mark).splitlines():
            if FAILED_DATABASE in line:
                return log_end(_stack_trace(line))
        return None


def _stack_trace(line: str) -> str:
    """Return the stack trace of a log line; the line itself if it is incomplete."""
    try:
        return str(json.loads(line).get("stacktrace", line))
    # read while it was written, or truncated
    except ValueError:
        return line.replace("\\n", "\n").replace("\\t", "\t")


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def _read(file: Path, start: int) -> str:
    try:
        with file.open("rb") as stream:
            size = stream.seek(0, 2)
            # a rotated log is shorter than the mark; of a long one only the end is read
            stream.seek(max(start if start <= size else 0, size - TAIL_BYTES))
            return stream.read().decode(errors="replace")
    except FileNotFoundError:
        return ""


def explain_failed_start(home: Path, log: str) -> ManagedServerError:
    """Convert the log of a failed start to an error."""
    if STORE_LOCKED.search(log):
        holder = other_server(home)
        who = f"process {holder}" if holder else "another process"
        return HomeInUseError(
            f"The data in {home / 'data'} are in use by {who}, which this service did not start. "
            "Stop it, or choose another STRATAGRAPH_HOME."
        )
    if PORT_TAKEN.search(log):
        return PortTakenError("A port was taken by another process while Neo4j started.")
    if OUT_OF_HEAP in log:
        return HeapTooSmallError(
            "Neo4j ran out of heap while it opened the data. Start it once with more, for example "
            "STRATAGRAPH_NEO4J_HEAP=4g."
        )
    free = shutil.disk_usage(home).free
    if free < LEAST_BYTES:
        return ServerStartError(
            f"Neo4j did not start: the disk of {home} is full ({free // 2**20} MB free). Free some "
            "space there; what was committed is safe."
        )
    return ServerStartError(f"Neo4j did not start. Its last lines:\n{log_end(log)}")


def log_end(log: str, lines: int = 15) -> str:
    """Return the end of a log, without stack frames."""
    # frames would displace the line with the cause
    said = [line for line in log.splitlines() if line.strip() and not _is_frame(line)]
    return "\n".join(said[-lines:]) or "(it wrote nothing)"


def _is_frame(line: str) -> bool:
    return line.lstrip().startswith(("at ", "... "))


def other_server(home: Path) -> int | None:
    """Return the pid of a JVM on this home, recorded or not."""
    # by its command line: a server without a record also uses the data
    argument = f"--home-dir={home}"
    for process in psutil.process_iter(["cmdline"]):
        if argument in (process.info["cmdline"] or ()):
            return process.pid
    return None
