"""Knowledge over HTTP, by the client, as tools and by the jobs: what is learned, asked, preferred and judged."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from graph.kernel.scope import Caller
from graph.model.knowledge.executions import LEARN_JOBS
from service.bootstrap import Service
from service.cli import app
from service.mcp.inputs import Who
from service.use_cases.knowledge.learn import LearnRegularly
from stratagraph import Client
from tests.conftest import Run
from tests.doors.mcp.test_mcp import listed, speaking
from tests.doors.tools import call
from tests.served import served
from tests.store.knowing import ran, shipped, step

PATH = "/v1/knowledge"
ANNA = {"agent_id": "anna"}
ADA, BOB = {"user_id": "ada"}, {"user_id": "bob"}
CALLER = Caller("local", "anna")
METRIC = {"original": {"units": "imperial"}, "corrected": {"units": "metric"}}


async def post(
    client: httpx.AsyncClient, path: str, body: dict[str, Any], status: int = 200
) -> Any:
    answer = await client.post(f"{PATH}/{path}", json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


def shipment(task_id: str, **fields: Any) -> dict[str, Any]:
    units = {"facility": "HAN", "units": "imperial"}
    return {
        "task_id": task_id, "status": "success", "query": "Create a shipment for facility HAN",
        "context": "shipments", "duration_ms": 500,
        "steps": [
            {"tool": "list_facilities", "duration_ms": 50},
            {"tool": "create_shipment", "parameters": units, "status": "failed",
             "error": "units imperial are not supported"},
            {"tool": "create_shipment", "parameters": units | {"units": "metric"}, "duration_ms": 100},
        ],
    } | fields  # fmt: skip


async def test_what_was_reported_is_found_advised_and_checked(client: httpx.AsyncClient) -> None:
    first = await post(client, "executions", ANNA | shipment("t1"))
    assert (first["status"], len(first["patterns"])) == ("observed", 3)
    rows = [shipment(f"t{i}") for i in range(1, 7)]
    several = await post(client, "executions/batch", ANNA | {"executions": rows})
    assert [each["status"] for each in several["results"]] == ["known", *["observed"] * 5]
    asked = ANNA | {"query": "Create a shipment for facility SGN", "context": "shipments"}
    found = await post(client, "query", asked)
    pattern = found["patterns"][0]
    assert pattern["pattern"]["query"] == "create_*_for_facility_*"
    assert pattern["success_metrics"]["avg_execution_time"] == 500.0
    assert pattern["success_metrics"]["avg_steps"] == 3.0
    assert pattern["why"] == "the same kind of query; 6 of 6 tasks succeeded"
    tool = next(each for each in found["tool_memory"] if each["tool_name"] == "create_shipment")
    assert tool["performance"]["total_executions"] == 12
    assert tool["common_errors"][0]["solutions"] == ["create_shipment with another units"]
    advice = await post(client, "advice", asked | {"max_tokens": 200})
    assert advice["tokens"] <= 200
    assert "list_facilities → create_shipment" in advice["text"]
    assert "units=imperial failed in 6 of 6 calls" in advice["text"]
    little = await post(client, "advice", asked | {"max_tokens": 50})
    assert len(little["items"]) < len(advice["items"])
    assert little["left_out"] > 0
    checked = await post(
        client, "check", ANNA | {"tool": "create_shipment", "parameters": {"units": "imperial"}}
    )
    assert checked["verdict"] == "stop"
    assert checked["warnings"][0]["what_worked"] == ["units=metric"]
    known = {"pattern_type": "query_pattern", "pattern": "create_*_for_facility_*"}
    got = await client.get(f"{PATH}/pattern", params=ANNA | known)
    assert got.json()["pattern_id"] == pattern["pattern_id"]
    missing = await client.get(f"{PATH}/pattern", params=ANNA | known | {"pattern": "no_such"})
    assert missing.status_code == 404


async def test_a_report_that_cannot_be_used_is_refused(client: httpx.AsyncClient) -> None:
    for body in (
        shipment("t1", status="perhaps"),
        shipment("t1", steps=[{"tool": "x", "status": "broken"}]),
        shipment("t1", steps=[{"tool": "x", "duration_ms": -1}]),
        shipment("", status="success"),
    ):
        await post(client, "executions", ANNA | body, 422)
    await post(client, "executions", shipment("t1"), 422)
    await post(client, "executions/batch", ANNA | {"executions": []}, 422)
    wrong = {"insight": "x", "applies_to": {"conditions": {"a": {"almost": 1}}}}
    await post(client, "insights", ANNA | wrong, 422)


async def test_a_step_with_an_error_failed_unless_it_says_otherwise(
    client: httpx.AsyncClient, service: Service
) -> None:
    steps: list[dict[str, Any]] = [
        {"tool": "x", "error": "boom"},
        {"tool": "x", "error": "a warning", "status": "completed"},
        {"tool": "x"},
    ]
    await post(client, "executions", ANNA | shipment("t1", steps=steps))
    async with speaking(service, Who(agent_id="anna")) as model:
        await call(model, "observe_execution", taskId="t2", status="failure", steps=steps[:1])
    asked = ANNA | {"query": "x", "memory_types": ["tool_memory"]}
    [tool] = (await post(client, "query", asked))["tool_memory"]
    assert tool["performance"]["failure_count"] == 2
    assert tool["common_errors"][0]["error"] == "boom"


async def test_an_insight_is_shown_where_its_conditions_hold(client: httpx.AsyncClient) -> None:
    new = {
        "insight": "Shipments need metric units.", "insight_type": "warning", "confidence": 0.8,
        "applies_to": {"contexts": ["shipments"], "conditions": {"parameters.units": {"ne": "metric"}}},
        "evidence": [{"task_id": "t1", "description": "it was refused"}],
    }  # fmt: skip
    stored = await post(client, "insights", ANNA | new)
    assert (stored["confidence"], stored["scope"]) == (0.8, "agent/anna")
    again = await post(client, "insights", ANNA | new | {"evidence": [{"task_id": "t2"}]})
    assert again["insight_id"] == stored["insight_id"]
    assert [each["task_id"] for each in again["evidence"]] == ["t1", "t2"]
    asked = ANNA | {"query": "ship it", "context": "shipments"}
    imperial = asked | {"situation": {"parameters": {"units": "imperial"}}}
    assert len((await post(client, "query", imperial))["insights"]) == 1
    metric = asked | {"situation": {"parameters": {"units": "metric"}}}
    assert (await post(client, "query", metric))["insights"] == []
    elsewhere = imperial | {"context": "invoices"}
    assert (await post(client, "query", elsewhere))["insights"] == []
    called = {
        "tool": "create_shipment",
        "parameters": {"units": "imperial"},
        "context": "shipments",
    }
    warnings = (await post(client, "check", ANNA | called))["warnings"]
    assert [each["message"] for each in warnings] == [
        "Shipments need metric units.",
        "nothing is known of create_shipment yet",
    ]


async def test_a_preference_that_changes_is_replaced_and_known_as_it_was(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    stated = {"kind": "parameter", "name": "units", "value": "imperial"}
    [old] = (await post(client, "preferences", ADA | stated))["preferences"]
    [same] = (await post(client, "preferences", ADA | stated))["preferences"]
    assert same["uid"] == old["uid"]
    [new] = (await post(client, "preferences", ADA | stated | {"value": "metric"}))["preferences"]
    assert new["replaces"] == old["uid"]
    edges = (
        "MATCH (a:UserPreference)-[:SUPERSEDES]->(b:UserPreference) RETURN a.uid AS a, b.uid AS b"
    )
    assert cypher(edges) == [{"a": new["uid"], "b": old["uid"]}]
    asked = {"query": "units", "memory_types": ["preferences"]}
    now = (await post(client, "query", ADA | asked))["preferences"]
    assert now[0]["preferences"]["parameter_defaults"] == {"units": "metric"}
    before = await post(client, "query", ADA | asked | {"as_of": old["valid_from"]})
    assert before["preferences"][0]["preferences"]["parameter_defaults"] == {"units": "imperial"}
    assert (await post(client, "query", BOB | asked))["preferences"] == []


async def test_a_session_s_preference_ends_with_it(client: httpx.AsyncClient) -> None:
    only = {"kind": "parameter", "name": "units", "value": "feet", "session_id": "s"}
    await post(client, "preferences", ADA | only)
    asked = ADA | {"query": "units", "memory_types": ["preferences"]}
    assert (await post(client, "query", asked))["preferences"] == []
    assert len((await post(client, "query", asked | {"session_id": "s"}))["preferences"]) == 1
    gone = await client.delete("/v1/sessions/s", params=ADA)
    assert gone.status_code == 200, gone.text
    assert (await post(client, "query", asked | {"session_id": "s"}))["preferences"] == []


async def test_corrections_teach_and_the_majority_holds(client: httpx.AsyncClient) -> None:
    told = await post(client, "corrections", ADA | METRIC)
    assert told["lesson"] == "units: metric, never imperial"
    assert told["preferences"][0]["confidence"] < 0.3
    told = await post(client, "corrections", ADA | METRIC)
    assert told["preferences"][0]["confidence"] > 0.3
    other = {"original": {"units": "metric"}, "corrected": {"units": "feet"}}
    told = await post(client, "corrections", ADA | other)
    assert told["preferences"][0]["value"] == "metric"
    found = await post(client, "query", ADA | {"query": "x", "memory_types": ["preferences"]})
    assert len(found["preferences"][0]["corrections"]) == 3
    await post(client, "corrections", ADA | {"original": 1, "corrected": 1}, 422)


async def test_the_jobs_make_insights_and_a_model_and_say_what_they_did(
    client: httpx.AsyncClient, service: Service
) -> None:
    people = ("lamp", "desk", "sofa", "chair", "shelf", "mirror")
    rows = [shipment(f"t{i}", query=f"order one {people[i % 6]} for the office") for i in range(12)]
    await post(client, "executions/batch", ANNA | {"executions": rows})
    done = await post(client, "learn", ANNA)
    assert [each["job"] for each in done["reports"]] == ["patterns", "tools", "insights"]
    found = await post(
        client, "query", ANNA | {"query": "order one carpet for the office", "context": "shipments"}
    )
    assert found["patterns"][0]["name"] == "order_one_*_for_office"
    assert found["patterns"][0]["usage_count"] == 12
    kinds = {each["insight_type"]: each for each in found["insights"]}
    assert kinds["best_practice"]["confidence"] == 1.0
    assert kinds["warning"]["confidence"] == 0.8
    assert kinds["warning"]["insight"] == (
        "Common error: create_shipment: units imperial are not supported. "
        "Solution: create_shipment with another units"
    )
    following = await post(client, "next", ANNA | {"calls": [{"tool": "list_facilities"}]})
    assert following["tools"][0]["tool_name"] == "create_shipment"
    assert following["learned_from"] == 36
    again = await post(client, "learn", ANNA)
    assert [each["added"] for each in again["reports"]] == [0, 0, 0]
    measured = (await client.get(f"{PATH}/analytics", params=ANNA)).json()
    assert (measured["executions"], round(measured["months"][0]["error_rate"], 2)) == (12, 0.33)


async def test_later_failures_lower_an_insight_until_it_goes(service: Service, cypher: Run) -> None:
    await service.observe_executions(CALLER, [shipped(f"t{i}") for i in range(8)])
    await service.learn(CALLER, LEARN_JOBS, None)
    best = "MATCH (i:LearnedInsight {origin: 'pattern'}) RETURN i.confidence AS c ORDER BY c"
    first = [row["c"] for row in cypher(best)]
    assert first
    assert set(first) == {1.0}
    await service.observe_executions(CALLER, [shipped(f"f{i}", ok=False) for i in range(8)])
    await service.learn(CALLER, LEARN_JOBS, None)
    assert all(row["c"] < 0.6 for row in cypher(best))
    await service.observe_executions(CALLER, [shipped(f"g{i}", ok=False) for i in range(30)])
    await service.learn(CALLER, LEARN_JOBS, None)
    assert cypher(best) == []
    [base] = cypher("MATCH (k:KnowledgeBase) RETURN k.held AS held")
    assert '"pattern:best_practice":[0,' in base["held"]


async def test_habits_of_a_user_become_defaults_of_that_user_alone(
    client: httpx.AsyncClient, service: Service
) -> None:
    ada, now = Caller("local", "anna", (), ("ada",)), service.clock.now()
    await service.observe_executions(
        ada, [ran(f"a{i}", step("book", seat="aisle"), occurred_at=now) for i in range(6)]
    )
    bob = Caller("local", "anna", (), ("bob",))
    await service.observe_executions(
        bob, [ran(f"b{i}", step("book", seat=str(i)), occurred_at=now) for i in range(6)]
    )
    await service.learn(CALLER, ["insights"], None)
    asked = {"query": "book", "memory_types": ["preferences"]}
    found = (await post(client, "query", ADA | asked))["preferences"][0]
    assert found["patterns"] == [
        {"pattern": "book.seat = aisle", "frequency": 6, "context": "shipment_creation"}
    ]
    assert (await post(client, "query", BOB | asked))["preferences"] == []


async def test_the_worker_learns_where_something_new_was_seen(service: Service) -> None:
    await service.observe_executions(CALLER, [shipped("t1", occurred_at=service.clock.now())])
    lease = await service.leases.acquire("worker", "test", 15)
    assert lease is not None
    job = LearnRegularly(service.learn, "patterns", pause=timedelta(minutes=1))
    now = service.clock.now()
    assert await job.step(now, lease) == 1
    assert await job.step(now, lease) == 0
    assert await job.step(now + timedelta(hours=2), lease) == 0
    await service.leases.release(lease)


async def test_the_client_and_the_tools_ask_the_same(service: Service) -> None:
    async with served(service) as url:

        def by_client() -> str:
            with Client(url, agent_id="anna") as knowing:
                knowing.observe_execution(
                    "t1", "success", query="List all open orders", steps=[{"tool": "list"}]
                )
                return knowing.query_memory("List all open orders").patterns[0].name

        assert await asyncio.to_thread(by_client) == "list_all_open_orders"
    who = Who(agent_id="anna")
    async with speaking(service, who) as model:
        names = await listed(model)
        assert "query_memory" not in names
        found = await call(
            model, "query_memory", query="List all open orders", memoryTypes=["patterns"]
        )
        assert found["patterns"][0]["name"] == "list_all_open_orders"
        stored = await call(
            model, "store_insight", insight="x is y", insightType="rule", appliesTo={"contexts": ["c"]},
            evidence=[{"taskId": "t1", "description": "d"}], confidence=0.9,
        )  # fmt: skip
        assert stored["confidence"] == pytest.approx(0.9)


async def test_a_query_is_found_under_its_general_pattern_and_an_error_with_what_fixed_it(
    client: httpx.AsyncClient,
) -> None:
    rooms = ("kitchen", "bedroom", "studio", "attic", "cellar")
    rows = [
        {
            "task_id": f"h{place}", "status": "success", "query": f"Warm the {rooms[place % 5]} to 2{place % 5} degrees",
            "steps": [
                {"tool": "set_heating", "parameters": {"unit": "F", "value": 70}, "status": "failed",
                 "error": f"valve V{place} knows no Fahrenheit"},
                {"tool": "set_heating", "parameters": {"unit": "C", "value": 21}},
            ],
        }
        for place in range(10)
    ]  # fmt: skip
    await post(client, "executions/batch", ANNA | {"executions": rows})
    await post(client, "learn", ANNA | {"job": "patterns"})
    asked = ANNA | {"pattern_type": "query_pattern", "pattern": "Warm the greenhouse to 9 degrees"}
    got = (await client.get(f"{PATH}/pattern", params=asked)).json()
    assert (got["name"], got["usage_count"]) == ("warm_*_to_*_degrees", 10)
    # What a general pattern counts, one that it does not fit leaves alone.
    more = [rows[0] | {"task_id": "h10", "query": "Warm the hall to 19 degrees"}, rows[0] | {"task_id": "h11", "query": "Close all of the blinds"}]  # fmt: skip
    for row in more:
        await post(client, "executions", ANNA | row)
    got = (await client.get(f"{PATH}/pattern", params=asked)).json()
    assert got["usage_count"] == 11
    error = {
        "pattern_type": "error_pattern",
        "pattern": "set_heating: valve * knows no fahrenheit",
    }
    got = (await client.get(f"{PATH}/pattern", params=ANNA | error)).json()
    fixed = ["set_heating with another unit, with another value"]
    assert got["pattern"]["solutions"] == fixed
    found = await post(client, "query", ANNA | {"query": "no Fahrenheit"})
    assert found["patterns"][0]["pattern"]["solutions"] == fixed
    known = {
        each["parameter"]: each["optimal_value"]
        for tool in found["tool_memory"]
        for each in tool["parameter_insights"]
    }
    assert known == {"unit": "C", "value": 21}


async def test_an_insight_is_validated_by_word_and_counted_where_it_was_used(
    client: httpx.AsyncClient,
) -> None:
    new = {"insight": "Never heat with an open window.", "confidence": 0.7}
    stored = await post(client, "insights", ANNA | new)
    assert (stored["validated"], stored["validated_by"]) == (False, "")
    said = {"insight_id": stored["insight_id"], "holds": True}
    for _ in range(2):
        measured = (await client.get(f"{PATH}/analytics", params=ANNA)).json()
        assert measured["insight_confidence"] == 0.0  # no evidence stands behind it yet
    held = await post(client, "insights/validation", ANNA | said | {"task_id": "t1"})
    measured = (await client.get(f"{PATH}/analytics", params=ANNA)).json()
    assert measured["insight_confidence"] == pytest.approx(0.8)
    assert (held["validated"], held["validated_by"], held["confidence"]) == (True, "agent", 0.8)
    assert [each["task_id"] for each in held["evidence"]] == ["t1"]
    await post(client, "learn", ANNA | {"job": "insights"})
    asked = ANNA | {"query": "heat with an open window", "memory_types": ["insights"]}
    [kept] = (await post(client, "query", asked))["insights"]
    assert (kept["validated"], kept["validated_by"]) == (True, "agent")
    run = {"task_id": "t2", "status": "success", "steps": [], "used": [stored["insight_id"]]}
    await post(client, "executions", ANNA | run)
    [used] = (await post(client, "query", asked))["insights"]
    assert (used["usage_count"], used["last_used"] is not None) == (1, True)
    for _ in range(3):
        await post(client, "insights/validation", ANNA | said | {"holds": False})
    lost = await post(client, "insights/validation", ANNA | said | {"holds": False})
    assert (lost["validated"], lost["validated_by"]) == (False, "")
    await post(client, "learn", ANNA | {"job": "insights"})
    assert (await post(client, "query", asked))["insights"] == []
    await post(client, "insights/validation", ANNA | said, 404)


async def test_corrections_of_wording_teach_about_each_wording_alone(
    client: httpx.AsyncClient,
) -> None:
    for before, after in (("in feet", "in metres"), ("Dear Sir", "Hello Ada")):
        await post(client, "corrections", ADA | {"original": before, "corrected": after})
    found = await post(client, "query", ADA | {"query": "x", "memory_types": ["preferences"]})
    assert found["preferences"][0]["preferences"]["parameter_defaults"] == {
        "wording of feet": "metres",
        "wording of Dear Sir": "Hello Ada",
    }
    assert {each["lesson"] for each in found["preferences"][0]["details"]} == {
        "wording: metres, never feet",
        "wording: Hello Ada, never Dear Sir",
    }


async def test_the_commands_read_and_store_what_the_routes_do(
    client: httpx.AsyncClient, service: Service
) -> None:
    await post(client, "executions", ANNA | shipment("t1"))

    def run(url: str) -> list[Any]:
        runner = CliRunner()
        who = ["--agent", "anna", "--url", url]
        applies = '{"contexts": ["shipments"]}'
        said = ["knowledge", "insight", "Ship with metric units.", "--insight-type", "warning",
                "--applies-to", applies, "--evidence", "t1=it was refused", "--confidence", "0.8"]  # fmt: skip
        stored = json.loads(runner.invoke(app, [*said, *who, "--json"]).output)
        asked = (
            ["pattern", "query_pattern", "Create a shipment for facility SGN", *who],
            ["pattern", "error_pattern", "create_shipment: units imperial are not supported", *who],
            ["query", "ship units", "--context", "shipments", "--memory-type", "insights", *who],
            ["validate", stored["insight_id"], "holds", *who],
        )
        return [stored, *(runner.invoke(app, ["knowledge", *each]).output for each in asked)]

    async with served(service) as url:
        stored, by_query, by_error, insights, validated = await asyncio.to_thread(run, url)
    assert stored["evidence"][0]["description"] == "it was refused"
    assert "create_*_for_facility_*  100% of 1" in by_query
    assert "create_shipment with another units" in by_error
    assert insights.startswith("insight  0.80  Ship with metric units.")
    assert "pattern" not in insights
    assert validated.split() == [stored["insight_id"], "0.87"]
