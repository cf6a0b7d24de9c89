"""Names that a newcomer would guess, and the old ones that go on working for one release."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

ANNA = {"agent_id": "anna"}
MOVES, DELETE = "/v1/strata/moves", "/v1/memories/delete"


async def remembered(client: httpx.AsyncClient, **fields: object) -> str:
    saved = await client.post("/v1/memories", json={"text": "Ada likes tea.", **ANNA, **fields})
    return saved.json()["uid"]


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (MOVES, {"names": ["x"], "to": "up"}, {"memories": ["x"], "to": "up"}),
        (MOVES, {"direction": "demote", "memories": ["x"]}, {"memories": ["x"], "to": "down"}),
        (DELETE, {"names": ["x"]}, {"memories": ["x"]}),
    ],
)
async def test_an_old_name_works_and_the_answer_says_so(
    client: httpx.AsyncClient, path: str, old: dict[str, Any], new: dict[str, Any]
) -> None:
    uid = await remembered(client, stratum="episodic")
    answers: list[httpx.Response] = []
    for body in (old, new):
        named = {key: [uid] if value == ["x"] else value for key, value in body.items()}
        answers.append(await client.post(path, json=ANNA | named | {"dry_run": True}))
    before, after = answers
    assert (before.status_code, after.status_code) == (200, 200)
    assert before.headers["deprecation"].startswith("@1")
    assert "deprecation" not in after.headers
    assert {**before.json(), "items": []} == {**after.json(), "items": []}


@pytest.mark.parametrize("path", [MOVES, DELETE])
async def test_old_and_new_name_together_are_refused(client: httpx.AsyncClient, path: str) -> None:
    body = ANNA | {"names": ["x"], "memories": ["x"], "to": "up"}
    if path == DELETE:
        del body["to"]
    refused = await client.post(path, json=body)
    assert refused.status_code == 422
    assert "the old name of memories" in refused.text


async def test_a_stratum_alone_says_up_or_down(client: httpx.AsyncClient) -> None:
    uid = await remembered(client, stratum="episodic")
    for to, action in (("long_term", "promote"), ("episodic", "demote")):
        body = ANNA | {"memories": [uid], "to": to}
        [moved] = (await client.post(MOVES, json=body)).json()["items"]
        assert (moved["action"], moved["to_stratum"]) == (action, to)
    stays = await client.post(MOVES, json=ANNA | {"memories": [uid], "to": "episodic"})
    assert stays.json()["refused"] == [{"name": uid, "why": "it is in episodic already"}]


async def test_one_channel_and_one_user_may_be_named_as_one(client: httpx.AsyncClient) -> None:
    await client.post("/v1/channels/join", json=ANNA | {"channel_id": "team"})
    uid = await remembered(client)
    body = ANNA | {"channel_id": "team"}
    copy = await client.post(f"/v1/memories/{uid}/publish", json=body)
    assert copy.status_code == 200, copy.text
    told = await client.get(f"/v1/memories/{copy.json()['uid']}", params={"channel_id": "team"})
    assert told.json()["scope"] == "channel/team"
    hers = await client.post("/v1/memories", json={"text": "Ada likes rye.", "user_id": "ada"})
    seen = await client.get(f"/v1/memories/{hers.json()['uid']}", params={"user_ids": "ada"})
    assert seen.json()["scope"] == "user/ada"


async def test_one_and_several_together_are_refused(client: httpx.AsyncClient) -> None:
    body = {"text": "x", "channel_id": "team", "channel_ids": ["team"]}
    refused = await client.post("/v1/memories", json=body)
    assert refused.status_code == 422
    assert "channel_id or channel_ids" in refused.text


async def test_a_prediction_takes_a_context_as_an_object(client: httpx.AsyncClient) -> None:
    context = {"task": "deploy", "host": "b"}
    body = ANNA | {"expected": {"status": "success"}, "context": context}
    made = await client.post("/v1/predictions", json=body)
    assert made.json()["context"] == "host=b, task=deploy"
    found = await client.post(
        "/v1/surprises", json=ANNA | {"actual": {"status": "failed"}, "context": context}
    )
    assert found.json()["prediction_id"] == made.json()["prediction_id"]
