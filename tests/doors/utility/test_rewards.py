from __future__ import annotations

from typing import Any

import httpx
import pytest


async def remembered(client: httpx.AsyncClient, **fields: Any) -> str:
    body = {"agent_id": "a", "text": "Use a newer compiler.", "external_id": "c", **fields}
    answer = await client.post("/v1/memories", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()["uid"]


async def posted(client: httpx.AsyncClient, path: str, **body: Any) -> dict[str, Any]:
    answer = await client.post(path, json={"agent_id": "a", **body})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_reward_by_hand_and_back(client: httpx.AsyncClient) -> None:
    uid = await remembered(client)
    given = await posted(client, "/v1/memories/external%3Ac/rewards", reward=1, reason="it helped")
    assert (given["uid"], given["q_before"], given["q_after"]) == (uid, 0.5, 0.55)
    shown = (await client.get(f"/v1/memories/{uid}/utility", params={"agent_id": "a"})).json()
    assert (shown["q_value"], shown["q_count"], shown["checkpoint"]) == (0.55, 1, None)
    [entry] = shown["history"]
    assert (entry["kind"], entry["reason"], entry["reverted"]) == ("manual", "it helped", False)
    path = f"/v1/rewards/{given['reward_uid']}/revert"
    back = await posted(client, path, reason="by mistake")
    assert (back["applied"], back["restored"][0]["q_after"], back["kept"]) == (True, 0.5, 0)
    again = await posted(client, path)
    assert (again["applied"], again["revert_uid"]) == (False, None)
    asked = {"agent_id": "a", "limit": 1, "at": "2100-01-01T00:00:00Z"}
    shown = (await client.get("/v1/memories/external:c/utility", params=asked)).json()
    assert (shown["q_value"], shown["q_at"], len(shown["history"])) == (0.5, 0.5, 1)


async def test_an_outcome_says_what_was_used(client: httpx.AsyncClient) -> None:
    uid = await remembered(client)
    used = [uid, {"name": "external:none", "share": 0.5}]
    done = await posted(client, "/v1/tasks/t/outcome", status="success", used=used)
    assert (done["applied"], done["ignored"]) == (True, 1)
    [moved] = done["rewarded"]
    assert (moved["uid"], moved["share"], moved["step"]) == (uid, 1.0, 0.1)
    again = await posted(client, "/v1/tasks/t/outcome", status="success", used=used)
    assert (again["applied"], again["reward_uid"]) == (False, done["reward_uid"])


async def test_a_signal_of_a_task(client: httpx.AsyncClient) -> None:
    uid = await remembered(client)
    said: dict[str, Any] = {"signal": "user_feedback", "value": 1, "id": "x", "used": [uid]}
    done = await posted(client, "/v1/tasks/a%2Fb/signals", **said)
    assert (done["task_id"], done["signal"], done["applied"]) == ("a/b", "user_feedback", True)
    assert done["rewarded"][0]["q_after"] == 0.55
    assert (await posted(client, "/v1/tasks/a%2Fb/signals", **said))["applied"] is False
    step = await posted(client, "/v1/tasks/a%2Fb/signals", signal="step", status="skipped")
    assert (step["applied"], step["reward_uid"]) == (False, None)


async def test_a_reason_and_a_task_are_told_to_whom_they_belong(client: httpx.AsyncClient) -> None:
    both = {"channel_ids": ["dev"]}
    uid = await remembered(client, **both, scope_kind="channel", external_id="shared")
    await posted(client, f"/v1/memories/{uid}/rewards", reward=1, reason="private", **both)
    asked = {"agent_id": "b", "channel_ids": ["dev"]}
    shown = (await client.get(f"/v1/memories/{uid}/utility", params=asked)).json()
    [entry] = shown["history"]
    assert (entry["q_after"], entry["reason"], entry["task_id"]) == (0.55, None, None)


async def test_an_external_id_may_end_in_utility(client: httpx.AsyncClient) -> None:
    uid = await remembered(client, external_id="of/utility")
    path = "/v1/memories/external%3Aof%2Futility"
    answer = await client.get(path, params={"agent_id": "a"})
    assert (answer.status_code, answer.json()["uid"]) == (200, uid)


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/v1/memories/external:c/rewards", {"reward": 1.5, "reason": "x"}, 422),
        ("/v1/memories/external:c/rewards", {"reward": 1}, 422),
        ("/v1/memories/external:c/rewards", {"reward": 1, "reason": ""}, 422),
        ("/v1/memories/external:c/rewards", {"reward": 1, "reason": "x" * 1001}, 422),
        ("/v1/memories/external:none/rewards", {"reward": 1, "reason": "x"}, 404),
        ("/v1/rewards/none/revert", {}, 404),
        ("/v1/rewards/none/revert", {"reason": ""}, 422),
        ("/v1/tasks/t/signals", {"signal": "step"}, 422),
        ("/v1/tasks/t/signals", {"signal": "other", "value": 1}, 422),
        ("/v1/tasks/t/signals", {"signal": "efficiency", "value": 2}, 422),
        ("/v1/tasks/t/signals", {"signal": "efficiency", "value": 1}, 404),
        ("/v1/tasks/%00/signals", {"signal": "efficiency", "value": 1}, 422),
        ("/v1/tasks/t/outcome", {"status": "success", "used": [{"name": "x", "share": 0}]}, 422),
        ("/v1/tasks/t/outcome", {"status": "success", "used": ["x"] * 201}, 422),
        ("/v1/tasks/t/outcome", {"status": "success", "used": "x"}, 422),
    ],
)
async def test_what_cannot_be_used_is_refused(
    client: httpx.AsyncClient, path: str, body: dict[str, Any], status: int
) -> None:
    await remembered(client)
    answer = await client.post(path, json={"agent_id": "a", **body})
    assert answer.status_code == status, answer.text
    assert "x" * 20 not in answer.text


async def test_how_much_of_a_history_is_bounded(client: httpx.AsyncClient) -> None:
    uid = await remembered(client)
    for asked in ({"limit": 0}, {"limit": 1001}, {"at": "yesterday"}, {"of": 1}):
        answer = await client.get(f"/v1/memories/{uid}/utility", params={"agent_id": "a", **asked})
        assert answer.status_code == 422, asked


async def test_what_lies_behind_a_checkpoint_is_named(client: httpx.AsyncClient) -> None:
    uid = await remembered(client)
    await client.patch("/v1/utility/config", json={"agent_id": "a", "q_history_limit": 1})
    given = [
        await posted(client, f"/v1/memories/{uid}/rewards", reward=1, reason="x") for _ in range(12)
    ]
    answer = await client.post(
        f"/v1/rewards/{given[0]['reward_uid']}/revert", json={"agent_id": "a"}
    )
    await client.delete("/v1/utility/config", params={"agent_id": "a"})
    assert answer.status_code == 409
    # Nothing of the first is left, once its memory's history lies behind a checkpoint.
    assert answer.json()["type"] == "urn:stratagraph:error:history-trimmed"


async def test_a_reward_by_hand_counts_in_a_context(client: httpx.AsyncClient) -> None:
    uid = await remembered(client)
    await client.patch("/v1/utility/config", json={"agent_id": "a", "contextual_utility": True})
    path, about = f"/v1/memories/{uid}/rewards", {"domain": "billing", "tags": ["refund"]}
    await posted(client, path, reward=1, reason="x", phase="planning", context=about)
    await client.delete("/v1/utility/config", params={"agent_id": "a"})
    shown = (await client.get(f"/v1/memories/{uid}/utility", params={"agent_id": "a"})).json()
    assert {each["context"]: each["q_value"] for each in shown["contexts"]} == {
        "phase:planning": 0.525,
        "domain:billing": 0.525,
        "tag:refund": 0.525,
    }
    assert shown["contexts"][0]["evidence"] == pytest.approx(1)
