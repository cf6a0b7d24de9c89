"""A graph goes over to another embedder while services read and write it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import numpy as np
import pytest
import pytest_asyncio

from graph.database.driver import Connection, open_database
from graph.kernel.errors import (
    ConflictError,
    EmbedderMismatchError,
    EmbedderUnavailableError,
)
from graph.kernel.scope import Caller
from graph.kernel.values import Vector
from graph.model.memories.memory import NewMemory
from graph.ports.world import Embedder
from graph.store.operation.embedding import EmbeddingStore
from graph.store.operation.migrate import migrate, vector_options
from service.bootstrap import Service, open_service
from service.bootstrap.embedders import DEFAULT, identity_of
from service.bootstrap.reembedding import Reembedded, cancel_reembedding, reembed
from service.bootstrap.wiring import SystemClock
from service.settings import Settings
from service.use_cases.recall.recall import RecallRequest
from tests.conftest import Run
from tests.hashing import HashingEmbedder, HashingLoader
from tests.statements import STATEMENTS

pytestmark = pytest.mark.slow

TARGET = HashingEmbedder(48)
ANIMALS = ["badger", "heron", "lynx", "otter", "raven", "stoat", "viper", "weasel", "wren", "newt"]
PLACES = ["harbour", "orchard", "quarry", "tundra"]
TEXTS = [f"{animal} {place} sighting" for animal in ANIMALS for place in PLACES]


def quiet(_step: str, _done: int, _total: int) -> None:
    pass


@pytest_asyncio.fixture(loop_scope="session")
async def graph(service: Service, cypher: Run) -> AsyncGenerator[Service]:
    """The tests' graph, brought back to the embedder and the slot that the others expect."""
    yield service
    cypher("MATCH (m:Memory) DETACH DELETE m")
    cypher("MATCH (s:Schema {name: 'schema'}) SET s.slot = 'a', s.embedder = 'bge-small-en-v1.5-int8', "
           "s.dimension = 384, s.source = 'bge-small-en-v1.5-int8' REMOVE s.other_state, s.other_embedder, "
           "s.other_dimension, s.other_source, s.other_changed_at")  # fmt: skip
    for slot in ("a", "b"):
        cypher(f"DROP INDEX memory_embedding_{slot} IF EXISTS")
        cypher(f"DROP INDEX episode_embedding_{slot} IF EXISTS")
    for name in ("operation.create_index.memories", "operation.create_index.episodes"):
        create = STATEMENTS[name].for_slot("a")
        await service.database.alter_schema(create, vector_options(384))
    cypher("CALL db.awaitIndexes(30)")
    cypher("MATCH (l:Lease {name: 'reembed'}) DELETE l")
    await service.embedders.refresh()


@asynccontextmanager
async def replica(connection: Connection, *, watch: float = 0.05) -> AsyncGenerator[Service]:
    """A service that can load the embedders of these tests."""
    settings = Settings(neo4j_uri=connection.uri, embedder_watch_seconds=watch)
    async with open_service(settings, connection, loader=HashingLoader()) as service:
        yield service


async def change(
    connection: Connection, source: str | None = TARGET.name, **options: Any
) -> Reembedded:
    options = {"batch": 7, "grace_seconds": 0.5, "loader": HashingLoader()} | options
    settings = Settings(neo4j_uri=connection.uri)
    return await reembed(settings, connection, quiet, source=source, **options)


class HalfWay(HashingLoader):
    """Lets a re-embedding come to its third batch, and on when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = threading.Event()

    def __call__(self, source: str) -> Embedder:
        embedder, batches, plain = HashingEmbedder(48), count(1), HashingEmbedder(48)

        def embed(texts: Sequence[str]) -> Vector:
            assert next(batches) < 3 or self.go_on.wait(120)
            return plain.embed(texts)

        embedder.embed = embed
        return embedder


async def store(service: Service, texts: Sequence[str], **fields: Any) -> None:
    rows = [NewMemory("local/agent/anna", text, external_id=text, **fields) for text in texts]
    for answer in await service.remember(rows):
        assert answer.status == "created", answer


async def finds(service: Service, text: str) -> bool:
    """Return whether a recall of its own words puts a memory first, by the vector of its slot."""
    answer = await service.recall(RecallRequest(Caller("local", "anna"), text=text, k=3))
    return any(r.memory.text == text and r.similarity > 0.5 for r in answer.results)


async def lost(service: Service, texts: Sequence[str]) -> list[str]:
    return [text for text in texts if not await finds(service, text)]


async def indexed(service: Service, texts: Sequence[str]) -> None:
    """Wait until the indexes, which lag a moment, show all."""
    deadline = asyncio.get_running_loop().time() + 20
    while missing := await lost(service, texts):
        assert asyncio.get_running_loop().time() < deadline, missing
        await asyncio.sleep(0.05)


def record(cypher: Run) -> dict[str, Any]:
    [row] = cypher("MATCH (s:Schema {name: 'schema'}) RETURN properties(s) AS s")
    kept = ("slot", "embedder", "dimension", "source", "other_state", "other_embedder")
    return {name: row["s"][name] for name in kept if name in row["s"]}


def vectors(cypher: Run) -> dict[str, Any]:
    [row] = cypher(
        "MATCH (m:Memory) RETURN count(m) AS memories, count(m.embedding_a) AS a, "
        "count(m.embedding_b) AS b, collect(DISTINCT m.embedding_b_by) AS by, "
        "count(m.embedding_a_by) AS a_by, collect(DISTINCT size(m.embedding_b)) AS sizes"
    )
    return row


async def test_recalls_find_everything_before_during_and_after(
    graph: Service, connection: Connection, cypher: Run
) -> None:
    async with replica(connection) as first, replica(connection) as second:
        await store(first, TEXTS)
        await indexed(second, TEXTS)
        half_way = HalfWay()
        changing = asyncio.create_task(change(connection, loader=half_way))
        rounds, written = 0, list[str]()
        while not changing.done():
            for service in (first, second):
                assert await lost(service, TEXTS[rounds % 8 :: 8]) == []
            text = f"heron meadow number{rounds}"
            await store(first if rounds % 2 else second, [text])
            written.append(text)
            rounds += 1
            if rounds == 3:
                half_way.go_on.set()
        done = await changing
        assert done.embedder == TARGET.name
        assert len(TEXTS) <= done.memories <= len(TEXTS) + len(written)
        assert done.embedded >= len(TEXTS)
        assert rounds >= 3
        await indexed(first, written)
        await indexed(second, TEXTS)
        assert first.embedders.reading.slot == second.embedders.reading.slot == "b"
        assert first.embedders.also_writing is None
        assert await first.readiness() == {}
    assert record(cypher) == {
        "slot": "b", "embedder": TARGET.name, "dimension": 48, "source": TARGET.name
    }  # fmt: skip
    memories = len(TEXTS) + len(written)
    assert vectors(cypher) == {
        "memories": memories, "a": 0, "b": memories, "by": [TARGET.name], "a_by": 0, "sizes": [48]
    }  # fmt: skip
    made = {row["name"] for row in cypher("SHOW VECTOR INDEXES YIELD name")}
    assert made == {"memory_embedding_b", "episode_embedding_b"}


async def test_there_and_back_again(graph: Service, connection: Connection, cypher: Run) -> None:
    async with replica(connection) as service:
        await store(service, TEXTS)
        await change(connection, grace_seconds=0)
        again = await change(connection, grace_seconds=0)
        assert again.embedded == 0
        await change(connection, DEFAULT, grace_seconds=0)
        await indexed(service, TEXTS)
        assert service.embedders.reading.slot == "a"
    assert record(cypher) == {
        "slot": "a", "embedder": DEFAULT, "dimension": 384, "source": DEFAULT
    }  # fmt: skip
    assert vectors(cypher)["b"] == 0


async def test_a_run_that_was_killed_goes_on(
    graph: Service, connection: Connection, cypher: Run
) -> None:
    script = (
        "import asyncio\n"
        "from graph.database.driver import Connection\n"
        "from service.bootstrap.reembedding import reembed\n"
        "from service.settings import Settings\n"
        "from tests.hashing import HashingEmbedder, HashingLoader\n"
        "class Slow(HashingLoader):\n"
        "    def __call__(self, source): return HashingEmbedder(48, pause=0.3)\n"
        f"connection = Connection({connection.uri!r}, password={connection.password!r})\n"
        "asyncio.run(reembed(Settings(), connection, lambda *_: None, source='hashing-48',\n"
        "                    batch=4, loader=Slow()))\n"
    )
    async with replica(connection) as service:
        await store(service, TEXTS)
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", script)
        deadline = asyncio.get_running_loop().time() + 60
        while vectors(cypher)["b"] < 8:
            assert process.returncode is None
            assert asyncio.get_running_loop().time() < deadline
            await asyncio.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
        await process.wait()
        done_before = vectors(cypher)["b"]
        assert 8 <= done_before < len(TEXTS)
        assert record(cypher)["other_state"] == "filling"
        await indexed(service, TEXTS)
        await store(service, ["mole bridge sighting"])
        done = await change(connection, source=None, grace_seconds=0)
        assert done.embedded <= len(TEXTS) - done_before + 1
        await indexed(service, [*TEXTS, "mole bridge sighting"])
    assert vectors(cypher)["by"] == [TARGET.name]


async def test_a_service_that_overslept_the_switch_notices_when_it_writes_or_reads(
    graph: Service, connection: Connection, cypher: Run
) -> None:
    async with replica(connection, watch=10) as sleeper:
        await store(sleeper, TEXTS)
        await change(connection, grace_seconds=0)
        assert sleeper.embedders.reading.slot == "a"
        await store(sleeper, ["an otter that came late"])
        assert sleeper.embedders.reading.slot == "b"
        assert vectors(cypher)["a"] == 0
        await change(connection, DEFAULT, grace_seconds=0)
        assert sleeper.embedders.reading.slot == "b"
        await sleeper.recall(RecallRequest(Caller("local", "anna"), text=TEXTS[0]))
        assert sleeper.embedders.reading.slot == "a"
        await indexed(sleeper, [*TEXTS, "an otter that came late"])


async def test_a_service_without_the_new_model_says_so_and_answers_nothing_by_halves(
    graph: Service, connection: Connection
) -> None:
    async with replica(connection) as able:
        await store(able, TEXTS)
        await change(connection, grace_seconds=0)
        waiting = await graph.readiness()
        assert "hashing-48" in waiting["embedder"]
        with pytest.raises(EmbedderUnavailableError, match="hashing-48"):
            await graph.recall(RecallRequest(Caller("local", "anna"), text=TEXTS[0]))
        with pytest.raises(EmbedderUnavailableError):
            await graph.remember([NewMemory("local/agent/anna", "anything")])
        await change(connection, DEFAULT, grace_seconds=0)
        assert await graph.readiness() == {}
        await indexed(graph, TEXTS)


WAITING = "MATCH (m:Memory) WHERE m.unlinked_since IS NOT NULL RETURN count(m) AS waiting"


async def test_memories_are_compared_anew_by_their_new_vectors(
    graph: Service, connection: Connection, cypher: Run
) -> None:
    async with replica(connection) as service:
        await store(service, TEXTS)
        cypher("MATCH (m:Memory) REMOVE m.unlinked_since")
        async with open_database(connection) as database:
            await EmbeddingStore(database, SystemClock()).begin(identity_of(TARGET))
        await cancel_reembedding(connection, quiet)
        assert cypher(WAITING) == [{"waiting": 0}]
        await change(connection, grace_seconds=0)
    assert cypher(WAITING) == [{"waiting": len(TEXTS)}]


async def test_giving_up_what_is_being_dropped_has_memories_compared_anew(
    graph: Service, connection: Connection, cypher: Run
) -> None:
    async with replica(connection) as service:
        await store(service, TEXTS)
        async with open_database(connection) as database:
            slots = EmbeddingStore(database, SystemClock())
            await slots.begin(identity_of(TARGET))
            await slots.give_up()  # as a run does that went over, and is killed while it removes
        cypher("MATCH (m:Memory) REMOVE m.unlinked_since")
        await cancel_reembedding(connection, quiet)
    assert cypher(WAITING) == [{"waiting": len(TEXTS)}]


async def test_a_re_embedding_can_be_given_up(
    graph: Service, connection: Connection, cypher: Run
) -> None:
    async with open_database(connection) as database, replica(connection) as service:
        await store(service, TEXTS)
        slots = EmbeddingStore(database, SystemClock())
        await slots.begin(identity_of(TARGET))
        await fill(slots, TEXTS[:10])
        with pytest.raises(ConflictError, match=r"hashing-48 is not finished.*--cancel"):
            await change(connection, "hashing-32")
        assert await cancel_reembedding(connection, quiet) == TARGET.name
        await indexed(service, TEXTS)
        with pytest.raises(ConflictError, match="no re-embedding"):
            await cancel_reembedding(connection, quiet)
    assert record(cypher)["slot"] == "a"
    assert "other_state" not in record(cypher)
    assert vectors(cypher)["b"] == 0


async def test_who_has_not_noticed_that_the_old_slot_is_emptied_leaves_nothing_in_it(
    graph: Service, connection: Connection, cypher: Run
) -> None:
    async with replica(connection) as service, open_database(connection) as database:
        await store(service, TEXTS)
        slots = EmbeddingStore(database, SystemClock())
        await slots.begin(identity_of(TARGET))
        await service.embedders.refresh()
        assert service.embedders.also_writing is not None
        await slots.give_up()
        await store(service, ["an otter that came late"])
    assert vectors(cypher)["b"] == 0


async def fill(slots: EmbeddingStore, texts: Sequence[str]) -> int:
    page = await slots.page("b", TARGET.name, "", 1000)
    rows = [(uid, text) for uid, text in page.lacking if text in texts]
    made = TARGET.embed([text for _, text in rows])
    return await slots.save_vectors(
        "b", TARGET.name, [(uid, text, v) for (uid, text), v in zip(rows, made, strict=True)]
    )


async def test_a_vector_of_a_text_that_changed_meanwhile_is_not_kept(
    graph: Service, connection: Connection, cypher: Run
) -> None:
    async with open_database(connection) as database:
        await store(graph, TEXTS[:3])
        slots = EmbeddingStore(database, SystemClock())
        await slots.begin(identity_of(TARGET))
        page = await slots.page("b", TARGET.name, "", 10)
        # The tests' own service cannot load the model: it writes the slot that is read, and
        # what the other one held of the old text goes.
        assert await fill(slots, TEXTS[:1]) == 1
        for text in TEXTS[:2]:
            row = NewMemory("local/agent/anna", f"{text} again", external_id=text)
            assert (await graph.remember([row]))[0].status == "updated"
        stale = [(uid, text, TARGET.embed([text])[0]) for uid, text in page.lacking]
        assert await slots.save_vectors("b", TARGET.name, stale) == 1
        assert not await slots.switch(TARGET.name)
        lacking = (await slots.page("b", TARGET.name, "", 10)).lacking
        assert sorted(text for _, text in lacking) == [
            f"{text} again" for text in sorted(TEXTS[:2])
        ]


async def test_both_slots_are_written_while_one_is_filled(
    graph: Service, connection: Connection, cypher: Run
) -> None:
    async with open_database(connection) as database, replica(connection) as service:
        slots = EmbeddingStore(database, SystemClock())
        await slots.begin(identity_of(TARGET))
        assert await service.embedders.refresh() or service.embedders.also_writing
        await store(service, TEXTS[:2])
        own = tuple(float(x) for x in np.eye(384)[3])
        await store(service, ["???"], vector=own, content_type="embedding")
        page = await slots.page("b", TARGET.name, "", 10)
        assert (page.seen, page.lacking) == (3, ())
        changed = NewMemory("local/agent/anna", "stoat", external_id=TEXTS[0])
        assert (await service.remember([changed]))[0].status == "updated"
        assert (await slots.page("b", TARGET.name, "", 10)).lacking == ()
    [row] = cypher("MATCH (m:Memory {text: 'stoat'}) RETURN m.embedding_b AS v")
    assert np.allclose(row["v"], TARGET.embed_query("stoat"), atol=1e-6)


async def test_vectors_of_clients_and_texts_without_words_are_told_of(
    graph: Service, connection: Connection, cypher: Run
) -> None:
    own = tuple(float(x) for x in np.eye(384)[3])
    async with replica(connection) as service:
        await store(service, TEXTS[:5])
        await store(service, ["???", "badger"], vector=own, content_type="embedding")
        done = await change(connection, grace_seconds=0)
        assert (done.memories, done.client_vectors, done.wordless) == (7, 2, 1)
        await indexed(service, [*TEXTS[:5], "badger"])


async def test_two_runs_at_once_are_one(
    graph: Service, connection: Connection, cypher: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.store.operation.embedding._LEASE_SECONDS", 1)
    async with open_database(connection) as database:
        async with EmbeddingStore(database, SystemClock()).alone():
            with pytest.raises(ConflictError, match="another `stratagraph reembed`"):
                await change(connection)
        await store(graph, TEXTS[:3])
        assert (await change(connection, grace_seconds=0)).embedded == 3


async def test_a_service_asked_for_another_embedder_than_the_graphs_is_refused(
    graph: Service, connection: Connection
) -> None:
    asked = Settings(neo4j_uri=connection.uri, embedder="hashing-48")
    with pytest.raises(EmbedderMismatchError, match="stratagraph reembed --embedder hashing-48"):
        async with open_service(asked, connection, loader=HashingLoader()):
            pass


async def test_without_a_name_a_graph_goes_over_to_the_default_embedder(
    graph: Service, connection: Connection
) -> None:
    async with replica(connection) as service:
        await store(service, TEXTS[:3])
        await change(connection, grace_seconds=0)
        done = await change(connection, source=None, grace_seconds=0)
        assert (done.embedder, done.embedded) == (DEFAULT, 3)
        await indexed(service, TEXTS[:3])


async def test_migrations_down_and_up_leave_the_slot_that_is_read_searchable(
    graph: Service, connection: Connection, cypher: Run
) -> None:
    async with replica(connection) as service:
        await store(service, TEXTS[:8])
        await change(connection, grace_seconds=0)
        now = SystemClock().now()
        await migrate(service.database, identity_of(TARGET), now, target=0)
        assert cypher("SHOW VECTOR INDEXES YIELD name") == []
        await migrate(service.database, identity_of(TARGET), now)
        await indexed(service, TEXTS[:8])


async def test_a_graph_of_the_first_schema_is_brought_up_and_goes_over(
    graph: Service, connection: Connection, cypher: Run
) -> None:
    await store(graph, TEXTS[:8])
    cypher("MATCH (m:Memory) SET m.embedder = m.embedding_a_by REMOVE m.embedding_a_by")
    cypher("MATCH (s:Schema {name: 'schema'}) SET s.version = 1 REMOVE s.source")
    async with replica(connection) as service:
        assert vectors(cypher)["a_by"] == 8
        assert cypher("MATCH (m:Memory) WHERE m.embedder IS NOT NULL RETURN m") == []
        await change(connection, grace_seconds=0)
        await indexed(service, TEXTS[:8])
        await change(connection, DEFAULT, grace_seconds=0)
        await indexed(service, TEXTS[:8])
