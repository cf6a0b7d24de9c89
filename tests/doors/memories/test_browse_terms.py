"""Names and key phrases in the surroundings of a memory, over HTTP."""

from __future__ import annotations

from typing import Any

import httpx

from service.bootstrap import Service
from stratagraph import wire
from tests.conftest import Run
from tests.doors.memories.test_browse import remembered
from tests.store.reading import linked


async def drawn(client: httpx.AsyncClient, uid: str, **query: Any) -> dict[str, Any]:
    params = {"agent_id": "anna", **query}
    answer = await client.get(f"/v1/memories/{uid}/neighbourhood", params=params)
    assert answer.status_code == 200, answer.text
    wire.NeighbourhoodView.model_validate(answer.json())
    return answer.json()


async def test_terms_are_drawn_and_lead_to_what_shares_them(
    client: httpx.AsyncClient, service: Service
) -> None:
    here, there = await remembered(
        client,
        {"text": "We met Ada Lovelace at the harbour."},
        {"text": "Later Ada Lovelace wrote to us."},
    )
    await linked(service)
    term = "term:agent/anna/ada lovelace"
    drawing = await drawn(client, here, types="MENTIONS")
    shown = {node["id"]: node for node in drawing["nodes"]}
    assert next(iter(shown)) == here
    assert there not in shown
    assert shown[term] == {
        "id": term, "label": "Term", "text": "Ada Lovelace", "hop": 1, "document_frequency": 2,
        "kind": None, "state": None, "importance": None, "q_value": None, "occurred_at": None,
    }  # fmt: skip
    assert shown[here]["document_frequency"] is None
    edge = {"start": here, "end": term, "type": "MENTIONS", "similarity": None}
    assert edge in drawing["edges"]
    far = await drawn(client, here, types="MENTIONS", hops=2)
    hops = {node["id"]: node["hop"] for node in far["nodes"]}
    assert (hops[term], hops[there]) == (1, 2)
    assert {**edge, "start": there} in far["edges"]
    without = await drawn(client, here, types=["NEXT", "SIMILAR_TO"], hops=2)
    assert {node["label"] for node in without["nodes"]} == {"Memory"}
    assert term in {node["id"] for node in (await drawn(client, here))["nodes"]}


async def test_a_term_that_many_mention_is_shown_but_not_passed(
    client: httpx.AsyncClient, service: Service
) -> None:
    rows = [{"text": f"Ada Lovelace, sighting {n}"} for n in range(21)]
    uids = await remembered(client, *rows)
    await linked(service)
    query: dict[str, Any] = {"types": "MENTIONS", "hops": 2, "limit": 200}
    term = "term:agent/anna/ada lovelace"

    async def met() -> tuple[set[str], int]:
        nodes = {node["id"]: node for node in (await drawn(client, uids[1], **query))["nodes"]}
        return set(uids) & set(nodes), nodes[term]["document_frequency"]

    assert await met() == ({uids[1]}, 21)
    await client.delete(f"/v1/memories/{uids.pop()}?agent_id=anna")
    assert await met() == (set(uids), 20)


async def test_the_same_term_of_two_scopes_is_two_nodes(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await remembered(client, {"text": "We met Ada Lovelace at the harbour.", "external_id": "own"})
    for user in ("a", "a/b"):
        body = {"user_ids": [user], "text": "Ada Lovelace was here."}
        await client.post("/v1/memories", json=body)
    await linked(service)
    cypher("MATCH (t:Term {scope: 'local/user/a', name: 'ada lovelace'}) SET t.name = 'b/ada%'")
    cypher("MATCH (t:Term {scope: 'local/user/a/b', name: 'ada lovelace'}) SET t.name = 'ada%'")
    cypher("MATCH (a:Memory {external_id: 'own'}), (b:Memory) WHERE a <> b CREATE (a)-[:NEXT]->(b)")
    drawing = await drawn(client, "external:own", hops=2, user_ids=["a", "a/b"])
    ids = [node["id"] for node in drawing["nodes"]]
    assert len(ids) == len(set(ids))
    assert {"term:user/a/b%2Fada%25", "term:user/a/b/ada%25"} <= set(ids)
    assert {edge[end] for edge in drawing["edges"] for end in ("start", "end")} <= set(ids)
    alone = await drawn(client, "external:own", hops=2)
    assert {node["id"].rpartition("/")[0] for node in alone["nodes"][1:]} == {"term:agent/anna"}


async def test_a_term_of_another_scope_is_not_drawn_whoever_points_at_it(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    [own] = await remembered(client, {"text": "nothing of note"})
    body = {"user_ids": ["ada"], "text": "We met Ada Lovelace at the harbour."}
    theirs = (await client.post("/v1/memories", json=body)).json()["uid"]
    await linked(service)
    cypher("MATCH (m:Memory {uid: $uid}), (t:Term {scope: 'local/user/ada'}) "
           "CREATE (m)-[:MENTIONS]->(t)", uid=own)  # fmt: skip
    for caller in ({}, {"user_ids": ["ada"]}):
        drawing = await drawn(client, own, hops=2, **caller)
        assert not [n for n in drawing["nodes"] if n["id"].startswith("term:user/")]
    cypher("MATCH (a:Memory {uid: $a}), (b:Memory {uid: $b}) CREATE (a)-[:NEXT]->(b)",
           a=own, b=theirs)  # fmt: skip
    both = await drawn(client, own, hops=2, user_ids=["ada"])
    assert "term:user/ada/ada lovelace" in {node["id"] for node in both["nodes"]}
    mentions = [edge["start"] for edge in both["edges"] if edge["end"].startswith("term:user/")]
    assert set(mentions) == {theirs}
