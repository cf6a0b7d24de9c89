"""Retrieval through its doors: HTTP, the tool, the client and the command."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from service.bootstrap import Service
from service.mcp.inputs import Who
from service.mcp.tools import TOOLS
from stratagraph import wire
from stratagraph.call import Caller as ClientCaller
from stratagraph.operations.episodes import RETRIEVE
from tests.conftest import Run
from tests.doors.mcp.test_mcp import speaking
from tests.doors.tools import call, refused
from tests.store.reading import settled
from tests.store.trying import attempt, problem, retrieve, store

DUCKS = "Ten ducks swim on a pond. Four fly off. How many ducks are left?"


async def tried(service: Service, owner: Caller, cypher: Run) -> None:
    await store(service, [problem(DUCKS, "p", owner)])
    await store(
        service,
        [
            attempt(DUCKS, "10-4", name="right", at="p", owner=owner),
            attempt(
                DUCKS,
                "10+4",
                correct=False,
                name="wrong",
                at="p",
                owner=owner,
                structured={"insight": "What flies off is not added."},
            ),
        ],
    )
    await settled(cypher)
    await retrieve(service, owner, DUCKS, k=3, expect=2)


async def test_attempts_come_with_context_and_a_prompt(
    client: httpx.AsyncClient, service: Service, anna: Caller, cypher: Run
) -> None:
    await tried(service, anna, cypher)
    body = {"agent_id": "anna", "query": DUCKS, "domain": "math", "max_tokens": 500, "lambda": 0.0}
    answer = await client.post("/v1/episodes/retrieve", json=body)
    assert answer.status_code == 200, answer.text
    view = wire.RetrievalAnswerView.model_validate(answer.json())
    right, wrong = view.results
    assert (right.episode_id, right.correct, right.answer) == ("right", True, "answer of right")
    assert right.insight == "Strategy: subtract."
    assert (wrong.role, wrong.correct) == ("failure", False)
    assert wrong.insight == "What flies off is not added."
    assert wrong.lesson is not None
    assert view.prompt is not None
    assert "Key insight: What flies off is not added." in view.prompt
    assert view.tokens <= 500
    assert view.utility_weight == 0.0
    assert answer.json()["lambda"] == 0.0


async def test_filters_are_those_of_a_query(
    client: httpx.AsyncClient, service: Service, anna: Caller, cypher: Run
) -> None:
    await tried(service, anna, cypher)
    for filters, found in (({"correct": False}, ["wrong"]), ({"tokens_used_max": 5}, [])):
        body = {"agent_id": "anna", "query": DUCKS, "filters": filters}
        answer = await client.post("/v1/episodes/retrieve", json=body)
        assert [result["episode_id"] for result in answer.json()["results"]] == found


async def test_another_domain_has_none(
    client: httpx.AsyncClient, service: Service, anna: Caller, cypher: Run
) -> None:
    await tried(service, anna, cypher)
    body = {"agent_id": "anna", "query": DUCKS, "domain": "code"}
    answer = await client.post("/v1/episodes/retrieve", json=body)
    assert answer.json()["results"] == []


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"query": ""}, "query"),
        ({"query": "x", "k": 51}, "k"),
        ({"query": "x", "mode": "best"}, "mode"),
        ({"query": "x", "hops": 0}, "hops"),
        ({"query": "x", "max_tokens": 0}, "max_tokens"),
        ({"query": "x", "k": 2, "failures": 3}, "failures"),
        ({"query": "x", "more": 1}, "more"),
        ({"query": "x", "filters": {"domain": ["a", "b"]}}, "domain"),
        ({"query": "x", "filters": {"model_not": ["a"]}}, "model"),
    ],
)
async def test_what_cannot_be_asked_is_refused(
    client: httpx.AsyncClient, body: dict[str, Any], field: str
) -> None:
    answer = await client.post("/v1/episodes/retrieve", json={"agent_id": "anna", **body})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == field


async def test_nobody_retrieves_nothing(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/episodes/retrieve", json={"query": "x"})
    assert answer.status_code == 422


async def test_the_tool_answers_as_the_route_does(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await tried(service, anna, cypher)
    async with speaking(service) as tools:
        asked = {"agentId": "anna", "query": DUCKS, "maxTokens": 300, "k": 1, "mode": "graph"}
        answer = await call(tools, "retrieve_episodes", **asked)
    assert [result["role"] for result in answer["results"]] == ["success"]
    assert "Key insight" in answer["prompt"]


async def test_the_tool_takes_what_the_route_takes(
    client: httpx.AsyncClient, service: Service, anna: Caller, cypher: Run
) -> None:
    await tried(service, anna, cypher)
    async with speaking(service, Who(agent_id="anna")) as tools:
        for filters in ({"correct": False}, {"correct": False, "tokensUsedMax": 500}):
            told = await call(tools, "retrieve_episodes", query=DUCKS, filters=filters)
            assert [result["episode_id"] for result in told["results"]] == ["wrong"]
        for few in ({"tokensUsedMax": 5}, {"tokens_used_max": 5}):
            told = await call(tools, "retrieve_episodes", query=DUCKS, filters=few)
            assert told["results"] == []
        more = {"hops": 1, "diversity": 0.5, "lambda": 0.25, "failures": 0, "mode": "graph"}
        told = await call(tools, "retrieve_episodes", query=DUCKS, **more)
        body = {"agent_id": "anna", "query": DUCKS, **more}
        assert told == (await client.post("/v1/episodes/retrieve", json=body)).json()
        wrong = {"filters": {"confidenceMin": 2}}
        assert "confidence" in await refused(tools, "retrieve_episodes", query=DUCKS, **wrong)


def test_every_field_of_the_route_is_one_of_the_tool() -> None:
    routed = set(wire.RetrieveEpisodesRequest.model_fields) - {"channel_id", "user_id"}
    assert set(TOOLS["retrieve_episodes"].takes.model_fields) == routed


def test_a_call_says_what_was_given_and_no_more() -> None:
    asked = RETRIEVE.call(ClientCaller("anna"), {"query": "x", "k": 3, "utility_weight": 0.5})
    sent = json.loads(asked.body or b"")
    assert {"agent_id": "anna", "query": "x", "k": 3, "lambda": 0.5}.items() <= sent.items()
    assert not {"domain", "mode", "utility_weight"} & sent.keys()


async def test_without_learning_no_q_says_anything(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await tried(service, anna, cypher)
    await service.change_config(anna, {"utility_learning": False})
    answer = await retrieve(service, anna, DUCKS, utility_weight=1.0, task_id="t", expect=2)
    assert answer.utility_weight == 0.0
    assert cypher("MATCH (:Task)-[r:RETRIEVED]->() RETURN r") == []


async def test_who_reads_a_channel_finds_what_was_tried_there(
    service: Service, anna: Caller, cypher: Run
) -> None:
    team = Caller("local", channel_ids=("team",))
    await service.remember([NewMemory(team.writable(), DUCKS, kind="episode", correct=True)])
    await settled(cypher)
    reader = Caller("local", "anna", ("team",))
    assert len((await retrieve(service, reader, DUCKS)).results) == 1
    assert (await retrieve(service, anna, DUCKS, expect=0)).results == ()
