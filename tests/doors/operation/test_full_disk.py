"""A disk that fills while the service runs: writes wait, reads go on, and both come back."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import httpx
import pytest
from neo4j import Driver
from neo4j.exceptions import DatabaseError as DriverError

from graph.database.driver import Connection
from service.bootstrap.managed import running_connection
from tests.conftest import sync_driver
from tests.doors.operation.test_serve import (
    PATIENCE_SECONDS,
    command,
    neo4j_pid,
    said,
    serving,
    until_ready,
)
from tests.prepared_home import HomeCopy
from tests.small_disk import SmallDisk

pytestmark = pytest.mark.slow

MEGABYTE = 2**20
NOTE = {"agent_id": "a", "text": "the spare key hangs behind the shed"}
ASKED = {"agent_id": "a", "text": "where is the spare key?"}
FILL = "UNWIND range(1, 2000) AS i CREATE (:Ballast {v: [x IN range(1, 64) | rand()]})"


def post(url: str, path: str, body: dict[str, str]) -> httpx.Response:
    return httpx.post(f"{url}/v1/{path}", json=body, timeout=60)


def free_bytes(disk: Path) -> int:
    found = os.statvfs(disk)
    return found.f_bavail * found.f_frsize


def fill(disk: Path, leave: int) -> Path:
    """Take all but so many bytes; removing the file gives them back."""
    ballast = disk / "ballast"
    with ballast.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, free_bytes(disk) - leave)
    return ballast


def test_a_nearly_full_disk_refuses_writes_and_answers_reads(
    small_disk: SmallDisk, prepared_home: HomeCopy
) -> None:
    disk = small_disk(400 * MEGABYTE)
    prepared_home(disk / "home")
    with serving(disk / "home", STRATAGRAPH_DISK_RESERVE_MB="64") as process:
        url = until_ready(disk / "home", process)
        uid = post(url, "memories", NOTE).json()["uid"]
        ballast = fill(disk, 30 * MEGABYTE)

        refused = post(url, "memories", {**NOTE, "text": "another"})
        assert refused.status_code == 503
        assert refused.headers["retry-after"]
        problem = refused.json()
        assert problem["type"] == "urn:stratagraph:error:disk-full"
        assert "MB left of the 64 MB" in problem["detail"]
        assert post(url, "recall", {**ASKED, "task_id": "t"}).status_code == 503
        recalled = post(url, "recall", ASKED)
        assert [result["uid"] for result in recalled.json()["results"]] == [uid]
        assert httpx.get(f"{url}/v1/memories/{uid}", params={"agent_id": "a"}).status_code == 200
        ready = httpx.get(f"{url}/readyz")
        assert ready.status_code == 200
        assert "MB left" in ready.json()["limited_by"]["writes"]
        looked = command(disk / "home", "doctor", STRATAGRAPH_DISK_RESERVE_MB="64")
        assert looked.returncode == 1
        assert "refuses writes" in looked.stdout
        told = re.findall(r'action=(\w+) why="the disk is nearly full', said(disk / "home"))
        assert sorted(told) == sorted(set(told))  # a job of the worker says it once

        ballast.unlink()
        assert post(url, "memories", {**NOTE, "text": "another"}).status_code == 201
        assert httpx.get(f"{url}/readyz").json()["limited_by"] == {}
        assert process.poll() is None


def test_a_database_that_closed_itself_is_started_again_once_there_is_room(
    small_disk: SmallDisk, prepared_home: HomeCopy
) -> None:
    disk = small_disk(400 * MEGABYTE)
    home = prepared_home(disk / "home")
    with serving(home, STRATAGRAPH_DISK_RESERVE_MB="0") as process:
        url = until_ready(home, process)
        first = neo4j_pid(home)
        ballast = fill(disk, 4 * MEGABYTE)
        _overfill(running_connection(home))

        deadline = time.monotonic() + PATIENCE_SECONDS
        while "Neo4j died" not in said(home):
            answer = post(url, "recall", ASKED)
            assert answer.status_code in (200, 503), answer.text
            assert time.monotonic() < deadline
        refused = post(url, "memories", NOTE)
        assert refused.status_code == 503, refused.text
        assert refused.headers["retry-after"]
        assert neo4j_pid(home) == first
        assert process.poll() is None

        ballast.unlink()
        # Whether Neo4j can read its torn log is Neo4j's; that it is started is ours.
        while neo4j_pid(home) in (first, None):
            assert process.poll() is None, said(home)
            assert time.monotonic() < deadline, said(home)
            time.sleep(0.1)


def _overfill(connection: Connection) -> None:
    """Write beside the service until Neo4j's log has no room."""
    with sync_driver(connection) as driver, pytest.raises(DriverError):
        _write_on(driver)


def _write_on(driver: Driver) -> None:
    with driver.session() as session:  # pyright: ignore[reportUnknownMemberType] -- **config is untyped in the driver
        while True:
            session.run(FILL).consume()
