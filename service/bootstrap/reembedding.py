"""Wiring of `stratagraph reembed`: it works on the database beside the services."""

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
    """Go over to the embedder of ``source``; unset: one begun with, the settings', the default."""
    loader = loader or Loader(settings)
    async with _opened(connection) as store:
        chosen = _chosen(await store.state(), source or settings.embedder)
        embedder = await asyncio.to_thread(loader, chosen)
        grace = timedelta(seconds=grace_seconds)
        return await Reembed(store, embedder, tell, batch, grace, clock=SystemClock())()


async def cancel_reembedding(connection: Connection, tell: Tell) -> str:
    """Give up a re-embedding; return whose vectors are gone."""
    async with _opened(connection) as store:
        return await CancelReembedding(store, tell, clock=SystemClock())()


def _chosen(state: EmbeddingState, asked: str | None) -> str:
    other = state.other
    if asked is None and other is not None and other.state != "dropping":
        # asked again without a name, it goes on with what was begun
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
    """Open a graph that has the schema of this release, with the slot that is read.

    Raises
    ------
    ConfigurationError
        If its schema is older.
    """
    async with open_database(connection) as database:
        await check_server(database)
        state = await schema_state(database)
        check_version(state)
        # it works beside services of this release only: it never migrates
        if state.version < LATEST:
            raise ConfigurationError(
                f"the graph has schema {state.version}, {LATEST} is needed: stratagraph migrate"
            )
        database.slot = state.slot
        yield database
