"""Exports hold cycles with what belongs to them: they come back, once, and go with whose they are."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx

from service.app import create_app
from service.bootstrap import Service
from tests.conftest import Run
from tests.doors.cycled import go_round
from tests.doors.filled import fill
from tests.doors.moving import WIPE, content, everything, exported, imported, of
from tests.swapping import swapped

KINDS = ("cycle", "visit", "step", "patch")
ANNA = {"agent_id": "anna"}
# Counted again from the cycles that end.
FORGET = "MATCH (n:CycleLearning|Momentum) DETACH DELETE n"


def about_cycles(rows: list[str]) -> list[str]:
    """Leave out what cycles taught besides, which an export does not hold."""
    labels = ("Cycle", "CyclePhase", "CycleStep", "Patch")
    edges = ("GAVE", "WROTE", "RESTS_ON", "REPAIRS", "PATCHES", "HAS_PHASE", "HAS_STEP")
    starts = [f'"labels": ["{name}"]' for name in labels] + [f'"type": "{name}"' for name in edges]
    return [row for row in rows if any(start in row for start in starts)]


async def cycled(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> tuple[list[str], list[dict[str, Any]]]:
    await fill(client, service)
    await go_round(client, service)
    cypher(FORGET)
    return everything(cypher), await exported(client)


async def test_cycles_come_back_whole_and_a_second_time_change_nothing(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    before, lines = await cycled(client, service, cypher)
    assert [len(of(lines, kind)) for kind in KINDS] == [2, 2, 2, 1]
    assert of(lines, "patch")[0]["evidence"]
    story = (await client.get("/v1/cycles/c-2", params=ANNA)).json()
    cypher(WIPE)
    answer = await imported(client, lines)
    assert not of(answer, "rejected") + of(answer, "skipped")
    assert answer[-1]["complete"]
    cypher(FORGET)
    assert about_cycles(everything(cypher)) == about_cycles(before)
    assert content(await exported(client)) == content(lines)
    assert (await client.get("/v1/cycles/c-2", params=ANNA)).json() == story
    again = await imported(client, lines)
    assert again[-1]["counts"]["created"] == 0


async def test_an_imported_cycle_goes_on_where_it_stood(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    _, lines = await cycled(client, service, cypher)
    cypher(WIPE)
    await imported(client, lines, agent_map="anna=dora")
    dora = {"agent_id": "dora"}
    for new in (False, True):
        body = {**dora, "step_id": "more" if new else "sum"}
        step = (await client.post("/v1/cycles/c-2/steps", json=body)).json()
        assert step["new"] == new
    assert step["position"] == 3
    assert (await client.get("/v1/cycles/c-2", params=ANNA)).status_code == 404
    [patch] = (await client.get("/v1/patches", params=dora)).json()["patches"]
    assert patch["evidence"]


async def test_parts_need_their_cycle_and_a_patch_what_it_quotes(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    _, lines = await cycled(client, service, cypher)
    cypher(WIPE)
    parts = [line for kind in ("visit", "step", "patch") for line in of(lines, kind)]
    told = of(await imported(client, parts), "rejected")
    assert [report["field"] for report in told] == ["cycle_uid"] * 5
    await imported(client, of(lines, "cycle"))
    told = of(await imported(client, parts), "rejected")
    assert [report["field"] for report in told] == ["evidence"]


async def test_one_name_stands_for_one_cycle(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    _, lines = await cycled(client, service, cypher)
    cypher(WIPE)
    [one, other] = of(lines, "cycle")
    twin = {**other, "cycle_id": one["cycle_id"]}
    for sent in ([one, twin], [twin]):
        answer = await imported(client, sent)
        assert answer[-1]["counts"]["rejected"] == 1
    assert cypher("MATCH (c:Cycle) RETURN c.uid AS uid") == [{"uid": one["uid"]}]


async def test_erasing_an_agent_takes_its_imported_cycles(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    _, lines = await cycled(client, service, cypher)
    cypher(WIPE)
    await imported(client, lines)
    erase = replace(service.erase, most=timedelta(minutes=5))
    transport = httpx.ASGITransport(app=create_app(swapped(service, erase=erase)))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as patient:
        assert (await patient.delete("/v1/agents/anna")).json()["state"] == "done"
    found = cypher("MATCH (n:Cycle|CyclePhase|CycleStep|Patch) RETURN count(n) AS left")
    assert found == [{"left": 0}]
