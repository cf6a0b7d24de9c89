from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import httpx
import psutil
import pytest

from graph.server.archive import class_archive
from graph.server.config import ServerConfig
from graph.server.java import find_java
from graph.server.lock import installed_jars
from graph.server.process import ManagedServer
from tests.server.conftest import readiness

pytestmark = pytest.mark.slow


def folders_of_the_web_server(place: Path, server: ManagedServer) -> set[str]:
    port = httpx.URL(server.browser_url).port
    return {path.name for path in place.glob(f"jetty-*-{port}-*")}


async def started(config: ServerConfig) -> ManagedServer:
    server = ManagedServer(config)
    await server.start(readiness(server))
    return server


async def test_what_the_jvm_writes_for_a_while_stays_in_the_home_and_goes(
    used_config: ServerConfig,
) -> None:
    home = used_config.home.rename(used_config.home.with_name("a home with spaces"))
    config, scratch = replace(used_config, home=home), home / "tmp"
    scratch.mkdir()
    (scratch / "left by a start that was killed").mkdir()

    server = await started(config)
    assert {path.name for path in scratch.iterdir()} == folders_of_the_web_server(scratch, server)
    assert scratch.stat().st_mode & 0o777 == 0o700
    assert httpx.get(server.browser_url).status_code == 200

    first = folders_of_the_web_server(scratch, server)
    assert len(first) == 1
    os.kill(server.status().pid or 0, signal.SIGKILL)
    while server.alive():
        await asyncio.sleep(0.05)
    server.release()
    assert folders_of_the_web_server(scratch, server) == first

    again = await started(config)
    assert not first & {path.name for path in scratch.iterdir()}
    for each in (server, again):
        assert folders_of_the_web_server(Path(tempfile.gettempdir()), each) == set()
    await again.stop()
    assert not scratch.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="maps of a process are Linux's")
async def test_native_libraries_and_class_archives_load_beside_that_folder(
    used_config: ServerConfig,
) -> None:
    server = await started(used_config)
    mapped = {each.path for each in psutil.Process(server.status().pid).memory_maps()}
    await server.stop()
    scratch = used_config.home / "tmp"
    assert any(path.startswith(f"{scratch}/libnetty_transport_native_epoll") for path in mapped)
    jars = installed_jars(used_config.cache)
    assert jars is not None
    archive = class_archive(used_config.cache, find_java(), jars)
    assert {str(path) for path in (archive.base, archive.server) if path.exists()} <= mapped
