"""A home with a migrated, empty graph."""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from graph.database.driver import Connection, is_ready
from graph.server.config import ServerConfig
from graph.server.lock import install_jars
from graph.server.process import ManagedServer
from service.bootstrap import open_service
from service.settings import Settings

HomeCopy = Callable[[Path], Path]


@pytest.fixture(scope="session")
def prepared_home(tmp_path_factory: pytest.TempPathFactory) -> HomeCopy:
    """Copy such a home to a folder, for tests of later starts."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # one for all workers
        folder = folder.parent
    home = folder / "prepared-home"
    with _alone(folder / "prepared-home.lock"):
        if not home.exists():
            with ThreadPoolExecutor(
                1
            ) as thread:  # in a thread: this one's event loop is the tests'
                thread.submit(asyncio.run, _prepare(folder / "preparing-home")).result()
            (folder / "preparing-home").rename(home)

    def copied(place: Path) -> Path:
        place.parent.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copytree(home, place))

    return copied


@contextmanager
def _alone(lock: Path) -> Generator[None]:
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


async def _prepare(home: Path) -> None:
    shutil.rmtree(home, ignore_errors=True)
    cache = Settings().cache
    install_jars(cache, progress=lambda _done, _total, _name: None)
    server = ManagedServer(
        ServerConfig(home, cache, heap="512m", pagecache="64m", bolt_port=0, http_port=0)
    )
    await server.start(lambda uri: is_ready(uri, "neo4j", server.password))
    try:
        settings = Settings(neo4j_uri=server.uri, worker=False)
        async with open_service(settings, Connection(server.uri, password=server.password)):
            pass
    finally:
        await server.stop()
