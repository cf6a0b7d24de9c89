"""Room in a stratum: what no longer fits leaves at once, what is due first, and can come back."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from dataclasses import replace

import httpx
import pytest
import pytest_asyncio

from graph.kernel.scope import Caller
from graph.kernel.values import Stratum
from graph.model.memories.memory import NewMemory
from graph.store.strata.store import StrataStore
from service.bootstrap import Service
from service.metrics import Metrics
from tests.conftest import Run

HOME = "local/agent/anna"
ANNA = Caller("local", agent_id="anna")
WHO = {"agent_id": "anna"}
HELD = """MATCH (m:Memory {state: 'active'}) RETURN m.stratum AS stratum, count(m) AS held"""
AGED = """MATCH (m:Memory) WHERE m.stratum = $stratum
SET m.recorded_at = m.recorded_at - duration($by), m.w_at = m.w_at - duration($by)"""


async def keep(
    service: Service, count: int, name: str, importance: int = 3, stratum: Stratum = "working"
) -> list[str]:
    rows = [
        NewMemory(HOME, f"{name} {i}", stratum=stratum, importance=importance) for i in range(count)
    ]
    return [answer.uid or "" for answer in await service.remember(rows)]


def held(cypher: Run) -> dict[str, int]:
    return {row["stratum"]: row["held"] for row in cypher(HELD)}


@pytest_asyncio.fixture(loop_scope="session")
async def full(service: Service) -> AsyncGenerator[None]:
    await service.change_strata_config(ANNA, {"working_capacity": 5})
    yield
    await service.change_strata_config.reset(ANNA)


@pytest.mark.usefixtures("full")
async def test_what_would_rise_takes_room_and_rises_first(service: Service, cypher: Run) -> None:
    old = await keep(service, 5, "old", 5)
    cypher(AGED, stratum="working", by="PT11M")
    await keep(service, 3, "new", 5)
    assert held(cypher) == {"working": 5, "short_term": 3}
    risen = cypher("MATCH (m:Memory {stratum: 'short_term'}) RETURN m.uid AS uid")
    assert {row["uid"] for row in risen} < set(old)
    for n in range(4):
        cypher(AGED, stratum="working", by="PT11M")
        await keep(service, 5, f"newer {n}", 5)
        assert held(cypher)["working"] == 5


@pytest.mark.usefixtures("full")
async def test_what_is_over_its_time_takes_room_and_leaves_first(
    service: Service, cypher: Run
) -> None:
    await keep(service, 4, "expired", 1)
    cypher(AGED, stratum="working", by="PT40M")
    [lasting] = await keep(service, 1, "lasting", 1)
    new = await keep(service, 2, "new", 1)
    assert held(cypher) == {"working": 5}
    told = cypher("MATCH (t:Transition) RETURN t.reason AS reason, t.memory_uid AS uid")
    assert [row["reason"] for row in told] == ["time_over"] * 2
    assert {lasting, *new}.isdisjoint(row["uid"] for row in told)


async def test_what_rises_makes_room_where_it_goes(service: Service, cypher: Run) -> None:
    await service.change_strata_config(ANNA, {"working_capacity": 2, "short_term_capacity": 2})
    try:
        await keep(service, 2, "below", 3, "short_term")
        await keep(service, 2, "old", 5)
        cypher(AGED, stratum="working", by="PT11M")
        await keep(service, 2, "new", 3)
        assert held(cypher) == {"working": 2, "short_term": 2}
    finally:
        await service.change_strata_config.reset(ANNA)


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize("hours", [None, 0.25])
async def test_a_newer_memory_of_less_importance_leaves_before_an_older_one(
    service: Service, cypher: Run, client: httpx.AsyncClient, hours: float | None
) -> None:
    if hours is not None:
        await service.change_strata_config(ANNA, {"working_retention_hours": hours})
    older = await keep(service, 3, "older", 3)
    [slight] = await keep(service, 1, "slight", 2)
    await keep(service, 3, "newer", 4)
    gone = cypher("MATCH (m:Memory {state: 'archived'}) RETURN m.uid AS uid ORDER BY m.uid")
    assert [row["uid"] for row in gone] == [older[0], slight]
    [run] = (await client.get("/v1/strata/gates", params=WHO)).json()["items"]
    shown = (await client.get(f"/v1/strata/gates/{run['run']}", params=WHO)).json()["items"]
    assert {move["uid"]: round(move["score"], 2) for move in shown} == {older[0]: 0.6, slight: 0.4}
    assert all("from the lowest score" in move["why"] for move in shown)


@pytest.mark.usefixtures("full")
async def test_what_is_displaced_is_a_run_that_can_be_undone(
    service: Service, cypher: Run, client: httpx.AsyncClient
) -> None:
    first = await keep(service, 5, "first", 3)
    before = cypher("MATCH (m:Memory) RETURN properties(m) AS p ORDER BY m.uid")
    new = await keep(service, 2, "new", 4)
    assert held(cypher) == {"working": 5}
    [run] = (await client.get("/v1/strata/gates", params=WHO)).json()["items"]
    assert (run["by"], run["state"], run["counts"], run["strata"]) == (
        "room",
        "done",
        {"purge": 2},
        ["working"],
    )
    assert run["looked"] == 7
    back = await client.post(f"/v1/strata/gates/{run['run']}/undo", json=WHO)
    assert (back.json()["state"], back.json()["restored"]) == ("undone", 2)
    uids = {"uids": first}
    assert before == cypher(
        "MATCH (m:Memory) WHERE m.uid IN $uids RETURN properties(m) AS p ORDER BY m.uid", **uids
    )
    assert held(cypher) == {"working": 5 + len(new)}


@pytest.mark.usefixtures("full")
async def test_with_delete_what_is_displaced_is_gone_and_the_run_says_so(
    service: Service, cypher: Run, client: httpx.AsyncClient
) -> None:
    await service.change_strata_config(ANNA, {"expired": "delete"})
    await keep(service, 7, "some", 3)
    [run] = (await client.get("/v1/strata/gates", params=WHO)).json()["items"]
    assert run["counts"] == {"delete": 2}
    assert cypher("MATCH (m:Memory) RETURN count(m) AS n") == [{"n": 5}]


class Broken(StrataStore):
    """Strata that cannot be counted."""

    async def count(self, scope: str, stratum: Stratum, *, put: bool = False) -> int:
        raise RuntimeError("cannot count")


@pytest.mark.usefixtures("full")
async def test_what_was_written_is_answered_even_where_no_room_can_be_made(
    service: Service, cypher: Run, caplog: pytest.LogCaptureFixture
) -> None:
    metrics = Metrics()
    broken = Broken(service.database, service.configs)
    room = replace(service.remember.make_room, store=broken, telemetry=metrics)
    remember = replace(service.remember, make_room=room)
    with caplog.at_level(logging.ERROR, "stratagraph"):
        [saved] = await remember([NewMemory(HOME, "a note", stratum="working")])
    assert saved.status == "created"
    assert held(cypher) == {"working": 1}
    assert [record.message for record in caplog.records] == ["no room could be made"]
    assert "stratagraph_room_failures_total 1.0" in metrics.exposition().decode()


async def test_smart_eviction_lets_the_oldest_of_working_go(service: Service, cypher: Run) -> None:
    await service.change_strata_config(ANNA, {"working_capacity": 3, "eviction": "smart"})
    try:
        old = await keep(service, 3, "old", 4)
        cypher(AGED, stratum="working", by="PT1M")
        await keep(service, 2, "new", 2)
        left = cypher("MATCH (m:Memory {state: 'active'}) RETURN m.uid AS uid, m.text AS text")
        assert {row["text"] for row in left} >= {"new 0", "new 1"}
        assert len(left) == 3
        assert len({row["uid"] for row in left} & set(old)) == 1
    finally:
        await service.change_strata_config.reset(ANNA)


async def test_smart_eviction_counts_what_was_put_into_long_term_and_takes_the_least_important(
    service: Service, cypher: Run
) -> None:
    await service.remember([NewMemory(HOME, f"old {n}", importance=n) for n in (5, 1, 3, 4)])
    await service.change_strata_config(ANNA, {"long_term_capacity": 3})
    try:
        await service.remember([NewMemory(HOME, "counted by no capacity", importance=2)])
        assert held(cypher) == {"long_term": 5}
        await service.change_strata_config(ANNA, {"eviction": "smart"})
        await service.remember([NewMemory(HOME, "new", importance=1)])
        left = cypher("MATCH (m:Memory {state: 'active'}) RETURN m.text AS text ORDER BY text")
        assert [row["text"] for row in left] == ["new", "old 4", "old 5"]
        cypher(
            "MATCH (m:Memory) SET m.w0 = 0.001, m.recorded_at = m.recorded_at - duration('P90D')"
        )
        plan = (await service.run_gates(ANNA)).plan
        assert (plan.looked, plan.counts) == (3, {})  # what was put there still never sinks
        await service.remember([NewMemory(HOME, "newer", importance=3)])
        left = cypher("MATCH (m:Memory {state: 'active'}) RETURN m.text AS text ORDER BY text")
        assert [row["text"] for row in left] == ["newer", "old 4", "old 5"]
    finally:
        await service.change_strata_config.reset(ANNA)


async def test_the_consolidation_gate_lets_only_what_matters_rise(
    service: Service, cypher: Run
) -> None:
    await service.change_strata_config(ANNA, {"consolidation_gate": 0.9})
    try:
        await keep(service, 2, "vital", 5)
        await keep(service, 2, "plain", 4)
        cypher(AGED, stratum="working", by="PT31M")
        await service.run_gates(ANNA, dry_run=False)
        rows = cypher("MATCH (m:Memory) RETURN m.text AS text, m.stratum AS s, m.state AS state")
        risen = {row["text"] for row in rows if row["s"] == "short_term"}
        assert risen == {"vital 0", "vital 1"}
        assert {row["state"] for row in rows if row["s"] == "working"} == {"archived"}
    finally:
        await service.change_strata_config.reset(ANNA)
