"""Number of memories by arousal, the important ones beside them, and the scopes they come from."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from service.bootstrap import Service

NOW = datetime.now(UTC).replace(microsecond=0)
ANNA = Caller("local", "anna")
QUESTION = "What is there to know of the garden?"
ALERT = "The river broke the levee."


async def stored(service: Service, caller: Caller, *rows: tuple[str, int, float]) -> None:
    """Remember texts with their importance and age in days."""
    await service.remember(
        [
            NewMemory(
                caller.writable(),
                text,
                importance=importance,
                occurred_at=NOW - timedelta(days=age),
            )
            for text, importance, age in rows
        ]
    )


async def garden(service: Service, caller: Caller = ANNA, notes: int = 12) -> None:
    """Twelve notes of little importance about a garden, and two of great importance about something else."""
    rows = [(f"Bed {n} of the garden holds plant number {n * 7}.", 2, 1.0) for n in range(notes)]
    await stored(service, caller, *rows, (ALERT, 5, 2.0), ("The house burnt down.", 4, 1.0))


async def recalled(
    client: httpx.AsyncClient, expect: int, agent: str = "anna", **fields: Any
) -> dict[str, Any]:
    asked = {"agent_id": agent, "text": QUESTION, "min_relevance": 0.0, "explain": True, **fields}
    deadline = asyncio.get_running_loop().time() + 10
    while True:  # the indexes show it a moment later
        answer = await client.post("/v1/recall", json=asked)
        assert answer.status_code == 200, answer.text
        found = answer.json()
        late = asyncio.get_running_loop().time() > deadline
        if len(found["results"]) >= expect or late:
            return found
        await asyncio.sleep(0.05)


def texts(answer: dict[str, Any]) -> list[str]:
    return [one["text"] for one in answer["results"]]


@pytest.mark.parametrize(
    ("fields", "count"),
    [
        ({"arousal": 0.0}, 5),
        ({"arousal": 0.5}, 6),
        ({"arousal": 1.0}, 7),
        ({"arousal": 1.0, "profile": "COWAN_CONSERVATIVE"}, 5),
        ({"arousal": 1.0, "profile": "EXTENDED_CONTEXT"}, 9),
        ({"profile": "MINIMAL"}, 3),
    ],
)
async def test_arousal_says_how_many(
    service: Service, client: httpx.AsyncClient, fields: dict[str, Any], count: int
) -> None:
    await garden(service)
    answer = await recalled(client, count + 2, **fields)
    assert len(answer["results"]) == count + 2
    assert texts(answer)[count:] == [ALERT, "The house burnt down."]
    assert all("garden" in text for text in texts(answer)[:count])


async def test_the_explanation_says_why_important_ones_are_there(
    service: Service, client: httpx.AsyncClient
) -> None:
    await garden(service)
    answer = await recalled(client, 7, arousal=0.0)
    beside = answer["results"][-2:]
    assert [one["explanation"]["path"] for one in beside] == [["important"]] * 2
    left = [one["explanation"]["components"]["importance_left"] for one in beside]
    # By λ = 0.1 a day: e^−0.2 of 1, and e^−0.1 of 0.75.
    assert left == pytest.approx([0.8187, 0.6786], abs=1e-3)
    assert [one["score"] for one in beside] == pytest.approx(left, abs=1e-5)
    misses = {one["uid"] for one in answer["explanation"]["near_misses"]}
    assert not misses & {one["uid"] for one in answer["results"]}
    unexplained = await recalled(client, 7, arousal=0.0, explain=False)
    assert texts(unexplained) == texts(answer)


async def test_what_is_a_result_already_is_not_given_twice(
    service: Service, client: httpx.AsyncClient
) -> None:
    await stored(
        service, ANNA, ("The garden is flooded.", 5, 0.0), ("The garden has a gate.", 2, 0.0)
    )
    answer = await recalled(client, 2, arousal=0.0)
    assert sorted(texts(answer)) == ["The garden has a gate.", "The garden is flooded."]


async def test_importance_fades(service: Service, client: httpx.AsyncClient) -> None:
    await garden(service, notes=6)
    await stored(service, ANNA, ("Long ago a mountain fell.", 5, 400.0))
    answer = await recalled(client, 7, profile="COWAN_CONSERVATIVE", arousal=1.0)
    assert "Long ago a mountain fell." not in texts(answer)


async def test_the_plugin_says_how_aroused_the_agent_is(
    service: Service, client: httpx.AsyncClient
) -> None:
    await garden(service)
    await client.post("/v1/arousal/plugin", json={"agent_id": "anna", "kind": "symbolic"})
    seen = {"agent_id": "anna", "observation": {"FLOOD": "HIGH"}}
    await client.post("/v1/arousal/observations", json=seen)
    assert len((await recalled(client, 9, profile="MILLER_STANDARD"))["results"]) == 9
    await client.post("/v1/arousal/reset", json={"agent_id": "anna"})
    assert len((await recalled(client, 7, profile="MILLER_STANDARD"))["results"]) == 7


async def test_no_important_memory_of_others_is_given(
    service: Service, client: httpx.AsyncClient
) -> None:
    await garden(service, notes=6)
    secret = "Bert knows where the treasure lies."
    for caller in (Caller("local", "bert"), Caller("other", "anna")):
        await stored(service, caller, (secret, 5, 0.0))
    shared = Caller("local", user_ids=("ursula",))
    await stored(service, shared, ("Ursula is allergic to nuts.", 5, 0.0))
    answer = await recalled(client, 7, arousal=0.0)
    assert texts(answer)[5:] == [ALERT, "The house burnt down."]
    assert {one["scope"] for one in answer["results"]} == {"agent/anna"}
    both = await recalled(client, 7, arousal=0.0, user_ids=["ursula"])
    assert "Ursula is allergic to nuts." in texts(both)
    assert secret not in texts(both)


async def test_filters_hold_for_important_ones_too(
    service: Service, client: httpx.AsyncClient
) -> None:
    await garden(service)
    answer = await recalled(client, 5, arousal=0.0, filters={"importance_max": 4})
    assert ALERT not in texts(answer)
    young = {"occurred_from": (NOW - timedelta(days=1, hours=1)).isoformat()}
    answer = await recalled(client, 7, arousal=0.0, filters=young)
    assert ALERT not in texts(answer)
    assert "The house burnt down." in texts(answer)
    tagged = await recalled(client, 0, arousal=0.0, filters={"tags_any": ["none"]})
    assert tagged["results"] == []


async def test_without_arousal_a_recall_is_as_before(
    service: Service, client: httpx.AsyncClient
) -> None:
    await garden(service)
    answer = await recalled(client, 5, k=5)
    assert len(answer["results"]) == 5
    assert all("garden" in text for text in texts(answer))


async def test_a_task_is_given_important_ones_too(
    service: Service, client: httpx.AsyncClient
) -> None:
    await garden(service)
    await recalled(client, 7, arousal=0.0)
    answer = await recalled(client, 7, arousal=0.0, task_id="water")
    told = {"agent_id": "anna", "status": "success"}
    outcome = (await client.post("/v1/tasks/water/outcome", json=told)).json()
    assert {one["uid"] for one in outcome["rewarded"]} == {one["uid"] for one in answer["results"]}


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"arousal": 1.5}, "arousal"),
        ({"arousal": 0.5, "k": 3}, "k"),
        ({"profile": "MINIMAL", "k": 3}, "k"),
        ({"profile": "HUGE"}, "profile"),
    ],
)
async def test_what_is_refused(
    client: httpx.AsyncClient, fields: dict[str, Any], field: str
) -> None:
    answer = await client.post("/v1/recall", json={"agent_id": "anna", "text": "x"} | fields)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == field


async def test_a_plugin_is_asked_of_an_agent_alone(client: httpx.AsyncClient) -> None:
    asked = {"user_id": "ada", "text": "x", "profile": "MINIMAL"}
    answer = await client.post("/v1/recall", json=asked)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "agent_id")
    given = await client.post("/v1/recall", json=asked | {"arousal": 0.5})
    assert given.status_code == 200
