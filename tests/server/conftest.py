"""Real servers on temporary homes, with shared jars."""

from __future__ import annotations

import os
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from neo4j import AsyncGraphDatabase
from neo4j.exceptions import ServiceUnavailable, TransientError

from graph.server.config import ServerConfig
from graph.server.lock import install_jars
from graph.server.process import ManagedServer


async def is_ready(uri: str, password: str) -> bool:
    driver = AsyncGraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType] - its **config
        uri, auth=("neo4j", password)
    )
    try:
        async with driver:
            await driver.execute_query("RETURN 1", database_="neo4j")
    except (ServiceUnavailable, TransientError):
        return False
    return True


def readiness(server: ManagedServer) -> Callable[[str], Awaitable[bool]]:
    return lambda uri: is_ready(uri, server.password)


def shared_cache() -> Path:
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(os.environ.get("STRATAGRAPH_CACHE") or base / "stratagraph").absolute()


def quiet(_done: int, _total: int, _name: str) -> None:
    pass


@pytest.fixture(scope="session")
def cache() -> Path:
    folder = shared_cache()
    install_jars(folder, progress=quiet)
    return folder


@pytest.fixture
def config(tmp_path: Path, cache: Path) -> ServerConfig:
    return small_config(tmp_path / "home", cache)


def small_config(home: Path, cache: Path) -> ServerConfig:
    return ServerConfig(home, cache, heap="512m", pagecache="32m", bolt_port=0, http_port=0)


@pytest.fixture(scope="session")
async def stopped_home(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Path:
    """A home whose server ran once; copy it before changing it."""
    home = tmp_path_factory.mktemp("stopped") / "home"
    server = ManagedServer(small_config(home, cache))
    await server.start(readiness(server))
    await server.stop()
    return home


@pytest.fixture
def used_config(stopped_home: Path, config: ServerConfig) -> ServerConfig:
    shutil.copytree(stopped_home, config.home)
    return config
