"""`stratagraph serve` as a process of its own, on a home of its own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import psutil
import pytest

from graph.database.driver import Connection
from service.bootstrap.managed import build_server, read_service
from service.settings import Settings
from tests.prepared_home import HomeCopy

pytestmark = pytest.mark.slow

PATIENCE_SECONDS = 120.0
COMMAND = [sys.executable, "-m", "service"]


def environment(home: Path, **more: str) -> dict[str, str]:
    sizes = {"STRATAGRAPH_NEO4J_HEAP": "512m", "STRATAGRAPH_NEO4J_PAGECACHE": "64m"}
    return {**os.environ, **sizes, "STRATAGRAPH_HOME": str(home), **more}


def own_ports() -> dict[str, str]:
    """Choose ports of the database: while it is down, another test's server would take the usual ones."""
    names = ("STRATAGRAPH_NEO4J_BOLT_PORT", "STRATAGRAPH_NEO4J_HTTP_PORT")
    with ExitStack() as held:
        free = [held.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in names]
        return {name: str(one.getsockname()[1]) for name, one in zip(names, free, strict=True)}


def command(home: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        env=environment(home, **more),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


@contextmanager
def serving(home: Path, **more: str) -> Generator[subprocess.Popen[bytes]]:
    home.mkdir(exist_ok=True)
    with (home / "out.txt").open("wb") as out:
        process = subprocess.Popen(
            [*COMMAND, "serve"], env=environment(home, **more), stdout=out, stderr=out
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        command(home, "stop")


def said(home: Path) -> str:
    return (home / "out.txt").read_text()


def until_ready(home: Path, process: subprocess.Popen[bytes]) -> str:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while "is ready" not in said(home):
        assert process.poll() is None, said(home)
        assert time.monotonic() < deadline, said(home)
        time.sleep(0.1)
    record = read_service(home)
    assert record is not None
    return record.api_url


def neo4j_pid(home: Path) -> int | None:
    return build_server(Settings(home=home)).status().pid


def test_it_serves_survives_its_database_and_leaves_no_orphan(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with serving(home, **own_ports()) as process:
        url = until_ready(home, process)
        for word in (url, f"{url}/docs", "/browser/", "neo4j-password", str(home / "data")):
            assert word in said(home)
        assert httpx.get(f"{url}/readyz", timeout=30).status_code == 200
        second = command(home, "serve")
        assert second.returncode == 1
        assert url in second.stderr
        assert "Traceback" not in second.stderr
        assert command(home, "doctor").returncode == 0
        assert "stratagraph_managed_server_up 1.0\n" in httpx.get(f"{url}/metrics", timeout=30).text
        _kill_neo4j_and_wait(home, url)
        _it_was_counted(url)
        pid = neo4j_pid(home)
        assert pid is not None
        with httpx.stream("GET", f"{url}/v1/events?agent_id=a", timeout=30) as listening:
            lines = listening.iter_lines()
            assert next(lines).startswith("retry:")
            process.send_signal(signal.SIGTERM)
            asked = time.monotonic()
            assert [line for line in lines if line.startswith("event:")] == []
            # A listener that was cut off would raise; one that was waited for would take 10 s.
            assert time.monotonic() - asked < 8
        assert process.wait(PATIENCE_SECONDS) == 0, said(home)
        assert not psutil.pid_exists(pid)
        assert read_service(home) is None


def _it_was_counted(url: str) -> None:
    told = "stratagraph_managed_server_restarts_total 1.0\n"
    deadline = time.monotonic() + PATIENCE_SECONDS
    while told not in (numbers := httpx.get(f"{url}/metrics", timeout=30).text):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    for line in ("managed_server_deaths_total 1.0", "managed_server_up 1.0", "neo4j_up 1.0"):
        assert f"stratagraph_{line}\n" in numbers
    assert "stratagraph_store_size_bytes" in numbers
    assert 'route="/v1/recall",status="503"' in numbers


def _kill_neo4j_and_wait(home: Path, url: str) -> None:
    question = {"agent_id": "a", "text": "x"}
    pid = neo4j_pid(home)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    statuses: list[int] = []
    deadline = time.monotonic() + PATIENCE_SECONDS
    while 503 not in statuses or statuses[-1] != 200:
        started = time.monotonic()
        answer = httpx.post(f"{url}/v1/recall", json=question, timeout=PATIENCE_SECONDS)
        statuses.append(answer.status_code)
        if answer.status_code == 503:
            assert time.monotonic() - started < 3
            assert answer.headers["retry-after"]
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert set(statuses) <= {200, 503}


def test_after_a_kill_the_next_start_adopts_the_database(
    tmp_path: Path, prepared_home: HomeCopy
) -> None:
    home = prepared_home(tmp_path / "home")
    with serving(home) as process:
        until_ready(home, process)
        pid = neo4j_pid(home)
        process.kill()
        process.wait()
        assert neo4j_pid(home) == pid
        with serving(home) as another:
            until_ready(home, another)
            assert neo4j_pid(home) == pid
            stopped = command(home, "stop")
            assert "Stopped." in stopped.stdout
            assert another.wait(PATIENCE_SECONDS) == 0
        assert neo4j_pid(home) is None


def test_a_stop_while_it_starts_leaves_no_orphan(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with serving(home) as process:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while neo4j_pid(home) is None:
            assert time.monotonic() < deadline, said(home)
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_SECONDS) == 0, said(home)
        assert neo4j_pid(home) is None


def test_a_port_that_is_taken_is_told_at_once(tmp_path: Path) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = str(listener.getsockname()[1])
        by_setting = command(tmp_path / "home", "serve", STRATAGRAPH_PORT=port)
        by_option = command(tmp_path / "home", "serve", "--port", port)
    for result in (by_setting, by_option):
        assert result.returncode == 1
        assert f"Port {port} is taken" in result.stderr
    assert neo4j_pid(tmp_path / "home") is None


def test_keys_are_needed_off_loopback(tmp_path: Path) -> None:
    result = command(tmp_path / "home", "serve", STRATAGRAPH_HOST="0.0.0.0")  # noqa: S104
    assert result.returncode == 1
    assert "STRATAGRAPH_API_KEYS" in result.stderr
    assert "Traceback" not in result.stderr


def test_traces_without_their_packages_are_refused_with_the_line_to_type(tmp_path: Path) -> None:
    for asked in ({"STRATAGRAPH_TRACING": "true"}, {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x:1"}):
        result = command(tmp_path / "home", "serve", **asked)
        assert result.returncode == 1
        assert "pip install 'stratagraph-server[otel]'" in result.stderr
        assert "Traceback" not in result.stderr
    assert neo4j_pid(tmp_path / "home") is None


def test_with_json_logs_all_that_is_said_is_json(tmp_path: Path, connection: Connection) -> None:
    home = tmp_path / "home"
    named = {"NEO4J_URI": connection.uri, "NEO4J_PASSWORD": connection.password}
    with serving(home, **named, STRATAGRAPH_LOG_FORMAT="json") as process:
        url = until_ready(home, process)
        httpx.post(f"{url}/v1/recall", json={"agent_id": "a", "text": "x"}, timeout=30)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_SECONDS) == 0, said(home)
    told = [json.loads(line) for line in said(home).splitlines()]
    expected = ["ready", "request", "stopping", "stopped"]
    assert [line["action"] for line in told if line.get("action") in expected] == expected
    assert [line["url"] for line in told if line.get("action") == "ready"] == [url]


def test_a_named_database_that_is_away_is_waited_for_until_told_to_stop(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with serving(home, NEO4J_URI="bolt://127.0.0.1:9") as process:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while "Waiting for Neo4j at bolt://127.0.0.1:9" not in said(home):
            assert process.poll() is None, said(home)
            assert time.monotonic() < deadline, said(home)
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_SECONDS) == 0, said(home)


def test_a_wrong_password_is_one_clear_line(
    tmp_path: Path, settings: Settings, request: pytest.FixtureRequest
) -> None:
    if not request.getfixturevalue("connection").password:
        pytest.skip("this server lets everybody in")
    uri = settings.neo4j_uri or ""
    result = command(tmp_path / "home", "serve", NEO4J_URI=uri, NEO4J_PASSWORD="wrong")
    assert result.returncode == 1
    assert "NEO4J_PASSWORD" in result.stderr
    assert "Traceback" not in result.stderr
