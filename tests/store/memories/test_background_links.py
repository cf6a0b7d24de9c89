"""What the background finds between memories: terms they share, and what they resemble."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import numpy as np
import pytest
import pytest_asyncio

from cypher import Query, Slot
from graph.database.driver import Connection, Transaction
from graph.kernel.embedding import EmbedderIdentity
from graph.kernel.errors import LeaseLostError
from graph.kernel.scope import Caller
from graph.model.memories.links import Linking, Near, Phrase
from graph.model.memories.memory import Link, NewMemory
from graph.ports.world import Embedder
from graph.store.memories.links import LinkStore, similar_pairs
from graph.store.operation.migrate import migrate
from service.bootstrap import Service, open_service
from service.settings import Settings
from service.use_cases.memories.link import LinkDefaults, LinkMemories
from tests.conftest import Remembers, Run
from tests.store.reading import job_of, lease_of, linked, settled

HOME = "local/agent/anna"
# Later than anything was stored: linking does not give way then.
LATER = timedelta(seconds=10)


@pytest_asyncio.fixture(loop_scope="session")
async def second(
    service: Service, settings: Settings, connection: Connection, embedder: Embedder
) -> AsyncGenerator[Service]:
    async with open_service(settings, connection, embedder) as other:
        yield other


def terms(cypher: Run) -> dict[tuple[str, str], int]:
    rows = cypher("MATCH (t:Term) RETURN t.scope AS s, t.name AS n, t.document_frequency AS df")
    return {(row["s"], row["n"]): row["df"] for row in rows}


def assert_counted(cypher: Run) -> None:
    """Every frequency and link count is what the edges say, and no term stands alone."""
    wrong = cypher(
        "MATCH (t:Term) WITH t, COUNT { (:Memory)-[:MENTIONS]->(t) } AS n "
        "WHERE t.document_frequency <> n OR n = 0 RETURN t.name AS name, n, t.document_frequency"
    )
    assert wrong == []
    wrong = cypher(
        "MATCH (m:Memory) WITH m, COUNT { (m)-[:SIMILAR_TO|USED]-(:Memory) } AS n "
        "WHERE coalesce(m.link_count, 0) <> n RETURN m.text, n, m.link_count"
    )
    assert wrong == []


def similar(cypher: Run) -> list[tuple[str, str]]:
    rows = cypher(
        "MATCH (a:Memory)-[r:SIMILAR_TO]->(b:Memory) RETURN a.text AS a, b.text AS b ORDER BY a, b"
    )
    return [(min(row["a"], row["b"]), max(row["a"], row["b"])) for row in rows]


def graph_of(cypher: Run) -> list[dict[str, Any]]:
    """Return all links by the memories' texts."""
    return cypher(
        "MATCH (a:Memory)-[r:MENTIONS|SIMILAR_TO]->(b) "
        "WITH type(r) AS type, a.text AS a, coalesce(b.text, b.name) AS b, "
        "round(coalesce(r.similarity, 0.0), 5) AS s "
        "RETURN type, CASE WHEN type = 'SIMILAR_TO' AND a > b THEN b ELSE a END AS a, "
        "CASE WHEN type = 'SIMILAR_TO' AND a > b THEN a ELSE b END AS b, s ORDER BY type, a, b"
    )


async def test_memories_that_share_a_name_mention_one_term(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    await remember(anna, "We met Ada Lovelace at the harbour.")
    await remember(anna, "Later ADA LOVELACE wrote to us about engines.")
    assert await service.links.count_unlinked([HOME]) == 2
    await linked(service)
    assert await service.links.count_unlinked([HOME]) == 0
    assert terms(cypher)[HOME, "ada lovelace"] == 2
    [row] = cypher("MATCH (t:Term {name: 'ada lovelace'}) RETURN t.display AS d, t.tenant AS t")
    assert row == {"d": "Ada Lovelace", "t": "local"}
    assert_counted(cypher)


async def test_memories_near_in_meaning_are_linked_once_whichever_came_first(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    await remember(anna, "The grey cat sleeps on the sofa")
    await linked(service)
    await remember(anna, "A grey cat is sleeping on a sofa")
    await remember(anna, "Quarterly revenue fell by four percent")
    await linked(service)
    assert similar(cypher) == [
        ("A grey cat is sleeping on a sofa", "The grey cat sleeps on the sofa")
    ]
    [row] = cypher(
        "MATCH (a)-[r:SIMILAR_TO]->(b) RETURN r.similarity AS s, a.uid < b.uid AS sorted"
    )
    assert row["sorted"]
    texts = ["A grey cat is sleeping on a sofa", "The grey cat sleeps on the sofa"]
    vectors = service.embedders.reading.embedder.embed(texts)
    assert row["s"] == pytest.approx(float(np.dot(vectors[0], vectors[1])), abs=1e-4)
    assert_counted(cypher)


async def test_what_was_saved_at_one_moment_finds_each_other(service: Service, cypher: Run) -> None:
    """The index shows a vector a moment after its commit; nothing is linked before that."""
    for turn in range(3):
        pair = [NewMemory(HOME, f"the {turn} red kite flies {word}") for word in ("high", "higher")]
        await service.remember(pair)
        await linked(service)
    pairs = set(similar(cypher))
    assert {
        (f"the {i} red kite flies high", f"the {i} red kite flies higher") for i in range(3)
    } <= pairs


async def test_no_memory_keeps_more_similar_ones_than_allowed(
    service: Service, cypher: Run
) -> None:
    await service.remember(
        [NewMemory(HOME, f"note {i} on the same old red bicycle") for i in range(30)]
    )
    await linked(service)
    rows = cypher("MATCH (m:Memory) RETURN COUNT { (m)-[:SIMILAR_TO]-() } AS n ORDER BY n DESC")
    assert rows[0]["n"] == service.settings.similar_memories
    assert_counted(cypher)


async def test_many_equal_texts_do_not_hold_the_others_up(service: Service, cypher: Run) -> None:
    await service.remember([NewMemory(HOME, "Bye!", session_id=f"s{i}") for i in range(20)])
    await linked(service)
    rows = cypher("MATCH (m:Memory) RETURN max(COUNT { (m)-[:SIMILAR_TO]-() }) AS n")
    assert rows[0]["n"] <= service.settings.similar_memories


async def test_two_scopes_with_the_same_texts_share_nothing(service: Service, cypher: Run) -> None:
    texts = ["Ada Lovelace owns a red bicycle", "The red bicycle of Ada Lovelace"]
    scopes = [HOME, "local/agent/bert", "acme/agent/anna", "local/shared"]
    await service.remember([NewMemory(scope, text) for scope in scopes for text in texts])
    await linked(service)
    assert cypher(
        "MATCH (a)-[:SIMILAR_TO|MENTIONS]->(b) WHERE a.scope <> b.scope RETURN count(*) AS n"
    ) == [{"n": 0}]
    found = terms(cypher)
    assert {found[scope, "ada lovelace"] for scope in scopes} == {2}
    assert len(similar(cypher)) == len(scopes)
    tenants = cypher("MATCH (t:Term {scope: 'acme/agent/anna'}) RETURN DISTINCT t.tenant AS t")
    assert tenants == [{"t": "acme"}]


async def test_a_changed_text_is_linked_anew(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    await remember(anna, "A grey cat is sleeping on a sofa")
    await remember(anna, "The grey cat of Ada Lovelace sleeps on the sofa", external_id="x")
    await linked(service)
    assert len(similar(cypher)) == 1
    await remember(anna, "Quarterly revenue of Acme fell by four percent", external_id="x")
    assert await service.links.count_unlinked([HOME]) == 1
    await linked(service)
    assert similar(cypher) == []
    found = terms(cypher)
    assert (HOME, "ada lovelace") not in found
    assert found[HOME, "acme"] == 1
    assert_counted(cypher)


async def test_a_text_that_changes_while_it_is_looked_at_keeps_waiting(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    uid = await remember(anna, "Ada Lovelace likes tea", external_id="x")
    await settled(cypher)
    [seen] = await service.links.find_unlinked(service.embedders.reading, datetime.now(UTC), 10, 5)
    await remember(anna, "Grace Hopper likes tea", external_id="x")
    row = Linking(uid, HOME, seen.since, (Phrase("ada lovelace", "Ada Lovelace"),), ())
    lease = await lease_of(service)
    now = datetime.now(UTC)
    done = await service.links.link(
        lease, service.embedders.reading, [row], most_similar=5, least_similarity=0.5, now=now
    )
    assert done.count == 0
    assert terms(cypher) == {}
    await linked(service)
    assert (HOME, "grace hopper") in terms(cypher)


async def test_links_on_a_clients_word_stay(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    uid = await remember(anna, "Quarterly revenue fell by four percent")
    for text in ("a red bicycle", "a green bicycle"):
        link = Link("SIMILAR_TO", uid)
        await service.remember([NewMemory(HOME, text, external_id="x", links=(link,))])
        await linked(service)
    rows = cypher("MATCH (a)-[r:SIMILAR_TO]->(b) RETURN b.uid AS b, r.similarity AS s")
    assert rows == [{"b": uid, "s": None}]
    assert_counted(cypher)


async def test_a_deleted_memory_takes_its_terms_and_links_along(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    first = await remember(anna, "Ada Lovelace rides a red bicycle")
    await remember(anna, "Ada Lovelace rides the red bicycle")
    await linked(service)
    before = terms(cypher)
    assert before[HOME, "ada lovelace"] == 2
    await service.delete_memory(anna, first)
    assert terms(cypher)[HOME, "ada lovelace"] == 1
    assert_counted(cypher)


async def test_counts_are_exact_while_two_services_save_link_and_delete(
    service: Service, second: Service, cypher: Run, anna: Caller
) -> None:
    names = ["Ada Lovelace", "Grace Hopper", "Alan Turing"]

    def row(i: int) -> NewMemory:
        said = f"{names[i % 3]} met {names[(i + 1) % 3]} about engine {i}"
        return NewMemory(HOME, f"In town {said}", external_id=str(i), session_id=f"s{i % 2}")

    await service.remember([row(i) for i in range(40)])
    await settled(cypher)
    lease, job = await lease_of(service), job_of(service, "link_memories")

    async def delete(replica: Service, places: range) -> None:
        for i in places:
            await replica.delete_memory(anna, f"external:{i}")

    async def save(replica: Service) -> None:
        for i in range(40, 60):
            await replica.remember([row(i)])

    async def link() -> None:
        for _ in range(40):
            await job.step(datetime.now(UTC) + LATER, lease)
            await asyncio.sleep(0.01)

    small = LinkDefaults(5, 5, 0.5, 8)
    job = LinkMemories(
        service.links,
        service.embedders,
        small,
        service.configs,
        service.supersession_events,
        pause=timedelta(0),
    )
    await asyncio.gather(
        link(), delete(service, range(0, 40, 2)), delete(second, range(1, 30, 2)), save(second)
    )
    await linked(service)
    assert_counted(cypher)
    assert cypher("MATCH (m:Memory) RETURN count(m) AS n") == [{"n": 25}]


async def test_an_overtaken_holder_writes_nothing(
    service: Service, second: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    await remember(anna, "Ada Lovelace likes tea")
    await settled(cypher)
    old = await service.leases.acquire("worker", "old", 60)
    assert old is not None
    assert await second.leases.acquire("worker", "new", 60) is None
    cypher("MATCH (l:Lease {name: 'worker'}) SET l.until = datetime('2020-01-01')")
    new = await second.leases.acquire("worker", "new", 60)
    assert new is not None
    assert new.token > old.token
    cypher(
        "CREATE (c:Credit {uid: 'c', tenant: 'local', scope: $home, memory_uid: 'x', "
        "reward_uid: 'y', reward: 1.0, target: 1.0, strength: 1.0, step: 0.1, share: 1.0, "
        "recorded_at: datetime()})",
        home=HOME,
    )
    refused: set[str] = set()
    for job in service.jobs:
        try:
            assert await job.step(datetime.now(UTC) + LATER, old) == 0, job.name
        except LeaseLostError:
            refused.add(job.name)
    # Jobs of reasoning memory have nothing to do here; their own tests take the lease from them.
    assert {"link_memories", "fold_credits", "expire_tasks"} <= refused
    assert terms(cypher) == {}
    assert await job_of(second, "link_memories").step(datetime.now(UTC) + LATER, new) == 1
    await service.leases.release(old)
    assert await service.leases.acquire("worker", "third", 60) is None
    await second.leases.release(new)


async def test_a_renewal_keeps_the_token_and_a_late_one_does_not(
    service: Service, cypher: Run
) -> None:
    first = await lease_of(service, "me")
    assert await lease_of(service, "me") == first
    cypher("MATCH (l:Lease {name: 'worker'}) SET l.until = datetime('2020-01-01')")
    late = await lease_of(service, "me")
    assert late.token == first.token + 1
    await service.leases.release(late)


async def test_of_many_who_ask_at_once_one_holds_the_lease(
    service: Service, second: Service
) -> None:
    asked = await asyncio.gather(
        *(
            replica.leases.acquire("worker", f"{name}{i}", 60)
            for i in range(5)
            for name, replica in (("a", service), ("b", second))
        )
    )
    [held] = [lease for lease in asked if lease is not None]
    await service.leases.release(held)


@pytest.mark.parametrize(
    "cut",
    [
        "memories.lock_memories.linked",
        "memories.count_mentions.changed",
        "memories.anchor_memories.linked",
    ],
)
async def test_work_that_was_cut_off_is_done_again_with_the_same_result(
    service: Service, cypher: Run, monkeypatch: pytest.MonkeyPatch, cut: str
) -> None:
    rows = [NewMemory(HOME, f"Ada met Grace Hopper {i} times on a red boat") for i in range(24)]
    job = LinkMemories(
        service.links,
        service.embedders,
        LinkDefaults(8, 3, 0.4, 8),
        service.configs,
        service.supersession_events,
        pause=timedelta(0),
    )
    run_statement = Transaction.run
    broken: list[str] = []

    async def breaking(
        self: Transaction, query: Query, parameters: Mapping[str, Any], slot: Slot | None = None
    ) -> Any:
        if query.name == cut and len(broken) < 2:
            broken.append(query.name)
            raise RuntimeError("cut off")
        return await run_statement(self, query, parameters, slot)

    async def link_all() -> list[dict[str, Any]]:
        lease = await lease_of(service)
        while await service.links.count_unlinked():
            with suppress(RuntimeError):
                await job.step(datetime.now(UTC) + LATER, lease)
        return graph_of(cypher)

    # On the same nodes both times: what an approximate index shows of others may differ.
    await service.remember(rows)
    await settled(cypher)
    anew = "SET m.unlinked_since = datetime('2020-01-01') REMOVE m.linked_at, m.link_count"
    cypher(f"MATCH (m:Memory) {anew}")
    whole = await link_all()
    assert len(whole) > 24
    cypher("MATCH ()-[r:SIMILAR_TO|MENTIONS]->() DELETE r")
    cypher("MATCH (t:Term) DELETE t")
    cypher(f"MATCH (m:Memory) {anew}")
    monkeypatch.setattr(Transaction, "run", breaking)
    assert await link_all() == whole
    assert broken == [cut, cut]
    assert_counted(cypher)


@pytest.mark.slow
async def test_memories_of_an_older_store_are_linked_too(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    await remember(anna, "Ada Lovelace likes tea")
    cypher("MATCH (m:Memory) REMOVE m.unlinked_since, m.linked_at, m.link_count")
    now, embedder = datetime.now(UTC), service.embedders.reading.embedder
    identity = EmbedderIdentity(embedder.name, embedder.dimension)
    await migrate(service.database, identity, now, target=2)
    await migrate(service.database, identity, now)
    assert await service.links.count_unlinked([HOME]) == 1
    await linked(service)
    assert (HOME, "ada lovelace") in terms(cypher)


async def test_what_is_archived_in_a_scope_with_removals_holds_nobody_up(
    service: Service, cypher: Run
) -> None:
    lone = NewMemory("local/agent/lone", "Ada Lovelace likes tea", external_id="kept")
    gone = NewMemory("local/agent/lone", "Grace Hopper likes coffee", external_id="gone")
    await service.remember([lone, gone])
    await settled(cypher)
    await service.delete_memory(Caller("local", "lone"), "external:gone")
    cypher("MATCH (m:Memory) SET m.state = 'archived'")
    used = service.embedders.reading
    [waiting] = await service.links.find_unlinked(used, datetime.now(UTC) + LATER, 10, 5)
    assert (waiting.near, waiting.searchable) == ((), True)


async def test_what_the_index_never_shows_is_linked_after_a_while(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    await remember(anna, "Ada Lovelace likes tea")
    hidden = LinkMemories(
        service.links,
        service.embedders,
        LinkDefaults(10, 5, 0.5, 8),
        service.configs,
        service.supersession_events,
        pause=timedelta(0),
    )
    cypher("MATCH (m:Memory) SET m.state = 'archived'")
    lease = await lease_of(service)
    assert await hidden.step(datetime.now(UTC) - timedelta(minutes=1), lease) == 0
    assert await hidden.step(datetime.now(UTC) + LATER, lease) == 1

    class Unseen:
        def __init__(self, store: Any) -> None:
            self.store = store

        async def find_unlinked(self, *asked: Any) -> Any:
            found = await self.store.find_unlinked(*asked)
            return tuple(replace(one, searchable=False) for one in found)

        def __getattr__(self, name: str) -> Any:
            return getattr(self.store, name)

    await remember(anna, "Grace Hopper likes tea")
    late = LinkMemories(
        cast("Any", Unseen(service.links)),
        service.embedders,
        LinkDefaults(10, 5, 0.5, 8),
        service.configs,
        service.supersession_events,
        pause=timedelta(0),
    )
    assert await late.step(datetime.now(UTC) + LATER, lease) == 0
    assert await late.step(datetime.now(UTC) + timedelta(seconds=40), lease) == 1


async def test_what_waits_is_counted_by_scope_only_where_something_waits(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    class Heard:
        asked: list[str]

        def __init__(self) -> None:
            self.asked = []

        async def read(self, query: Query, parameters: Mapping[str, Any]) -> Any:
            self.asked.append(query.name)
            return await service.database.read(query, parameters)

    heard = Heard()
    links = LinkStore(cast("Any", heard), service.configs)
    assert [await links.lag([HOME]) for _ in range(2)] == [0, 0]
    assert heard.asked == ["memories.count_unlinked.since"]
    await remember(anna, "Ada Lovelace likes tea")
    links = LinkStore(cast("Any", heard), service.configs)
    assert await links.lag([HOME]) == 1
    assert await links.lag(["local/agent/other"]) == 0
    assert heard.asked[1:] == [
        "memories.count_unlinked.since",
        *["memories.count_unlinked.scopes"] * 2,
    ]


async def test_linking_gives_way_while_memories_are_being_written(
    service: Service, cypher: Run
) -> None:
    await service.remember([NewMemory(HOME, f"Ada met Grace Hopper {i} times") for i in range(12)])
    await settled(cypher)
    job = LinkMemories(
        service.links,
        service.embedders,
        LinkDefaults(8, 5, 0.5, 8),
        service.configs,
        service.supersession_events,
        pause=timedelta(0),
    )
    lease = await lease_of(service)
    [row] = cypher("MATCH (m:Memory) RETURN max(m.unlinked_since) AS last")
    last = row["last"].to_native()
    seconds = [1.0, 1.9, 2.1, 2.2]
    done = [await job.step(last + timedelta(seconds=after), lease) for after in seconds]
    assert done == [2, 2, 8, 0]  # small steps while the last write is near, then whole ones


def test_pairs_are_sorted_each_once_and_near_enough() -> None:
    since = datetime.now(UTC)
    near = (Near("b", 1.0), Near("a", 0.9), Near("c", 0.8), Near("d", 0.7), Near("e", 0.1))
    rows = [
        Linking("b", HOME, since, (), near),
        Linking("a", HOME, since, (), (Near("a", 1.0), Near("b", 0.9))),
    ]
    pairs = [(pair["from"], pair["to"]) for pair in similar_pairs(rows, 3, 0.5)]
    assert pairs == [("a", "b"), ("b", "c"), ("b", "d")]
    assert len(similar_pairs(rows, 2, 0.5)) == 2
    assert similar_pairs(rows, 3, 0.95) == []
