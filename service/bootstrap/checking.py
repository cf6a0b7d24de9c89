"""Wiring of `stratagraph fsck`, which works on the database while services run."""

from __future__ import annotations

import asyncio

from graph.database.driver import Connection
from graph.model.erasure.checking import Flaw
from graph.ports.world import Embedder
from graph.store.erasure.checking import GraphChecks
from graph.store.operation.embedding import EmbeddingStore
from service.bootstrap.embedders import EmbedderSettings, Loader
from service.bootstrap.reembedding import opened_database
from service.bootstrap.wiring import SystemClock
from service.use_cases.erasure.check_graph import CheckGraph, Tell

__all__ = ["Flaw", "check_graph"]


async def check_graph(
    settings: EmbedderSettings,
    connection: Connection,
    tell: Tell,
    *,
    repair: bool = False,
    loader: Loader | None = None,
) -> tuple[Flaw, ...]:
    """Check a graph, and repair flaws on request."""
    loader = loader or Loader(settings)
    # read-only unless repairing, as services may be running
    async with opened_database(connection) as database:
        embeddings, clock = EmbeddingStore(database, SystemClock()), SystemClock()

        async def load() -> Embedder:
            return await asyncio.to_thread(loader, (await embeddings.state()).embedder.source)

        checks = GraphChecks(database)
        report = await CheckGraph(checks, embeddings, load, tell=tell, clock=clock)(repair=repair)
        return report.flaws
