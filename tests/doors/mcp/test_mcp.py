"""The tools, by the official client: in process, and over HTTP with keys."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from pydantic import SecretStr

from graph.kernel.errors import InvalidInputError
from graph.kernel.scope import Caller
from service.app import create_app
from service.bootstrap import Service
from service.mcp.asking import Asking
from service.mcp.inputs import Who
from service.mcp.server import Caller as Connection
from service.mcp.server import build_server, toolsets_of
from service.mcp.tools import TOOLS
from service.mcp.toolsets import TOOLSETS
from tests.conftest import Recalls, Remembers, Run, shared_app
from tests.doors.operation.test_command_line import invoke
from tests.doors.tools import call, refused
from tests.served import served
from tests.swapping import swapped

RED, BLUE = "red-key-0123456789", "blue-key-0123456789"
MODES = pytest.mark.parametrize("mode", ["legacy", "auto"])


@asynccontextmanager
async def speaking(
    service: Service,
    who: Who | None = None,
    mode: Any = "auto",
    toolsets: Sequence[str] = (),
) -> AsyncGenerator[Client]:
    """A client of a server in this process, whose calls go to the real application."""
    transport = httpx.ASGITransport(app=shared_app(service), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:

        async def reach() -> httpx.AsyncClient:
            return http

        server = build_server(Asking(reach), Connection(who or Who(), {}, toolsets_of(toolsets)))
        async with Client(server, mode=mode) as client:
            yield client


@asynccontextmanager
async def over_http(url: str, **headers: str) -> AsyncGenerator[Client]:
    async with httpx2.AsyncClient(headers=headers) as http:
        transport = streamable_http_client(f"{url}/mcp", http_client=http)
        async with Client(transport) as client:
            yield client


def guarded(service: Service) -> Service:
    keys = (("red", SecretStr(RED)), ("blue", SecretStr(BLUE)))
    return swapped(service, settings=service.settings.model_copy(update={"api_keys": keys}))


async def found(client: Client, text: str, **more: Any) -> dict[str, Any]:
    """Recall until the indexes show something (they lag a moment)."""
    for _ in range(200):
        answer = await call(client, "memory_recall", text=text, **more)
        if answer["results"]:
            return answer
        await asyncio.sleep(0.05)
    raise AssertionError("nothing is recalled")


CORE = {
    *("memory_remember", "memory_recall", "memory_report_outcome", "agent_memory_delete"),
    *("memory_add_episode", "retrieve_episodes", "query_episodes", "get_profile"),
}


async def listed(client: Client) -> dict[str, Any]:
    return {tool.name: tool for tool in (await client.list_tools()).tools}


@MODES
async def test_the_core_tools_are_listed_in_few_words(service: Service, mode: str) -> None:
    async with speaking(service, mode=mode) as client:
        tools = await listed(client)
        assert client.server_info is not None
        assert client.server_info.name == "stratagraph"
        assert "memory_report_outcome" in (client.instructions or "")
    assert set(tools) == CORE
    said = "".join(
        tool.model_dump_json(by_alias=True, exclude_none=True) for tool in tools.values()
    )
    assert len(said) / 4 <= 3000  # tokens, about
    outcome = tools["memory_report_outcome"].input_schema
    assert set(outcome["properties"]) == {
        *("taskId", "status", "quality", "used"),
        *("agentId", "channelIds", "userIds"),
    }
    assert outcome["required"] == ["taskId", "status"]
    filters = tools["memory_recall"].input_schema["properties"]["filters"]
    assert "tagsAny" in filters["description"]
    for tool in tools.values():
        assert tool.description
        assert tool.output_schema is None
        assert "$ref" not in tool.model_dump_json()
        for name, field in tool.input_schema["properties"].items():
            assert field.get("description"), f"{tool.name}.{name}"


async def test_who_is_named_once_is_not_asked_for_in_each_call(service: Service) -> None:
    async with speaking(service, Who(agent_id="anna")) as client:
        fields = (await listed(client))["memory_recall"].input_schema["properties"]
        assert "agentId" not in fields
        assert "lambda" not in fields
        answer = await call(client, "memory_recall", text="tea", **{"lambda": 0.25})
        assert answer["lambda"] == 0.25


async def test_other_tools_come_in_toolsets(service: Service) -> None:
    async with speaking(service, toolsets=("sharing",)) as client:
        assert set(await listed(client)) == CORE | {
            "share_memory",
            "unshare_memory",
            "channel_agreements",
            "vote_on_memory",
        }
    async with speaking(service, toolsets=("all",)) as client:
        tools = await listed(client)
    assert set(tools) == set(TOOLS)
    hints = {name: tool.annotations for name, tool in tools.items() if tool.annotations}
    removing = {name for name, hint in hints.items() if hint.destructive_hint}
    assert removing == {"agent_memory_delete", "collect_episodes", "agent_memory_consolidate"}
    assert tools["memory_move"].input_schema["additionalProperties"] is False
    with pytest.raises(InvalidInputError, match="there are core, episodes"):
        toolsets_of(("everything",))


async def test_a_header_opens_toolsets(service: Service) -> None:
    async with served(service) as url:
        async with over_http(url, **{"X-Stratagraph-Toolsets": "strata, admin"}) as client:
            tools = await listed(client)
        async with over_http(url) as client:
            assert set(await listed(client)) == CORE
    assert {"memory_move", "memory_utility_config"} <= set(tools)
    assert "share_memory" not in tools


@MODES
async def test_a_model_remembers_recalls_and_reports(service: Service, mode: str) -> None:
    async with speaking(service, Who(agent_id="anna"), mode) as client:
        saved = await call(client, "memory_remember", text="Ada likes tea.", externalId="tea")
        assert saved["status"] == "created"
        answer = await found(client, "what does Ada drink?", taskId="serve", k=1)
        assert answer["results"][0]["uid"] == saved["uid"]
        assert answer["task_id"] == "serve"
        outcome = await call(client, "memory_report_outcome", taskId="serve", status="success")
        assert outcome["applied"] is True
        [moved] = outcome["rewarded"]
        assert moved["uid"] == saved["uid"]
        assert moved["q_after"] > moved["q_before"]
        again = await call(client, "memory_report_outcome", taskId="serve", status="success")
        assert again["applied"] is False


async def test_a_model_keeps_an_attempt_and_judges_it_later(service: Service, cypher: Run) -> None:
    attempt: dict[str, Any] = {
        "input": {"problem": "How many ducks?", "domain": "zoo"},
        "trace": [{"thought": "Count.", "action": "count(ducks)"}],
        "episodeId": "ducks",
    }
    async with speaking(service, Who(agent_id="anna")) as client:
        saved = await call(client, "memory_add_episode", **attempt, output={"answer": "3"})
        assert (saved["status"], saved["episode_id"]) == ("created", "ducks")
        judged = {"answer": "3", "correct": True}
        again = await call(client, "memory_add_episode", **attempt, output=judged)
        assert (again["status"], again["uid"]) == ("updated", saved["uid"])
        refusal = await refused(client, "memory_add_episode", input={"problem": " "})
        assert "input.problem" in refusal
    edges = cypher(
        "MATCH (:Episode)-[r]->(t) WHERE NOT t:Term RETURN type(r) AS edge ORDER BY edge"
    )
    assert [row["edge"] for row in edges] == ["SOLVED", "USED"]


async def test_names_go_in_either_spelling(service: Service) -> None:
    async with speaking(service) as client:
        one = {"agentId": "anna", "externalId": "a", "occurredAt": "2026-05-01T09:30:00Z"}
        other = {"agent_id": "anna", "external_id": "a", "occurred_at": "2026-05-01T09:30:00Z"}
        first = await call(client, "memory_remember", text="Ada likes tea.", **one)
        second = await call(client, "memory_remember", text="Ada likes tea.", **other)
        assert (second["status"], second["uid"]) == ("unchanged", first["uid"])
        for filters in ({"tagsAny": ["x"]}, {"tags_any": ["x"]}):
            asked = {"agentId": "anna", "text": "tea", "filters": filters}
            assert (await call(client, "memory_recall", **asked))["results"] == []
        for weight in ({"lambda": 0.25}, {"utility_weight": 0.25}):
            answer = await call(client, "memory_recall", agentId="anna", text="tea", **weight)
            assert answer["lambda"] == 0.25


async def test_a_tool_answers_what_its_route_answers(
    service: Service, client: httpx.AsyncClient, remember: Remembers, recall: Recalls, anna: Caller
) -> None:
    for text in ("Ada likes tea.", "Bob likes coffee."):
        await remember(anna, text, kind="preference", tags=("drink",))
    await recall(anna, "drink", expect=2)
    question = {"text": "who likes what?", "k": 2, "phase": "plan", "explain": True}
    question |= {"context": {"domain": "kitchen", "tags": ["tea"]}, "explore": False}
    filters = {"kinds": ["preference"]}
    async with speaking(service, Who(agent_id="anna")) as tools:
        told = await call(
            tools, "memory_recall", **question, filters={**filters, "tagsAll": ["drink"]}
        )
    body = {**question, "agent_id": "anna", "filters": {**filters, "tags_all": ["drink"]}}
    routed = (await client.post("/v1/recall", json=body)).json()
    # It lags up to two seconds behind what was just written.
    del told["links_pending"], routed["links_pending"]
    assert told == routed
    assert len(told["results"]) == 2


async def test_nothing_is_lost_of_what_is_said_to_be_null(service: Service, cypher: Run) -> None:
    async with speaking(service, Who(agent_id="anna")) as client:
        await call(
            client, "memory_remember", text="Ada likes tea.", speaker=None, metadata={"cup": None}
        )
    [row] = cypher("MATCH (m:Memory) RETURN m.metadata AS metadata, m.speaker AS speaker")
    assert row == {"metadata": '{"cup":null}', "speaker": None}


async def test_a_call_speaks_for_whom_it_names(service: Service) -> None:
    async with speaking(service, Who(agent_id="anna", channel_ids=("support",))) as client:
        await call(client, "memory_remember", text="Ada likes tea.")
        assert (await found(client, "tea"))["results"][0]["scope"] == "agent/anna"
        assert (await call(client, "memory_recall", text="tea", agentId="bert"))["results"] == []
        named = {"text": "tea", "channelIds": ["support"]}
        assert (await call(client, "memory_recall", **named))["results"] == []


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("memory_forget", {}, "there is no such tool; there are memory_remember"),
        ("memory_recall", {"text": "tea"}, "agentId: say who asks"),
        ("memory_recall", {"agentId": "anna"}, "text: is needed"),
        ("memory_recall", {"agentId": "anna", "text": " "}, "text: must not be empty"),
        ("memory_recall", {"agentId": "anna", "text": "x", "taskid": "t"}, "did you mean taskId?"),
        ("memory_recall", {"agentId": "anna", "text": "x", "k": 1000}, "k: must be at most"),
        (
            "query_episodes",
            {"agentId": "anna", "question": "failed attempts", "filters": {"correct": [False]}},
            "filters: goes without a `question`",
        ),
        (
            "memory_recall",
            {"agentId": "anna", "text": "x", "filters": {"importanceMin": 4, "importanceMax": 2}},
            "importance_max: must not be below importance_min",
        ),
        (
            "memory_report_outcome",
            {"agentId": "anna", "taskId": "a/b?c", "status": "success"},
            "no such task",
        ),
        (
            "memory_remember",
            {"agentId": "anna", "text": "x", "links": [{"type": "USED", "to": "external:gone"}]},
            "links",
        ),
    ],
)
async def test_a_refusal_says_what_is_wrong(
    service: Service, tool: str, arguments: dict[str, Any], said: str
) -> None:
    async with speaking(service) as client:
        assert said in await refused(client, tool, **arguments)


async def test_a_refusal_never_repeats_the_input(service: Service) -> None:
    async with speaking(service) as client:
        for arguments in (
            {"agentId": "anna", "text": "x", "the secret": "hush"},
            {"agentId": "anna", "text": "x", "k": "hush hush"},
            {"agentId": "hush\nhush", "text": "x"},
        ):
            said = await refused(client, "memory_recall", **arguments)
            assert "hush" not in said
            assert "secret" not in said


async def test_a_fault_of_the_service_is_told_to_its_log_alone(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    async def fails(_ask: object, _headers: object) -> dict[str, Any]:
        raise ValueError("the secret")

    arguments = {"agentId": "anna", "text": "tea"}
    with caplog.at_level(logging.ERROR, "service.mcp.server"):
        async with Client(build_server(fails)) as client:
            said = await refused(client, "memory_recall", **arguments)
    assert "secret" not in said
    assert [record.message for record in caplog.records] == ["unforeseen error"]


async def test_over_http_any_replica_answers(service: Service, cypher: Run) -> None:
    async with served(service) as one, served(service) as other:
        named = {"X-Stratagraph-Agent": "anna", "X-Stratagraph-Channels": "support, sales"}
        async with over_http(one, **named) as here, over_http(other, **named) as there:
            saved = await call(here, "memory_remember", text="Ada likes tea.")
            answer = await found(there, "tea", taskId="t")
            assert answer["results"][0]["uid"] == saved["uid"]
            outcome = await call(here, "memory_report_outcome", taskId="t", status="failure")
            assert outcome["rewarded"][0]["uid"] == saved["uid"]
    assert cypher("MATCH (m:Memory) RETURN m.scope AS scope") == [{"scope": "local/agent/anna"}]


async def test_headers_carry_names_of_any_script(service: Service, cypher: Run) -> None:
    named = {"X-Stratagraph-Users": "l%C3%A4ufer%2C%20Jim, ,"}
    async with served(service) as url, over_http(url, **named) as client:
        await call(client, "memory_remember", text="Ada likes tea.")
        await refused(client, "memory_remember", text="x", agentId="a\n")
    async with served(service) as url, over_http(url, **{"X-Stratagraph-Agent": "%0A"}) as client:
        assert "printable" in await refused(client, "memory_recall", text="tea")
    assert cypher("MATCH (m:Memory) RETURN m.scope AS scope") == [
        {"scope": "local/user/läufer, Jim"}
    ]


async def test_over_http_a_key_opens_its_tenant_and_no_other(service: Service) -> None:
    async with served(guarded(service)) as url:
        for headers in ({"Authorization": f"Bearer {RED}"}, {"X-API-Key": RED}):
            async with over_http(url, **headers) as red:
                await call(red, "memory_remember", text="the red secret", agentId="a")
                assert (await found(red, "red secret", agentId="a"))["results"]
        async with over_http(url, Authorization=f"Bearer {BLUE}") as blue:
            assert (await call(blue, "memory_recall", text="red", agentId="a"))["results"] == []
            refusal = await refused(
                blue, "memory_report_outcome", agentId="a", taskId="t", status="failure"
            )
            assert "no such task" in refusal


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong-key-0123456789"}])
async def test_without_a_key_not_even_the_tools_are_told(
    service: Service, headers: dict[str, str]
) -> None:
    listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    transport = httpx.ASGITransport(app=create_app(guarded(service)))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        answer = await client.post("/mcp", json=listing, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json()["type"] == "urn:stratagraph:error:authentication"


async def test_a_page_from_elsewhere_is_not_served(service: Service) -> None:
    transport = httpx.ASGITransport(app=shared_app(service))
    async with httpx.AsyncClient(transport=transport, base_url="http://evil.example") as client:
        answer = await client.post("/mcp", json={})
    assert answer.status_code == 401


def test_the_command_names_all_toolsets() -> None:
    said = invoke("mcp", "--help").output
    assert [name for name in (*TOOLSETS[1:], "all") if name not in said] == []


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_there_are_no_streams_and_no_sessions(client: httpx.AsyncClient, method: str) -> None:
    answer = await client.request(method, "/mcp")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"


async def test_the_door_is_shut_until_the_service_is_open() -> None:
    @asynccontextmanager
    async def never() -> AsyncGenerator[Service]:
        raise AssertionError
        yield

    transport = httpx.ASGITransport(app=create_app(never))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        assert (await client.post("/mcp", json={})).status_code == 503


async def test_a_door_that_could_not_be_opened_is_tried_at_each_request(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []

    def load() -> None:
        tries.append(len(tries))
        raise ImportError("something is not installed")

    monkeypatch.setattr("service.mcp.door._load", load)
    transport = httpx.ASGITransport(app=create_app(service), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        for _ in range(2):
            async with asyncio.timeout(5):
                assert (await client.post("/mcp", json={})).status_code == 500
    assert len(tries) == 2


async def test_calls_are_counted(service: Service) -> None:
    async with served(service) as url, over_http(url) as client:
        await call(client, "memory_recall", text="tea", agentId="anna")
        await refused(client, "memory_recall", text="tea")
        await refused(client, "memory_forget")
    told = (await service.exposition()).decode()
    for line in (
        'stratagraph_mcp_calls_total{outcome="answered",tool="memory_recall"}',
        'stratagraph_mcp_calls_total{outcome="error",tool="memory_recall"}',
        'stratagraph_mcp_calls_total{outcome="error",tool="unknown"}',
        'stratagraph_http_requests_total{method="POST",route="/mcp",status="200"}',
    ):
        assert line in told


async def test_nobody_at_the_other_end_is_told(service: Service) -> None:
    async with httpx.AsyncClient(base_url="http://user:hush@127.0.0.1:9") as http:

        async def reach() -> httpx.AsyncClient:
            return http

        async with Client(build_server(Asking(reach))) as client:
            said = await refused(client, "memory_recall", text="tea", agentId="anna")
    assert said == "no service answers at http://127.0.0.1:9; start it: stratagraph serve"


async def test_the_configuration_is_shown_set_and_reset(
    service: Service, client: httpx.AsyncClient
) -> None:
    async with speaking(service) as tools:
        shown = await call(tools, "memory_utility_config", action="get")
        assert shown == (await client.get("/v1/utility/config")).json()
        wanted = {
            "lambda": 0.6,
            "phaseLambdas": {"planning": 0.8, "action": None},
            "rewardMapping": {"partial": 0.2},
            "learningRate": 0.2,
            "enabled": True,
            "qValueHistoryLimit": 50,
            "exploration": "ucb",
        }
        told = await call(tools, "memory_utility_config", action="set", agentId="anna", **wanted)
        set_here = {n: v["value"] for n, v in told["values"].items() if v["source"] == "runtime"}
        assert set_here == {
            "utility_weight_default": 0.6,
            "utility_weight_planning": 0.8,
            "reward_partial": 0.2,
            "learning_rate": 0.2,
            "utility_learning": True,
            "q_history_limit": 50,
            "exploration": "ucb",
        }
        assert told == (await client.get("/v1/utility/config")).json()
        answer = await call(tools, "memory_recall", agentId="anna", text="tea", phase="plan")
        assert answer["lambda"] == 0.8
        one = {"action": "set", "agent_id": "anna", "phase_lambdas": {"planning": None}}
        told = await call(tools, "memory_utility_config", **one)
        assert told["values"]["utility_weight_planning"]["source"] != "runtime"
        told = await call(tools, "memory_utility_config", action="reset", agentId="anna")
        assert {value["source"] for value in told["values"].values()} <= {"default", "environment"}


async def test_who_configures_is_named_and_nothing_wrong_is_set(service: Service) -> None:
    async with speaking(service) as tools:
        for action in ("set", "reset"):
            said = await refused(tools, "memory_utility_config", action=action)
            assert said.startswith("agentId: say who asks")
        for wrong in (
            {"lambda": 1.5},
            {"phaseLambdas": {"dreaming": 0.1}},
            {"rewardMapping": {"failure": -2}},
            {"learningRate": 0},
        ):
            asked = {"action": "set", "agentId": "anna", **wrong}
            said = await refused(tools, "memory_utility_config", **asked)
            assert "must be " in said or "is not a field here" in said
        assert (await call(tools, "memory_utility_config"))["version"] == 0


async def test_what_is_configured_over_mcp_is_recorded_as_such(
    service: Service, client: httpx.AsyncClient
) -> None:
    async with served(service) as url, over_http(url, **{"X-Stratagraph-Agent": "anna"}) as tools:
        await call(tools, "memory_utility_config", action="set", learning_rate=0.3)
        await call(tools, "memory_utility_config", action="reset")
    body = {"agent_id": "anna", "learning_rate": 0.4}
    answer = await client.patch("/v1/utility/config", json=body, headers={"X-Door": "mcp"})
    assert answer.status_code == 200
    items = (await client.get("/v1/utility/config/changes")).json()["items"]
    assert [item["door"] for item in items] == ["http", "mcp", "mcp"]
    assert {item["actor"] for item in items} == {"agent/anna"}


async def test_what_was_of_use_is_rewarded_alone(service: Service) -> None:
    async with speaking(service, Who(agent_id="anna")) as tools:
        tea = await call(tools, "memory_remember", text="Ada likes tea.")
        cup = await call(tools, "memory_remember", text="Ada has a cup.", externalId="cup")
        spoon = await call(tools, "memory_remember", text="Ada has a spoon.")
        used = [tea["uid"], {"name": "external:cup", "share": 0.5}, "external:gone"]
        told = await call(tools, "memory_report_outcome", taskId="t", status="success", used=used)
        shares = {moved["uid"]: moved["share"] for moved in told["rewarded"]}
        assert shares == {tea["uid"]: 1.0, cup["uid"]: 0.5}
        assert told["ignored"] == 1
        assert spoon["uid"] not in shares
        said = await refused(
            tools,
            "memory_report_outcome",
            taskId="u",
            status="success",
            used=[{"name": "x", "share": 2}],
        )
        assert "share" in said


async def test_analytics_are_those_of_the_route(
    service: Service, client: httpx.AsyncClient
) -> None:
    async with speaking(service, Who(agent_id="anna")) as tools:
        await call(tools, "memory_remember", text="Ada likes tea.", kind="preference")
        await found(tools, "tea", taskId="t")
        await call(tools, "memory_report_outcome", taskId="t", status="success")
        for spelling in (
            {"topN": 3, "includeHistory": True},
            {"top_n": 3, "include_history": True},
        ):
            told = await call(tools, "memory_qvalue_analytics", **spelling, by="kind")
            query = {"agent_id": "anna", "top_n": 3, "include_history": True, "by": "kind"}
            routed = (await client.get("/v1/utility/analytics", params=query)).json()
            assert told == routed
        [best] = told["top"]
        [move] = best["history"]
        assert (best["text"], move["task_id"], move["reward"]) == ("Ada likes tea.", "t", 1.0)
        assert told["groups"][0]["name"] == "preference"
        least = await call(tools, "memory_qvalue_analytics", agentId="nobody")
        assert least["distribution"]["memories"] == 0
        assert least["top"] == []


async def test_a_reward_by_hand(service: Service, client: httpx.AsyncClient) -> None:
    async with speaking(service, Who(agent_id="anna")) as tools:
        saved = await call(tools, "memory_remember", text="Ada likes tea.", externalId="a/tea")
        reason = "It saved an hour."
        for name in ({"memoryId": saved["uid"]}, {"memory_id": "external:a/tea"}):
            told = await call(tools, "memory_inject_reward", **name, reward=0.8, reason=reason)
            assert told["uid"] == saved["uid"]
            assert told["q_after"] > told["q_before"]
        read = await client.get("/v1/memories/external:a%2Ftea", params={"agent_id": "anna"})
        assert read.json()["q_value"] == told["q_after"]
        assert read.json()["q_count"] == 2
        asked: dict[str, Any] = {"memoryId": saved["uid"], "reward": -1, "reason": "wrong"}
        said = await refused(tools, "memory_inject_reward", **{**asked, "agentId": "bert"})
        assert "no such memory" in said
        for wrong, field in (({"reward": 1.5}, "reward"), ({"reason": ""}, "reason")):
            said = await refused(tools, "memory_inject_reward", **{**asked, **wrong})
            assert said.startswith(f"{field}: ")


async def test_sharing_a_memory(service: Service, client: httpx.AsyncClient) -> None:
    team = {"agent_id": "anna", "channel_ids": ["team"]}
    async with speaking(service, Who(agent_id="anna", channel_ids=("team",))) as tools:
        saved = await call(tools, "memory_remember", text="Ada likes tea.", externalId="a/tea")
        asked = {"memoryId": "external:a/tea"}
        assert "join" in await refused(tools, "share_memory", **asked)
        await client.post("/v1/channels/join", json=team)
        copy = await call(tools, "share_memory", **asked)
        assert (copy["original"], copy["status"]) == (saved["uid"], "created")
        read = await client.get(f"/v1/memories/{copy['uid']}", params=team | {"agent_id": "bert"})
        assert read.json()["published_by"] == "anna"
        assert (await call(tools, "unshare_memory", **asked))["removed"] == 1
        other = asked | {"agentId": "bert", "channelIds": ["team"]}
        assert "no such memory" in await refused(tools, "share_memory", **other)
