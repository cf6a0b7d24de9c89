"""The gates over HTTP, and by the command line's client."""

from __future__ import annotations

import httpx
import pytest

from tests.conftest import Run

PATH = "/v1/strata/gates"
ANNA = {"agent_id": "anna"}


async def fill(client: httpx.AsyncClient, cypher: Run) -> dict[str, str]:
    """Remember two working memories that are old by now; answers uids by text."""
    rows = [
        {"text": "trifle", "stratum": "working", "importance": 1},
        {"text": "the plan", "stratum": "working", "importance": 5},
    ]
    answer = await client.post("/v1/memories", json=ANNA | {"memories": rows})
    uids = [item["uid"] for item in answer.json()["results"]]
    cypher(
        "MATCH (m:Memory) SET m.recorded_at = m.recorded_at - duration('PT31M'), "
        "m.w_at = m.w_at - duration('PT31M')"
    )
    return dict(zip(("trifle", "the plan"), uids, strict=True))


async def test_a_try_tells_why_and_a_run_can_be_undone(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    uids = await fill(client, cypher)
    tried = (await client.post(PATH, json=ANNA)).json()
    assert (tried["dry_run"], tried["total"], tried["looked"], tried["run"]) == (True, 2, 2, None)
    told = {item["uid"]: item for item in tried["items"]}
    rises, leaves = told[uids["the plan"]], told[uids["trifle"]]
    assert (rises["action"], rises["to_stratum"], rises["to_state"]) == (
        "promote",
        "short_term",
        "active",
    )
    assert "at least 0.8" in rises["why"]
    assert (leaves["action"], leaves["to_state"]) == ("archive", "archived")
    assert "time in working is over" in leaves["why"]

    done = (await client.post(PATH, json=ANNA | {"dry_run": False})).json()
    run = done["run"]
    assert (run["state"], run["counts"], run["by"]) == (
        "done",
        {"promote": 1, "archive": 1},
        "hand",
    )
    listed = (await client.get(PATH, params=ANNA)).json()
    assert listed["items"] == [run]
    assert (await client.get(PATH, params={"agent_id": "bert"})).json() == {"items": []}
    shown = (await client.get(f"{PATH}/{run['run']}", params=ANNA)).json()
    assert {item["uid"] for item in shown["items"]} == set(uids.values())
    view = (await client.get(f"/v1/memories/{uids['the plan']}", params=ANNA)).json()
    assert view["stratum"] == "short_term"

    undo = f"{PATH}/{run['run']}/undo"
    assert (await client.post(undo, json={"agent_id": "bert"})).status_code == 404
    back = (await client.post(undo, json=ANNA)).json()
    assert (back["state"], back["restored"]) == ("undone", 2)
    view = (await client.get(f"/v1/memories/{uids['the plan']}", params=ANNA)).json()
    assert view["stratum"] == "working"


async def test_an_undo_over_a_change_is_a_conflict_that_says_what_to_do(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    uids = await fill(client, cypher)
    run = (await client.post(PATH, json=ANNA | {"dry_run": False})).json()["run"]["run"]
    changed = await client.patch(
        f"/v1/memories/{uids['the plan']}", params=ANNA, json={"importance": 4}
    )
    assert changed.status_code == 200, changed.text
    refused = await client.post(f"{PATH}/{run}/undo", json=ANNA)
    assert refused.status_code == 409
    assert "skip_changed" in refused.json()["detail"]
    rest = await client.post(f"{PATH}/{run}/undo", json=ANNA | {"skip_changed": True})
    assert rest.json()["restored"] == 1


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", PATH, 422),  # who?
        ("GET", f"{PATH}/nothing?agent_id=anna", 404),
        ("GET", f"{PATH}?agent_id=anna&limit=0", 422),
    ],
)
async def test_what_makes_no_sense_is_refused(
    client: httpx.AsyncClient, method: str, path: str, status: int
) -> None:
    answer = await client.request(method, path, json={} if method == "POST" else None)
    assert answer.status_code == status, answer.text


async def test_a_run_that_an_erasure_ended_is_shown_as_that(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await fill(client, cypher)
    run = (await client.post(PATH, json=ANNA | {"dry_run": False})).json()["run"]["run"]
    cypher("MATCH (r:Run {uid: $uid}) SET r.state = 'erased'", uid=run)
    [listed] = (await client.get(PATH, params=ANNA)).json()["items"]
    assert listed["state"] == "erased"
    assert (await client.get(f"{PATH}/{run}", params=ANNA)).json()["state"] == "erased"


async def test_a_full_stratum_lets_the_lightest_go_at_once(
    client: httpx.AsyncClient,
) -> None:
    await client.patch("/v1/strata/config", json=ANNA | {"working_capacity": 2})
    try:
        for text in ("one", "two", "three"):
            await client.post("/v1/memories", json=ANNA | {"text": text, "stratum": "working"})
        page = await client.get("/v1/memories", params=ANNA | {"strata": "working"})
        assert {item["text"] for item in page.json()["items"]} == {"two", "three"}
    finally:
        await client.delete("/v1/strata/config", params=ANNA)
