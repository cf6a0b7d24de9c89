"""Read-only checks for `doctor`, and the loop of periodic work."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from graph.database.driver import Connection, open_database
from graph.kernel.embedding import OtherSlot
from graph.kernel.errors import StratagraphError
from graph.model.utility.configs import Overrides
from graph.server.config import is_free
from graph.server.disk import DiskReserve
from graph.server.java import find_java
from graph.server.lock import server_version
from graph.server.records import is_older_than_last, last_version, stale_records
from graph.server.swap import graph_bytes, load_is_unfinished
from graph.store.operation.migrate import (
    LATEST,
    check_server,
    index_problems,
    schema_state,
)
from graph.store.utility.configs import ConfigStore
from service.bootstrap.embedders import EmbedderSettings, Loader, check_configured

__all__ = [
    "LATEST",
    "GraphState",
    "StoreState",
    "java_version",
    "look_at_graph",
    "look_at_store",
    "port_is_free",
]


@dataclass(frozen=True, slots=True)
class GraphState:
    """State of a graph; schema 0 is an empty one."""

    server: str
    schema: int
    embedder: str | None
    other: OtherSlot | None
    broken_indexes: tuple[str, ...]
    overrides: Mapping[str, Overrides]


@dataclass(frozen=True, slots=True)
class StoreState:
    """State of the data of a home."""

    graph_bytes: int
    free_bytes: int
    version: str
    last_version: str | None
    is_newer: bool
    unfinished_load: bool
    stale_records: tuple[str, ...]


def look_at_store(home: Path) -> StoreState:
    """Measure the data of a home, running or not."""
    version = server_version()
    return StoreState(
        graph_bytes=graph_bytes(home),
        free_bytes=DiskReserve(home, 0).free_bytes(),
        version=version,
        last_version=last_version(home),
        is_newer=is_older_than_last(home, version),
        unfinished_load=load_is_unfinished(home),
        stale_records=stale_records(home),
    )


async def look_at_graph(settings: EmbedderSettings, connection: Connection) -> GraphState:
    """Read the state of a graph without changes.

    Raises
    ------
    DatabaseError
        If it cannot be reached or used; the subclass says why.
    EmbedderMismatchError
        If another embedder filled it.
    """
    async with open_database(connection) as database:
        server = await check_server(database)
        state = await schema_state(database)
        check_configured(state, settings.embedder, Loader(settings))
        # the slot in use decides which indexes are required
        database.slot = state.slot
        broken = await index_problems(database)
        overrides = await ConfigStore(database, None).all_overrides()
    return GraphState(server, state.version, state.embedder, state.other, tuple(broken), overrides)


def java_version(chosen: Path | None) -> str:
    """Return the version of the Java that runs Neo4j.

    Raises
    ------
    JavaError
        If there is none that will do.
    """
    return find_java(chosen).version


def port_is_free(port: int) -> bool:
    return is_free(port)


logger = logging.getLogger(__name__)

_LONGEST_PAUSE = 60.0  # seconds, after repeated failures


async def repeat(name: str, work: Callable[[], Awaitable[object]], seconds: float) -> None:
    """Repeat some work with a pause in seconds, until cancelled.

    Errors do not end it. An unavailable Neo4j is logged briefly; other errors are logged with their place, and double
    the pause.
    """
    pause = seconds
    while True:
        await asyncio.sleep(pause)
        try:
            await work()
            pause = seconds
        # unavailability is no fault of this work: the log stays short
        except StratagraphError as error:
            logger.debug("background work waits", extra={"action": name, "why": error.message})
            pause = seconds
        except Exception:
            # doubled, so that a repeated error does not fill the log
            pause = max(seconds, min(2 * pause, _LONGEST_PAUSE))
            logger.exception("background work failed", extra={"action": name, "pause": pause})
