"""`GET /v1/utility/analytics`."""

from __future__ import annotations

import httpx
import pytest

from graph.kernel.scope import Caller
from tests.conftest import Recalls, Remembers


async def taught(remember: Remembers, recall: Recalls, client: httpx.AsyncClient) -> str:
    anna = Caller("local", "anna")
    uid = await remember(anna, "ship on monday", kind="strategy")
    await remember(anna, "the office is on floor 2")
    await recall(anna, "ship", k=1, task_id="t")
    body = {"agent_id": "anna", "status": "success"}
    assert (await client.post("/v1/tasks/t/outcome", json=body)).status_code == 200
    return uid


async def test_the_answer(client: httpx.AsyncClient, remember: Remembers, recall: Recalls) -> None:
    uid = await taught(remember, recall, client)
    query = {"agent_id": "anna", "by": "kind", "include_history": "true", "top_n": 1, "days": 7}
    answer = await client.get("/v1/utility/analytics", params=query)
    assert answer.status_code == 200
    told = answer.json()
    spread = told["distribution"]
    assert (spread["memories"], spread["learned"]) == (2, 1)
    assert list(spread["percentiles"]) == ["p10", "p25", "p50", "p75", "p90", "p99"]
    assert len(told["histogram"]) == 20
    assert told["histogram"][10]["low"] == 0.5
    assert sum(part["memories"] for part in told["histogram"]) == 2
    [best] = told["top"]
    assert (best["uid"], best["scope"], best["success_count"]) == (uid, "agent/anna", 1)
    assert best["evidence"] == pytest.approx(1.0)
    assert 0 < best["q_error"] < 0.5
    [move] = best["history"]
    assert (move["task_id"], move["q_before"], move["q_after"]) == ("t", 0.5, best["q_value"])
    assert told["convergence"]["judged"] == 0
    assert told["convergence"]["share"] is None
    [day] = told["convergence"]["trend"]
    assert (day["rewards"], day["mean"]) == (1, 1.0)
    assert {group["name"] for group in told["groups"]} == {"strategy", "observation"}


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"top_n": 101}, "top_n"),
        ({"top_n": -1}, "top_n"),
        ({"days": 0}, "days"),
        ({"by": "mood"}, "by"),
        ({"topn": 3}, "topn"),
    ],
)
async def test_what_cannot_be_asked(
    client: httpx.AsyncClient, query: dict[str, str | int], field: str
) -> None:
    answer = await client.get("/v1/utility/analytics", params={"agent_id": "anna", **query})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == field
