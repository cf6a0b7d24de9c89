"""Removing many memories over HTTP, and changing one from many sides."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from service.bootstrap import Connection, open_service
from service.settings import Settings
from tests.conftest import Run
from tests.store.erasing import condensed, published
from tests.store.reading import assert_whole

HOME = "local/agent/anna"


async def removed(client: httpx.AsyncClient, **asked: Any) -> dict[str, Any]:
    answer = await client.post("/v1/memories/delete", json={"agent_id": "anna", **asked})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def conversation(client: httpx.AsyncClient) -> list[str]:
    rows = [
        {"text": f"turn {n}", "session_id": "s", "tags": ["odd"] if n % 3 else ["even"],
         "external_id": f"t{n}"}
        for n in range(12)
    ]  # fmt: skip
    answer = await client.post("/v1/memories", json={"agent_id": "anna", "memories": rows})
    return [row["uid"] for row in answer.json()["results"]]


async def texts(client: httpx.AsyncClient) -> set[str]:
    answer = await client.get("/v1/memories?agent_id=anna&limit=200")
    return {item["text"] for item in answer.json()["items"]}


async def test_a_dry_run_is_the_default_and_removes_nothing(client: httpx.AsyncClient) -> None:
    await conversation(client)
    tried = await removed(client, filters={"tags_any": ["odd"]})
    assert (tried["dry_run"], tried["matched"], tried["deleted"]) == (True, 8, 0)
    assert len(tried["sample"]) == 8
    assert len(await texts(client)) == 12


async def test_a_session_is_whole_after_some_of_it_went(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    uids = await conversation(client)
    link = {"text": "beside", "links": [{"type": "USED", "to": uids[1]}]}
    await client.post("/v1/memories", json={"agent_id": "anna", **link})
    await client.patch("/v1/memories/external:t1?agent_id=anna", json={"text": "turn one"})
    gone = await removed(client, filters={"tags_any": ["odd"]}, dry_run=False)
    assert (gone["matched"], gone["deleted"], gone["scope"]) == (8, 8, "agent/anna")
    ordered = assert_whole(cypher, HOME, "s")
    assert [each["text"] for each in ordered] == ["turn 0", "turn 3", "turn 6", "turn 9"]
    assert cypher("MATCH (v:Version) RETURN v") == []
    [row] = cypher("MATCH (m:Memory {text: 'beside'}) RETURN m.link_count AS n")
    assert row["n"] == 0


async def test_all_of_a_scope_goes_and_nothing_else(client: httpx.AsyncClient, cypher: Run) -> None:
    await conversation(client)
    old = {"agent_id": "anna", "text": "past", "valid_to": "2024-01-01T00:00:00Z"}
    await client.post("/v1/memories", json=old)
    await client.patch("/v1/memories/external:t1?agent_id=anna", json={"state": "archived"})
    for other in ({"agent_id": "bert"}, {"agent_id": "anna", "scope_kind": "shared"}):
        await client.post("/v1/memories", json={**other, "text": "stays"})
    assert (await removed(client, all=True))["matched"] == 13
    gone = await removed(client, all=True, dry_run=False)
    assert (gone["matched"], gone["deleted"]) == (13, 13)
    left = cypher("MATCH (m:Memory) RETURN m.text AS text")
    assert [row["text"] for row in left] == ["stays", "stays"]
    assert cypher("MATCH (s:Session) RETURN s") == []


async def test_names_choose_and_unknown_ones_are_passed_over(client: httpx.AsyncClient) -> None:
    uids = await conversation(client)
    names = ["external:t0", uids[11], "external:nobody", "nobody"]
    assert (await removed(client, memories=names))["matched"] == 2
    assert (await removed(client, memories=names, dry_run=False))["deleted"] == 2
    assert len(await texts(client)) == 10


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"filters": {}},
        {"all": False},
        {"memories": []},
        {"filters": {"kinds": ["insight"]}, "all": True},
        {"filters": {"kindz": ["insight"]}},
        {"filters": {"kinds": ["zebra-marker"]}},
        {"all": "yes"},
        {"all": True, "dry_run": 0},
        {"all": True, "scope_kind": "user"},
        {"memories": ["zebra-marker\x00"]},
    ],
)
async def test_what_is_not_clear_removes_nothing(
    client: httpx.AsyncClient, asked: dict[str, Any]
) -> None:
    await conversation(client)
    body = {"agent_id": "anna", "dry_run": False, **asked}
    answer = await client.post("/v1/memories/delete", json=body)
    assert answer.status_code == 422
    assert "zebra-marker" not in answer.text
    assert len(await texts(client)) == 12


async def test_two_services_that_change_one_memory_lose_nothing(
    client: httpx.AsyncClient, connection: Connection, settings: Settings, cypher: Run
) -> None:
    body = {"agent_id": "anna", "external_id": "e", "text": "one", "session_id": "s"}
    await client.post("/v1/memories", json=body)
    async with open_service(settings, connection) as second:
        from service.app import create_app  # the second replica's own door

        transport = httpx.ASGITransport(app=create_app(second))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as other:
            place = "/v1/memories/external:e?agent_id=anna"
            answers = await asyncio.gather(
                *(
                    door.patch(place, json={"metadata": {f"{name}{n}": n}})
                    for n in range(10)
                    for name, door in (("a", client), ("b", other))
                )
            )
            assert [answer.status_code for answer in answers] == [200] * 20
            tag = (await client.get(place)).headers["etag"]
            race = await asyncio.gather(
                *(
                    door.patch(place, json={"text": f"by {n}"}, headers={"If-Match": tag})
                    for n, door in enumerate((client, other) * 3)
                )
            )
    assert sorted(answer.status_code for answer in race) == [200] + [412] * 5
    view = (await client.get(place)).json()
    assert len(view["metadata"]) == 20
    assert view["revision"] == 22
    revisions = cypher("MATCH (v:Version) RETURN v.revision AS n ORDER BY n")
    assert [row["n"] for row in revisions] == list(range(1, 22))


async def remembered(client: httpx.AsyncClient, *rows: dict[str, Any]) -> list[str]:
    answer = await client.post("/v1/memories", json={"agent_id": "anna", "memories": list(rows)})
    return [row["uid"] for row in answer.json()["results"]]


async def test_what_was_condensed_from_one_goes_with_it_and_the_other_sources_come_back(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    rows = ({"text": "goose over the quay"}, {"text": "gander over the quay"}, {"text": "plain"})
    goes, stays, plain = await remembered(client, *rows)
    condensed(cypher, "made", "birds over the quay", [goes, stays])
    condensed(cypher, "again", "birds", ["made"], run="r2")
    gone = await removed(client, memories=[goes, plain], dry_run=False)
    assert (gone["matched"], gone["deleted"]) == (2, 2)
    assert gone["counts"] == {"Memory": 4, "derived": 2, "restored": 1}
    left = cypher("MATCH (m:Memory) RETURN m.uid AS uid, m.state AS state, m.condensed_by AS by")
    assert left == [{"uid": stays, "state": "active", "by": None}]
    [run] = cypher("MATCH (r:Run) RETURN r {.*} AS run")
    assert (run["run"]["of"], run["run"]["state"]) == ("memories", "done")
    assert not {"meant", "revisions", "subject"} & run["run"].keys()


async def test_a_condensed_memory_takes_what_it_was_condensed_from(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    uids = await remembered(client, {"text": "goose"}, {"text": "gander"})
    condensed(cypher, "made", "birds", uids)
    gone = await removed(client, memories=["made"], dry_run=False)
    assert (gone["matched"], gone["deleted"], gone["counts"]) == (1, 1, {"Memory": 3})
    assert cypher("MATCH (m:Memory) RETURN m") == []


async def test_what_came_back_and_is_meant_goes_too(client: httpx.AsyncClient, cypher: Run) -> None:
    rows = [{"text": text, "tags": ["bird"]} for text in ("goose", "gander", "duck")]
    first, evidence, _ = await remembered(client, *rows)
    condensed(cypher, "made", "waterfowl", [first])
    cypher("MATCH (c:Memory {uid: 'made'}), (m:Memory {uid: $uid}) CREATE (c)-[:DERIVED_FROM]->(m)",
           uid=evidence)  # fmt: skip
    gone = await removed(client, filters={"tags_any": ["bird"]}, dry_run=False)
    assert (gone["deleted"], gone["counts"]["restored"]) == (3, 1)
    assert cypher("MATCH (m:Memory) RETURN m") == []


async def test_what_was_made_of_a_copy_goes_with_the_original(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    [original] = await remembered(client, {"text": "goose"})
    published(cypher, "copy", original, "local/channel/ops")
    condensed(cypher, "made", "birds", ["copy"])
    gone = await removed(client, memories=[original], dry_run=False)
    assert gone["counts"] == {"Memory": 3, "copies": 1, "derived": 1}
    assert cypher("MATCH (m:Memory) RETURN m") == []


async def test_what_a_client_said_to_be_derived_stays_and_nothing_is_erased_for_it(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    [source] = await remembered(client, {"text": "goose"})
    link = {"text": "bird", "links": [{"type": "DERIVED_FROM", "to": source}]}
    await remembered(client, link)
    gone = await removed(client, memories=[source], dry_run=False)
    assert gone["counts"] == {"Memory": 1}
    assert cypher("MATCH (m:Memory) RETURN m.text AS text") == [{"text": "bird"}]
    assert cypher("MATCH (r:Run) RETURN r") == []


async def test_cleared_episodes_take_the_concept_that_was_drawn_from_them(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    rows = [
        {"episode_id": f"e{n}", "input": {"problem": f"What is {n} + {n}?", "domain": domain},
         "output": {"answer": str(2 * n), "correct": True}}
        for n, domain in enumerate(("counting", "math", "math"))
    ]  # fmt: skip
    added = await client.post("/v1/episodes", json={"agent_id": "anna", "episodes": rows})
    assert added.status_code == 200, added.text
    cypher(
        "MATCH (e:Episode {external_id: 'e0'}) SET e.state = 'archived' "
        "CREATE (c:Memory:Concept {uid: 'doubling', kind: 'concept', text: 'double it', tenant: e.tenant, "
        "scope: e.scope, state: 'active', stratum: 'semantic', keys: [], q_value: 0.5, agent_id: '', "
        "session_id: '', recorded_at: e.recorded_at, occurred_at: e.occurred_at, source_type: 'extraction'}) "
        "CREATE (c)-[:PROMOTED_FROM {revision: 1}]->(e) "
        "WITH c MATCH (f:Episode {external_id: 'e1'}) CREATE (c)-[:DERIVED_FROM]->(f)"
    )
    place = "/v1/episodes?agent_id=anna&dry_run=false&domain=math"
    gone = (await client.delete(place)).json()
    assert (gone["deleted"], gone["counts"]["derived"], gone["counts"]["restored"]) == (2, 1, 1)
    left = cypher(
        "MATCH (m:Memory) WHERE m:Concept OR m:Episode RETURN m.external_id AS name, m.state AS state"
    )
    assert left == [{"name": "e0", "state": "active"}]
