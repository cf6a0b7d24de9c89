"""One start on a temporary home, to archive the classes that a server loads."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from filelock import FileLock

from graph.kernel.errors import ManagedServerError
from graph.server.archive import ClassArchive, class_archive, dump_base
from graph.server.config import ServerConfig
from graph.server.java import find_java
from graph.server.lock import installed_jars
from graph.server.process import ManagedServer, not_installed

logger = logging.getLogger(__name__)

RECORDING_SECONDS = 180.0
SLOWER = "no class-data archive, starts will be slower: %s"

Warmup = Callable[[str, str], Awaitable[bool]]


def is_archived(config: ServerConfig) -> bool:
    jars = installed_jars(config.cache)
    return jars is not None and _archive(config, jars).is_settled


def archive_classes(config: ServerConfig, warmup: Warmup) -> None:
    """Create missing class-data archives; a failure only costs speed.

    `warmup` gets the address and password, and returns whether the server answered.
    """
    jars = installed_jars(config.cache)
    if jars is None:
        raise not_installed(config.cache)
    archive = _archive(config, jars)
    if archive.is_settled:
        return
    try:
        archive.base.parent.mkdir(parents=True, exist_ok=True)
        # one process creates them; others wait
        with FileLock(archive.server.with_suffix(".lock")):
            if archive.is_settled or not dump_base(archive, find_java(config.java)):
                return
            # on the disk of the cache, to which the archive is moved
            with TemporaryDirectory(dir=archive.base.parent) as home:
                asyncio.run(_record(replace(config, home=Path(home)), archive, warmup))
    except OSError as error:
        logger.warning(SLOWER, error)


def _archive(config: ServerConfig, jars: Path) -> ClassArchive:
    return class_archive(config.cache, find_java(config.java), jars)


async def _record(config: ServerConfig, archive: ClassArchive, warmup: Warmup) -> None:
    # small and on free ports: it only loads classes
    config = replace(config, heap="512m", pagecache="64m", bolt_port=0, http_port=0)
    server = ManagedServer(config, jvm_options=tuple(archive.recording_options()))
    try:
        await server.start(lambda uri: warmup(uri, server.password))
        # the archive is written when the JVM ends, which takes long
        await server.stop(RECORDING_SECONDS)
    except ManagedServerError as error:
        logger.warning(SLOWER, error)
    else:
        archive.keep_recorded()
    finally:
        archive.recorded.unlink(missing_ok=True)
