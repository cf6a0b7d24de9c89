"""Surprises over HTTP and by the client: predictions, reports, the history, and what is refused."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from graph.kernel.events import EventFilter
from graph.kernel.scope import Caller
from service.bootstrap import Service
from service.use_cases.utility.events import ReadEvents
from tests.conftest import Run

PATH = "/v1/surprises"
ANNA = {"agent_id": "anna"}
GOOD, BAD = {"status": "success"}, {"status": "failed"}


async def told(client: httpx.AsyncClient, **fields: Any) -> dict[str, Any]:
    answer = await client.post(PATH, json=ANNA | fields)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_prediction_its_event_and_the_history(client: httpx.AsyncClient) -> None:
    prediction = ANNA | {"expected": GOOD, "context": "deploy", "prediction_id": "p"}
    made = (await client.post("/v1/predictions", json=prediction)).json()
    assert (made["prediction_id"], made["scope"], made["matched_at"]) == ("p", "agent/anna", None)
    found = await told(client, actual=BAD, context="deploy", text="Deploy 42 failed.")
    assert (found["prediction_id"], found["type"]) == ("p", "unexpected_error")
    assert found["score"] == pytest.approx(0.7994, abs=1e-4)
    [contribution] = found["contributions"]
    assert contribution["distance"] == pytest.approx(1.0, abs=0.01)
    assert (contribution["path"], contribution["kind"]) == ("status", "category")
    assert contribution["share"] == 1.0
    memory = (await client.get(f"/v1/memories/{found['memory_uid']}", params=ANNA)).json()
    assert (memory["stratum"], memory["importance"]) == ("episodic", 4)
    assert (memory["text"], memory["tags"]) == ("Deploy 42 failed.", ["surprise"])

    listed = (await client.get(PATH, params=ANNA)).json()
    assert listed == {"items": [found]}
    narrowed = ANNA | {"type": "novel_pattern"}
    assert (await client.get(PATH, params=narrowed)).json() == {"items": []}
    assert (await client.get(PATH, params={"agent_id": "bert"})).json() == {"items": []}


async def test_one_context_for_all_expectations_in_words_dulls_none(
    client: httpx.AsyncClient,
) -> None:
    for expected, actual, met in (
        ("The cache is warm.", "The cache is warm.", True),
        ("The backup succeeds.", "The backup failed.", False),
        ("The lamp is on.", "The lamp is on.", True),
        ("The certificate gets renewed.", "The certificate was not renewed.", False),
        ("The soup is hot.", "The soup is not hot at all.", False),
        ("The ferry leaves on time.", "The ferry left on time.", True),
        ("Anna wins the match.", "Bea won the match.", False),
        ("The database survives.", "The database lost all its data.", False),
    ):
        found = await told(client, expected=expected, actual=actual)
        assert found["surprising"] is not met, (expected, found["score"])
        assert (found["type"] is None) is met
        assert met is (found["score"] < 0.2), (expected, found["score"])


async def test_the_first_surprise_of_an_agent_is_all_new_where_others_deleted(
    client: httpx.AsyncClient,
) -> None:
    """A vector index from which something was deleted cannot look for what meets no filter."""
    rows = [{"text": f"Bert's note number {n} about thing {n * 7}."} for n in range(40)]
    bert = {"agent_id": "bert"}
    stored = await client.post("/v1/memories", json=bert | {"memories": rows})
    uids = [item["uid"] for item in stored.json()["results"]]
    query = bert | {"text": "Which note about which thing?", "k": 40}
    while len((await client.post("/v1/recall", json=query)).json()["results"]) < len(uids):
        await asyncio.sleep(0.05)
    for uid in uids[::2]:
        await client.delete(f"/v1/memories/{uid}", params=bert)
    while len((await client.post("/v1/recall", json=query)).json()["results"]) > len(uids) // 2:
        await asyncio.sleep(0.05)
    found = await told(client, actual="It happened.", text="It happened.")
    assert found["novelty"] > 0.7


async def test_what_is_reported_many_times_at_once_is_told_once(
    client: httpx.AsyncClient, cypher: Run, service: Service
) -> None:
    fields = {"actual": BAD, "expected": GOOD, "text": "It failed.", "event_id": "e"}
    found = await asyncio.gather(*(told(client, **fields) for _ in range(12)))
    assert len({(one["uid"], one["memory_uid"]) for one in found}) == 1
    await service.events.flush()
    count = "MATCH (e:Event) WHERE e.data CONTAINS $uid RETURN e.name AS name"
    names = [row["name"] for row in cypher(count, uid=found[0]["uid"])]
    assert names == ["memory:surprised"]


async def test_a_prediction_whose_time_is_over_gives_way(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    row = ANNA | {"expected": GOOD, "context": "deploy", "prediction_id": "p"}
    old = (await client.post("/v1/predictions", json=row)).json()
    assert (await client.post("/v1/predictions", json=row)).json()["uid"] == old["uid"]
    cypher("MATCH (p:Prediction) SET p.expires_at = p.made_at")
    new = (await client.post("/v1/predictions", json=row)).json()
    assert new["uid"] != old["uid"]
    assert (await told(client, actual=BAD, prediction_id="p"))["prediction_id"] == "p"


async def test_those_who_may_read_it_are_told_of_a_surprise(
    client: httpx.AsyncClient, service: Service, anna: Caller, bert: Caller
) -> None:
    await told(client, actual=GOOD, expected=GOOD)
    found = await told(client, actual=BAD, expected=GOOD, text="Deploy 42 failed.", event_id="e")
    again = await told(client, actual=BAD, expected=GOOD, text="Deploy 42 failed.", event_id="e")
    assert again == found
    await service.events.flush()
    heard = [
        (
            await ReadEvents(service.read_events.store, clock=service.clock)(
                "local", EventFilter(caller.readable, ("memory:surprised",)), 0
            )
        ).events
        for caller in (anna, bert)
    ]
    of_it = [
        [each.event for each in events if each.event.data["surprise"] == found["uid"]]
        for events in heard
    ]
    [event] = of_it[0]
    assert event.data == {
        "surprise": found["uid"],
        "memory": found["memory_uid"],
        "type": "unexpected_error",
        "score": found["score"],
    }
    assert of_it[1] == []


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        (PATH, {"actual": 1}, 422),  # whose?
        (PATH, ANNA, 422),  # what happened?
        (PATH, ANNA | {"actual": 1, "expected": 1, "prediction_id": "p"}, 422),
        (PATH, ANNA | {"actual": 1, "prediction_id": "p"}, 404),
        ("/v1/predictions", ANNA | {"expected": None}, 422),
        ("/v1/predictions", ANNA | {"expected": 1, "stands_seconds": 0}, 422),
    ],
)
async def test_what_makes_no_sense_is_refused(
    client: httpx.AsyncClient, path: str, body: dict[str, Any], status: int
) -> None:
    answer = await client.post(path, json=body)
    assert answer.status_code == status, answer.text


async def test_with_strata_off_it_is_a_conflict(client: httpx.AsyncClient) -> None:
    await client.patch("/v1/strata/config", json=ANNA | {"strata": False})
    try:
        answer = await client.post(PATH, json=ANNA | {"actual": 1})
        assert answer.status_code == 409
        assert (await client.get(PATH, params=ANNA)).status_code == 200
    finally:
        await client.delete("/v1/strata/config", params=ANNA)


async def test_a_surprise_travels_with_its_memory(client: httpx.AsyncClient, cypher: Run) -> None:
    found = await told(client, actual=BAD, expected=GOOD, text="Deploy 42 failed.")
    lines = (await client.get("/v1/export", params=ANNA)).content
    cypher("MATCH (n) WHERE n:Memory OR n:Surprise DETACH DELETE n")
    answer = await client.post(
        "/v1/import",
        params=ANNA,
        content=lines,
        headers={"Content-Type": "application/x-ndjson"},
    )
    assert answer.is_success, answer.text
    [row] = cypher(
        "MATCH (m:Memory) RETURN m.surprise AS surprise, m.grace_until > datetime() AS grace, "
        "m.initialized_from AS origin"
    )
    assert row["surprise"] == pytest.approx(found["score"])
    assert (row["grace"], row["origin"]) == (True, "surprise")


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("The build passes", "The build passes"),
        ("The build passes", "succeeded"),
        ("The train is on time", "The train left punctually"),
        ({"status": "passed"}, {"status": "succeeded"}),
    ],
)
async def test_a_confirmed_expectation_is_not_surprising_whatever_its_words(
    client: httpx.AsyncClient, expected: object, actual: object
) -> None:
    text = "A pelican carried the mail to the lighthouse."
    found = await told(client, expected=expected, actual=actual, text=text)
    assert (found["surprising"], found["memory_uid"]) == (False, None)
    assert found["score"] <= 0.2


async def test_a_failure_in_other_words_is_surprising(client: httpx.AsyncClient) -> None:
    for actual in ("failed", "The build stopped with three errors", "It did not pass"):
        found = await told(client, expected="The build passes", actual=actual, context=actual)
        assert found["surprising"], actual


async def test_what_was_reported_becomes_familiar_though_nothing_was_remembered(
    client: httpx.AsyncClient,
) -> None:
    first = await told(client, actual="A giraffe walked through the server room.")
    again = await told(client, actual="A giraffe walked through the server room.")
    assert again["novelty"] < 0.05 < first["novelty"]
    assert again["score"] < first["score"] / 2


async def test_a_small_change_in_a_calm_context_is_no_event(client: httpx.AsyncClient) -> None:
    for _ in range(12):
        await told(client, expected={"seconds": 100}, actual={"seconds": 100})
    assert (await told(client, expected={"seconds": 100}, actual={"seconds": 102}))["score"] <= 0.5
    assert (await told(client, expected={"seconds": 100}, actual={"seconds": 160}))["surprising"]


async def test_a_context_may_be_an_object(client: httpx.AsyncClient) -> None:
    context = {"task": "api-call", "agent": "agent-1"}
    found = await told(client, expected=GOOD, actual=BAD, context=context, text="The call failed.")
    assert (found["context"], found["circumstances"]) == ("agent=agent-1, task=api-call", context)
    assert found["score"] > 0.7
