"""Advice over HTTP: what worked, what did not, and the preferences that concern the situation."""

from __future__ import annotations

from typing import Any

import httpx

from tests.doors.knowledge.test_knowledge import ADA, ANNA, post

QUERY = "Restore supply in zone Z2"


async def ran(client: httpx.AsyncClient, *runs: tuple[str, list[Any]], **fields: Any) -> None:
    rows = [
        {"task_id": f"t{i}", "status": status, "query": QUERY, "steps": steps} | fields
        for i, (status, steps) in enumerate(runs)
    ]
    await post(client, "executions/batch", ANNA | {"executions": rows})


async def advised(client: httpx.AsyncClient, who: dict[str, Any] = ANNA, **asked: Any) -> list[str]:
    body = who | {"query": QUERY} | asked
    return (await post(client, "advice", body))["text"].splitlines()


def calls(*tools: str) -> list[dict[str, Any]]:
    return [{"tool": tool} for tool in tools]


async def test_each_sequence_is_advised_with_its_own_counts(client: httpx.AsyncClient) -> None:
    worked, flushed = ("success", calls("read_scada", "open_valve")), ("failure", calls("flush"))
    await ran(client, *[flushed] * 9, worked)
    lines = await advised(client)
    assert lines[:2] == [
        "- For “restore_supply_in_zone_*” what worked: read_scada → open_valve "
        "(the same kind of query; 1 of 1 tasks succeeded)",
        "- For “restore_supply_in_zone_*” what seldom works: flush "
        "(the same kind of query; 0 of 9 tasks succeeded)",
    ]


async def test_a_remedy_is_not_cut_by_values_of_the_tool_that_failed(
    client: httpx.AsyncClient,
) -> None:
    failed = {"status": "failed", "error": "nobody is on duty"}
    night = {"crew": 2, "trade": "leak", "truck": "small", "depot": "east"}
    day = {"crew": 4, "trade": "excavation", "truck": "big", "depot": "west"}
    runs = [
        (
            "success",
            [{"tool": "dispatch_crew", "parameters": night} | failed, *calls("call_oncall")],
        )
    ] * 8
    await ran(client, *runs, *[("success", [{"tool": "dispatch_crew", "parameters": day}])] * 8)
    lines = await advised(client)
    assert any("what worked: call_oncall" in line and "duty" in line for line in lines)
    assert not any("dispatch_crew → call_oncall" in line for line in lines)


async def test_times_that_nobody_reported_are_unknown(client: httpx.AsyncClient) -> None:
    await ran(client, *[("success", calls("read_scada", "open_valve"))] * 2, context="night")
    found = await post(client, "query", ANNA | {"query": QUERY, "context": "night"})
    assert {each["success_metrics"]["avg_execution_time"] for each in found["patterns"]} == {None}
    tool = found["tool_memory"][0]
    names = ("avg_duration", "p50_duration", "p95_duration")
    assert [tool["performance"][name] for name in names] == [None] * 3
    assert tool["optimal_contexts"][0]["avg_duration"] is None


async def test_a_tool_that_never_worked_has_no_best_value_or_context(
    client: httpx.AsyncClient,
) -> None:
    call = {
        "tool": "open_valve",
        "parameters": {"mode": "remote"},
        "status": "failed",
        "error": "x",
    }
    await ran(client, *[("failure", [call])] * 4, context="night")
    found = await post(client, "query", ANNA | {"query": "open valve", "context": "night"})
    tool = found["tool_memory"][0]
    assert tool["parameter_insights"][0]["optimal_value"] is None
    assert tool["parameter_insights"][0]["failing_values"] == ["remote"]
    assert tool["optimal_contexts"] == []
