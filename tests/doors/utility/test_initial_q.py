"""Who knows better than the default says what a new memory is worth."""

from __future__ import annotations

from typing import Any

import httpx

ROW: dict[str, Any] = {
    "agent_id": "anna",
    "text": "The pier gate is locked at ten.",
    "external_id": "gate",
}


async def remembered(client: httpx.AsyncClient, **fields: Any) -> dict[str, Any]:
    answer = await client.post("/v1/memories", json={**ROW, **fields})
    assert answer.status_code < 300, answer.text
    return answer.json()


async def utility(client: httpx.AsyncClient) -> dict[str, Any]:
    answer = await client.get("/v1/memories/external:gate/utility", params={"agent_id": "anna"})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_memory_begins_with_what_its_writer_says(client: httpx.AsyncClient) -> None:
    await remembered(client, initial_q=0.8)
    shown = await utility(client)
    assert (shown["q_value"], shown["q_count"]) == (0.8, 0)
    assert abs(shown["utility"] - 0.8) < 1e-12
    assert shown["initialized_from"] == "manual"


async def test_without_a_word_it_begins_with_the_default(client: httpx.AsyncClient) -> None:
    await remembered(client)
    shown = await utility(client)
    assert (shown["q_value"], shown["initialized_from"]) == (0.5, "default")


async def test_sent_again_with_another_beginning_it_is_the_same_memory(
    client: httpx.AsyncClient,
) -> None:
    await remembered(client, initial_q=0.8)
    again = await remembered(client, initial_q=0.2)
    assert again["status"] == "unchanged"
    assert (await utility(client))["q_value"] == 0.8


async def test_a_reward_moves_it_from_there_and_a_revert_brings_it_back(
    client: httpx.AsyncClient,
) -> None:
    await remembered(client, initial_q=0.8)
    body = {"agent_id": "anna", "reward": -1, "reason": "closed at nine"}
    reward = (await client.post("/v1/memories/external:gate/rewards", json=body)).json()
    assert abs(reward["q_after"] - 0.72) < 1e-12
    await client.post(f"/v1/rewards/{reward['reward_uid']}/revert", json={"agent_id": "anna"})
    assert (await utility(client))["q_value"] == 0.8


async def test_a_beginning_out_of_range_is_refused(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/memories", json={**ROW, "initial_q": 1.5})
    assert answer.status_code == 422
    assert "initial_q" in answer.json()["errors"][0]["field"]
