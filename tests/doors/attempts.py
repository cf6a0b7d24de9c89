"""Episodes as agents send them."""

from __future__ import annotations

import copy
from typing import Any

import httpx

EPISODE: dict[str, Any] = {
    "episode_id": "ep-1",
    "timestamp": "2025-11-02T10:15:00Z",
    "input": {"problem": "A pen costs 3. How much are 4 pens?", "problem_id": "p1", "domain": "math"},
    "trace": [
        {"step": 1, "thought": "Multiply.", "action": "3*4", "observation": "12"},
        {"step": 2, "thought": "Take one off.", "action": "12-1", "observation": "11"},
    ],
    "output": {"answer": "12", "correct": True, "confidence": 0.9},
    "metadata": {"tokens_used": 120, "latency_ms": 850.5, "model": "small-1", "temperature": 0.2},
}  # fmt: skip


def episode(name: str = "ep-1", **changes: Any) -> dict[str, Any]:
    """Return an episode; ``output__correct=False`` changes a field of a part."""
    made = copy.deepcopy(EPISODE) | {"episode_id": name}
    for path, value in changes.items():
        *parts, last = path.split("__")
        target: Any = made
        for part in parts:
            target = target[part]
        target[last] = value
    return made


async def add(client: httpx.AsyncClient, *episodes: dict[str, Any], **fields: Any) -> Any:
    body = {"agent_id": "anna", "episodes": list(episodes), **fields}
    answer = await client.post("/v1/episodes", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def read(client: httpx.AsyncClient, name: str) -> Any:
    answer = await client.get(f"/v1/episodes/{name}?agent_id=anna")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def counts(client: httpx.AsyncClient, agent: str = "anna") -> Any:
    answer = await client.get(f"/v1/episodes/count?agent_id={agent}")
    assert answer.status_code == 200, answer.text
    return answer.json()
