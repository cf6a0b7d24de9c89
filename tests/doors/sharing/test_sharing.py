"""Channels, their members, and the copies of memories that they share, over HTTP."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from graph.kernel.scope import Caller
from service.bootstrap import Service
from tests.conftest import Recalls, Run

ANNA = {"agent_id": "anna", "channel_ids": ["team"]}
BERT = {"agent_id": "bert", "channel_ids": ["team"]}
IN_TEAM = Caller("local", "bert", ("team",))


async def joined(client: httpx.AsyncClient, *whos: dict[str, Any]) -> None:
    for who in whos or (ANNA, BERT):
        answer = await client.post("/v1/channels/join", json=who)
        assert answer.status_code == 200, answer.text


async def stored(client: httpx.AsyncClient, text: str, **fields: Any) -> str:
    answer = await client.post("/v1/memories", json={"agent_id": "anna", "text": text, **fields})
    return answer.json()["uid"]


async def published(client: httpx.AsyncClient, uid: str, who: dict[str, Any] = ANNA) -> Any:
    answer = await client.post(f"/v1/memories/{uid}/publish", json=who)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def read(client: httpx.AsyncClient, uid: str, who: dict[str, Any] = BERT) -> httpx.Response:
    return await client.get(f"/v1/memories/{uid}", params=who)


async def test_members_are_those_that_joined(client: httpx.AsyncClient) -> None:
    await joined(client)
    await joined(client, ANNA, ANNA | {"channel_ids": ["other", "team"]})
    shown = (await client.get("/v1/channels", params={"channel_ids": "team"})).json()["items"]
    assert [(one["agent_id"], one["channel_id"], one["copies"]) for one in shown] == [
        ("anna", "team", 0),
        ("bert", "team", 0),
    ]
    mine = (await client.get("/v1/channels", params={"agent_id": "anna"})).json()["items"]
    assert [one["channel_id"] for one in mine] == ["other", "team"]
    left = (
        await client.post("/v1/channels/leave", json=BERT | {"channel_ids": ["team", "no"]})
    ).json()
    assert left["items"] == [
        {"channel_id": "no", "was_member": False, "copies": 0},
        {"channel_id": "team", "was_member": True, "copies": 0},
    ]
    shown = (await client.get("/v1/channels", params={"channel_ids": "team"})).json()["items"]
    assert [one["agent_id"] for one in shown] == ["anna"]


@pytest.mark.parametrize("path", ["/v1/channels/join", "/v1/channels/leave"])
async def test_who_joins_what_has_to_be_said(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.post(path, json={"agent_id": "anna"})).status_code == 422
    assert (await client.post(path, json={"channel_ids": ["team"]})).status_code == 422


async def test_a_copy_says_what_is_shared_and_by_whom_and_nothing_else(
    client: httpx.AsyncClient, recall: Recalls
) -> None:
    await joined(client)
    uid = await stored(
        client,
        "The printer on floor two needs blue toner.",
        external_id="ticket-9",
        session_id="monday",
        speaker="Ada",
        structured={"secret": 1},
        metadata={"secret": 2},
        source_type="chat",
        event_id="evt",
        task_id="task",
        tags=["printer"],
        importance=4,
        domain="office",
        user_ids=["ada"],
    )
    done = await published(client, uid)
    assert (done["original"], done["status"], done["published_by"], done["channel_id"]) == (
        uid,
        "created",
        "anna",
        "team",
    )
    found = await recall(IN_TEAM, "which toner does the printer need")
    assert [one.memory.uid for one in found.results] == [done["uid"]]
    shown = (await read(client, done["uid"])).json()
    assert {name: value for name, value in shown.items() if value not in (None, [], 0)} == {
        "uid": done["uid"],
        "revision": 1,
        "scope": "channel/team",
        "kind": "observation",
        "text": "The printer on floor two needs blue toner.",
        "content_type": "text",
        "stratum": "long_term",
        "state": "active",
        "importance": 4,
        "tags": ["printer"],
        "agent_id": "anna",
        "channel_id": "team",
        "domain": "office",
        "occurred_at": shown["occurred_at"],
        "recorded_at": shown["recorded_at"],
        "q_value": 0.5,
        "published_by": "anna",
        "published_at": done["published_at"],
    }


async def test_publishing_again_is_publishing_once(client: httpx.AsyncClient, cypher: Run) -> None:
    await joined(client)
    uid = await stored(client, "Backups run at two.")
    answers = await asyncio.gather(*(published(client, uid) for _ in range(6)))
    assert len({one["uid"] for one in answers}) == 1
    assert sorted(one["status"] for one in answers) == ["created"] + ["unchanged"] * 5
    [row] = cypher(
        "MATCH (copy:Memory)-[:PUBLISHED_FROM]->(m:Memory)-[s:SHARED_WITH]->(c:Channel) "
        "RETURN count(*) AS rows, collect(copy.scope) AS scopes, collect(c.scope) AS channels"
    )
    assert row == {"rows": 1, "scopes": ["local/channel/team"], "channels": ["local/channel/team"]}


async def test_only_a_member_publishes_and_only_its_own(client: httpx.AsyncClient) -> None:
    uid = await stored(client, "Backups run at two.")
    refused = await client.post(f"/v1/memories/{uid}/publish", json=ANNA)
    assert refused.status_code == 409
    assert "join" in refused.json()["detail"]
    await joined(client)
    assert (await client.post(f"/v1/memories/{uid}/publish", json=BERT)).status_code == 404
    done = await published(client, uid)
    for copy in (BERT, ANNA):  # a copy is nobody's own
        answer = await client.post(f"/v1/memories/{done['uid']}/publish", json=copy)
        assert answer.status_code == 404
    several = ANNA | {"channel_ids": ["team", "other"]}
    assert (await client.post(f"/v1/memories/{uid}/publish", json=several)).status_code == 422
    await client.patch(f"/v1/memories/{uid}", params=ANNA, json={"state": "archived"})
    assert (await client.post(f"/v1/memories/{uid}/publish", json=ANNA)).status_code == 409


async def test_a_changed_memory_changes_its_copy_and_leaves_no_trace_of_what_it_said(
    client: httpx.AsyncClient, cypher: Run, recall: Recalls
) -> None:
    await joined(client)
    uid = await stored(client, "The code of the safe is 1234.", external_id="safe")
    done = await published(client, uid)
    await client.post(
        f"/v1/memories/{done['uid']}/rewards", json=BERT | {"reward": 1.0, "reason": "x"}
    )
    changed = await client.patch(
        f"/v1/memories/{uid}",
        params=ANNA,
        json={"text": "The safe is in the cellar.", "tags": ["safe"]},
    )
    assert changed.status_code == 200, changed.text
    shown = (await read(client, done["uid"])).json()
    assert (shown["text"], shown["tags"], shown["revision"]) == (
        "The safe is in the cellar.",
        ["safe"],
        2,
    )
    assert shown["q_value"] > 0.5
    assert shown["published_at"] == done["published_at"]
    assert (await published(client, uid))["status"] == "unchanged"
    versions = await client.get(f"/v1/memories/{done['uid']}/versions", params=BERT)
    assert "1234" not in versions.text
    found = await recall(IN_TEAM, "where is the safe in the cellar")
    assert [one.memory.uid for one in found.results] == [done["uid"]]
    # An update by its name does the same.
    await stored(client, "The safe is upstairs.", external_id="safe")
    assert (await read(client, done["uid"])).json()["text"] == "The safe is upstairs."
    [row] = cypher(
        "MATCH (m:Memory {uid: $uid}) RETURN m.text AS text, m.context_text AS context",
        uid=done["uid"],
    )
    assert row == {"text": "The safe is upstairs.", "context": "The safe is upstairs."}


async def test_a_copy_is_changed_by_its_original_alone(client: httpx.AsyncClient) -> None:
    await joined(client)
    done = await published(client, await stored(client, "Backups run at two."))
    refused = await client.patch(f"/v1/memories/{done['uid']}", params=BERT, json={"text": "No."})
    assert refused.status_code == 409
    assert "published from" in refused.json()["detail"]


async def test_deleting_archiving_or_unpublishing_ends_the_copy(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await joined(client)
    uids = [await stored(client, f"Fact number {number}.") for number in range(3)]
    copies = [(await published(client, uid))["uid"] for uid in uids]
    await client.delete(f"/v1/memories/{uids[0]}", params=ANNA)
    await client.patch(f"/v1/memories/{uids[1]}", params=ANNA, json={"state": "archived"})
    gone = await client.post(f"/v1/memories/{uids[2]}/unpublish", json=ANNA)
    assert gone.json() == {"original": uids[2], "removed": 1}
    for copy in copies:
        assert (await read(client, copy)).status_code == 404
    assert cypher("MATCH ()-[s:SHARED_WITH|PUBLISHED_FROM]->() RETURN s") == []
    again = await client.post(f"/v1/memories/{uids[2]}/unpublish", json={"agent_id": "anna"})
    assert again.json()["removed"] == 0
    assert (await client.post(f"/v1/memories/{uids[2]}/unpublish", json=BERT)).status_code == 404


async def test_a_copy_that_somebody_removes_is_shared_no_more(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await joined(client)
    uid = await stored(client, "Backups run at two.")
    done = await published(client, uid)
    assert (await client.delete(f"/v1/memories/{done['uid']}", params=BERT)).status_code == 204
    assert cypher("MATCH ()-[s:SHARED_WITH]->() RETURN s") == []
    assert (await read(client, uid, ANNA)).status_code == 200
    assert (await published(client, uid))["status"] == "created"


async def test_what_gates_archive_is_shared_no_more(client: httpx.AsyncClient, cypher: Run) -> None:
    await joined(client)
    uid = await stored(client, "trifle", stratum="working", importance=1)
    done = await published(client, uid)
    cypher(
        "MATCH (m:Memory) SET m.recorded_at = m.recorded_at - duration('PT31M'), "
        "m.w_at = m.w_at - duration('PT31M')"
    )
    ran = await client.post("/v1/strata/gates", json={"agent_id": "anna", "dry_run": False})
    assert ran.json()["counts"] == {"archive": 1}
    assert (await read(client, done["uid"])).status_code == 404


async def test_a_reward_moves_the_copy_and_not_the_private_memory(
    client: httpx.AsyncClient,
) -> None:
    await joined(client)
    uid = await stored(client, "Backups run at two.")
    done = await published(client, uid)
    moved = await client.post(
        f"/v1/memories/{done['uid']}/rewards", json=BERT | {"reward": 1.0, "reason": "it helped"}
    )
    assert moved.json()["q_after"] > 0.5
    assert (await read(client, uid, ANNA)).json()["q_value"] == 0.5
    assert (await read(client, done["uid"])).json()["q_value"] == moved.json()["q_after"]


async def test_leaving_that_was_cut_off_is_ended_in_the_background(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await joined(client)
    uid = await stored(client, "Backups run at two.")
    done = await published(client, uid)
    store = service.leave_channels.store
    now = service.clock.now()
    assert await store.leave("local/agent/anna", "local/channel/team", now)
    refused = await client.post(f"/v1/memories/{uid}/publish", json=ANNA)
    assert refused.status_code == 409
    await store.hide("local/agent/anna", "local/channel/team", "", 1000, None)
    assert (await read(client, done["uid"])).status_code == 404
    job = next(job for job in service.jobs if job.name == "end_sharing")
    lease = await service.leases.acquire("worker", "test", 30)
    assert lease is not None
    assert await job.step(service.clock.now(), lease) == 1
    assert await job.step(service.clock.now(), lease) == 0
    assert cypher("MATCH (m:Memory) WHERE m.published_at IS NOT NULL RETURN m") == []
    await service.leases.release(lease)
    await joined(client, ANNA)
    assert (await published(client, uid))["status"] == "created"


async def test_who_joins_again_while_leaving_leaves_first(
    client: httpx.AsyncClient, service: Service
) -> None:
    await joined(client)
    done = await published(client, await stored(client, "Backups run at two."))
    await service.leave_channels.store.leave(
        "local/agent/anna", "local/channel/team", service.clock.now()
    )
    await joined(client, ANNA)
    assert (await read(client, done["uid"])).status_code == 404
    shown = (await client.get("/v1/channels", params={"agent_id": "anna"})).json()["items"]
    assert [(one["channel_id"], one["copies"]) for one in shown] == [("team", 0)]


async def test_an_export_of_all_keeps_what_is_shared(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await joined(client)
    uid = await stored(client, "Backups run at two.")
    done = await published(client, uid)
    lines = (await client.get("/v1/export", params={"scope": "tenant"})).text
    cypher("MATCH (n) WHERE NOT n:Schema AND NOT n:Lease DETACH DELETE n")
    answer = await client.post(
        "/v1/import", content=lines, headers={"Content-Type": "application/x-ndjson"}
    )
    assert answer.status_code == 200, answer.text
    back = (await read(client, done["uid"])).json()
    assert (back["published_by"], back["text"]) == ("anna", "Backups run at two.")
    await client.patch(f"/v1/memories/{uid}", params=ANNA, json={"text": "At three."})
    assert (await read(client, done["uid"])).json()["text"] == "At three."
    await client.delete(f"/v1/memories/{uid}", params=ANNA)
    assert (await read(client, done["uid"])).status_code == 404


async def test_members_store_straight_into_the_channels_semantic_memory(
    client: httpx.AsyncClient, recall: Recalls
) -> None:
    row = {"text": "Deploys happen on Tuesdays.", "stratum": "semantic", "scope_kind": "channel"}
    made = (await client.post("/v1/memories", json=ANNA | row)).json()
    assert (await read(client, made["uid"])).json()["scope"] == "channel/team"
    found = await recall(IN_TEAM, "when do deploys happen")
    assert [one.memory.stratum for one in found.results] == ["semantic"]
    assert (await read(client, made["uid"], {"agent_id": "bert"})).status_code == 404
