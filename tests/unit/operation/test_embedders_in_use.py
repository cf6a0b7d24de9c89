"""Embedders of a service: one that could not be loaded is tried again."""

from __future__ import annotations

from typing import cast

import pytest

from graph.database.driver import Database
from graph.kernel.embedding import EmbedderIdentity, OtherSlot
from graph.kernel.errors import EmbedderUnavailableError
from graph.ports.world import Embedder
from graph.store.operation.migrate import SchemaState
from service.bootstrap import embedders
from service.bootstrap.embedders import GraphEmbedders
from tests.hashing import HashingEmbedder, HashingLoader


class Flaky(HashingLoader):
    """Fails for an embedder at first."""

    def __init__(self, fails: str) -> None:
        super().__init__()
        self.fails = fails
        self.asked: list[str] = []

    def __call__(self, source: str) -> Embedder:
        self.asked.append(source)
        if self.asked == [self.fails]:
            raise EmbedderUnavailableError("the network is down")
        return super().__call__(source)


class NoDatabase:
    """Stands where only a slot is noted."""

    slot = "a"


async def test_the_embedder_of_a_slot_that_is_filled_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = OtherSlot("filling", EmbedderIdentity("hashing-48", 48, "hashing-48"))
    state = SchemaState(1, "hashing-32", 32, other=other)

    async def found(_: object) -> SchemaState:
        return state

    monkeypatch.setattr(embedders, "schema_state", found)
    monkeypatch.setattr(embedders, "_RETRY_SECONDS", -1.0)
    loader = Flaky("hashing-48")
    used = GraphEmbedders(cast("Database", NoDatabase()), loader, at_hand=HashingEmbedder(32))
    assert await used.refresh()
    assert used.also_writing is None
    assert await used.refresh()
    assert used.also_writing is not None
    assert used.also_writing.embedder.name == "hashing-48"
    assert not await used.refresh()
