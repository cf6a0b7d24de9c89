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


async def prefer(client: httpx.AsyncClient, name: str, value: Any, **fields: Any) -> None:
    stated = {"kind": "parameter", "name": name, "value": value} | fields
    await post(client, "preferences", ADA | stated)


async def test_preferences_of_other_tools_and_contexts_are_no_advice(
    client: httpx.AsyncClient,
) -> None:
    who = {"agent_id": "anna", "user_id": "ada"}
    runs = [("success", [{"tool": "open_valve", "parameters": {"turns": 8}}])] * 3
    await ran(client, *runs)
    for name, value in (("print_invoice.tray", "B"), ("fleet.car", "electric"), ("units", "bar")):
        await prefer(client, name, value)
    await prefer(client, "send_letter", -1, kind="tool")
    await prefer(client, "turns", 12)
    await prefer(client, "open_valve.mode", "slow")
    await prefer(client, "supply", "full", context="billing")
    lines = await advised(client, who, context="night")
    said = [line.partition(" (")[0] for line in lines]
    works = "- For “restore_supply_in_zone_*” what worked: open_valve"
    assert set(said) == {"- turns: 12", "- open_valve.mode: slow", works, "- units: bar"}
    assert said.index(works) < said.index("- units: bar")
    given = await advised(client, who, tools=["send_letter"])
    assert any(line.startswith("- avoid send_letter") for line in given)
    assert not any("open_valve.mode" in line for line in given)
    assert any("supply: full" in line for line in await advised(client, who, context="billing"))


async def test_the_preference_that_holds_is_shown_alone(client: httpx.AsyncClient) -> None:
    who = {"agent_id": "anna", "user_id": "ada"}
    call = {"tool": "notify", "parameters": {"channel": "sms"}}
    rows = [
        {
            "task_id": f"h{i}",
            "status": "success",
            "query": "Announce",
            "context": "off",
            "steps": [call],
        }
        for i in range(6)
    ]
    await post(client, "executions/batch", who | {"executions": rows})
    await post(client, "learn", {"agent_id": "anna", "job": "insights"})
    asked = who | {"query": "announce", "context": "off", "memory_types": ["preferences"]}

    async def held(**fields: Any) -> Any:
        [found] = (await post(client, "query", asked | fields))["preferences"]
        return found["preferences"]["parameter_defaults"]

    assert await held() == {"notify.channel [off]": "sms"}
    await prefer(client, "notify.channel", "letter")
    assert await held() == {"notify.channel": "letter"}
    await prefer(client, "notify.channel", "phone", session_id="s1")
    assert await held() == {"notify.channel": "letter"}
    assert await held(session_id="s1") == {"notify.channel": "phone"}
    await prefer(client, "notify.channel", "mail", context="off")
    assert await held() == {"notify.channel [off]": "mail"}
    assert await held(context="") == {"notify.channel": "letter", "notify.channel [off]": "mail"}
