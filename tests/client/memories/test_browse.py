"""Changing, listing, counting and drawing, from both clients."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta, timezone

import pytest

from service.bootstrap import Service
from stratagraph import (
    AsyncClient,
    Client,
    ConnectionFailedError,
    InvalidRequestError,
    NotFoundError,
    PreconditionFailedError,
    Retries,
    wire,
)
from stratagraph.rows import tag_of
from tests.client.lossy import lossy_way
from tests.conftest import Run
from tests.store.reading import linked

EAST = timezone(timedelta(hours=2))


async def filled(anna: AsyncClient, memories: int = 7) -> list[str]:
    rows = [
        wire.MemoryRequest(
            text=f"Row {number}.", kind="insight" if number % 2 else "observation", tags=("t",)
        )
        for number in range(memories)
    ]
    answer = await anna.remember_all(rows)
    return [row.uid or "" for row in answer.results]


async def test_a_change_says_what_was_meant(anna: AsyncClient) -> None:
    uid = (await anna.remember("Ada likes tea.", tags=["a"], metadata={"x": 1, "y": 2})).uid
    when = datetime(2026, 5, 1, 9, 30, tzinfo=EAST)
    changed = await anna.patch(
        uid, {"text": "Ada likes coffee.", "metadata": {"x": None}, "valid_from": when}
    )
    assert (changed.text, changed.metadata, changed.tags) == ("Ada likes coffee.", {"y": 2}, ("a",))
    assert changed.valid_from == when
    assert (await anna.patch(uid, {"valid_from": None})).valid_from is None
    with pytest.raises(InvalidRequestError, match="txt"):
        await anna.patch(uid, {"txt": "x"})  # pyright: ignore[reportArgumentType] -- that is the point
    with pytest.raises(NotFoundError):
        await anna.patch(uid, {"text": "Mine now."}, agent_id="bert")


async def test_only_what_is_still_as_it_was_read_is_changed(anna: AsyncClient) -> None:
    uid = (await anna.remember("First.")).uid
    read = await anna.get(uid)
    second = await anna.patch(uid, {"text": "Second."}, if_match=read)
    with pytest.raises(PreconditionFailedError, match="Read it again") as told:
        await anna.patch(uid, {"text": "Third."}, if_match=read)
    assert told.value.status == 412
    tag = tag_of(second)
    assert (await anna.patch(uid, {"text": "Third."}, if_match=tag)).text == "Third."
    versions = [version.text async for version in anna.iterate_versions(uid, limit=1)]
    assert versions == ["Second.", "First."]
    assert len((await anna.list_versions(uid)).items) == 2


async def test_a_lost_change_is_made_once_or_told(url: str, anna: AsyncClient, cypher: Run) -> None:
    uid = (await anna.remember("First.")).uid
    read = await anna.get(uid)
    quick = Retries(first_pause=0.01)
    async with lossy_way(url) as way, AsyncClient(way.url, agent_id="anna", retries=quick) as far:
        way.faults.append("lose")
        assert (await far.patch(uid, {"text": "Second."})).text == "Second."
        assert cypher("MATCH (v:Version) RETURN count(v) AS n") == [{"n": 1}]
    async with lossy_way(url) as way, AsyncClient(way.url, agent_id="anna", retries=quick) as far:
        way.faults.append("lose")
        with pytest.raises(ConnectionFailedError) as told:
            await far.patch(uid, {"text": "Third."}, if_match=await anna.get(uid))
        assert told.value.sent
        assert way.connections == 1
    assert (await anna.get(uid)).text == "Third."
    assert (await anna.get(uid)).revision == read.revision + 2


async def test_pages_are_taken_as_they_are_needed(anna: AsyncClient) -> None:
    uids = await filled(anna)
    seen = [memory.uid async for memory in anna.iterate(limit=3, order="oldest")]
    assert seen == uids
    page = await anna.list_memories(limit=3, order="oldest")
    assert [memory.uid for memory in page.items] == uids[:3]
    rest = await anna.list_memories(limit=200, order="oldest", cursor=page.next_cursor)
    assert [memory.uid for memory in rest.items] == uids[3:]
    assert rest.next_cursor is None
    assert [memory async for memory in anna.iterate(agent_id="bert")] == []


async def test_filters_and_groups(anna: AsyncClient) -> None:
    await filled(anna)
    start = datetime.now(EAST) - timedelta(hours=1)
    insights = anna.iterate(kinds=["insight"], tags_all=["t"], recorded_from=start)
    assert len([memory async for memory in insights]) == 3
    assert (await anna.count(written_by="anna", recorded_to=start)).count == 0
    counted = await anna.count(by="kind", scope_kind="agent")
    assert (counted.count, counted.groups) == (7, {"observation": 4, "insight": 3})
    with pytest.raises(InvalidRequestError):
        await anna.count(kinds=["no such kind"])  # pyright: ignore[reportArgumentType] -- that is the point


async def test_many_are_removed_only_when_it_is_said(
    url: str, anna: AsyncClient, cypher: Run
) -> None:
    uids = await filled(anna)
    would = await anna.delete_many(filters={"kinds": ["insight"]})
    assert (would.dry_run, would.matched, would.deleted) == (True, 3, 0)
    async with lossy_way(url) as way, AsyncClient(way.url, agent_id="anna") as far:
        way.faults.append("lose")
        with pytest.raises(ConnectionFailedError):
            await far.delete_many(filters={"kinds": ["insight"]}, dry_run=False)
        assert way.connections == 1
    assert (await anna.count()).count == 4
    assert (await anna.delete_many(memories=uids[:1], dry_run=False)).deleted == 1
    rest = wire.FiltersRequest(tags_any=("t",))
    assert (await anna.delete_many(filters=rest, dry_run=False)).deleted == 3
    assert cypher("MATCH (m:Memory) RETURN m") == []


async def test_what_surrounds_a_memory(anna: AsyncClient) -> None:
    first = (await anna.remember("One.", session_id="s", external_id="a/versions")).uid
    second = (await anna.remember("Two.", session_id="s")).uid
    around = await anna.neighbourhood("external:a/versions", hops=1, types=["NEXT"])
    assert [node.id for node in around.nodes] == [first, second]
    assert [(edge.start, edge.end, edge.type) for edge in around.edges] == [(first, second, "NEXT")]
    assert (await anna.get("external:a/versions")).uid == first


async def test_a_term_is_a_node_to_the_client_too(anna: AsyncClient, service: Service) -> None:
    uid = (await anna.remember("We met Ada Lovelace at the harbour.")).uid
    await linked(service)
    around = await anna.neighbourhood(uid, types=["MENTIONS"])
    [term] = [node for node in around.nodes if node.text == "Ada Lovelace"]
    assert (term.label, term.document_frequency, term.kind) == ("Term", 1, None)
    assert {edge.start for edge in around.edges} == {uid}
    assert term.id in {edge.end for edge in around.edges}


async def test_the_same_from_the_blocking_client(sync: Client) -> None:
    def story() -> None:
        uids = [sync.remember(f"Row {number}.").uid for number in range(5)]
        assert [memory.uid for memory in sync.iterate(limit=2, order="oldest")] == uids
        assert sync.count().count == 5
        changed = sync.patch(uids[0], {"importance": 5, "occurred_at": datetime.now(UTC)})
        assert changed.importance == 5
        assert [version.importance for version in sync.iterate_versions(uids[0])] == [3]
        assert sync.neighbourhood(uids[1]).nodes[0].id == uids[1]

    await asyncio.to_thread(story)
