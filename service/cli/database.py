"""The Neo4j of a command: managed, or named by NEO4J_URI."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from graph.kernel.errors import DatabaseUnavailableError, HomeInUseError
from service.bootstrap.managed import (
    USERNAME,
    ManagedServer,
    ServerState,
    disk_reserve,
    read_service,
    readiness,
    supervise,
)
from service.cli.telling import tell
from service.settings import Settings

if TYPE_CHECKING:
    from graph.ports.world import Embedder
    from service.bootstrap import Connection, Service

PATIENCE_SECONDS = 60.0
RETRY_SECONDS = 1.0


@dataclass(frozen=True)
class Database:
    """A Neo4j, with its supervision."""

    connection: Connection
    browser: str
    login: str
    data: str
    watch: Callable[[Callable[[ServerState], None], Callable[[], bool]], Awaitable[object]]
    embedder: Embedder | None = None


@asynccontextmanager
async def open_database(settings: Settings, server: ManagedServer) -> AsyncGenerator[Database]:
    """Start or adopt the managed Neo4j and stop it after use, or use the named one."""
    if settings.neo4j_uri is not None:
        yield Database(
            named_connection(settings),
            browser="as set up by who runs it",
            login=f"user {settings.neo4j_username}, password in NEO4J_PASSWORD",
            data=f"{settings.neo4j_uri}, database {settings.neo4j_database}",
            # a named Neo4j is not supervised
            watch=lambda _on_state, _failed: asyncio.Event().wait(),
        )
        return
    tell(settings, "Starting Neo4j", "neo4j_starting")
    # concurrently: both take seconds
    loading = asyncio.create_task(asyncio.to_thread(_load, settings))
    await server.start(readiness(server))
    try:
        embedder = await loading
        yield Database(
            managed_connection(settings, server),
            browser=server.browser_url,
            login=f"user {USERNAME}, password in {server.status().password_file}",
            data=str(home_of(settings) / "data"),
            watch=lambda on_state, failed: supervise(
                server, on_state, failed=failed, has_room=disk_reserve(settings).has_room
            ),
            embedder=embedder,
        )
    finally:
        await server.stop()


def named_connection(settings: Settings) -> Connection:
    from service.bootstrap import Connection

    return Connection(
        settings.neo4j_uri or "",
        settings.neo4j_username,
        settings.neo4j_password.get_secret_value(),
        settings.neo4j_database,
        settings.neo4j_pool_size,
        settings.neo4j_timeout_seconds,
    )


def managed_connection(settings: Settings, server: ManagedServer) -> Connection:
    from service.bootstrap import Connection

    return Connection(
        server.uri,
        USERNAME,
        server.password,
        "neo4j",
        settings.neo4j_pool_size,
        settings.neo4j_timeout_seconds,
    )


def home_of(settings: Settings) -> Path:
    return settings.home.expanduser().absolute()


def refuse_while_serving(settings: Settings) -> None:
    record = read_service(home_of(settings))
    if record is not None:
        raise HomeInUseError(
            f"A service already works on {home_of(settings)}; it answers at {record.api_url}. "
            "Use that one, stop it with `stratagraph stop`, or set another STRATAGRAPH_HOME."
        )


@asynccontextmanager
async def open_when_ready(settings: Settings, database: Database) -> AsyncGenerator[Service]:
    """Open the service; a named Neo4j may still be starting."""
    from service.bootstrap import open_service

    connection = database.connection
    embedder = database.embedder or await asyncio.to_thread(_load, settings)
    # the managed one is ready; a named one may still be starting
    deadline = time.monotonic() + (PATIENCE_SECONDS if settings.neo4j_uri else 0)
    async with AsyncExitStack() as stack:
        while True:
            try:
                service = await stack.enter_async_context(
                    open_service(settings, connection, embedder)
                )
                break
            except DatabaseUnavailableError as error:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise _never_answered(connection) from error
                waiting = f"Waiting for Neo4j at {connection.uri} ({left:.0f} s left)"
                tell(settings, waiting, "neo4j_waiting")
                await asyncio.sleep(RETRY_SECONDS)
        yield service


def _never_answered(connection: Connection) -> DatabaseUnavailableError:
    return DatabaseUnavailableError(
        f"No Neo4j answers at {connection.uri}. Start it or correct NEO4J_URI; unset NEO4J_URI "
        "to have one started here."
    )


def _load(settings: Settings) -> Embedder:
    """Import and load slow parts while Neo4j starts."""
    import service.cli.web  # noqa: F401  # pyright: ignore[reportUnusedImport] -- for its effect
    from service.bootstrap import load_embedder

    return load_embedder(settings)
