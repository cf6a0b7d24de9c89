from __future__ import annotations

from typing import Any

import httpx
import pytest

FULL: dict[str, Any] = {
    "agent_id": "a",
    "text": "Ada prefers worked examples.",
    "kind": "preference",
    "external_id": "ext/1",
    "session_id": "monday",
    "tags": ["style", "style", "teaching"],
    "phase": "plan",
    "importance": 5,
    "occurred_at": "2026-05-01T11:30:00+02:00",
    "metadata": {"ticket": 17, "nothing": None},
}


async def test_a_new_memory_is_created_and_read_back(client: httpx.AsyncClient) -> None:
    saved = await client.post("/v1/memories", json=FULL)
    assert saved.status_code == 201
    uid = saved.json()["uid"]
    assert saved.json() == {"status": "created", "uid": uid}
    read = await client.get(f"/v1/memories/{uid}?agent_id=a")
    assert read.status_code == 200
    memory = read.json()
    assert memory["scope"] == "agent/a"
    assert memory["phase"] == "planning"
    assert sorted(memory["tags"]) == ["style", "teaching"]
    assert memory["metadata"] == FULL["metadata"]
    assert memory["occurred_at"] == "2026-05-01T09:30:00Z"


async def test_the_same_again_is_no_new_memory(client: httpx.AsyncClient) -> None:
    first = await client.post("/v1/memories", json=FULL)
    again = await client.post("/v1/memories", json=FULL)
    assert again.status_code == 200
    assert again.json()["status"] in {"unchanged", "duplicate"}
    assert again.json()["uid"] == first.json()["uid"]


async def test_a_memory_answers_to_its_external_id(client: httpx.AsyncClient) -> None:
    saved = await client.post("/v1/memories", json=FULL)
    read = await client.get("/v1/memories/external:ext/1", params={"agent_id": "a"})
    assert read.json()["uid"] == saved.json()["uid"]


async def test_a_removed_memory_is_gone(client: httpx.AsyncClient) -> None:
    uid = (await client.post("/v1/memories", json=FULL)).json()["uid"]
    removed = await client.delete(f"/v1/memories/{uid}?agent_id=a")
    assert (removed.status_code, removed.content) == (204, b"")
    assert (await client.delete(f"/v1/memories/{uid}?agent_id=a")).status_code == 404
    assert (await client.get(f"/v1/memories/{uid}?agent_id=a")).status_code == 404


async def test_another_agent_does_not_see_it(client: httpx.AsyncClient) -> None:
    uid = (await client.post("/v1/memories", json=FULL)).json()["uid"]
    answer = await client.get(f"/v1/memories/{uid}?agent_id=b")
    assert answer.status_code == 404
    assert answer.json()["type"] == "urn:stratagraph:error:not-found"
    assert uid not in answer.text


async def test_a_batch_reports_each_row(client: httpx.AsyncClient) -> None:
    rows: list[object] = [
        {"text": "one"},
        {"text": ""},
        {"text": "two", "agent_id": "b"},
        "no object",
        {"text": "three"},
    ]
    answer = await client.post("/v1/memories", json={"agent_id": "a", "memories": rows})
    assert answer.status_code == 200
    body = answer.json()
    assert body["counts"] == {
        "created": 2,
        "updated": 0,
        "unchanged": 0,
        "duplicate": 0,
        "rejected": 3,
    }
    assert [row["index"] for row in body["results"]] == [0, 1, 2, 3, 4]
    assert [row["status"] == "created" for row in body["results"]] == [
        True,
        False,
        False,
        False,
        True,
    ]
    assert body["results"][1]["error"]["field"] == "text"
    assert body["results"][2]["error"]["field"] == "agent_id"
    assert body["results"][3]["error"]["message"] == "must be a JSON object"


@pytest.mark.parametrize(
    ("faulty", "field"),
    [
        ({"text": ""}, "memories.1.text"),
        ({"text": "x", "vector": [1.0]}, "memories.1.vector"),
        (
            {
                "text": "x",
                "valid_from": "2026-05-02T00:00:00Z",
                "valid_to": "2026-05-01T00:00:00Z",
            },
            "memories.1.valid_to",
        ),
    ],
)
async def test_an_atomic_batch_with_a_faulty_row_stores_nothing(
    client: httpx.AsyncClient, faulty: dict[str, Any], field: str
) -> None:
    body = {"agent_id": "a", "memories": [{"text": "one", "external_id": "one"}, faulty]}
    answer = await client.post("/v1/memories?atomic=true", json=body)
    assert answer.status_code == 422
    assert [fault["field"] for fault in answer.json()["errors"]] == [field]
    assert (await client.get("/v1/memories/external:one?agent_id=a")).status_code == 404


async def test_an_atomic_batch_without_faults_is_stored(client: httpx.AsyncClient) -> None:
    body = {"agent_id": "a", "memories": [{"text": "one"}, {"text": "two"}]}
    answer = await client.post("/v1/memories?atomic=true", json=body)
    assert answer.json()["counts"]["created"] == 2


async def test_a_batch_of_faulty_rows_alone_is_answered(client: httpx.AsyncClient) -> None:
    answer = await client.post(
        "/v1/memories",
        content=b'{"agent_id": "a", "memories": [1, {}]}',
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code == 200
    assert answer.json()["counts"]["rejected"] == 2


async def test_a_misspelt_option_is_refused(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/memories?atomc=true", json=FULL)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["message"].endswith("did you mean atomic?")


@pytest.mark.parametrize(
    ("identity", "scope_kind", "scope"),
    [
        ({"agent_id": "a", "user_ids": ["u"]}, None, "agent/a"),
        ({"agent_id": "a", "user_ids": ["u"]}, "user", "user/u"),
        ({"channel_ids": ["c"]}, None, "channel/c"),
        ({"agent_id": "a"}, "shared", "shared"),
    ],
)
async def test_the_scope_follows_the_identity(
    client: httpx.AsyncClient, identity: dict[str, Any], scope_kind: str | None, scope: str
) -> None:
    body = {**identity, "text": "x", "external_id": "e", "scope_kind": scope_kind}
    saved = await client.post("/v1/memories", json=body)
    assert saved.status_code == 201, saved.text
    read = await client.get("/v1/memories/external:e", params=identity)
    assert read.json()["scope"] == scope
