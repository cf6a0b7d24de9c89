"""What surprises a member is shared in the channel that it names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import httpx
import pytest

from graph.kernel.errors import DatabaseUnavailableError
from graph.kernel.scope import Caller
from service.app import create_app
from service.bootstrap import Service
from tests.conftest import Recalls, Run
from tests.doors.sharing.test_sharing import ANNA, joined, read
from tests.swapping import swapped

EVENT = {
    "context": "deploy",
    "expected": {"status": "success", "seconds": 20},
    "actual": {"status": "failed", "seconds": 95},
    "text": "The deploy of host b failed after 95 seconds.",
    "event_id": "evt-1",
}


async def report(client: httpx.AsyncClient, who: dict[str, Any], **more: Any) -> dict[str, Any]:
    answer = await client.post("/v1/surprises", json=EVENT | who | more)
    assert answer.status_code == 200, answer.text
    assert answer.json()["surprising"]
    return answer.json()


def copies(cypher: Run) -> list[dict[str, Any]]:
    return cypher(
        "MATCH (c:Memory)-[:PUBLISHED_FROM]->(m:Memory) RETURN c.uid AS uid, c.scope AS scope, "
        "c.tags AS tags, c.published_by AS by, c.text AS text, m.uid AS original"
    )


async def test_a_members_surprise_is_shared_where_it_happened(
    client: httpx.AsyncClient, cypher: Run, recall: Recalls
) -> None:
    await joined(client)
    told = await report(client, ANNA)
    [copy] = copies(cypher)
    assert (copy["scope"], copy["by"], copy["original"]) == (
        "local/channel/team",
        "anna",
        told["memory_uid"],
    )
    assert (copy["tags"], copy["text"]) == (["surprise"], EVENT["text"])
    found = await recall(Caller("local", "bert", ("team",)), "which deploy failed")
    assert [one.memory.uid for one in found.results] == [copy["uid"]]
    shown = (await read(client, copy["uid"])).text
    assert "evt-1" not in shown
    await report(client, ANNA)  # the same event again
    assert copies(cypher) == [copy]


@pytest.mark.parametrize("how", ["unpublish", "leave"])
async def test_a_repeat_shares_nothing_anew_that_was_withdrawn(
    client: httpx.AsyncClient, cypher: Run, how: str
) -> None:
    await joined(client)
    told = await report(client, ANNA)
    assert len(copies(cypher)) == 1
    if how == "unpublish":
        ended = await client.post(f"/v1/memories/{told['memory_uid']}/unpublish", json=ANNA)
        assert ended.status_code == 200, ended.text
    else:
        await client.post("/v1/channels/leave", json=ANNA)
        await joined(client, ANNA)
    assert copies(cypher) == []
    assert await report(client, ANNA) == told
    assert copies(cypher) == []


async def test_a_repeat_shares_nothing_where_the_event_did_not_happen(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    told = await report(client, {"agent_id": "anna"})
    await joined(client)
    assert await report(client, ANNA) == told
    assert copies(cypher) == []


async def test_a_repeat_of_a_report_that_was_cut_off_shares_what_that_had_not(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    class Lost:
        async def __call__(self, _caller: Caller, _name: str) -> Any:
            raise DatabaseUnavailableError("the database went away")

    await joined(client)
    cut_off = replace(service.report_surprise, publish=Lost())  # pyright: ignore[reportArgumentType]
    transport = httpx.ASGITransport(app=create_app(swapped(service, report_surprise=cut_off)))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as lossy:
        assert (await lossy.post("/v1/surprises", json=EVENT | ANNA)).status_code == 503
    assert copies(cypher) == []
    told = await report(client, ANNA)
    [copy] = copies(cypher)
    assert copy["original"] == told["memory_uid"]
    [row] = cypher(
        "MATCH (m:Memory)-[:SURPRISED_BY]->(s:Surprise) RETURN count(DISTINCT m) AS memories, "
        "count(DISTINCT s) AS surprises"
    )
    assert (row["memories"], row["surprises"]) == (1, 1)


async def test_nothing_is_shared_of_who_did_not_join_or_names_no_channel(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await report(client, ANNA)
    await joined(client)
    await report(client, {"agent_id": "anna"}, event_id="evt-2")
    await report(client, ANNA | {"channel_ids": ["team", "other"]}, event_id="evt-3", context="x")
    assert copies(cypher) == []


async def test_where_sharing_is_off_it_stays_private(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await joined(client)
    await client.patch("/v1/strata/config", json={"agent_id": "anna", "pattern_sharing": False})
    try:
        await report(client, ANNA)
        assert copies(cypher) == []
    finally:
        await client.delete("/v1/strata/config", params={"agent_id": "anna"})
