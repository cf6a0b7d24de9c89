"""`PATCH` over HTTP: what changes, what stays, and who wins."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from tests.conftest import Run
from tests.doors.asking import results_of
from tests.store.reading import assert_whole

PLACE = "/v1/memories/external:e?agent_id=anna"


async def stored(client: httpx.AsyncClient, **fields: object) -> httpx.Response:
    body = {"agent_id": "anna", "external_id": "e", "text": "a red lighthouse", **fields}
    answer = await client.post("/v1/memories", json=body)
    assert answer.status_code == 201, answer.text
    return answer


async def patched(client: httpx.AsyncClient, changes: object, **headers: str) -> dict[str, Any]:
    answer = await client.patch(PLACE, json=changes, headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.headers["etag"] == f'"{answer.json()["uid"]}-{answer.json()["revision"]}"'
    return answer.json()


async def versions(client: httpx.AsyncClient) -> list[dict[str, Any]]:
    answer = await client.get("/v1/memories/external:e/versions?agent_id=anna")
    assert answer.status_code == 200, answer.text
    return answer.json()["items"]


async def test_a_new_text_is_found_and_the_old_one_is_a_version(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await stored(client, importance=4, tags=["a"])
    cypher("MATCH (m:Memory) SET m.q_value = 0.9, m.q_count = 3, m.access_count = 5")
    view = await patched(client, {"text": "Zürcher Käse"})
    assert (view["text"], view["importance"], view["tags"]) == ("Zürcher Käse", 4, ["a"])
    assert (view["q_value"], view["q_count"], view["access_count"]) == (0.9, 3, 5)
    assert view["revision"] == 2
    [old] = await versions(client)
    assert (old["text"], old["revision"], old["changed"]) == ("a red lighthouse", 1, ["text"])
    assert old["replaced_at"] == view["recorded_at"]
    question = {"agent_id": "anna", "text": "Zürcher Käse"}
    for _ in range(200):
        [found] = await results_of(client, question, expect=1)
        if found["similarity"] > 0.6:
            return
        await asyncio.sleep(0.05)
    raise AssertionError("the new text is not found by its vector")


async def test_objects_are_merged_key_by_key_and_null_removes(client: httpx.AsyncClient) -> None:
    await stored(client, metadata={"a": 1, "b": {"c": 2, "d": 3}}, domain="law", importance=5)
    changes = {"metadata": {"a": None, "b": {"d": [1]}, "e": "x"}, "domain": None}
    view = await patched(client, {**changes, "importance": None, "tags": ["t"]})
    assert view["metadata"] == {"b": {"c": 2, "d": [1]}, "e": "x"}
    assert (view["domain"], view["importance"], view["tags"]) == (None, 3, ["t"])
    view = await patched(client, {"metadata": None, "tags": None})
    assert (view["metadata"], view["tags"]) == (None, [])


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"text": "a red lighthouse"},
        {"text": "a red lighthouse", "importance": 3, "state": "active", "tags": []},
        {"metadata": {"gone": None}, "domain": None},
        {"occurred_at": "2026-05-01T11:30:00+02:00"},
    ],
)
async def test_a_patch_that_changes_nothing_leaves_no_version(
    client: httpx.AsyncClient, changes: dict[str, object]
) -> None:
    first = await stored(client, occurred_at="2026-05-01T09:30:00Z", metadata={"a": 1})
    answer = await client.patch(PLACE, json=changes)
    assert answer.status_code == 200
    assert answer.headers["etag"] == first.headers["etag"]
    assert await versions(client) == []


async def test_an_archived_memory_is_not_recalled_until_it_is_active_again(
    client: httpx.AsyncClient,
) -> None:
    await stored(client)
    question = {"agent_id": "anna", "text": "lighthouse"}
    assert len(await results_of(client, question, expect=1)) == 1
    assert (await patched(client, {"state": "archived"}))["state"] == "archived"
    for _ in range(200):
        if not await results_of(client, question, expect=0):
            break
        await asyncio.sleep(0.05)
    assert await results_of(client, question, expect=0) == []
    archived = {**question, "filters": {"states": ["archived"]}}
    assert len(await results_of(client, archived, expect=1)) == 1
    assert (await patched(client, {"state": None}))["state"] == "active"
    assert len(await results_of(client, question, expect=1)) == 1


async def test_a_patch_in_a_session_changes_the_words_around_it(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    rows = [{"text": text, "session_id": "s", "external_id": text} for text in ("a1", "b1", "c1")]
    await client.post("/v1/memories", json={"agent_id": "anna", "memories": rows})
    answer = await client.patch(
        "/v1/memories/external:b1?agent_id=anna", json={"text": "another", "speaker": "Zoe"}
    )
    assert answer.status_code == 200, answer.text
    ordered = assert_whole(cypher, "local/agent/anna", "s")
    assert [each["text"] for each in ordered] == ["a1", "another", "c1"]
    [owner] = cypher("MATCH (s:Scope) RETURN s.speakers AS speakers")
    assert owner["speakers"] == ["Zoe"]


async def test_the_same_memory_sent_again_is_still_told_apart(client: httpx.AsyncClient) -> None:
    """A patched memory is what it says now: its old content is another memory, its new one is it."""
    body = {"agent_id": "anna", "text": "one"}
    uid = (await client.post("/v1/memories", json=body)).json()["uid"]
    place = f"/v1/memories/{uid}?agent_id=anna"
    assert (await client.patch(place, json={"importance": 5})).json()["revision"] == 2
    again = await client.post("/v1/memories", json=body)
    assert again.json() == {"status": "duplicate", "uid": uid}
    await client.patch(place, json={"text": "two"})
    again = await client.post("/v1/memories", json={**body, "text": "two"})
    assert again.json() == {"status": "duplicate", "uid": uid}
    other = await client.post("/v1/memories", json=body)
    assert other.status_code == 201
    clash = await client.patch(place, json={"text": "one"})
    assert clash.status_code == 409
    assert other.json()["uid"] in clash.json()["detail"]
    assert (await client.get(place)).json()["text"] == "two"


async def test_a_named_memory_sent_again_after_a_patch_is_an_update_or_unchanged(
    client: httpx.AsyncClient,
) -> None:
    await stored(client)
    await patched(client, {"tags": ["t"]})
    body = {"agent_id": "anna", "external_id": "e", "text": "a red lighthouse"}
    same = await client.post("/v1/memories", json={**body, "tags": ["t"]})
    assert same.json()["status"] == "unchanged"
    back = await client.post("/v1/memories", json=body)
    assert back.json()["status"] == "updated"
    assert back.headers["etag"].endswith('-3"')


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"text": None}, "text"),
        ({"occurred_at": None}, "occurred_at"),
        ({"text": " "}, "text"),
        ({"text": 5}, "text"),
        ({"valid_to": "2026-04-01T00:00:00Z"}, "valid_to"),
        ({"expires_at": "2026-04-01T00:00:00Z"}, "expires_at"),
        ({"content_type": "structured"}, "structured"),
        ({"content_type": "embedding"}, "vector"),
        ({"vector": [1.0]}, "vector"),
        ({"vector": [0.0] * 384}, "vector"),
        ({"state": "hidden"}, "state"),
        ({"importance": 6}, "importance"),
        ({"metadata": {"x": "y" * 40_000}}, "metadata"),
        ({"improtance": 2}, "improtance"),
        ({"scope": "agent/bert"}, "scope"),
        ({"session_id": None}, "session_id"),
        ({"external_id": "f"}, "external_id"),
        ({"sequence": 1}, "sequence"),
        ({"uid": "x"}, "uid"),
        ({"agent_id": "bert"}, "agent_id"),
        ({"q_value": 1.0}, "q_value"),
        ({"links": []}, "links"),
        ([], None),
        ("text", None),
    ],
)
async def test_what_may_not_be_is_refused_by_name(
    client: httpx.AsyncClient, changes: object, field: str | None
) -> None:
    times = {"occurred_at": "2026-05-01T09:30:00Z", "valid_from": "2026-05-01T00:00:00Z"}
    first = await stored(client, **times, metadata={"z": "y" * 40_000})
    answer = await client.patch(PLACE, json=changes)
    assert answer.status_code == 422, answer.text
    faults = answer.json()["errors"]
    assert [fault["field"] for fault in faults] == [field]
    unchanged = await client.get(PLACE)
    assert unchanged.headers["etag"] == first.headers["etag"]


async def test_a_patch_needs_the_revision_it_names(client: httpx.AsyncClient) -> None:
    tag = (await stored(client)).headers["etag"]
    assert (await client.get(PLACE)).headers["etag"] == tag
    await patched(client, {"text": "two"}, **{"If-Match": tag})
    stale = await client.patch(PLACE, json={"text": "three"}, headers={"If-Match": tag})
    assert stale.status_code == 412
    assert stale.json()["type"] == "urn:stratagraph:error:precondition-failed"
    weak = (await client.get(PLACE)).headers["etag"]
    for header, status in (
        (f"W/{weak}", 412),
        (f'"x,y", {weak}', 200),
        ('"x,y"', 412),
        ("*", 200),
        ("x", 422),
    ):
        answer = await client.patch(
            PLACE, json={"text": f"by {header}"}, headers={"If-Match": header}
        )
        assert answer.status_code == status, header
    assert len(await versions(client)) == 3


async def test_what_is_known_is_not_sent_again(client: httpx.AsyncClient) -> None:
    tag = (await stored(client)).headers["etag"]
    for header in (tag, f"W/{tag}", "*", f'"other", {tag}'):
        same = await client.get(PLACE, headers={"If-None-Match": header})
        assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
    await patched(client, {"text": "two"})
    assert (await client.get(PLACE, headers={"If-None-Match": tag})).status_code == 200


@pytest.mark.parametrize(
    ("media_type", "status"),
    [
        ("application/merge-patch+json", 200),
        ("application/merge-patch+json; charset=utf-8", 200),
        ("application/json-patch+json", 415),
        ("text/plain", 415),
    ],
)
async def test_a_merge_patch_is_taken_by_its_name(
    client: httpx.AsyncClient, media_type: str, status: int
) -> None:
    await stored(client)
    answer = await client.patch(
        PLACE, content=b'{"importance": 2}', headers={"Content-Type": media_type}
    )
    assert answer.status_code == status


async def test_who_is_not_there_is_not_found(client: httpx.AsyncClient) -> None:
    await stored(client)
    answer = await client.patch("/v1/memories/external:e?agent_id=bert", json={"importance": 1})
    assert answer.status_code == 404
