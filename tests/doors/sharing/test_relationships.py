"""Relationships of agents: by explicit word, and by rewards of what others share."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from service.bootstrap import Service
from tests.conftest import Run
from tests.doors.sharing.test_sharing import ANNA, BERT, joined, published, stored

PATH = "/v1/relationships"


async def met(client: httpx.AsyncClient, agent: str, other: str, outcome: float) -> dict[str, Any]:
    answer = await client.post(
        PATH, json={"agent_id": agent, "other_agent_id": other, "outcome": outcome}
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


async def of(client: httpx.AsyncClient, agent: str) -> list[tuple[str, float, float, int]]:
    items = (await client.get(PATH, params={"agent_id": agent})).json()["items"]
    return [
        (
            one["other_agent_id"],
            round(one["trust"], 6),
            round(one["trusted"], 6),
            one["interactions"],
        )
        for one in items
    ]


async def test_trust_moves_a_tenth_of_the_way_and_both_sides_count(
    client: httpx.AsyncClient,
) -> None:
    first = await met(client, "anna", "bert", 1.0)
    assert (first["trust"], first["trusted"], first["interactions"]) == (0.55, 0.5, 1)
    await met(client, "anna", "bert", 0.0)
    await met(client, "bert", "anna", 0.5)
    assert await of(client, "anna") == [("bert", 0.495, 0.5, 3)]
    assert await of(client, "bert") == [("anna", 0.5, 0.495, 3)]
    await met(client, "anna", "carl", 1.0)
    assert [row[0] for row in await of(client, "anna")] == ["carl", "bert"]


async def test_who_meets_at_once_is_counted_each_time(client: httpx.AsyncClient) -> None:
    pairs = [("anna", "bert"), ("bert", "anna")] * 8
    await asyncio.gather(*(met(client, one, other, 1.0) for one, other in pairs))
    [(_, trust, trusted, interactions)] = await of(client, "anna")
    assert interactions == 16
    assert trust == trusted == pytest.approx(1 - 0.5 * 0.9**8, abs=1e-6)


@pytest.mark.parametrize(
    "body",
    [
        {"agent_id": "anna", "other_agent_id": "anna", "outcome": 1.0},
        {"agent_id": "anna", "other_agent_id": "bert", "outcome": 1.1},
        {"channel_ids": ["team"], "other_agent_id": "bert", "outcome": 1.0},
    ],
)
async def test_what_makes_no_sense_is_refused(
    client: httpx.AsyncClient, body: dict[str, Any]
) -> None:
    assert (await client.post(PATH, json=body)).status_code == 422


async def test_rewarding_what_another_shares_is_an_interaction(
    client: httpx.AsyncClient, service: Service
) -> None:
    await joined(client)
    copy = (await published(client, await stored(client, "Backups run at two.")))["uid"]

    async def reward(who: dict[str, Any], value: float) -> str:
        answer = await client.post(
            f"/v1/memories/{copy}/rewards", json=who | {"reward": value, "reason": "told"}
        )
        assert answer.status_code == 200, answer.text
        return answer.json()["reward_uid"]

    uid = await reward(BERT, 1.0)
    assert await of(client, "bert") == [("anna", 0.55, 0.5, 1)]
    assert await of(client, "anna") == [("bert", 0.5, 0.55, 1)]
    await reward(ANNA, 1.0)  # her own
    await reward(BERT | {"agent_id": "carl"}, 1.0)  # no member
    assert await of(client, "anna") == [("bert", 0.5, 0.55, 1)]
    await client.post(f"/v1/rewards/{uid}/revert", json=BERT | {"reason": "no"})
    assert await of(client, "bert") == [("anna", 0.55, 0.5, 1)]
    await reward(BERT, -1.0)
    assert await of(client, "bert") == [("anna", 0.495, 0.5, 2)]


async def test_scopes_are_locked_in_one_series(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    """Who waits for an agent holds no lock on what stands after it: so nobody waits for who waits for them."""
    await joined(client)
    copy = (await published(client, await stored(client, "Backups run at two.")))["uid"]
    lock = "MATCH (s:Scope {scope: $scope}) SET s.asked_at = s.asked_at"
    waiting = "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN status"
    async with service.database.driver.session() as session:  # pyright: ignore[reportUnknownMemberType] -- **config is untyped in the driver
        held = await session.begin_transaction()
        await (await held.run(lock, scope="local/agent/anna")).consume()
        told = asyncio.create_task(
            client.post(
                f"/v1/memories/{copy}/rewards", json=BERT | {"reward": 1.0, "reason": "told"}
            )
        )
        while not cypher(waiting):
            await asyncio.sleep(0.05)
        free = asyncio.to_thread(cypher, lock, scope="local/channel/team")
        await asyncio.wait_for(free, timeout=10)
        await held.rollback()
    assert (await told).status_code == 200
    assert await of(client, "bert") == [("anna", 0.55, 0.5, 1)]


async def test_the_outcome_of_a_task_moves_trust_in_who_helped(
    client: httpx.AsyncClient, service: Service
) -> None:
    await joined(client)
    copy = (await published(client, await stored(client, "Backups run at two.")))["uid"]
    told = await client.post(
        "/v1/tasks/t/outcome",
        json=BERT | {"status": "success", "quality": 0.5, "used": [{"name": copy}]},
    )
    assert told.status_code == 200, told.text
    [(other, trust, _, interactions)] = await of(client, "bert")
    assert (other, interactions) == ("anna", 1)
    assert 0.5 < trust < 0.55
