"""Consolidation over HTTP, by the clients, the command line and the tools; and by the worker."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import httpx
import pytest

from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from service.bootstrap import Service
from service.mcp.inputs import Who
from service.use_cases.consolidation.tend_strata import TendStrata
from tests.conftest import Run
from tests.doors.mcp.test_mcp import speaking
from tests.doors.tools import call, refused

pytestmark = pytest.mark.usefixtures("in_pairs")

PATH = "/v1/consolidations"
ANNA = {"agent_id": "anna"}
ANNA_CALLER = Caller("local", agent_id="anna")
TURNS = [
    "Hello! I sold the old boat for 4,300 euros to a man from Porto.",
    "He did not ask for the papers, and he came back in May.",
    "The new boat is not here yet; it comes from Vigo.",
    "I wait for it since 12 April, and I never wait well. The harbour looks so pretty these days. Thanks!",
]


async def fill(client: httpx.AsyncClient) -> list[str]:
    rows = [{"text": text, "session_id": "s", "stratum": "episodic"} for text in TURNS]
    answer = await client.post("/v1/memories", json=ANNA | {"memories": rows})
    return [item["uid"] for item in answer.json()["results"]]


async def test_a_try_a_run_and_its_undo(client: httpx.AsyncClient) -> None:
    uids = await fill(client)
    asked = ANNA | {"everything": True}
    tried = (await client.post(PATH, json=asked)).json()
    assert (tried["dry_run"], tried["total"], tried["sources"], tried["run"]) == (True, 2, 4, None)
    assert [uid for item in tried["items"] for uid in item["sources"]] == uids
    done = (await client.post(PATH, json=asked | {"dry_run": False})).json()
    run = done["run"]
    assert (run["state"], run["by"], run["scope"]) == ("done", "hand", "agent/anna")
    assert (run["counts"]["condensed"], run["counts"]["sources"]) == (2, 4)
    assert run["counts"]["chars_after"] < run["counts"]["chars_before"]
    assert (tried["reason"], done["reason"]) == (None, None)
    assert {item["state"] for item in done["items"]} == {"condensed"}
    assert sum(item["chars_after"] for item in done["items"]) == run["counts"]["chars_after"]
    for before, after in zip(tried["items"], done["items"], strict=True):
        assert before["chars_after"] == after["chars_after"]
        made = await client.get(f"/v1/memories/{after['condensed']}", params=ANNA)
        assert before["text"] == made.json()["text"]
        assert after["text"] is None

    assert (await client.get(PATH, params=ANNA)).json()["items"] == [run]
    assert (await client.get(PATH, params={"agent_id": "bert"})).json() == {"items": []}
    shown = (await client.get(f"{PATH}/{run['run']}", params=ANNA)).json()
    assert {item["state"] for item in shown["items"]} == {"condensed"}
    listed = (await client.get("/v1/memories", params=ANNA | {"session_id": "s"})).json()["items"]
    assert {item["uid"] for item in listed} == {item["condensed"] for item in shown["items"]}
    assert {item["stratum"] for item in listed} == {"long_term"}
    found = (await client.post("/v1/recall", json=ANNA | {"text": "Who bought the boat?"})).json()
    assert "Porto" in found["results"][0]["text"]

    undo = f"{PATH}/{run['run']}/undo"
    assert (await client.post(undo, json={"agent_id": "bert"})).status_code == 404
    back = (await client.post(undo, json=ANNA)).json()
    assert (back["state"], back["counts"]["restored"]) == ("undone", 4)
    listed = (await client.get("/v1/memories", params=ANNA | {"session_id": "s"})).json()["items"]
    assert {item["uid"] for item in listed} == set(uids)


async def test_an_answer_says_why_nothing_was_condensed(client: httpx.AsyncClient) -> None:
    row = {"text": "The harbour master keeps a spare key of the boat house in his office, behind the green door.",
           "stratum": "episodic"}  # fmt: skip
    await client.post("/v1/memories", json=ANNA | row)
    await client.post("/v1/memories", json=ANNA | row | {"stratum": "long_term", "text": "A key."})
    asked = ANNA | {"everything": True, "dry_run": False, "strata": ["episodic"]}
    skipped = (await client.post(PATH, json=asked)).json()
    assert (skipped["run"]["state"], skipped["run"]["counts"]["skipped"]) == ("done", 1)
    assert [(item["state"], item["condensed"]) for item in skipped["items"]] == [("skipped", None)]
    assert "would stay as it is" in skipped["reason"]

    put = (await client.post(PATH, json=asked | {"strata": ["long_term"]})).json()
    assert (put["looked"], put["run"]) == (0, None)
    assert "stored in long_term and never moved is not looked at" in put["reason"]
    empty = (await client.post(PATH, json=asked | {"strata": ["working"]})).json()
    assert empty["reason"] == "nothing lies in working"
    unearned = (await client.post(PATH, json=ANNA | {"strata": ["episodic"]})).json()
    assert (unearned["looked"], unearned["total"]) == (1, 0)
    assert "has earned its place above" in unearned["reason"]


async def test_an_undo_over_a_reward_is_a_conflict_that_says_what_to_do(
    client: httpx.AsyncClient,
) -> None:
    await fill(client)
    asked = ANNA | {"everything": True, "dry_run": False}
    run = (await client.post(PATH, json=asked)).json()["run"]["run"]
    shown = (await client.get(f"{PATH}/{run}", params=ANNA)).json()
    one = shown["items"][0]["condensed"]
    rewarded = await client.post(
        f"/v1/memories/{one}/rewards", json=ANNA | {"reward": 1, "reason": "it helped"}
    )
    assert rewarded.status_code < 300, rewarded.text
    refused = await client.post(f"{PATH}/{run}/undo", json=ANNA)
    assert refused.status_code == 409
    assert one in refused.json()["detail"]
    assert "skip_changed" in refused.json()["detail"]
    rest = await client.post(f"{PATH}/{run}/undo", json=ANNA | {"skip_changed": True})
    assert rest.json()["counts"]["restored"] == 2


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", PATH, {}, 422),  # who?
        ("POST", PATH, ANNA | {"strata": ["semantic"]}, 422),
        ("POST", PATH, ANNA | {"strata": ["nowhere"]}, 422),
        ("GET", f"{PATH}/nothing?agent_id=anna", None, 404),
        ("GET", f"{PATH}?agent_id=anna&limit=0", None, 422),
    ],
)
async def test_what_makes_no_sense_is_refused(
    client: httpx.AsyncClient, method: str, path: str, body: object, status: int
) -> None:
    answer = await client.request(method, path, json=body)
    assert answer.status_code == status, answer.text


async def test_with_strata_off_nothing_is_condensed(client: httpx.AsyncClient) -> None:
    await client.patch("/v1/strata/config", json=ANNA | {"strata": False})
    try:
        answer = await client.post(PATH, json=ANNA)
        assert answer.status_code == 409
        assert "switched off" in answer.json()["detail"]
    finally:
        await client.delete("/v1/strata/config", params=ANNA)


async def test_the_ratio_decides_how_much_stays_of_what_is_no_fact(
    client: httpx.AsyncClient,
) -> None:
    await fill(client)
    lengths: list[int] = []
    try:
        for ratio in (0.0, 2.0):
            await client.patch("/v1/strata/config", json=ANNA | {"compression_ratio": ratio})
            asked = ANNA | {"everything": True, "dry_run": False}
            run = (await client.post(PATH, json=asked)).json()["run"]
            lengths.append(run["counts"]["chars_after"])
            await client.post(f"{PATH}/{run['run']}/undo", json=ANNA)
    finally:
        await client.delete("/v1/strata/config", params=ANNA)
    assert lengths[0] < lengths[1]


async def test_the_worker_condenses_and_then_runs_the_gates(service: Service, cypher: Run) -> None:
    old = timedelta(hours=2)
    await service.remember(
        [
            NewMemory("local/agent/anna", text, agent_id="anna", session_id="s", stratum="working")
            for text in TURNS[:2]
        ]
        + [
            NewMemory("local/agent/anna", "A wish.", kind="preference", stratum="working"),
            NewMemory(
                "local/agent/anna", "Trifle.", kind="preference", stratum="working", importance=1
            ),
        ]
    )
    cypher("MATCH (m:Memory) SET m.recorded_at = m.recorded_at - duration('PT31M')")
    now = datetime.now(UTC)
    at_work = service.consolidate.consolidation
    job = TendStrata(at_work.strata, at_work.gates, at_work.identifiers, at_work)
    lease = await service.leases.acquire("worker", "test", 60)
    assert lease is not None
    try:
        while await job.step(now, lease):
            pass
        rows = cypher(
            "MATCH (m:Memory) RETURN m.text AS text, m.state AS state, m.stratum AS stratum, "
            "m.initialized_from AS origin"
        )
        made = [row for row in rows if row["origin"] == "condensed"]
        assert [(row["state"], row["stratum"]) for row in made] == [("active", "short_term")]
        assert {row["text"]: (row["state"], row["stratum"]) for row in rows if row not in made} == {
            TURNS[0]: ("archived", "working"),
            TURNS[1]: ("archived", "working"),
            "A wish.": ("active", "short_term"),
            "Trifle.": ("archived", "working"),
        }
        [run] = await service.list_consolidations(ANNA_CALLER, 5)
        assert (run.by, run.state) == ("worker", "done")
        while await job.step(now + old, lease):
            pass
        assert len(await service.list_consolidations(ANNA_CALLER, 5)) == 1
        assert cypher("MATCH (c:Cluster) RETURN count(c) AS n")[0]["n"] > 0
        while await job.step(now + 400 * old, lease):
            pass
        assert cypher("MATCH (c:Cluster) RETURN count(c) AS n")[0]["n"] == 0
        assert len(await service.list_consolidations(ANNA_CALLER, 5)) == 1
    finally:
        cypher("MATCH (l:Lease {name: 'worker'}) DELETE l")


async def test_the_tools_look_condense_and_undo(
    client: httpx.AsyncClient, service: Service
) -> None:
    await fill(client)
    async with speaking(service, Who(agent_id="anna")) as tools:
        tried = await call(tools, "agent_memory_consolidate", everything=True)
        assert (tried["dry_run"], tried["total"], tried["run"]) == (True, 2, None)
        done = await call(tools, "agent_memory_consolidate", everything=True, dryRun=False)
        run = done["run"]["run"]
        undo = "agent_memory_undo_consolidation"
        assert "no such consolidation" in await refused(tools, undo, run=run, agentId="bert")
        back = await call(tools, undo, run=run)
        assert (back["state"], back["counts"]["restored"]) == ("undone", 4)
