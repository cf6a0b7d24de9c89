"""Runs of the bench's scripts, each on an empty database; results are stored as JSON lines."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.runner import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.peers.bench import Bench
    from benchmarks.peers.database import OpenNeo4j

_FILE = "runs.jsonl"
_ENDING_SECONDS = 90.0
_SHOWN = 150
FINISHED = "finished"
_FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Run:
    """One run of one script for one candidate: how it ended, and its output.

    ``load`` is the machine's load in the minute before it.
    """

    peer: str
    script: str
    most: int
    when: str
    version: str
    ended: str
    seconds: float
    lines: list[str]
    load: float = 0.0

    def covers(self, peer: str, script: str, most: int) -> bool:
        """Return whether another run is not needed; not after a failure."""
        enough = script != "bench" or self.most >= most
        same = (self.peer, self.script) == (peer, script)
        return same and enough and not self.ended.startswith(_FAILED)


class Kept:
    """The stored runs of a folder; a later one of the same script replaces an earlier one."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._file = folder / _FILE

    def runs(self) -> list[Run]:
        """Read them, without an incomplete last line."""
        latest: dict[tuple[str, str], Run] = {}
        text = self._file.read_text(encoding="utf-8") if self._file.exists() else ""
        for line in text.splitlines():
            with suppress(ValueError, TypeError):
                run = Run(**json.loads(line))
                latest[run.peer, run.script] = run
        return list(latest.values())

    def has(self, peer: str, script: str, most: int) -> bool:
        """Return whether such a run is stored."""
        return any(run.covers(peer, script, most) for run in self.runs())

    def add(self, run: Run) -> None:
        """Store one more."""
        with self._file.open("a", encoding="utf-8") as file:
            file.write(f"\n{json.dumps(asdict(run))}\n")  # the line before may be incomplete


def missing(
    kept: Kept, peers: Sequence[str], scripts: Sequence[str], most: int
) -> list[tuple[str, str]]:
    """Return the requested runs that are not stored, in order of execution."""
    return [
        (peer, script) for script in scripts for peer in peers if not kept.has(peer, script, most)
    ]


def make(
    bench: Bench, server: OpenNeo4j, peer: str, script: str, most: int, limit: float, log: Path
) -> Run:
    """Run one script on an empty database to its end, or to its time limit."""
    load = os.getloadavg()[0]
    server.start()
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="stratagraph-peers-run-") as folder:
        work, data = Path(folder) / "work", Path(folder) / "data"
        work.mkdir()
        data.mkdir()
        (work / "pid").write_text(str(server.pid), encoding="utf-8")
        with log.open("wb") as errors:
            lines, ended = follow(
                bench.command(peer, script, most),
                f"{peer} {script}",
                limit,
                env=bench.environment(server.uri, bench.lay_out(data)),
                cwd=work,
                stderr=errors,
            )
        results = work / f"res-{peer.replace(':', '-')}.jsonl"
        if results.exists():
            lines = results.read_text(encoding="utf-8").splitlines()
    server.stop()
    return Run(
        peer=peer,
        script=script,
        most=most,
        when=datetime.now(UTC).isoformat(timespec="seconds"),
        version=bench.version(peer),
        ended=ended,
        seconds=round(time.monotonic() - started, 1),
        lines=lines,
        load=round(load, 1),
    )


def follow(
    command: Sequence[str], name: str, limit: float, **options: Any
) -> tuple[list[str], str]:
    """Run a command with its output; return its lines, and how it ended.

    After ``limit`` seconds it is interrupted. Its child processes are ended with it.
    """
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True, **options
    )
    with process:
        return _heed(process, name, limit)


def _heed(process: subprocess.Popen[str], name: str, limit: float) -> tuple[list[str], str]:
    assert process.stdout is not None  # noqa: S101 -- it is a pipe
    lines: list[str] = []
    late = threading.Event()

    def stop() -> None:
        late.set()
        process.send_signal(signal.SIGINT)

    timers = [
        threading.Timer(limit, stop),
        threading.Timer(limit + _ENDING_SECONDS, lambda: _kill_all(process)),
    ]
    for timer in timers:
        timer.start()
    try:
        for line in process.stdout:
            lines.append(line.rstrip("\n"))
            say(f"  {name}: {lines[-1][:_SHOWN]}")
        code = process.wait()
    except BaseException:
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_ENDING_SECONDS)
        raise
    finally:
        for timer in timers:
            timer.cancel()
        _kill_all(process)
    if late.is_set():
        return lines, f"stopped after {limit:.0f} s"
    return lines, FINISHED if code == 0 else f"{_FAILED} with {code}"


def _kill_all(process: subprocess.Popen[str]) -> None:
    """Kill the process group of the script."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
