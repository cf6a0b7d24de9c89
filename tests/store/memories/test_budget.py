"""A scope holds no more episodes than it may, to the last one, whoever writes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import httpx
import pytest
import pytest_asyncio

from service.app import create_app
from service.bootstrap import Connection, Service, open_service
from service.settings import Settings
from tests.conftest import Run
from tests.doors.attempts import add, counts, episode
from tests.doors.moving import WIPE, exported, imported, of

Opens = Callable[..., AbstractAsyncContextManager[httpx.AsyncClient]]


@pytest_asyncio.fixture(loop_scope="session")
async def opens(service: Service, connection: Connection) -> Opens:
    """Open another replica, with a budget of its own."""

    @asynccontextmanager
    async def run(**budget: Any) -> AsyncGenerator[httpx.AsyncClient]:
        settings = Settings(neo4j_uri=connection.uri, flush_seconds=3600, worker=False, **budget)
        embedder = service.embedders.reading.embedder
        async with open_service(settings, connection, embedder) as opened:
            transport = httpx.ASGITransport(create_app(opened), raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
                yield http

    return run


def one(name: str, **changes: Any) -> dict[str, Any]:
    return {"agent_id": "anna", **episode(name, **changes)}


def stored(cypher: Run) -> list[str]:
    rows = cypher("MATCH (e:Episode) RETURN e.external_id AS name ORDER BY name")
    return [row["name"] for row in rows]


async def test_one_more_than_fits_is_refused(opens: Opens, cypher: Run) -> None:
    async with opens(episodes_max=2) as client:
        answer = await add(client, episode("a"), episode("b"), episode("c", input__problem_id="x"))
        assert [row["status"] for row in answer["results"]] == ["created", "created", "rejected"]
        assert answer["results"][2]["error"]["field"] == "budget"
        assert stored(cypher) == ["a", "b"]
        assert len(cypher("MATCH (p:Problem) RETURN p")) == 1
        refused = await client.post("/v1/episodes", json=one("c"))
        assert refused.status_code == 409
        assert refused.json()["type"].endswith("budget-exceeded")
        batch = {"agent_id": "anna", "episodes": [episode("c"), episode("d")]}
        assert (await client.post("/v1/episodes", json=batch)).status_code == 409
        again = await client.post("/v1/episodes", json=one("a"))
        assert again.json()["status"] == "unchanged"
        changed = await client.post("/v1/episodes", json=one("a", output__correct=False))
        assert changed.json()["status"] == "updated"
        await add(client, episode("c"), agent_id="bert")
        await client.delete("/v1/episodes/b?agent_id=anna")
        assert (await client.post("/v1/episodes", json=one("c"))).status_code == 201


async def test_an_atomic_batch_that_does_not_fit_leaves_nothing(opens: Opens, cypher: Run) -> None:
    async with opens(episodes_max=2) as client:
        batch = {"agent_id": "anna", "episodes": [episode(name) for name in "abc"]}
        refused = await client.post("/v1/episodes?atomic=true", json=batch)
        assert refused.status_code == 409
        assert cypher("MATCH (m:Memory) RETURN m") == []


async def test_no_other_way_leads_around_it(opens: Opens, cypher: Run) -> None:
    async with opens(episodes_max=1) as client:
        await add(client, episode("a"))
        raw = {"text": "raw", "kind": "episode"}
        refused = await client.post("/v1/memories", json={"agent_id": "anna", **raw})
        assert refused.status_code == 409
        batch = {"agent_id": "anna", "memories": [raw, {"text": "a note"}]}
        answer = (await client.post("/v1/memories", json=batch)).json()
        assert answer["counts"] == {
            "created": 1, "updated": 0, "unchanged": 0, "duplicate": 0, "rejected": 1
        }  # fmt: skip
        assert answer["results"][0]["error"]["field"] == "budget"
        alone = {"agent_id": "anna", "memories": [raw]}
        assert (await client.post("/v1/memories", json=alone)).status_code == 409
        assert (await client.post("/v1/memories?atomic=true", json=batch)).status_code == 409
        note = answer["results"][1]["uid"]
        patched = await client.patch(f"/v1/memories/{note}?agent_id=anna", json={"kind": "episode"})
        assert patched.status_code == 409
        assert stored(cypher) == ["a"]


async def test_an_import_of_the_graph_is_weighed_to_the_last_one(
    opens: Opens, client: httpx.AsyncClient, cypher: Run
) -> None:
    await add(client, *(episode(name) for name in "abc"))
    lines = await exported(client)
    size = cypher("MATCH (e:Episode) RETURN sum(e.stored_bytes) AS bytes")
    cypher(WIPE)
    async with opens(episodes_max=2) as narrow:
        answer = await imported(narrow, lines)
        [refused] = [report for report in of(answer, "rejected") if report["field"] == "budget"]
        assert "as many episodes" in refused["message"]
        assert stored(cypher) == ["a", "b"]
        assert answer[-1]["types"]["memory"]["rejected"] == 1
        again = await imported(narrow, of(lines, "memory"))
        assert again[-1]["counts"]["unchanged"] == len(of(lines, "memory")) - 1
        assert [report["field"] for report in of(again, "rejected")] == ["budget"]
        await narrow.delete("/v1/episodes/a?agent_id=anna")
        await imported(narrow, [line for line in lines if line.get("external_id") != "a"])
        assert stored(cypher) == ["b", "c"]
        [row] = cypher("MATCH (p:Problem) RETURN p.attempts AS attempts")
        assert row == {"attempts": 2}
    async with opens(episodes_max=3) as wide:
        assert not of(await imported(wide, lines), "rejected")
        assert cypher("MATCH (e:Episode) RETURN sum(e.stored_bytes) AS bytes") == size


async def test_an_import_of_the_graph_makes_room_where_that_is_the_policy(
    opens: Opens, client: httpx.AsyncClient, cypher: Run
) -> None:
    await add(client, *(episode(name) for name in "ab"))
    lines = await exported(client)
    cypher(WIPE)
    others: dict[str, Any] = {"input__problem_id": "x", "trace": [{"step": 1, "action": "1/2"}]}
    await add(client, episode("old", output__confidence=0.1, **others), episode("better", **others))
    async with opens(episodes_max=3, episodes_at_cap="evict") as full:
        assert not of(await imported(full, lines), "rejected")
        assert stored(cypher) == ["a", "b", "better"]


async def test_bytes_are_bounded_too(opens: Opens) -> None:
    big = "x" * 400_000
    async with opens(episodes_max_mb=1) as client:
        assert (await client.post("/v1/episodes", json=one("a", insight=big))).status_code == 201
        assert (await client.post("/v1/episodes", json=one("b", insight=big))).status_code == 201
        assert (await client.post("/v1/episodes", json=one("c", insight=big))).status_code == 409
        larger = one("a", insight=big + big)
        assert (await client.post("/v1/episodes", json=larger)).status_code == 409
        smaller = await client.post("/v1/episodes", json=one("a"))
        assert smaller.json()["status"] == "updated"
        assert (await client.post("/v1/episodes", json=one("c", insight=big))).status_code == 201
        path = "/v1/memories/external:a?agent_id=anna"
        grown = await client.patch(path, json={"structured": {**episode("a"), "insight": big}})
        assert grown.status_code == 409
        assert (await counts(client))["bytes"] <= 2**20


@pytest.mark.slow
async def test_two_replicas_at_once_stop_at_the_same_edge(opens: Opens, cypher: Run) -> None:
    async with opens(episodes_max=25) as first, opens(episodes_max=25) as second:
        names = [f"e{number:02d}" for number in range(60)]

        async def writes(client: httpx.AsyncClient, mine: list[str]) -> list[int]:
            tasks = [client.post("/v1/episodes", json=one(name)) for name in mine]
            return [answer.status_code for answer in await asyncio.gather(*tasks)]

        statuses = await asyncio.gather(writes(first, names[::2]), writes(second, names[1::2]))
        told = [status for each in statuses for status in each]
        assert sorted(set(told)) == [201, 409]
        assert told.count(201) == len(stored(cypher)) == 25
        [row] = cypher("MATCH (p:Problem) RETURN p.attempts AS attempts, p.link_count AS links")
        assert row == {"attempts": 25, "links": 25}


async def test_the_least_valuable_go_first(opens: Opens, cypher: Run) -> None:
    async with opens(episodes_max=6, episodes_at_cap="evict") as client:
        await add(
            client,
            episode("best", output__confidence=0.9, input__problem_id="1"),
            episode("double", output__confidence=0.8, input__problem_id="1"),
            episode("failed", output__correct=False, output__confidence=0.1, input__problem_id="1"),
            episode("unsure", output__confidence=0.2, input__problem_id="2"),
            episode("poor", input__problem_id="3"),
            episode("shelved", input__problem_id="4"),
        )
        cypher("MATCH (e:Episode {external_id: 'poor'}) SET e.q_value = 0.2")
        path = "/v1/memories/external:shelved?agent_id=anna"
        await client.patch(path, json={"state": "archived"})
        gone: list[tuple[str, str]] = []
        for number in range(5):
            name = f"new-{number}"
            new = one(name, input__problem_id=name, output__confidence=1.0)
            answer = await client.post("/v1/episodes", json=new)
            assert answer.status_code == 201
            gone += [(each["episode_id"], each["reason"]) for each in answer.json()["evicted"]]
            assert (await counts(client))["episodes"] == 6
        assert [name for name, _ in gone] == ["shelved", "double", "poor", "failed", "unsure"]
        assert gone[0][1] == "it was archived"
        assert "its problem" in gone[1][1]
        assert "Q 0.20" in gone[2][1]
        assert (await counts(client))["problems"] == 6
        assert (await client.get("/v1/episodes/best?agent_id=anna")).status_code == 200


async def test_two_replicas_that_evict_never_hold_more(opens: Opens, cypher: Run) -> None:
    budget: dict[str, Any] = {"episodes_max": 10, "episodes_at_cap": "evict"}
    async with opens(**budget) as first, opens(**budget) as second:

        async def writes(client: httpx.AsyncClient, part: str) -> list[dict[str, Any]]:
            rows = [[episode(f"{part}{n}-{m}") for m in range(4)] for n in range(8)]
            return [await add(client, *row) for row in rows]

        both = await asyncio.gather(writes(first, "a"), writes(second, "b"))
        answers = [answer for each in both for answer in each]
        created = sum(answer["counts"]["created"] for answer in answers)
        evicted = {gone["uid"] for answer in answers for gone in answer["evicted"]}
        assert created == 64
        assert len(evicted) == 54
        assert len(stored(cypher)) == 10


async def test_what_does_not_fit_even_then_is_refused(opens: Opens, cypher: Run) -> None:
    async with opens(episodes_max=3, episodes_at_cap="evict") as client:
        await add(client, episode("old"))
        answer = await add(client, *(episode(name) for name in "abcde"))
        assert answer["counts"]["created"] == 3
        assert answer["counts"]["rejected"] == 2
        assert stored(cypher) == ["a", "b", "c"]
