"""Records of the processes on a home folder, by which they find each other.

A process is identified by pid and creation time, so a reused pid is never mistaken.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

import psutil

from graph.kernel.errors import ServerStartError

# The clock of creation times may step by a second; a pid is not reused so soon.
CREATION_TOLERANCE_SECONDS = 2.0
Record = TypeVar("Record", bound="ProcessRecord")


@dataclass(frozen=True)
class ProcessRecord:
    pid: int
    create_time: float

    def is_alive(self) -> bool:
        try:
            process = psutil.Process(self.pid)
            # a zombie has ended, although its pid exists
            if process.status() == psutil.STATUS_ZOMBIE:
                return False
            # the pid may belong to another process
            return abs(process.create_time() - self.create_time) < CREATION_TOLERANCE_SECONDS
        except psutil.Error:
            return False

    def memory_bytes(self) -> int | None:
        try:
            return psutil.Process(self.pid).memory_info().rss
        except psutil.Error:
            return None


@dataclass(frozen=True)
class ServerRecord(ProcessRecord):
    """A running Neo4j, from its pid file."""

    bolt_port: int
    http_port: int
    java: str
    version: str


@dataclass(frozen=True)
class ServiceRecord(ProcessRecord):
    """A running Stratagraph, from `service.json`."""

    api_url: str


def creation_time(pid: int) -> float:
    return psutil.Process(pid).create_time()


def write_server(home: Path, record: ServerRecord) -> None:
    write_atomically(home / "neo4j.pid", json.dumps(asdict(record)))


def find_running(home: Path) -> ServerRecord | None:
    return _live(home / "neo4j.pid", ServerRecord)


def remove_server(home: Path) -> None:
    (home / "neo4j.pid").unlink(missing_ok=True)


def last_version(home: Path) -> str | None:
    """Return the last version of Neo4j on this home, if any."""
    try:
        return (home / "neo4j-version").read_text(encoding="utf-8").strip() or None
    except OSError:
        return None


def note_version(home: Path, version: str) -> None:
    if last_version(home) != version:
        write_atomically(home / "neo4j-version", version + "\n")


def is_older_than_last(home: Path, version: str) -> bool:
    last = last_version(home)
    return last is not None and _numbers(version) < _numbers(last)


def refuse_older(home: Path, version: str) -> None:
    """Refuse to open data with an older Neo4j than the last one.

    Raises
    ------
    ServerStartError
        If it is older; the message names both.
    """
    # an upgrade may change the store format
    if is_older_than_last(home, version):
        raise ServerStartError(
            f"Neo4j {last_version(home)} used the data in {home / 'data'} last; this release brings {version}, "
            "which is older and may not read them. Upgrade Stratagraph, or choose another "
            "STRATAGRAPH_HOME and load a dump of that time."
        )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


def write_service(home: Path, api_url: str) -> None:
    """Record the address of this process."""
    record = ServiceRecord(os.getpid(), creation_time(os.getpid()), api_url)
    write_atomically(home / "service.json", json.dumps(asdict(record)))


def read_service(home: Path) -> ServiceRecord | None:
    return _live(home / "service.json", ServiceRecord)


def remove_service(home: Path) -> None:
    (home / "service.json").unlink(missing_ok=True)


def stale_records(home: Path) -> tuple[str, ...]:
    """Return the files of dead processes."""
    found = {"neo4j.pid": find_running(home), "service.json": read_service(home)}
    return tuple(name for name, live in found.items() if not live and (home / name).exists())


def _live(file: Path, kind: type[Record]) -> Record | None:
    # partly written, or of an earlier release: ignored
    try:
        fields: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        record = kind(**fields)
    except (OSError, ValueError, TypeError):
        return None
    return record if record.is_alive() else None


def write_atomically(path: Path, text: str) -> None:
    """Write a file atomically, never readable by others."""
    new = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    # 0600 from the start, and in the same folder: a rename within a disk is atomic
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            # flushed before the rename: after a crash the old file is intact
            os.fsync(file.fileno())
        new.replace(path)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise
