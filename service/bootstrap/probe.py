"""Gauges read from Neo4j and the disk at each scrape of metrics."""

from __future__ import annotations

import asyncio
import platform
import shutil
from importlib.metadata import version
from pathlib import Path

from graph.database.driver import Database
from graph.kernel.errors import StratagraphError
from graph.ports.telemetry import Telemetry
from graph.store.memories.links import LinkStore
from graph.store.operation.migrate import LATEST, schema_state
from graph.store.utility.credits import CreditStore
from service.settings import Settings
from service.use_cases.recall.accesses import AccessCounter

_PATIENCE_SECONDS = 2.0


class Probe:
    """Probe of Neo4j, its schema, and the disk of the managed one."""

    def __init__(
        self,
        telemetry: Telemetry,
        database: Database,
        links: LinkStore,
        credits: CreditStore,
        settings: Settings,
    ) -> None:
        self._telemetry = telemetry
        self._links = links
        self._credits = credits
        self._database = database
        managed = settings.neo4j_uri is None
        self._data = settings.home.expanduser() / "data" if managed else None

    def describe(self, pool_size: int, accesses: AccessCounter) -> None:
        """Set constant metrics, and register those read at each scrape."""
        self._telemetry.gauge(
            "build_info",
            1,
            version=version("stratagraph"),
            schema=str(LATEST),
            python=platform.python_version(),
        )
        self._telemetry.gauge("database_connections_max", pool_size)
        self._telemetry.watch("access_queue_length", lambda: accesses.waiting)

    async def look(self) -> None:
        """Set the gauges; a slow Neo4j counts as unavailable."""
        await self._look_at_neo4j()
        if self._data is not None and self._data.is_dir():
            used, free = await asyncio.to_thread(_sizes, self._data)
            self._telemetry.gauge("store_size_bytes", used)
            self._telemetry.gauge("store_free_bytes", free)

    async def _look_at_neo4j(self) -> None:
        try:
            # shorter than the timeout of a scrape
            async with asyncio.timeout(_PATIENCE_SECONDS):
                state = await schema_state(self._database)
                waiting = await self._links.count_unlinked()
                credits = await self._credits.count()
        except (StratagraphError, TimeoutError):
            self._telemetry.gauge("neo4j_up", 0)
            return
        self._telemetry.gauge("neo4j_up", 1)
        self._telemetry.gauge("schema_version", state.version)
        self._telemetry.gauge("links_pending", waiting)
        self._telemetry.gauge("credits_waiting", credits)


def _sizes(folder: Path) -> tuple[int, int]:
    """Return sizes of a folder and free space; files may disappear meanwhile."""
    used = 0
    for file in folder.rglob("*"):
        try:
            # blocks, not lengths: database files are sparse
            used += file.stat().st_blocks * 512 if file.is_file() else 0
        except OSError:
            continue
    return used, shutil.disk_usage(folder).free
