from __future__ import annotations

import asyncio
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from graph.kernel.errors import (
    HomeInUseError,
    HomeNotWritableError,
    PortTakenError,
    ServerStartError,
)
from graph.server import process
from graph.server.config import Ports, ServerConfig, choose_ports, is_free
from graph.server.process import ManagedServer
from graph.server.records import (
    ServerRecord,
    find_running,
    remove_service,
    write_server,
    write_service,
)
from graph.server.supervise import ServerState, supervise
from tests.server.conftest import is_ready, readiness

pytestmark = pytest.mark.slow


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def jvms_of(home: Path) -> list[int]:
    return [
        found.pid
        for found in psutil.process_iter(["cmdline"])
        if f"--home-dir={home}" in (found.info["cmdline"] or ())
    ]


async def test_one_home_from_first_start_to_stop(config: ServerConfig) -> None:
    home = config.home
    server = ManagedServer(config)
    await server.start(readiness(server))

    password_file = server.status().password_file
    assert stat.S_IMODE(password_file.stat().st_mode) == 0o600
    assert len(server.password) >= 32
    assert await is_ready(server.uri, server.password)

    status = server.status()
    assert jvms_of(home) == [status.pid]
    assert (status.uri, status.browser_url) == (server.uri, server.browser_url)
    assert (status.memory_bytes or 0) > 100_000_000
    assert "Started." in server.log_tail(50)

    write_service(home, "http://127.0.0.1:8400")
    with pytest.raises(HomeInUseError, match=r"answers at http://127\.0\.0\.1:8400"):
        await ManagedServer(config).start(is_never_ready)
    remove_service(home)
    assert server.alive()

    await dies_and_comes_back(server)

    await server.stop()
    assert jvms_of(home) == []
    assert find_running(home) is None
    assert not (home / "neo4j.pid").exists()
    assert is_free(int(status.uri.rsplit(":", 1)[1]) if status.uri else 0)


async def dies_and_comes_back(server: ManagedServer) -> None:
    before = server.status()
    heard: asyncio.Queue[ServerState] = asyncio.Queue()
    watch = asyncio.create_task(supervise(server, heard.put_nowait))
    os.kill(before.pid or 0, signal.SIGKILL)
    assert [await heard.get(), await heard.get()] == ["down", "up"]
    watch.cancel()
    after = server.status()
    assert after.pid != before.pid
    assert after.uri == before.uri
    assert await is_ready(server.uri, server.password)


async def is_never_ready(_: str) -> bool:
    return False


STARTER = """
import asyncio, sys
from pathlib import Path
from graph.server.process import ManagedServer
from tests.server.conftest import readiness, small_config

async def main():
    server = ManagedServer(small_config(Path(sys.argv[1]), Path(sys.argv[2])))
    await server.start(readiness(server))
    print("ready", flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


async def test_a_server_outlives_its_killed_service_and_is_adopted(
    used_config: ServerConfig,
) -> None:
    home = used_config.home
    command = [sys.executable, "-c", STARTER, home, used_config.cache]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout is not None
        assert starter.stdout.readline() == "ready\n"
        pids = jvms_of(home)
        starter.kill()
    assert jvms_of(home) == pids

    pid_file = home / "neo4j.pid"
    known = pid_file.read_text()
    pid_file.unlink()
    unknowing = ManagedServer(used_config)
    with pytest.raises(HomeInUseError, match=f"in use by process {pids[0]}"):
        await unknowing.start(is_never_ready)
    assert jvms_of(home) == pids

    pid_file.write_text(known)
    server = ManagedServer(used_config)
    await server.start(readiness(server))
    assert server.status().pid == pids[0]
    assert server.alive()

    os.kill(pids[0], signal.SIGSTOP)  # deaf to SIGTERM
    await server.stop(patience=0.3)
    assert jvms_of(home) == []
    assert not pid_file.exists()


async def test_data_that_cannot_be_opened_end_the_start_with_the_reason(
    used_config: ServerConfig,
) -> None:
    store = used_config.home / "data" / "databases" / "neo4j" / "neostore"
    store.write_bytes(b"\xff" * store.stat().st_size)
    server = ManagedServer(used_config)
    with pytest.raises(ServerStartError, match=r"(?s)cannot open the data in .*store version"):
        await server.start(readiness(server))
    assert jvms_of(used_config.home) == []


async def test_a_cancelled_start_leaves_no_orphan(used_config: ServerConfig) -> None:
    start = asyncio.create_task(ManagedServer(used_config).start(is_never_ready))
    while not jvms_of(used_config.home):
        await asyncio.sleep(0.05)
    start.cancel()
    with pytest.raises(asyncio.CancelledError):
        await start
    assert jvms_of(used_config.home) == []
    assert find_running(used_config.home) is None


async def test_a_port_lost_between_look_and_bind_is_chosen_again(
    used_config: ServerConfig, taken_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports = [Ports(taken_port, choose_ports(used_config).http), choose_ports(used_config)]

    def next_ports(_: ServerConfig) -> Ports:
        return ports.pop(0)

    monkeypatch.setattr(process, "choose_ports", next_ports)
    server = ManagedServer(used_config)
    await server.start(readiness(server))
    assert ports == []
    assert not server.uri.endswith(f":{taken_port}")
    await server.stop()


async def test_a_setting_the_server_refuses_ends_the_start_with_its_last_lines(
    used_config: ServerConfig,
) -> None:
    server = ManagedServer(replace(used_config, pagecache="a lot"))
    with pytest.raises(ServerStartError, match="a lot"):
        await server.start(is_never_ready)
    assert jvms_of(used_config.home) == []


def test_a_port_that_was_asked_for_and_is_taken_is_named(
    config: ServerConfig, taken_port: int
) -> None:
    with pytest.raises(PortTakenError, match=f"Port {taken_port} .*_BOLT_PORT"):
        choose_ports(replace(config, bolt_port=taken_port))
    with pytest.raises(PortTakenError, match=f"Port {taken_port} .*_HTTP_PORT"):
        choose_ports(replace(config, http_port=taken_port))


def test_the_usual_port_gives_way_when_it_is_taken(
    config: ServerConfig, taken_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.server.config.BOLT_PORT", taken_port)
    ports = choose_ports(replace(config, bolt_port=None))
    assert ports.bolt != taken_port
    assert is_free(ports.bolt)


async def test_a_lost_password_is_said_before_anything_starts(used_config: ServerConfig) -> None:
    (used_config.home / "neo4j-password").unlink()
    with pytest.raises(ServerStartError, match=r"password.*is gone"):
        await ManagedServer(used_config).start(is_never_ready)
    assert jvms_of(used_config.home) == []


async def test_without_jars_the_way_to_get_them_is_said(config: ServerConfig) -> None:
    server = ManagedServer(replace(config, cache=config.home.parent / "empty"))
    with pytest.raises(ServerStartError, match="stratagraph neo4j install"):
        await server.start(is_never_ready)


async def test_a_home_on_a_full_or_foreign_disk_is_named(config: ServerConfig) -> None:
    config.home.mkdir()
    (config.home / "conf").touch()
    server = ManagedServer(config)
    with pytest.raises(HomeNotWritableError, match="STRATAGRAPH_HOME"):
        await server.start(is_never_ready)


async def test_stopping_what_does_not_run_does_nothing(config: ServerConfig) -> None:
    await ManagedServer(config).stop()
    with pytest.raises(ServerStartError, match="No Neo4j runs"):
        _ = ManagedServer(config).uri


async def test_a_server_that_ends_just_before_it_is_told_to_is_forgotten(
    config: ServerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    really_kill = os.kill
    config.home.mkdir(parents=True, exist_ok=True)
    with subprocess.Popen(["sleep", "60"]) as leaving:

        def kill(pid: int, number: int) -> None:
            really_kill(pid, signal.SIGKILL)
            leaving.wait()
            really_kill(pid, number)

        created = psutil.Process(leaving.pid).create_time()
        write_server(config.home, ServerRecord(leaving.pid, created, 1, 2, "java", "1"))
        monkeypatch.setattr(process.os, "kill", kill)
        await ManagedServer(config).stop()
    assert find_running(config.home) is None
    assert not (config.home / "neo4j.pid").exists()


async def test_a_server_on_its_way_out_is_replaced(used_config: ServerConfig) -> None:
    with subprocess.Popen(["sleep", "1"], start_new_session=True) as leaving:
        created = psutil.Process(leaving.pid).create_time()
        write_server(used_config.home, ServerRecord(leaving.pid, created, 1, 2, "java", "1"))
        server = ManagedServer(used_config)
        await server.start(readiness(server))
        assert jvms_of(used_config.home) == [server.status().pid]
        await server.stop()
