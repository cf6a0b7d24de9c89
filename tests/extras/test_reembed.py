"""A graph that was filled by the default embedder goes over to a transformer, and is served by it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import numpy as np
import pytest
import pytest_asyncio

from graph.database.driver import Connection
from graph.kernel.errors import EmbedderMismatchError
from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from service.bootstrap import Service, open_service
from service.bootstrap.embedders import DEFAULT
from service.bootstrap.reembedding import reembed
from service.settings import Settings
from service.use_cases.recall.recall import RecallRequest
from tests.conftest import Run
from tests.extras.tiny import DIMENSION


def quiet(_step: str, _done: int, _total: int) -> None:
    pass


TEXTS = [f"{who} waters {what}" for who in ("ada", "bo", "cy") for what in ("fern", "rose")]


@pytest_asyncio.fixture(loop_scope="session")
async def filled(connection: Connection, cypher: Run) -> AsyncGenerator[Service]:
    """A service on a graph of the default embedder, with some memories."""
    cypher("MERGE (s:Schema {name: 'test'})")
    async with open_service(Settings(neo4j_uri=connection.uri), connection) as service:
        # In a thread: what a test before this one left running must be able to let its locks go.
        await asyncio.to_thread(cypher, "MATCH (m:Memory) DETACH DELETE m")
        rows = [NewMemory("local/agent/anna", text) for text in TEXTS]
        assert {answer.status for answer in await service.remember(rows)} == {"created"}
        yield service
        back = await reembed(Settings(), connection, quiet, source=DEFAULT, grace_seconds=0)
        assert back.embedder == DEFAULT
        await asyncio.to_thread(cypher, "MATCH (m:Memory) DETACH DELETE m")


async def test_from_words_to_a_transformer(
    filled: Service, connection: Connection, cypher: Run, tiny_model: Path
) -> None:
    told: list[str] = []
    asked = Settings(neo4j_uri=connection.uri, embedder=str(tiny_model), embedder_device="cpu")
    with pytest.raises(EmbedderMismatchError, match="stratagraph reembed --embedder"):
        async with open_service(asked, connection):
            pass

    def note(step: str, _done: int, _total: int) -> None:
        told.append(step)

    done = await reembed(asked, connection, note, batch=2, grace_seconds=0)
    assert done.embedder.startswith("tiny-bert#")
    assert (done.memories, done.embedded) == (len(TEXTS), len(TEXTS))
    assert set(told) > {"embedding"}

    await filled.embedders.refresh()
    async with open_service(asked, connection) as other:
        for service in (filled, other):
            used = service.embedders.reading
            assert (used.slot, used.embedder.dimension) == ("b", DIMENSION)
            for text in TEXTS:
                request = RecallRequest(Caller("local", "anna"), text=text, k=1)
                [best] = (await service.recall(request)).results
                assert best.memory.text == text
                assert best.similarity > 0.9  # a question is embedded less what all questions share
        await other.remember([NewMemory("local/agent/anna", "dan waters moss")])
    rows = cypher("MATCH (m:Memory) RETURN m.embedding_a AS a, m.embedding_b AS b")
    assert len(rows) == len(TEXTS) + 1
    for row in rows:
        assert row["a"] is None
        assert np.linalg.norm(row["b"]) == pytest.approx(1, abs=1e-5)
        assert len(row["b"]) == DIMENSION
