from __future__ import annotations

import httpx

from tests.doors.asking import results_of


async def test_an_outcome_rewards_what_the_task_was_given(client: httpx.AsyncClient) -> None:
    await client.post("/v1/memories", json={"agent_id": "a", "text": "Use a newer compiler."})
    recall = {"agent_id": "a", "text": "compiler", "task_id": "mend/build"}
    given = await results_of(client, recall, expect=1)
    outcome = {"agent_id": "a", "status": "success"}
    answer = await client.post("/v1/tasks/mend%2Fbuild/outcome", json=outcome)
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert (body["applied"], body["status"], body["task_id"]) == (True, "success", "mend/build")
    [moved] = body["rewarded"]
    assert moved["uid"] == given[0]["uid"]
    assert moved["q_after"] > moved["q_before"]
    again = await client.post("/v1/tasks/mend%2Fbuild/outcome", json=outcome)
    assert (again.status_code, again.json()["applied"]) == (200, False)


async def test_an_unknown_task_is_not_found(client: httpx.AsyncClient) -> None:
    outcome = {"agent_id": "a", "status": "success"}
    assert (await client.post("/v1/tasks/none/outcome", json=outcome)).status_code == 404


async def test_another_outcome_than_before_is_a_conflict(client: httpx.AsyncClient) -> None:
    await client.post("/v1/memories", json={"agent_id": "a", "text": "Use a newer compiler."})
    recall = {"agent_id": "a", "text": "compiler", "task_id": "t"}
    await results_of(client, recall, expect=1)
    await client.post("/v1/tasks/t/outcome", json={"agent_id": "a", "status": "success"})
    answer = await client.post("/v1/tasks/t/outcome", json={"agent_id": "a", "status": "failure"})
    assert answer.status_code == 409
    assert answer.json()["type"] == "urn:stratagraph:error:conflict"


async def test_a_task_with_unprintable_name_is_refused(client: httpx.AsyncClient) -> None:
    outcome = {"agent_id": "a", "status": "success"}
    for name in ("%00", "%20", "x" * 257):
        answer = await client.post(f"/v1/tasks/{name}/outcome", json=outcome)
        assert answer.status_code == 422, name
