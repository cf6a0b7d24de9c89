"""Erasing over HTTP: what each route takes along, its receipt, and who may ask for it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest_asyncio

from service.app import create_app
from service.bootstrap import Service
from tests.conftest import Run
from tests.swapping import app_for, swapped

ANNA = {"agent_id": "anna"}


@pytest_asyncio.fixture(loop_scope="session")
async def client(service: Service) -> Any:
    """HTTP to a service that erases to the end, however slow the machine is."""
    erase = replace(service.erase, most=timedelta(minutes=5))
    deleting = replace(service.delete_memory, erase=erase)
    patient = swapped(service, erase=erase, delete_memory=deleting)
    transport = httpx.ASGITransport(app=app_for(patient), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        yield client


async def remembered(client: httpx.AsyncClient, text: str, **fields: Any) -> str:
    answer = await client.post("/v1/memories", json={"text": text, **(fields or ANNA)})
    assert answer.is_success, answer.text
    return answer.json()["uid"]


async def texts(client: httpx.AsyncClient, **who: Any) -> list[str]:
    answer = await client.get("/v1/memories", params=who)
    return sorted(item["text"] for item in answer.json()["items"])


async def test_a_user_goes_with_the_surprises_about_it(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    about = ANNA | {"user_ids": ["ada"], "context": "chat", "scope_kind": "agent"}
    await client.post("/v1/predictions", json=about | {"expected": {"by": "Ada Quixotic"}})
    event = {"expected": {"status": "ok"}, "actual": {"status": "failed", "by": "Ada Quixotic"}}
    told = await client.post("/v1/surprises", json=about | event | {"text": "Ada Quixotic left."})
    assert told.json()["memory_uid"], told.text
    others = about | event | {"user_ids": ["ada", "bob"], "context": "elsewhere"}
    await client.post("/v1/surprises", json=others)
    gone = await client.delete("/v1/users/ada")
    assert (gone.status_code, gone.json()["state"]) == (200, "done"), gone.text
    assert (gone.json()["counts"]["Surprise"], gone.json()["counts"]["Prediction"]) == (1, 1)
    naming = "MATCH (n) WHERE any(k IN keys(n) WHERE toStringOrNull(n[k]) CONTAINS 'Quixotic') "
    left = cypher(naming + "RETURN labels(n) AS labels, n.context AS context")
    assert left == [{"labels": ["Surprise"], "context": "elsewhere"}]  # it is about two


async def test_a_user_that_only_a_prediction_names_is_there_to_be_erased(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    about = ANNA | {"user_ids": ["eve"], "scope_kind": "agent"}
    await client.post("/v1/predictions", json=about | {"expected": "Eve comes"})
    assert (await client.delete("/v1/users/eve")).status_code == 200
    assert cypher("MATCH (n:Prediction) RETURN count(n) AS n") == [{"n": 0}]
    assert (await client.delete("/v1/users/eve")).status_code == 404


async def test_an_agent_with_slashes_is_erased_and_others_stay(client: httpx.AsyncClient) -> None:
    await remembered(client, "goes", agent_id="a/b c")
    await remembered(client, "stays", agent_id="a")
    answer = await client.delete("/v1/agents/a/b%20c")
    assert answer.status_code == 200
    receipt = answer.json()
    assert (receipt["kind"], receipt["state"], receipt["hidden"]) == ("agent", "done", 1)
    assert receipt["counts"]["Memory"] == 1
    assert answer.headers["location"] == f"/v1/erasures/{receipt['erasure']}"
    assert (await client.get(answer.headers["location"])).json() == receipt
    assert await texts(client, agent_id="a") == ["stays"]
    again = await client.delete("/v1/agents/a/b%20c")
    assert (again.status_code, again.json()["type"]) == (404, "urn:stratagraph:error:not-found")


async def test_a_user_and_a_session_are_erased(client: httpx.AsyncClient) -> None:
    await remembered(client, "hers", user_ids=["ursula"])
    await remembered(client, "about her", agent_id="anna", user_ids=["ursula"])
    await remembered(client, "in it", agent_id="anna", session_id="s/1")
    await remembered(client, "beside it", agent_id="anna", session_id="t")
    answer = await client.delete("/v1/users/ursula")
    assert (answer.status_code, answer.json()["counts"]["Memory"]) == (200, 2)
    answer = await client.delete("/v1/sessions/s/1", params=ANNA)
    assert (answer.status_code, answer.json()["counts"]) == (200, {"Memory": 1, "Session": 1})
    assert await texts(client, agent_id="anna", user_ids="ursula") == ["beside it"]


async def test_a_session_is_that_of_the_scope_that_is_meant(client: httpx.AsyncClient) -> None:
    both = {"agent_id": "anna", "channel_ids": ["c"]}
    await remembered(client, "own", session_id="s", **both)
    await remembered(client, "of all", session_id="s", scope_kind="channel", **both)
    assert (await client.delete("/v1/sessions/s")).status_code == 422
    where = {"agent_id": "anna", "channel_ids": "c", "scope_kind": "channel"}
    assert (await client.delete("/v1/sessions/s", params=where)).status_code == 200
    assert await texts(client, agent_id="anna", channel_ids="c") == ["own"]


async def test_deleting_a_memory_leaves_a_receipt(client: httpx.AsyncClient) -> None:
    uid = await remembered(client, "goes")
    answer = await client.delete(f"/v1/memories/{uid}", params=ANNA)
    assert (answer.status_code, answer.content) == (204, b"")
    receipt = (await client.get(answer.headers["location"])).json()
    assert (receipt["kind"], receipt["counts"]["Memory"]) == ("memory", 1)
    assert uid not in str(receipt)


async def test_what_takes_longer_is_accepted_and_goes_on(
    client: httpx.AsyncClient, service: Service
) -> None:
    await remembered(client, "goes")
    hasty = swapped(service, erase=replace(service.erase, most=timedelta(0)))
    transport = httpx.ASGITransport(app=create_app(hasty), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as other:
        answer = await other.delete("/v1/agents/anna")
    assert (answer.status_code, answer.json()["state"]) == (202, "running")
    assert await texts(client, **ANNA) == []
    again = await client.delete("/v1/agents/anna")
    assert (again.status_code, again.json()["state"]) == (200, "done")
    assert again.json()["erasure"] == answer.json()["erasure"]


async def test_what_cannot_be_a_name_is_refused(client: httpx.AsyncClient) -> None:
    assert (await client.delete("/v1/agents/%20")).status_code == 422
    assert (await client.get("/v1/erasures/unknown")).status_code == 404
