"""Wiring of the managed Neo4j: its settings, and its readiness by the driver."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

from graph.database.driver import Connection
from graph.kernel.errors import ServerStartError
from graph.server.config import ServerConfig
from graph.server.credentials import USERNAME, read_password
from graph.server.disk import DiskReserve
from graph.server.dumps import Dump, dump_graph, load_graph
from graph.server.lock import install_jars, installed_jars
from graph.server.process import ManagedServer, ServerStatus
from graph.server.records import (
    ServiceRecord,
    find_running,
    read_service,
    remove_service,
    write_service,
)
from graph.server.supervise import ServerState, supervise
from graph.server.swap import graph_bytes
from graph.server.training import archive_classes, is_archived

__all__ = [
    "USERNAME",
    "Dump",
    "ManagedServer",
    "ServerSettings",
    "ServerState",
    "ServerStatus",
    "ServiceRecord",
    "build_server",
    "disk_reserve",
    "dump_home",
    "graph_size",
    "has_fast_start",
    "install_neo4j",
    "is_installed",
    "load_home",
    "prepare_fast_start",
    "read_service",
    "readiness",
    "remove_service",
    "running_connection",
    "start_server",
    "supervise",
    "write_service",
]


class ServerSettings(Protocol):
    """Settings of the managed server."""

    @property
    def home(self) -> Path: ...
    @property
    def cache(self) -> Path: ...
    @property
    def disk_reserve_mb(self) -> int: ...
    @property
    def neo4j_heap(self) -> str: ...
    @property
    def neo4j_pagecache(self) -> str: ...
    @property
    def neo4j_bolt_port(self) -> int | None: ...
    @property
    def neo4j_http_port(self) -> int | None: ...
    @property
    def java(self) -> Path | None: ...


def disk_reserve(settings: ServerSettings) -> DiskReserve:
    """Return the disk reserve of the managed Neo4j."""
    return DiskReserve(_absolute(settings.home), settings.disk_reserve_mb * 2**20)


def build_server(settings: ServerSettings) -> ManagedServer:
    return ManagedServer(_config(settings))


def is_installed(settings: ServerSettings) -> bool:
    return installed_jars(_config(settings).cache) is not None


def install_neo4j(
    settings: ServerSettings,
    *,
    progress: Callable[[int, int, str], None],
    from_folder: Path | None = None,
) -> Path:
    return install_jars(_config(settings).cache, progress=progress, from_folder=from_folder)


def has_fast_start(settings: ServerSettings) -> bool:
    return is_archived(_config(settings))


def prepare_fast_start(settings: ServerSettings) -> None:
    """Create class-data archives, which halve later starts; not in an event loop."""
    archive_classes(_config(settings), _ask)


def readiness(server: ManagedServer) -> Callable[[str], Awaitable[bool]]:
    """Return the readiness check of `ManagedServer.start`."""
    return lambda uri: _ask(uri, server.password)


# an open port is not enough: the driver must be able to log in
async def start_server(settings: ServerSettings) -> ManagedServer:
    """Start the home's server or adopt the running one; the caller stops or releases it."""
    server = build_server(settings)
    await server.start(readiness(server))
    return server


async def dump_home(
    settings: ServerSettings, target: Path, progress: Callable[[str, float], None]
) -> Dump:
    """Write the graph of the home to a file."""
    server = build_server(settings)
    return await dump_graph(server, target, readiness(server), progress)


async def load_home(
    settings: ServerSettings, source: Path, progress: Callable[[str, float], None]
) -> tuple[Dump, int]:
    """Replace the home's graph by a dump; return the dump and its schema after migration."""
    server = build_server(settings)
    schemas: list[int] = []

    async def accepted() -> None:
        from service.bootstrap.wiring import migrate_schema

        progress("bringing the schema up to date", 0.0)
        # before the old data are removed: a graph that cannot be migrated is refused
        schemas.append(await migrate_schema(running_connection(server.config.home)))

    return await load_graph(server, source, readiness(server), accepted, progress), schemas[0]


def graph_size(settings: ServerSettings) -> int:
    """Bytes of the home's graph; 0: there is none."""
    return graph_bytes(_config(settings).home)


async def _ask(uri: str, password: str) -> bool:
    from graph.database.driver import is_ready

    return await is_ready(uri, USERNAME, password)


def _config(settings: ServerSettings) -> ServerConfig:
    return ServerConfig(
        home=_absolute(settings.home),
        cache=_absolute(settings.cache),
        heap=settings.neo4j_heap,
        pagecache=settings.neo4j_pagecache,
        bolt_port=settings.neo4j_bolt_port,
        http_port=settings.neo4j_http_port,
        java=_absolute(settings.java) if settings.java else None,
    )


def running_connection(home: Path) -> Connection:
    """Return the connection to the managed Neo4j that runs on a home.

    Raises
    ------
    ServerStartError
        If none runs there.
    """
    record = find_running(home)
    if record is None:
        raise ServerStartError(f"no managed Neo4j runs on {home}; start it: stratagraph serve")
    return Connection(f"bolt://127.0.0.1:{record.bolt_port}", USERNAME, read_password(home))


def _absolute(path: Path) -> Path:
    # expanded here: the server runs in another folder
    return path.expanduser().absolute()
