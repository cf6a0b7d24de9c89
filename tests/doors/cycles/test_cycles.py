"""Cycles over HTTP: phases, steps, modes, repair, and the memory that each phase gets."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest

from service.bootstrap import Service
from tests.conftest import Recalls, Remembers, Run
from tests.doors.rules_by_domain import GOALS, RULES
from tests.swapping import app_for, swapped

WHO = {"agent_id": "anna"}
GOAL = "Book a train from Turin to Milan for Ada"
WRONG = {"checker": "arithmetic", "given": {"text": "She pays 3 * 4 = 13."}}
RIGHT = {"checker": "arithmetic", "given": {"text": "She pays 3 * 4 = 12."}}


async def post(client: httpx.AsyncClient, path: str, **body: Any) -> dict[str, Any]:
    answer = await client.post(f"/v1/{path}", json={**WHO, **body})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def opened(client: httpx.AsyncClient, name: str = "c1", goal: str = GOAL) -> None:
    await post(client, "cycles", goal=goal, cycle_id=name)


async def test_a_cycle_goes_through_its_phases(
    client: httpx.AsyncClient, remember: Remembers, recall: Recalls, anna: Any
) -> None:
    fact = await remember(anna, "Trains from Turin to Milan leave at ten past the hour.")
    note = await remember(anna, "Ada asked for a train from Turin to Milan.", stratum="working")
    await recall(anna, GOAL, expect=2)
    cycle = await post(client, "cycles", goal=GOAL, cycle_id="c1")
    assert (cycle["state"], cycle["mode"], cycle["phase"], cycle["new"]) == (
        "open",
        "solver",
        None,
        True,
    )
    seen = await post(client, "cycles/c1/phases", phase="observe", key="o")
    assert [one["uid"] for one in seen["memories"]] == [note]
    assert (seen["writes"], seen["reads"], seen["reads_second"]) == (
        "working", ["working", "short_term"], ["episodic"],
    )  # fmt: skip
    planned = await post(client, "cycles/c1/phases", phase="planning", key="p")
    assert [one["uid"] for one in planned["memories"]] == [fact]
    step = await post(
        client, "cycles/c1/steps", step_id="s", text="Take the train at ten past nine.",
        used=[fact], calls=[{"tool": "timetable", "status": "success", "result": "09:10"}],
    )  # fmt: skip
    assert (step["outcome"], step["mode"], step["phase"]) == ("success", "solver", "planning")
    assert step["parts"]["tools"] > 0.5
    done = await post(client, "cycles/c1/complete", status="success", answer="09:10")
    assert (done["state"], done["reward"], done["rewarded"]) == ("completed", 1.0, 1)
    story = (await client.get("/v1/cycles/c1", params=WHO)).json()
    assert [visit["given"] for visit in story["visits"]] == [{note: False}, {fact: True}]
    noted = (await client.get(f"/v1/memories/{step['note_uid']}", params=WHO)).json()
    assert (noted["stratum"], noted["text"]) == ("short_term", "Take the train at ten past nine.")
    kept = (await client.get(f"/v1/episodes/{done['episode_uid']}", params=WHO)).json()["episode"]
    assert kept["output"]["correct"] is True
    assert kept["input"]["problem"] == GOAL


async def test_what_is_sent_twice_counts_once(client: httpx.AsyncClient) -> None:
    first = await post(client, "cycles", goal=GOAL, cycle_id="c1")
    again = await post(client, "cycles", goal=GOAL, cycle_id="c1")
    assert (first["uid"], again["new"]) == (again["uid"], False)
    other = await client.post("/v1/cycles", json={**WHO, "goal": "Another", "cycle_id": "c1"})
    assert other.status_code == 409
    for new in (True, False):
        visit = await post(client, "cycles/c1/phases", phase="act", key="a")
        assert (visit["new"], visit["position"]) == (new, 1)
    for new in (True, False):
        step = await post(client, "cycles/c1/steps", step_id="s", checks=[WRONG])
        assert (step["new"], step["position"], step["cycle"]["failures"]) == (new, 2, 1)
    for new in (True, False):
        done = await post(client, "cycles/c1/complete", status="failure")
        assert done["new"] is new
    changed = await client.post("/v1/cycles/c1/complete", json={**WHO, "status": "success"})
    assert changed.status_code == 409
    late = await client.post("/v1/cycles/c1/phases", json={**WHO, "phase": "act"})
    assert late.status_code == 409


async def test_failures_lead_to_the_verifier_and_to_repair_and_a_success_back(
    client: httpx.AsyncClient,
) -> None:
    await opened(client)
    await post(client, "cycles/c1/phases", phase="action")
    modes = [
        (await post(client, "cycles/c1/steps", checks=[check]))["mode"]
        for check in (WRONG, WRONG, RIGHT, WRONG)
    ]
    assert modes == ["verifier", "repair", "solver", "verifier"]
    cycle = (await client.get("/v1/cycles/c1", params=WHO)).json()
    assert (cycle["failures"], cycle["repairs"]) == (1, 1)


async def test_what_no_checker_decides_is_no_success(client: httpx.AsyncClient) -> None:
    await opened(client)
    await post(client, "cycles/c1/phases", phase="action")
    vague = {"checker": "arithmetic", "given": {"text": "It costs a lot."}}
    step = await post(client, "cycles/c1/steps", checks=[vague])
    assert step["findings"][0]["verdict"] == "undecided"
    assert (step["outcome"], step["mode"]) == ("undecided", "verifier")


async def test_an_answer_fails_where_those_who_are_mostly_right_give_another(
    client: httpx.AsyncClient,
) -> None:
    await opened(client)
    await post(client, "cycles/c1/phases", phase="action")
    given = {"text": "A: 17", "others": ["A: 18", "A: 18", "A: 12"]}
    trusting = {"checker": "consistency", "given": given}
    knowing = {"checker": "consistency", "given": {**given, "accuracies": [0.2, 0.6, 0.4, 0.3]}}
    step = await post(client, "cycles/c1/steps", checks=[trusting, knowing])
    assert [each["verdict"] for each in step["findings"]] == ["undecided", "failed"]
    assert (step["outcome"], step["mode"]) == ("failure", "verifier")


@pytest.mark.parametrize(
    ("phase", "surprises", "steer", "due"),
    [
        ("observation", [0.9], "RE_OBSERVE", 3),
        ("observation", [0.7], "RE_OBSERVE", 1),
        ("action", [0.65], "RECONSIDER_PLAN", 0),
        ("planning", [0.6], "RECONSIDER_PLAN", 0),
        ("reasoning", [0.65], "INJECT_CONTEXT", 0),
        ("reasoning", [0.5, 0.6], "EXTEND_REASONING", 0),
        ("reasoning", [0.1, 0.5], "INJECT_CONTEXT", 0),
        ("action", [0.39], "NO_ACTION", 0),
    ],
)  # fmt: skip
async def test_a_surprise_steers(
    client: httpx.AsyncClient, phase: str, surprises: list[float], steer: str, due: int
) -> None:
    await opened(client)
    await post(client, "cycles/c1/phases", phase=phase)
    step: dict[str, Any] = {}
    for score in surprises:
        step = await post(client, "cycles/c1/steps", surprise=score)
    assert step["advice"]["steer"] == steer
    assert step["cycle"]["observations_due"] == due
    seen = await post(client, "cycles/c1/phases", phase="observation")
    assert seen["cycle"]["observations_due"] == max(0, due - 1)


async def test_what_is_told_beside_what_was_expected_is_measured(client: httpx.AsyncClient) -> None:
    await opened(client)
    await post(client, "cycles/c1/phases", phase="action")
    step = await post(
        client, "cycles/c1/steps", step_id="s", expected={"status": "success", "seconds": 10},
        actual={"status": "failed", "seconds": 500},
    )  # fmt: skip
    assert step["advice"]["score"] > 0.7
    assert step["advice"]["steer"] == "RE_OBSERVE"


async def test_context_that_a_surprise_asks_for_comes_with_the_next_phase(
    client: httpx.AsyncClient, remember: Remembers, recall: Recalls, anna: Any
) -> None:
    texts = [f"Turin to Milan: platform {n}" for n in range(4)]
    for text in texts:
        await remember(anna, text, stratum="episodic")
    fact = await remember(anna, "Turin to Milan takes an hour.", stratum="semantic")
    await recall(anna, "Turin to Milan", expect=5)
    await opened(client, goal="Turin to Milan")
    first = await post(client, "cycles/c1/phases", phase="reasoning", k=4)
    assert {one["order"] for one in first["memories"]} == {"primary"}
    await post(client, "cycles/c1/steps", surprise=0.5)
    more = await post(client, "cycles/c1/phases", phase="reasoning", k=4)
    assert [one["uid"] for one in more["memories"] if one["order"] == "secondary"] == [fact]


async def test_a_tenant_sets_which_strata_a_phase_reads(
    client: httpx.AsyncClient, remember: Remembers, recall: Recalls, anna: Any
) -> None:
    fact = await remember(anna, "Turin to Milan takes an hour.", stratum="semantic")
    await recall(anna, "Turin to Milan", expect=1)
    bad = await client.patch("/v1/strata/config", json={**WHO, "cycle_action_reads": "attic"})
    assert bad.status_code == 422
    try:
        await client.patch(
            "/v1/strata/config",
            json={
                **WHO,
                "cycle_action_reads": "semantic | working",
                "cycle_action_writes": "episodic",
            },
        )
        await opened(client, goal="Turin to Milan")
        entered = await post(client, "cycles/c1/phases", phase="action")
        assert (entered["reads"], entered["writes"]) == (["semantic"], "episodic")
        assert [one["uid"] for one in entered["memories"]] == [fact]
    finally:
        await client.request("DELETE", "/v1/strata/config", params=WHO)


async def test_cycles_can_be_switched_off(client: httpx.AsyncClient) -> None:
    try:
        await client.patch("/v1/strata/config", json={**WHO, "cycles": False})
        answer = await client.post("/v1/cycles", json={**WHO, "goal": GOAL})
        assert answer.status_code == 409
        assert "switched off" in answer.json()["detail"]
    finally:
        await client.request("DELETE", "/v1/strata/config", params=WHO)


async def test_nobody_else_reads_or_goes_on_with_a_cycle(client: httpx.AsyncClient) -> None:
    await opened(client)
    bert = {"agent_id": "bert"}
    uid = (await client.get("/v1/cycles/c1", params=WHO)).json()["uid"]
    for name in ("c1", uid):
        assert (await client.get(f"/v1/cycles/{name}", params=bert)).status_code == 404
        for path in ("phases", "steps", "complete", "abandon", "patches"):
            body = {**bert, **({"phase": "act"} if path == "phases" else {})}
            body |= {"status": "success"} if path == "complete" else {}
            assert (await client.post(f"/v1/cycles/{name}/{path}", json=body)).status_code == 404
    assert (await client.get("/v1/cycles", params=bert)).json() == {"cycles": []}


async def test_an_agent_has_several_cycles_at_once(client: httpx.AsyncClient) -> None:
    for name in ("c1", "c2", "c3"):
        await opened(client, name)
    await post(client, "cycles/c2/abandon")
    await post(client, "cycles/c2/abandon")
    listed = (await client.get("/v1/cycles", params={**WHO, "state": "open"})).json()["cycles"]
    assert [one["cycle_id"] for one in listed] == ["c3", "c1"]
    first = (await client.get("/v1/cycles", params={**WHO, "limit": 1})).json()["cycles"]
    assert [one["cycle_id"] for one in first] == ["c3"]


async def test_a_patch_without_evidence_says_what_is_missing(client: httpx.AsyncClient) -> None:
    await opened(client)
    nothing = await client.post("/v1/cycles/c1/patches", json=WHO)
    assert nothing.status_code == 409
    await post(client, "cycles/c1/phases", phase="action")
    await post(client, "cycles/c1/steps", checks=[WRONG])
    patch = await post(client, "cycles/c1/patches")
    assert (patch["state"], patch["correction"], patch["evidence"]) == ("incomplete", "", [])
    assert patch["problem"].endswith("3 * 4 is 12, not 13")
    assert len(patch["missing"]) == 2
    refused = await client.post(f"/v1/patches/{patch['uid']}/apply", json=WHO)
    assert refused.status_code == 409


async def test_a_repair_is_made_of_a_right_attempt_and_becomes_a_memory(
    client: httpx.AsyncClient,
) -> None:
    goal = "A pen costs 3 dollars. How much do 4 pens cost?"
    await opened(client, "good", goal)
    await post(client, "cycles/good/phases", phase="action")
    await post(
        client, "cycles/good/steps", checks=[RIGHT],
        calls=[{"tool": "calculate", "status": "success", "arguments": "3*4", "result": "12"}],
    )  # fmt: skip
    await post(client, "cycles/good/complete", status="success", answer="12")

    for _ in range(100):
        if (await post(client, "episodes/retrieve", query=goal))["results"]:
            break
        await asyncio.sleep(0.05)
    await opened(client, "bad", goal)
    await post(client, "cycles/bad/phases", phase="action")
    await post(client, "cycles/bad/steps", checks=[WRONG])
    patch = await post(client, "cycles/bad/patches")
    assert (patch["state"], patch["answers"]) == ("proposed", ["12"])
    assert [one["kind"] for one in patch["evidence"]] == ["repaired"]
    assert (await post(client, "cycles/bad/patches"))["uid"] == patch["uid"]
    early = await client.post(f"/v1/patches/{patch['uid']}/verify", json={**WHO, "checks": [RIGHT]})
    assert early.status_code == 409
    for _ in range(2):
        applied = await post(client, f"patches/{patch['uid']}/apply")
        assert applied["state"] == "applied"
    vague = {"checker": "arithmetic", "given": {"text": "It costs a lot."}}
    held = await post(client, f"patches/{patch['uid']}/verify", checks=[vague])
    assert held["state"] == "applied"
    done = await post(client, f"patches/{patch['uid']}/verify", checks=[RIGHT])
    assert done["state"] == "verified"
    assert await post(client, f"patches/{patch['uid']}/verify", checks=[RIGHT]) == done
    memory = (await client.get(f"/v1/memories/{done['memory_uid']}", params=WHO)).json()
    assert (memory["stratum"], memory["kind"]) == ("long_term", "pattern")
    assert set(memory["tags"]) == {"self-repair", "learning"}
    cycle = (await client.get("/v1/cycles/bad", params=WHO)).json()
    assert (cycle["mode"], cycle["failures"]) == ("solver", 0)
    proof = (await client.get(f"/v1/memories/{patch['evidence'][0]['uid']}", params=WHO)).json()
    assert proof["q_value"] > 0.5


async def test_the_outer_loop_reports_moves_and_takes_back(
    client: httpx.AsyncClient, remember: Remembers, cypher: Run, anna: Any
) -> None:
    proven = await remember(anna, "Trains leave at ten past.", stratum="working")
    failing = await remember(anna, "Trains leave at noon.")
    cypher(
        "MATCH (m:Memory {uid: $uid}) SET m.q_value = 0.9, m.success_count = 4, m.q_count = 4",
        uid=proven,
    )
    cypher(
        "MATCH (m:Memory {uid: $uid}) SET m.q_value = 0.1, m.failure_count = 6, m.q_count = 6",
        uid=failing,
    )
    for number in range(12):
        await opened(client, f"c{number}", f"goal {number}")
        await post(client, f"cycles/c{number}/phases", phase="action")
        good = number % 3 > 0
        call = {"tool": "timetable", "status": "success" if good else "failure"}
        await post(client, f"cycles/c{number}/steps", calls=[call])
        await post(client, f"cycles/c{number}/complete", status="success" if good else "failure")
    cypher(
        "MATCH (m:Memory) WHERE m.uid IN $uids MATCH (:Cycle {status: 'success'})-[:HAS_PHASE]->(p) "
        "CREATE (p)-[:GAVE {rank: 1, score: 1.0, order: 'primary', used: true}]->(m)",
        uids=[proven, failing],
    )
    tried = await post(client, "loops")
    assert tried["dry_run"]
    assert (await client.get("/v1/loops", params=WHO)).json() == {"loops": []}
    done = await post(client, "loops", dry_run=False)
    assert {move["uid"]: move["rule"] for move in done["moves"]} == {
        proven: "promote",
        failing: "failing",
    }
    report = done["report"]
    assert (report["cycles"], report["by_status"]) == (12, {"success": 8, "failure": 4})
    assert report["by_tool"] == {"timetable": {"calls": 12, "success": 0.6667}}
    assert report["across_strata"] == [
        {
            "one": "long_term",
            "other": "working",
            "pairs": 1,
            "linked": 0,
            "together": 8,
            "succeeded": 8,
        }
    ]
    assert report["confidence"]["brier"] < report["confidence"]["brier_base_rate"]
    moved = (await client.get(f"/v1/memories/{proven}", params=WHO)).json()
    gone = (await client.get(f"/v1/memories/{failing}", params=WHO)).json()
    assert (moved["stratum"], gone["state"]) == ("long_term", "archived")
    back = await post(client, f"loops/{done['uid']}/undo")
    assert back["state"] == "undone"
    moved = (await client.get(f"/v1/memories/{proven}", params=WHO)).json()
    gone = (await client.get(f"/v1/memories/{failing}", params=WHO)).json()
    assert (moved["stratum"], gone["state"]) == ("working", "active")
    other = await client.post(f"/v1/loops/{done['uid']}/undo", json={"agent_id": "bert"})
    assert other.status_code == 404


async def test_a_tool_that_failed_is_to_be_called_again(client: httpx.AsyncClient) -> None:
    await opened(client)
    await post(client, "cycles/c1/phases", phase="action")
    failed = {"tool": "psql", "status": "failure", "result": "lock timeout"}
    await post(client, "cycles/c1/steps", calls=[failed])
    patch = await post(client, "cycles/c1/patches")
    assert patch["problem"] == "psql failed (step 2, action): lock timeout"
    assert patch["plan"] == [{"checker": "json_schema", "given": {"schema": {"const": "success"}}}]


SHIP = "Create a shipment for facility HAN"
REFUSED = {
    "tool": "create_shipment", "status": "failure", "result": "units imperial are not supported",
    "arguments": {"facility": "HAN", "units": "imperial"},
}  # fmt: skip
METRIC = {
    "tool": "create_shipment", "status": "success", "result": "shipment 7", "latency_ms": 90.0,
    "arguments": {"facility": "HAN", "units": "metric"},
}  # fmt: skip


async def shipped(client: httpx.AsyncClient, task: str, agent: str = "anna") -> None:
    steps = [
        {"tool": call["tool"], "parameters": call["arguments"], "status": status, "error": error}
        for call, status, error in (
            (REFUSED, "failed", REFUSED["result"]),
            (METRIC, "completed", ""),
        )
    ]
    await post(
        client, "knowledge/executions", agent_id=agent, task_id=task, status="success", query=SHIP,
        steps=steps,
    )  # fmt: skip


async def test_a_patch_of_a_failed_call_quotes_what_fixed_its_error_before(
    client: httpx.AsyncClient,
) -> None:
    for number in range(3):
        await shipped(client, f"ticket-{number}")
    await shipped(client, "elsewhere", agent="bert")
    await opened(client, goal="Send lamps to Hanoi")
    await post(client, "cycles/c1/phases", phase="action")
    await post(client, "cycles/c1/steps", calls=[REFUSED])
    patch = await post(client, "cycles/c1/patches")
    assert patch["state"] == "proposed"
    worked = "What worked after this error before: create_shipment with another units."
    assert patch["correction"] == worked
    [proof] = patch["evidence"]
    assert (proof["kind"], proof["weight"]) == ("tool_error", 1.0)
    assert proof["uid"] == "create_shipment: units imperial are not supported"
    assert proof["text"] == (
        f"{worked}\n“units imperial are not supported” of create_shipment: 3 of 3 times, "
        "last in ticket-2, ticket-1, ticket-0"
    )
    again = (await client.get(f"/v1/patches/{patch['uid']}", params=WHO)).json()
    assert again["evidence"] == patch["evidence"]
    await post(client, f"patches/{patch['uid']}/apply")
    plan = [{**patch["plan"][0], "given": {**patch["plan"][0]["given"], "value": "success"}}]
    done = await post(client, f"patches/{patch['uid']}/verify", checks=plan)
    assert (done["state"], len(done["evidence"])) == ("verified", 1)
    memory = (await client.get(f"/v1/memories/{done['memory_uid']}", params=WHO)).json()
    assert memory["text"].endswith(worked)


async def test_what_is_known_of_another_error_or_tool_is_not_quoted(
    client: httpx.AsyncClient,
) -> None:
    await shipped(client, "ticket-1")
    await opened(client, goal="Send lamps to Hanoi")
    await post(client, "cycles/c1/phases", phase="action")
    for call in ({**REFUSED, "result": "no stock left"}, {**REFUSED, "tool": "create_label"}):
        await post(client, "cycles/c1/steps", calls=[call])
        patch = await post(client, "cycles/c1/patches")
        assert (patch["state"], patch["evidence"]) == ("incomplete", [])


async def test_a_patch_goes_with_whom_its_evidence_came_from(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    ada = {**WHO, "user_ids": ["ada"]}
    row = {"task_id": "t", "status": "success", "steps": [
        {"tool": "order", "status": "failed", "error": "no quixotic room"},
        {"tool": "order", "parameters": {"room": "plain"}}]}  # fmt: skip
    await post(client, "knowledge/executions", **(ada | row))
    await opened(client, goal="Order a room")
    await post(client, "cycles/c1/phases", phase="action")
    failed = {"tool": "order", "status": "failure", "result": "no quiet room"}
    await post(client, "cycles/c1/steps", calls=[failed])
    patch = await post(client, "cycles/c1/patches")
    assert "quixotic" in patch["evidence"][0]["text"]
    assert "quixotic" not in patch["correction"]
    erase = replace(service.erase, most=timedelta(minutes=5))
    transport = httpx.ASGITransport(app=app_for(swapped(service, erase=erase)))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as patient:
        gone = await patient.delete("/v1/users/ada")
    assert gone.status_code == 200, gone.text
    assert cypher("MATCH (p:Patch) RETURN p.uid AS uid") == []


async def test_the_calls_of_a_completed_cycle_are_one_execution(client: httpx.AsyncClient) -> None:
    await opened(client, goal=SHIP)
    await post(client, "cycles/c1/phases", phase="action")
    await post(client, "cycles/c1/steps", step_id="s1", calls=[REFUSED])
    await post(client, "cycles/c1/steps", step_id="s2", calls=[METRIC])
    asked = {"query": SHIP, "memory_types": ["tool_memory", "patterns"]}
    assert (await post(client, "knowledge/query", **asked))["tool_memory"] == []
    for _ in range(2):
        await post(client, "cycles/c1/complete", status="success", answer="shipment 7")
    found = await post(client, "knowledge/query", **asked)
    [tool] = found["tool_memory"]
    assert (tool["tool_name"], tool["performance"]["total_executions"]) == ("create_shipment", 2)
    assert tool["common_errors"][0]["solutions"] == ["create_shipment with another units"]
    uid = (await client.get("/v1/cycles/c1", params=WHO)).json()["uid"]
    steps = [{"tool": "create_shipment"}]
    row = {"task_id": f"cycle:{uid}", "status": "success", "steps": steps}
    assert (await post(client, "knowledge/executions", **row))["status"] == "known"


async def test_a_cycle_learns_from_the_one_before(client: httpx.AsyncClient) -> None:
    await opened(client, "c1", "Send a lamp")
    await post(client, "cycles/c1/phases", phase="action")
    await post(client, "cycles/c1/steps", calls=[REFUSED])
    await post(client, "cycles/c1/steps", calls=[METRIC])
    uid = (await post(client, "cycles/c1/complete", status="success"))["uid"]
    await opened(client, "c2", "Ship chairs to another town")
    await post(client, "cycles/c2/phases", phase="action")
    await post(client, "cycles/c2/steps", calls=[REFUSED])
    patch = await post(client, "cycles/c2/patches")
    told = [one for one in patch["evidence"] if one["kind"] == "tool_error"]
    assert f"cycle:{uid}" in told[0]["text"]


async def test_rules_are_given_in_planning_and_reasoning_by_a_lower_floor(
    client: httpx.AsyncClient, remember: Remembers, recall: Recalls, anna: Any
) -> None:
    every = [rule for rules in RULES.values() for rule in rules]
    for place, rule in enumerate(every):
        await remember(anna, rule, stratum=("long_term", "semantic")[place % 2])
    await recall(anna, every[-1], expect=1)
    await recall(anna, every[0], expect=1)
    given: dict[str, int] = {}
    await client.patch("/v1/utility/config", json={**WHO, "min_relevance": 0.5})
    try:
        for name, floor in (("lower", 0.4), ("usual", 0.5)):
            body = {**WHO, "cycle_rules_relevance": floor}
            await client.patch("/v1/strata/config", json=body)
            for phase in ("planning", "reasoning"):
                given[f"{name} {phase}"] = 0
                for number, (goal, rule) in enumerate(GOALS):
                    cycle = f"{name}-{phase}-{number}"
                    await opened(client, cycle, goal)
                    seen = await post(client, f"cycles/{cycle}/phases", phase=phase)
                    texts = [one["text"] for one in seen["memories"]]
                    assert len(set(texts)) == len(texts) <= 5
                    given[f"{name} {phase}"] += rule in texts
    finally:
        for kind in ("strata", "utility"):
            await client.request("DELETE", f"/v1/{kind}/config", params=WHO)
    assert given["lower planning"] >= max(15, given["usual planning"] + 3), given
    assert given["lower reasoning"] >= max(15, given["usual reasoning"] + 3), given
