"""Collecting over HTTP."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from service.bootstrap import Service
from service.mcp.inputs import Who
from tests.conftest import Run
from tests.doors.mcp.test_mcp import speaking
from tests.doors.tools import call, refused


def attempt(name: str, **output: Any) -> dict[str, Any]:
    return {
        "text": "What is 2 + 2?",
        "kind": "episode",
        "external_id": name,
        "correct": False,
        "structured": {
            "episode_id": name,
            "input": {"problem": "What is 2 + 2?", "problem_id": "p"},
            "trace": [{"action": "2 + 2"}],
            "output": {"answer": "5", "correct": False, "confidence": 0.1, **output},
        },
    }


async def fill(client: httpx.AsyncClient, cypher: Run) -> None:
    rows = [attempt("a"), attempt("b", confidence=0.9), attempt("c", confidence=0.9)]
    answer = await client.post("/v1/memories", json={"agent_id": "anna", "memories": rows})
    assert answer.json()["counts"]["created"] == 3, answer.text
    cypher("MATCH (m:Memory) SET m.recorded_at = m.recorded_at - duration('P10D')")


async def test_a_try_tells_what_would_go_and_a_run_can_be_undone(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await fill(client, cypher)
    tried = (await client.post("/v1/gc", json={"agent_id": "anna"})).json()
    assert (tried["dry_run"], tried["total"], tried["run"]) == (True, 2, None)
    assert tried["counts"] == {"duplicate": 1, "low_confidence": 1}
    by_reason = {item["reason"]: item for item in tried["items"]}
    assert by_reason["duplicate"]["kept"] in by_reason["duplicate"]["why"]
    assert "0.1" in by_reason["low_confidence"]["why"]

    done = (await client.post("/v1/gc", json={"agent_id": "anna", "dry_run": False})).json()
    run = done["run"]
    assert (run["state"], run["collected"], run["by"]) == ("done", 2, "hand")
    listed = (await client.get("/v1/gc", params={"agent_id": "anna"})).json()
    assert listed["items"] == [run]
    assert (await client.get("/v1/gc", params={"agent_id": "bert"})).json() == {"items": []}
    shown = (await client.get(f"/v1/gc/{run['run']}", params={"agent_id": "anna"})).json()
    assert {item["uid"] for item in shown["items"]} == {item["uid"] for item in tried["items"]}
    cypher("MATCH (r:Run {uid: $uid}) SET r.state = 'erased'", uid=run["run"])
    [listed] = (await client.get("/v1/gc", params={"agent_id": "anna"})).json()["items"]
    assert listed["state"] == "erased"  # by an erasure
    cypher("MATCH (r:Run {uid: $uid}) SET r.state = 'done'", uid=run["run"])
    gone = await client.get(f"/v1/memories/{shown['items'][0]['uid']}", params={"agent_id": "anna"})
    assert gone.status_code == 404

    place = f"/v1/gc/{run['run']}/undo"
    assert (await client.post(place, json={"agent_id": "bert"})).status_code == 404
    back = (await client.post(place, json={"agent_id": "anna"})).json()
    assert (back["state"], back["restored"]) == ("undone", 2)


async def test_an_undo_over_a_change_is_a_conflict_that_says_what_to_do(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await fill(client, cypher)
    done = (await client.post("/v1/gc", json={"agent_id": "anna", "dry_run": False})).json()
    changed = {**attempt("a"), "agent_id": "anna", "importance": 4}
    assert (await client.post("/v1/memories", json=changed)).json()["status"] == "updated"
    place = f"/v1/gc/{done['run']['run']}/undo"
    refused = await client.post(place, json={"agent_id": "anna"})
    assert refused.status_code == 409
    assert "skip_changed" in refused.json()["detail"]
    rest = await client.post(place, json={"agent_id": "anna", "skip_changed": True})
    assert rest.json()["restored"] == 1


async def test_the_tools_look_collect_and_undo(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await fill(client, cypher)
    async with speaking(service, Who(agent_id="anna")) as tools:
        tried = await call(tools, "collect_episodes")
        assert tried == (await client.post("/v1/gc", json={"agent_id": "anna"})).json()
        assert (tried["dry_run"], tried["total"], tried["run"]) == (True, 2, None)
        done = await call(tools, "collect_episodes", dryRun=False, limit=1, scopeKind="agent")
        assert (done["total"], len(done["items"])) == (2, 1)
        run = done["run"]["run"]
        assert "no such run" in await refused(tools, "undo_collection", run=run, agentId="bert")
        changed = {**attempt("a"), "agent_id": "anna", "importance": 4}
        await client.post("/v1/memories", json=changed)
        assert "skip_changed" in await refused(tools, "undo_collection", run=run)
        back = await call(tools, "undo_collection", run=run, skipChanged=True)
        assert (back["state"], back["restored"]) == ("undone", 1)
        assert "limit" in await refused(tools, "collect_episodes", limit=1001)


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/v1/gc", {}, 422),
        ("POST", "/v1/gc", {"agent_id": "anna", "limit": 1001}, 422),
        ("POST", "/v1/gc", {"agent_id": "anna", "dryrun": False}, 422),
        ("POST", "/v1/gc/none/undo", {"agent_id": "anna"}, 404),
        ("GET", "/v1/gc/none?agent_id=anna", None, 404),
        ("GET", "/v1/gc?agent_id=anna&limit=0", None, 422),
    ],
)
async def test_what_cannot_be_asked_is_refused(
    client: httpx.AsyncClient, method: str, path: str, body: object, status: int
) -> None:
    assert (await client.request(method, path, json=body)).status_code == status
