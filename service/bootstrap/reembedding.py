"""Wiring of `stratagraph reembed`, which works on the database while services run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta

from graph.database.driver import Connection, Database, open_database
from graph.kernel.embedding import EmbeddingState
from graph.kernel.errors import ConfigurationError
from graph.store.operation.embedding import EmbeddingStore
from graph.store.operation.migrate import LATEST, check_server, check_version, schema_state
from service.bootstrap.embedders import DEFAULT, EmbedderSettings, Loader
from service.bootstrap.wiring import SystemClock
from service.use_cases.operation.reembed import CancelReembedding, Reembed, Reembedded, Step, Tell

__all__ = ["Reembedded", "Step", "cancel_reembedding", "opened_database", "reembed"]

BATCH = 256
GRACE_SECONDS = 30.0


async def reembed(
    settings: EmbedderSettings,
    connection: Connection,
    tell: Tell,
    *,
    source: str | None = None,
    batch: int = BATCH,
    grace_seconds: float = GRACE_SECONDS,
    loader: Loader | None = None,
) -> Reembedded:
    """Re-embed the graph with the embedder of ``source``, else of an unfinished run, the settings, or the default."""
    loader = loader or Loader(settings)
    async with _opened(connection) as store:
        chosen = _chosen(await store.state(), source or settings.embedder)
        embedder = await asyncio.to_thread(loader, chosen)
        grace = timedelta(seconds=grace_seconds)
        return await Reembed(store, embedder, tell, batch, grace, clock=SystemClock())()


async def cancel_reembedding(connection: Connection, tell: Tell) -> str:
    """Cancel a re-embedding; return the embedder whose vectors were removed."""
    async with _opened(connection) as store:
        return await CancelReembedding(store, tell, clock=SystemClock())()


def _chosen(state: EmbeddingState, asked: str | None) -> str:
    other = state.other
    if asked is None and other is not None and other.state != "dropping":
        # without a name it continues the unfinished run
        return (other.embedder if other.state == "filling" else state.embedder).source
    if asked is None and other is not None:
        return state.embedder.source
    return asked or DEFAULT


@asynccontextmanager
async def _opened(connection: Connection) -> AsyncGenerator[EmbeddingStore]:
    async with opened_database(connection) as database:
        yield EmbeddingStore(database, SystemClock())


@asynccontextmanager
async def opened_database(connection: Connection) -> AsyncGenerator[Database]:
    """Open a graph with the schema of this release, on the slot in use.

    Raises
    ------
    ConfigurationError
        If its schema is older.
    """
    async with open_database(connection) as database:
        await check_server(database)
        state = await schema_state(database)
        check_version(state)
        # it never migrates, as services of this release may be running
        if state.version < LATEST:
            raise ConfigurationError(
                f"the graph has schema {state.version}, {LATEST} is needed: stratagraph migrate"
            )
        database.slot = state.slot
        yield database
