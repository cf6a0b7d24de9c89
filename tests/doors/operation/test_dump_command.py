from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from service.bootstrap import managed
from service.cli import app
from service.cli import dump as dumping
from tests.doors.operation.test_serve import COMMAND, command, environment, serving, until_ready
from tests.prepared_home import HomeCopy
from tests.server.conftest import quiet, shared_cache

pytestmark = pytest.mark.slow


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STRATAGRAPH_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def run(*arguments: str, says: str = "") -> tuple[int, str]:
    done = CliRunner().invoke(app, ["neo4j", *arguments], input=says)
    message = getattr(done.exception, "message", "")
    return done.exit_code, done.output + message


def test_memories_go_into_a_file_and_into_another_home(
    tmp_path: Path, prepared_home: HomeCopy
) -> None:
    first, second = prepared_home(tmp_path / "first"), tmp_path / "second"
    with serving(first) as process:
        url = until_ready(first, process)
        note = {"agent_id": "a", "text": "the spare key hangs behind the shed", "external_id": "k"}
        assert httpx.post(f"{url}/v1/memories", json=note, timeout=60).status_code == 201
        refused = command(first, "neo4j", "dump", str(tmp_path))
        assert refused.returncode == 1
        assert url in refused.stderr
    dumped = command(first, "neo4j", "dump", str(tmp_path))
    assert dumped.returncode == 0, dumped.stderr
    [file] = tmp_path.glob("stratagraph-*.dump")
    for said in ("writing the dump: 100 %", str(file), "MB"):
        assert said in dumped.stdout
    loaded = command(second, "neo4j", "load", str(file))
    assert loaded.returncode == 0, loaded.stderr
    assert "checking the new data: 100 %" in loaded.stdout
    with serving(second) as process:
        url = until_ready(second, process)
        asked = {"agent_id": "a", "text": "where is the spare key?"}
        [result] = httpx.post(f"{url}/v1/recall", json=asked, timeout=60).json()["results"]
        assert result["external_id"] == "k"


def test_it_asks_before_it_overwrites(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.dump"
    file.write_bytes(b"kept")
    code, said = run("dump", str(file), says="n\n")
    assert code == 1
    assert f"Overwrite {file}?" in said
    monkeypatch.setattr(dumping, "graph_size", three_megabytes)
    code, said = run("load", str(file), says="n\n")
    assert code == 1
    assert f"Replace every memory in {home} (3.0 MB)" in said
    assert file.read_bytes() == b"kept"
    assert not home.exists()


def test_a_file_that_is_not_there_and_a_server_of_the_users_own_are_refused(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "is no file" in run("load", str(tmp_path / "a.dump"))[1]
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    for verb in ("dump", "load"):
        code, said = run(verb, str(tmp_path / "a.dump"))
        assert code == 1
        assert f"neo4j-admin database {verb}" in said


def test_told_to_stop_it_leaves_nothing_half_made(tmp_path: Path) -> None:
    home, target = tmp_path / "home", tmp_path / "out" / "a.dump"
    managed.install_neo4j(_Cache(), progress=quiet)
    (home / "data" / "databases" / "neo4j").mkdir(parents=True)
    target.parent.mkdir()
    process = subprocess.Popen(
        [*COMMAND, "neo4j", "dump", str(target)],
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 60
    while not list(target.parent.iterdir()):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert b"Stopped. Nothing was changed." in said
    assert list(target.parent.iterdir()) == []


def three_megabytes(_: object) -> int:
    return 3 * 2**20


class _Cache:
    """Settings of a home that nobody asks for."""

    home = Path("unused")
    cache = shared_cache()
    disk_reserve_mb = 0
    neo4j_heap, neo4j_pagecache = "512m", "64m"
    neo4j_bolt_port = neo4j_http_port = java = None
