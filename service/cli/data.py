"""`stratagraph migrate` and `reset`: the schema, and removal of all data."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graph.kernel.errors import ConfigurationError, InvalidInputError
from service.bootstrap.managed import build_server, readiness
from service.cli.database import (
    home_of,
    managed_connection,
    named_connection,
    refuse_while_serving,
)
from service.cli.neo4j import ensure_all_installed
from service.settings import Settings, load_settings

if TYPE_CHECKING:
    from service.bootstrap import Connection

OURS = (
    *("data", "data.before-load", "loading", "logs", "conf", "tmp"),
    *("neo4j-password", "neo4j-version", "neo4j.pid", "service.json"),
)


def migrate(
    to: Annotated[
        int | None, typer.Option(help="Schema to go to, also downwards; unset: the latest.")
    ] = None,
) -> None:
    """Bring the schema up to this release (serve does it by itself), or to another version."""
    settings = load_settings()
    refuse_while_serving(settings)
    ensure_all_installed(settings)
    print(f"The schema is at version {asyncio.run(_migrate(settings, to))}.")


def reset(
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Remove every memory of this home: the managed Neo4j with its data, logs and password."""
    settings = load_settings()
    if settings.neo4j_uri is not None:
        raise ConfigurationError(
            "NEO4J_URI names a server of your own: its data are not removed from here. "
            "Unset it to reset the home."
        )
    refuse_while_serving(settings)
    home = home_of(settings)
    if not _present(home):
        print(f"There is nothing to remove in {home}.")
        return
    if not yes:
        typer.confirm(f"Remove every memory in {home}?", abort=True)
    # stopped first: a running Neo4j would write to removed files
    asyncio.run(build_server(settings).stop())
    _remove(home)
    print(f"Removed the data in {home}.")


async def _migrate(settings: Settings, to: int | None) -> int:
    from service.bootstrap import migrate_schema
    from service.bootstrap.upkeep import LATEST

    target = LATEST if to is None else to
    if not 0 <= target <= LATEST:
        raise InvalidInputError(f"--to: this release knows the schemas 0 to {LATEST}")
    async with connected(settings) as connection:
        return await migrate_schema(connection, target, settings)


@asynccontextmanager
async def connected(settings: Settings) -> AsyncGenerator[Connection]:
    """Use the running Neo4j, else start one for the duration."""
    if settings.neo4j_uri is not None:
        yield named_connection(settings)
        return
    server = build_server(settings)
    # a Neo4j that was running is left running
    ran_before = server.status().pid is not None
    await server.start(readiness(server))
    try:
        yield managed_connection(settings, server)
    finally:
        if ran_before:
            server.release()
        else:
            await server.stop()


def _present(home: Path) -> list[Path]:
    # A folder `data` without Neo4j's own folders is not ours.
    if (home / "data").exists() and not (home / "data" / "databases").exists():
        return []
    return [home / name for name in OURS if (home / name).exists()]


def _remove(home: Path) -> None:
    for path in _present(home):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
