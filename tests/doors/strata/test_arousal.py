"""Surprise plugins over HTTP, by the client and as tools, and what is refused."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from service.app import create_app
from service.bootstrap import Service
from service.mcp.inputs import Who
from stratagraph import Client
from tests.conftest import Run
from tests.doors.mcp.test_mcp import listed, speaking
from tests.doors.tools import call
from tests.served import served
from tests.swapping import swapped

PATH = "/v1/arousal"
ANNA = {"agent_id": "anna"}
FLOOD = {"FLOOD": "HIGH"}


async def attached(client: httpx.AsyncClient, **fields: Any) -> dict[str, Any]:
    answer = await client.post(f"{PATH}/plugin", json=ANNA | {"kind": "symbolic"} | fields)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def seen(client: httpx.AsyncClient, observation: dict[str, Any]) -> dict[str, Any]:
    answer = await client.post(f"{PATH}/observations", json=ANNA | {"observation": observation})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_the_defaults_without_a_plugin(client: httpx.AsyncClient) -> None:
    assert await seen(client, FLOOD) == {
        "agent_id": "anna", "surprise": 0.0, "system": "SYSTEM_1", "memory_count": 5, "attached": False,
    }  # fmt: skip
    assert (await client.get(PATH, params=ANNA)).json() == {
        "agent_id": "anna", "system": "SYSTEM_1", "arousal": 0.0, "threshold": 0.5, "plugin": None,
        "profile": "MILLER_STANDARD", "memory_count": 5, "important": 2, "working_capacity": 10,
    }  # fmt: skip
    assert (await client.get(f"{PATH}/trace", params=ANNA)).json() == {"trace": None}
    assert (await client.post(f"{PATH}/reset", json=ANNA)).status_code == 204


async def test_who_listens_hears_what_wakes_an_agent(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await service.events.flush()  # news of the test before would come late
    cypher("MATCH (e:Event) DELETE e")
    await attached(client)
    for _ in range(3):
        await seen(client, FLOOD)
    await service.events.flush()
    told = "MATCH (e:Event {name: 'agent:surprised'}) RETURN e.scope AS scope, e.agent_id AS agent, e.data AS data"
    assert cypher(told) == [
        {"scope": "local/agent/anna", "agent": "anna", "data": '{"surprise":1.0,"memory_count":7}'}
    ]


async def test_floods_and_what_is_told_of_them(client: httpx.AsyncClient) -> None:
    assert (await attached(client))["begun"] is True
    found = [await seen(client, FLOOD) for _ in range(4)]
    assert [one["surprise"] for one in found] == pytest.approx([1.0, 0.5, 1 / 3, 0.25])
    assert [one["memory_count"] for one in found] == [7, 6, 6, 6]
    assert (await attached(client))["observations"] == 4
    woken = await seen(client, FLOOD | {"NEIGHBOR": "ELEVATING"})
    assert (woken["surprise"], woken["system"]) == (1.0, "SYSTEM_2")
    trace = (await client.get(f"{PATH}/trace", params=ANNA)).json()["trace"]
    assert (trace["observations"], trace["known"], trace["arousal"]) == (5, 2, 1.0)
    assert trace["latest"][0]["seen"] == "FLOOD:HIGH|NEIGHBOR:ELEVATING"
    assert [one["probability"] for one in trace["latest"]][1:] == pytest.approx(
        [0.75, 2 / 3, 0.5, 0]
    )
    assert (await client.delete(f"{PATH}/plugin", params=ANNA)).status_code == 204
    assert (await client.get(f"{PATH}/trace", params=ANNA)).json() == {"trace": None}


async def test_an_arousal_and_a_profile_can_be_named(client: httpx.AsyncClient) -> None:
    asked = ANNA | {"arousal": 0.75, "profile": "COWAN_CONSERVATIVE"}
    mind = (await client.get(PATH, params=asked)).json()
    assert (mind["system"], mind["memory_count"], mind["working_capacity"]) == ("SYSTEM_2", 5, 7)


async def test_many_observe_at_once(client: httpx.AsyncClient) -> None:
    await attached(client)
    rows = [{"observation": FLOOD}, {"agent_id": "bert", "observation": FLOOD}] * 2
    answer = await client.post(f"{PATH}/observations/batch", json=ANNA | {"rows": rows})
    found = [(one["agent_id"], one["surprise"]) for one in answer.json()["results"]]
    assert found == [("anna", 1.0), ("bert", 0.0), ("anna", 0.5), ("bert", 0.0)]
    nobody = await client.post(
        f"{PATH}/observations/batch", json={"rows": [{"observation": FLOOD}]}
    )
    assert nobody.status_code == 422


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("plugin", {"kind": "tea"}, "kind"),
        ("plugin", {"kind": "ema", "step": 0}, "step"),
        ("plugin", {"kind": "ema", "scales": {"x": 0}}, "scales.x"),
        ("observations", {"observation": {}}, "observation"),
        ("observations", {"observation": {"x": None}}, "observation.x"),
        ("observations/batch", {"rows": []}, "rows"),
    ],
)
async def test_what_is_refused(
    client: httpx.AsyncClient, path: str, body: dict[str, Any], field: str
) -> None:
    answer = await client.post(f"{PATH}/{path}", json=ANNA | body)
    assert answer.status_code == 422
    assert any((error["field"] or "").startswith(field) for error in answer.json()["errors"])


async def test_a_user_has_no_plugin(client: httpx.AsyncClient) -> None:
    answer = await client.post(f"{PATH}/plugin", json={"user_id": "ada", "kind": "ema"})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "agent_id"


async def test_a_number_where_a_level_is_a_number_of_another_row(client: httpx.AsyncClient) -> None:
    await attached(client, kind="ema")
    refused = await client.post(
        f"{PATH}/observations/batch",
        json=ANNA | {"rows": [{"observation": {"x": 1}}, {"observation": FLOOD}]},
    )
    assert refused.json()["errors"][0]["field"] == "rows.1.observation.FLOOD"
    trace = (await client.get(f"{PATH}/trace", params=ANNA)).json()["trace"]
    assert trace["observations"] == 0


async def test_the_client_speaks_of_it(service: Service) -> None:
    def speak(url: str) -> None:
        with Client(url, agent_id="anna") as memory:
            assert memory.get_surprise_trace().trace is None
            assert memory.attach_surprise("ema", scales={"depth": 2.0}).begun
            assert memory.observe({"depth": 2.0}).surprise == 1.0
            rows = memory.observe_many(
                [{"observation": {"depth": 2.0}}, {"agent_id": "b", "observation": FLOOD}]
            )
            assert [one.surprise for one in rows.results] == pytest.approx([0.7, 0.0])
            assert memory.get_cognitive_system().system == "SYSTEM_2"
            assert memory.get_cognitive_system(arousal=0.2).memory_count == 5
            memory.reset_surprise()
            trace = memory.get_surprise_trace().trace
            assert trace is not None
            assert trace.observations == 0
            memory.detach_surprise()
            assert memory.get_surprise_trace().trace is None

    async with served(service) as url:
        await asyncio.to_thread(speak, url)


async def test_a_model_observes(service: Service) -> None:
    async with speaking(service, Who(agent_id="anna"), toolsets=("engines",)) as client:
        assert "memory_observe" in await listed(client)
        await call(client, "memory_attach_surprise", kind="decision")
        found = [await call(client, "memory_observe", observation={"action": "wait"}) for _ in "ab"]
        assert [one["surprise"] for one in found] == pytest.approx([0.0, 1 / 3])
        assert (await call(client, "memory_cognitive_system"))["system"] == "SYSTEM_1"
        trace = await call(client, "memory_surprise_trace")
        assert trace["trace"]["actions"] == {"wait": 2}
        await call(client, "memory_reset_surprise")
        assert (await call(client, "memory_surprise_trace"))["trace"]["observations"] == 0


async def test_keys_keep_tenants_apart(service: Service) -> None:
    keys = tuple((name, SecretStr(f"{name}-key-0123456789")) for name in ("red", "blue"))
    settings = service.settings.model_copy(update={"api_keys": keys})
    transport = httpx.ASGITransport(create_app(swapped(service, settings=settings)))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        client.headers["Authorization"] = "Bearer red-key-0123456789"
        await attached(client)
        assert (await seen(client, FLOOD))["surprise"] == 1.0
        client.headers["Authorization"] = "Bearer blue-key-0123456789"
        assert (await seen(client, FLOOD))["attached"] is False
        assert (await client.get(PATH, params=ANNA)).json()["arousal"] == 0.0
        assert (await client.get(f"{PATH}/trace", params=ANNA)).json() == {"trace": None}
