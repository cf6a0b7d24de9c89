"""Patterns that several members of a channel hold, shared there without what is behind them."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from service.bootstrap import Service
from tests.conftest import Recalls, Run
from tests.doors.moving import WIPE, exported, imported
from tests.doors.sharing.test_sharing import ANNA, BERT, joined, read

CARL = {"agent_id": "carl", "channel_ids": ["team"]}
MEMBER = Caller("local", "dora", ("team",))
TEXT = "`deploy` is usually followed by `rollback`."
SIGNATURE = "5d" * 32


class Holder:
    """Has agents hold patterns, as consolidation leaves them."""

    def __init__(self, service: Service, cypher: Run) -> None:
        self._service = service
        self._cypher = cypher

    async def holds(
        self,
        agent: str,
        text: str = TEXT,
        *,
        signature: str = SIGNATURE,
        confidence: float = 0.8,
        support: int = 4,
    ) -> str:
        scope = Caller("local", agent).writable()
        rows = [
            NewMemory(scope, text, kind="pattern", external_id=f"{signature}-{text}"),
            NewMemory(scope, f"{agent} deployed to the secret host", session_id=f"s-{agent}"),
        ]
        [saved, evidence] = await self._service.remember(rows)
        self._cypher(
            "MATCH (p:Pattern {uid: $uid}), (e:Memory {uid: $evidence}) "
            "MERGE (p)-[:DERIVED_FROM]->(e) "
            "SET p.signature = $signature, p.confidence = $confidence, p.support = $support, "
            "p.pattern_type = 'sequential'",
            uid=saved.uid,
            evidence=evidence.uid,
            signature=signature,
            confidence=confidence,
            support=support,
        )
        assert saved.uid is not None
        return saved.uid


@pytest.fixture
def holder(service: Service, cypher: Run) -> Holder:
    return Holder(service, cypher)


async def look(client: httpx.AsyncClient) -> dict[str, int]:
    answer = await client.post("/v1/channels/patterns", json={"channel_ids": ["team"]})
    assert answer.status_code == 200, answer.text
    told = answer.json()
    return {name: told[name] for name in ("shared", "created", "updated", "withdrawn")}


def shared(cypher: Run) -> list[dict[str, Any]]:
    return cypher(
        "MATCH (p:Pattern {scope: 'local/channel/team'}) RETURN p.uid AS uid, p.agents AS agents, "
        "p.support AS support, p.confidence AS confidence, p.text AS text"
    )


NOTHING = {"shared": 0, "created": 0, "updated": 0, "withdrawn": 0}


async def test_what_enough_members_hold_is_shared_as_numbers_and_no_names(
    client: httpx.AsyncClient, cypher: Run, holder: Holder, recall: Recalls
) -> None:
    await joined(client, ANNA, BERT, CARL)
    uids = [await holder.holds("anna", confidence=0.9, support=6)]
    assert await look(client) == NOTHING
    uids += [await holder.holds("bert", confidence=0.7, support=2)]
    uids += [await holder.holds("carl", confidence=0.6)]  # not sure enough to count
    assert await look(client) == NOTHING | {"shared": 1, "created": 1}
    assert await look(client) == NOTHING | {"shared": 1}
    [row] = shared(cypher)
    assert (row["agents"], row["support"], row["confidence"]) == (2, 8, 0.85)
    found = await recall(MEMBER, "what follows a deploy, a rollback")
    assert [one.memory.uid for one in found.results] == [row["uid"]]
    shown = (await read(client, row["uid"])).json()
    assert (shown["text"], shown["agent_id"], shown["published_by"]) == (TEXT, None, None)
    assert shown["metadata"] == {
        "pattern_type": "sequential",
        "agents": 2,
        "support": 8,
        "confidence": 0.85,
    }
    for way in (
        f"/v1/memories/{row['uid']}",
        f"/v1/memories/{row['uid']}/neighbourhood",
        "/v1/export",
    ):
        text = (await client.get(way, params=CARL | {"agent_id": "dora"})).text
        assert TEXT in text
        for private in (*uids, "anna", "bert", "carl", "secret", "s-anna"):
            assert private not in text, way


async def test_what_one_agent_words_otherwise_is_not_shared(
    client: httpx.AsyncClient, cypher: Run, holder: Holder
) -> None:
    await joined(client, ANNA, BERT, CARL)
    await holder.holds("anna", "Anna's words about the secret host.")
    await holder.holds("bert")
    assert await look(client) == NOTHING
    await holder.holds("carl")
    assert (await look(client))["created"] == 1
    assert [row["text"] for row in shared(cypher)] == [TEXT]


async def test_only_members_count_each_once(
    client: httpx.AsyncClient, holder: Holder, cypher: Run
) -> None:
    await joined(client, ANNA)
    await holder.holds("anna")
    twin = await holder.holds("anna", "else", signature="00")
    cypher(
        "MATCH (p:Pattern {uid: $uid}) SET p.text = $text, p.signature = $signature",
        uid=twin, text=TEXT, signature=SIGNATURE,
    )  # fmt: skip
    await holder.holds("bert")
    assert await look(client) == NOTHING
    await joined(client, BERT)
    assert (await look(client))["created"] == 1
    assert [row["agents"] for row in shared(cypher)] == [2]


async def ended(
    client: httpx.AsyncClient, end: str, who: dict[str, Any], uids: dict[str, str]
) -> httpx.Response:
    path = f"/v1/memories/{uids[who['agent_id']]}"
    match end:
        case "leave":
            return await client.post("/v1/channels/leave", json=who)
        case "delete":
            return await client.delete(path, params=who)
        case "archive":
            return await client.patch(path, params=who, json={"state": "archived"})
        case _:
            return await client.patch(path, params=who, json={"text": f"{who} says else"})


@pytest.mark.parametrize("end", ["leave", "delete", "archive", "reword"])
async def test_below_the_threshold_it_is_withdrawn_at_once(
    client: httpx.AsyncClient, cypher: Run, holder: Holder, end: str
) -> None:
    await joined(client, ANNA, BERT, CARL)
    uids = {agent: await holder.holds(agent) for agent in ("anna", "bert", "carl")}
    assert (await look(client))["created"] == 1
    assert (await ended(client, end, ANNA, uids)).is_success
    assert len(shared(cypher)) == 1
    assert await look(client) == NOTHING | {"shared": 1, "updated": 1}
    assert [row["agents"] for row in shared(cypher)] == [2]
    assert (await ended(client, end, BERT, uids)).is_success
    assert shared(cypher) == []
    assert cypher("MATCH ()-[s:SHARED_WITH|PUBLISHED_FROM]->() RETURN s") == []
    assert await look(client) == NOTHING


async def test_one_that_is_published_by_itself_stays_shared(
    client: httpx.AsyncClient, cypher: Run, holder: Holder
) -> None:
    await joined(client)
    uid = await holder.holds("anna")
    await holder.holds("bert")
    copy = (await client.post(f"/v1/memories/{uid}/publish", json=ANNA)).json()["uid"]
    assert (await look(client))["created"] == 1
    await client.post("/v1/channels/leave", json=BERT)
    assert [row["uid"] for row in shared(cypher)] == [copy]
    assert len(cypher("MATCH ()-[s:SHARED_WITH]->() RETURN s")) == 1


async def test_a_tenant_can_ask_for_more_and_switch_it_off(
    client: httpx.AsyncClient, cypher: Run, holder: Holder, service: Service
) -> None:
    await joined(client)
    for agent in ("anna", "bert"):
        await holder.holds(agent)
    who = {"agent_id": "anna"}
    try:
        await client.patch("/v1/strata/config", json=who | {"pattern_agents": 3})
        assert await look(client) == NOTHING
        await client.patch("/v1/strata/config", json=who | {"pattern_agents": 2})
        assert (await look(client))["created"] == 1
        await client.patch("/v1/strata/config", json=who | {"pattern_confidence": 0.9})
        assert await look(client) == NOTHING | {"withdrawn": 1}
        await client.patch("/v1/strata/config", json=who | {"pattern_confidence": 0.5})
        assert (await look(client))["created"] == 1
        await client.patch("/v1/strata/config", json=who | {"pattern_sharing": False})
        refused = await client.post("/v1/channels/patterns", json={"channel_ids": ["team"]})
        assert refused.status_code == 409
        assert await worked(service) == 1
        assert shared(cypher) == []
    finally:
        await client.delete("/v1/strata/config", params=who)


async def worked(service: Service) -> int:
    job = next(job for job in service.jobs if job.name == "share_patterns")
    lease = await service.leases.acquire("worker", "test", 30)
    assert lease is not None
    try:
        return await job.step(service.clock.now(), lease)
    finally:
        await service.leases.release(lease)


async def test_the_worker_looks_at_each_channel_from_time_to_time(
    client: httpx.AsyncClient, cypher: Run, holder: Holder, service: Service
) -> None:
    assert await worked(service) == 0
    await joined(client)
    for agent in ("anna", "bert"):
        await holder.holds(agent)
    assert [await worked(service), await worked(service)] == [1, 0]
    assert len(shared(cypher)) == 1
    cypher("MATCH (c:Channel) SET c.patterns_at = c.patterns_at - duration('PT1H')")
    assert await worked(service) == 1


async def test_many_are_looked_at_in_pages(
    client: httpx.AsyncClient,
    cypher: Run,
    holder: Holder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("graph.store.sharing.patterns._PAGE", 2)
    await joined(client)
    for place in range(7):
        for agent in ("anna", "bert"):
            await holder.holds(agent, f"pattern {place}", signature=f"{place:064x}")
    assert await look(client) == NOTHING | {"shared": 7, "created": 7}
    cypher(
        "MATCH (p:Pattern {scope: 'local/agent/anna'}) WHERE p.text IN ['pattern 0', 'pattern 3', 'pattern 6'] SET p.confidence = 0.1"
    )
    assert await look(client) == NOTHING | {"shared": 4, "withdrawn": 3}
    assert len(shared(cypher)) == 4


async def test_a_pattern_of_a_channel_cannot_be_changed_by_hand(
    client: httpx.AsyncClient, cypher: Run, holder: Holder
) -> None:
    await joined(client)
    for agent in ("anna", "bert"):
        await holder.holds(agent)
    await look(client)
    [row] = shared(cypher)
    refused = await client.patch(f"/v1/memories/{row['uid']}", params=BERT, json={"text": "No."})
    assert refused.status_code == 409


async def test_an_imported_pattern_is_known_to_sharing(
    client: httpx.AsyncClient, cypher: Run, holder: Holder
) -> None:
    await joined(client, ANNA, BERT)
    for agent in ("anna", "bert"):
        await holder.holds(agent)
    assert await look(client) == NOTHING | {"shared": 1, "created": 1}
    before = patterns(cypher)
    lines = await exported(client)
    cypher(WIPE)
    await imported(client, lines)
    assert patterns(cypher) == before
    assert await look(client) == NOTHING | {"shared": 1}
    assert len(shared(cypher)) == 1


def patterns(cypher: Run) -> list[dict[str, Any]]:
    return cypher(
        "MATCH (p:Pattern) RETURN p.uid AS uid, p.scope AS scope, p.pattern_type AS type, "
        "p.signature AS signature, p.support AS support, p.confidence AS confidence, "
        "p.agents AS agents ORDER BY uid"
    )
