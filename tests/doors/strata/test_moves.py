"""Moves by hand over HTTP."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from graph.kernel.scope import Caller
from service.bootstrap import Service
from stratagraph.call import Caller as ClientCaller
from stratagraph.operations.strata import PROMOTE, PROMOTE_SUCCESSFUL
from tests.conftest import Run
from tests.store.teaching import give

MOVES, PROMOTIONS = "/v1/strata/moves", "/v1/strata/promotions"
ANNA = {"agent_id": "anna"}


async def keep(client: httpx.AsyncClient, *names: str, **fields: Any) -> list[str]:
    """Remember one memory by each external id; answers their uids."""
    rows = [{"text": f"about {name}", "external_id": name} | fields for name in names]
    answer = await client.post("/v1/memories", json=ANNA | {"memories": rows})
    return [item["uid"] for item in answer.json()["results"]]


async def asked(client: httpx.AsyncClient, path: str, **body: Any) -> dict[str, Any]:
    answer = await client.post(path, json=ANNA | body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def everything(cypher: Run) -> list[dict[str, Any]]:
    return cypher("MATCH (m:Memory) RETURN properties(m) AS p ORDER BY m.uid")


def standing(cypher: Run) -> dict[str, str]:
    rows = cypher("MATCH (m:Memory) RETURN m.external_id AS name, m.stratum AS stratum")
    return {row["name"]: row["stratum"] for row in rows}


async def test_named_memories_go_up_and_down_and_an_undo_brings_all_back(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    [uid] = await keep(client, "a", stratum="episodic")
    await keep(client, "b", stratum="semantic")
    before = everything(cypher)
    tried = await asked(client, MOVES, to="up", memories=[uid], dry_run=True)
    assert (tried["total"], tried["run"], everything(cypher)) == (1, None, before)
    up = await asked(client, MOVES, to="up", memories=[uid])
    [item] = up["items"]
    assert (item["from_stratum"], item["to_stratum"], item["reason"]) == (
        "episodic",
        "long_term",
        "asked",
    )
    down = await asked(client, MOVES, memories=["external:a", "external:b"], to="short_term")
    assert down["total"] == 2
    assert standing(cypher) == {"a": "short_term", "b": "short_term"}
    page = await client.get("/v1/memories", params=ANNA | {"strata": "short_term"})
    assert len(page.json()["items"]) == 2
    listed = (await client.get("/v1/strata/gates", params=ANNA)).json()["items"]
    assert [run["run"] for run in listed] == [down["run"]["run"], up["run"]["run"]]
    assert (down["run"]["by"], down["run"]["state"], down["run"]["counts"]) == (
        "hand",
        "done",
        {"demote": 2},
    )
    early = await client.post(f"/v1/strata/gates/{up['run']['run']}/undo", json=ANNA)
    assert early.status_code == 409
    for run in (down, up):
        back = await client.post(f"/v1/strata/gates/{run['run']['run']}/undo", json=ANNA)
        assert back.json()["state"] == "undone", back.text
    assert everything(cypher) == before


async def test_what_cannot_move_is_told_and_the_rest_moves(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await keep(client, "top", stratum="semantic")
    await keep(client, "gone", "old", "fine", stratum="working")
    await client.patch("/v1/memories/external:gone", params=ANNA, json={"state": "archived"})
    cypher(
        "MATCH (m:Memory {external_id: 'old'}) SET m.recorded_at = m.recorded_at - duration('P2D')"
    )
    names = ["external:top", "external:gone", "external:old", "external:fine", "external:none"]
    told = await asked(client, MOVES, to="up", memories=names)
    why = {each["name"]: each["why"] for each in told["refused"]}
    assert why["external:none"] == "no such memory in this scope"
    assert why["external:gone"] == "it is archived"
    assert "its time in short_term is over" in why["external:old"]
    assert "nothing is above" in why["external:top"]
    assert standing(cypher)["fine"] == "short_term"
    assert told["total"] == 1
    further = await asked(client, MOVES, memories=["external:old"], to="long_term")
    assert further["total"] == 1
    wrong = await asked(client, MOVES, direction="promote", memories=["external:old"], to="working")
    assert "working is not above" in wrong["refused"][0]["why"]
    assert wrong["run"] is None


async def test_nobody_moves_what_is_not_his(client: httpx.AsyncClient, cypher: Run) -> None:
    [uid] = await keep(client, "a", stratum="episodic")
    body = {"agent_id": "bert", "to": "up", "memories": [uid]}
    answer = (await client.post(MOVES, json=body)).json()
    assert (answer["total"], answer["refused"][0]["why"]) == (0, "no such memory in this scope")
    assert standing(cypher) == {"a": "episodic"}


async def test_what_comes_in_by_hand_displaces_the_lightest(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await client.patch("/v1/strata/config", json=ANNA | {"short_term_capacity": 1})
    try:
        await keep(client, "light", stratum="short_term", importance=1)
        await keep(client, "heavy", stratum="working", importance=5)
        cypher("MATCH (m:Memory {external_id: 'light'}) SET m.w0 = 0.5")
        await asked(client, MOVES, to="up", memories=["external:heavy"])
        page = await client.get("/v1/memories", params=ANNA)
        assert [item["external_id"] for item in page.json()["items"]] == ["heavy"]
    finally:
        await client.delete("/v1/strata/config", params=ANNA)


async def prove(cypher: Run, name: str, q: float, successes: int) -> None:
    cypher(
        "MATCH (m:Memory {external_id: $name}) SET m.q_value = $q, m.success_count = $successes, "
        "m.q_count = $successes",
        name=name,
        q=q,
        successes=successes,
    )


async def test_what_proved_itself_goes_up(client: httpx.AsyncClient, cypher: Run) -> None:
    await keep(client, "proven", "lucky", "often", stratum="working")
    await keep(client, "high", stratum="long_term")
    await keep(client, "other", stratum="working", session_id="s")
    for name, q, successes in (
        ("proven", 0.8, 3),
        ("lucky", 0.9, 1),
        ("often", 0.6, 9),
        ("high", 0.9, 9),
        ("other", 0.75, 4),
    ):
        await prove(cypher, name, q, successes)
    tried = await asked(client, PROMOTIONS)
    assert (tried["dry_run"], tried["total"], tried["run"]) == (True, 2, None)
    assert "at least 0.7" in tried["items"][0]["why"]
    one = await asked(client, PROMOTIONS, session_id="s", dry_run=False, to="long_term")
    assert one["total"] == 1
    two = await asked(client, PROMOTIONS, dry_run=False, min_q=0.6)
    assert two["run"]["counts"] == {"promote": 2}
    assert standing(cypher) == {
        "proven": "short_term",
        "lucky": "working",
        "often": "short_term",
        "high": "long_term",
        "other": "long_term",
    }


async def test_only_a_success_promotes_what_a_task_was_given(
    client: httpx.AsyncClient, service: Service, anna: Caller, cypher: Run
) -> None:
    [given] = await keep(client, "given", stratum="episodic")
    await keep(client, "apart", stratum="episodic")
    await give(service, anna, "good", [given])
    early = await client.post(PROMOTIONS, json=ANNA | {"task_id": "good"})
    assert (early.status_code, "has not ended" in early.text) == (409, True)
    await service.report_outcome(anna, "good", "success")
    for name in ("given", "apart"):
        await prove(cypher, name, 0.8, 3)
    told = await asked(client, PROMOTIONS, task_id="good", dry_run=False)
    assert [item["uid"] for item in told["items"]] == [given]
    assert standing(cypher) == {"given": "long_term", "apart": "episodic"}
    await give(service, anna, "bad", [given])
    await service.report_outcome(anna, "bad", "failure")
    assert (await client.post(PROMOTIONS, json=ANNA | {"task_id": "bad"})).status_code == 409
    assert (await client.post(PROMOTIONS, json=ANNA | {"task_id": "none"})).status_code == 404


async def test_with_strata_off_it_is_a_conflict(client: httpx.AsyncClient) -> None:
    await client.patch("/v1/strata/config", json=ANNA | {"strata": False})
    try:
        body = ANNA | {"to": "up", "memories": ["x"]}
        assert (await client.post(MOVES, json=body)).status_code == 409
        assert (await client.post(PROMOTIONS, json=ANNA)).status_code == 409
    finally:
        await client.delete("/v1/strata/config", params=ANNA)


@pytest.mark.parametrize(
    "body",
    [
        {"to": "up"},
        {"memories": ["x"]},
        {"direction": "sideways", "names": ["x"]},
        {"direction": "promote", "memories": ["x"], "to": "up"},
        {"to": "up", "memories": []},
        {"memories": ["x"], "to": "heaven"},
    ],
)
async def test_what_makes_no_sense_is_refused(
    client: httpx.AsyncClient, body: dict[str, Any]
) -> None:
    assert (await client.post(MOVES, json=ANNA | body)).status_code == 422


def test_a_move_is_not_asked_for_again() -> None:
    caller = ClientCaller("anna")
    assert not PROMOTE.call(caller, {"memories": ["x"]}).repeatable
    assert PROMOTE.call(caller, {"memories": ["x"], "dry_run": True}).repeatable
    assert PROMOTE_SUCCESSFUL.call(caller, {}).repeatable
    assert not PROMOTE_SUCCESSFUL.call(caller, {"dry_run": False}).repeatable
