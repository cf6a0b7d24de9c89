"""The graph checked and mended over HTTP: by whom, in parts, and from the command line beside a service."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr
from typer.testing import CliRunner

from graph.model.memories.memory import NewMemory
from service.bootstrap import Service
from service.bootstrap.managed import write_service
from service.cli import app
from service.http.erasure import checking
from tests.conftest import Run
from tests.served import served
from tests.store.erasure.test_checking import FLAWS
from tests.swapping import app_for, swapped

HOME = "local/agent/anna"
PLACE = "/v1/admin/fsck"
RED, ADMIN = "red-key-0123456789", "admin-key-0123456789"


@asynccontextmanager
async def keyed(service: Service, **settings: Any) -> AsyncGenerator[httpx.AsyncClient]:
    told = service.settings.model_copy(update=settings)
    transport = httpx.ASGITransport(app=app_for(swapped(service, settings=told)))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        yield client


async def flawed(service: Service, cypher: Run) -> None:
    """Store something with a wrong count, and a memory without a vector."""
    saved = await service.remember(
        [NewMemory(HOME, text, external_id=name) for name, text in (("plan", "a"), ("other", "b"))]
    )
    cypher(FLAWS["degrees"])
    cypher("MATCH (m:Memory {uid: $uid}) REMOVE m.embedding_a", uid=saved[1].uid)


async def test_a_look_tells_and_a_repair_mends(
    service: Service, client: httpx.AsyncClient, cypher: Run
) -> None:
    await flawed(service, cypher)
    for _ in range(2):  # a look changes nothing
        looked = (await client.get(PLACE)).json()
        assert [(f["kind"], f["count"], f["mended"]) for f in looked["flaws"]] == [
            ("degrees", 1, 0), ("vectors", 1, 0),
        ]  # fmt: skip
        assert (looked["seen"]["memories"], looked["next_cursor"]) == (2, None)
    mended = (await client.post(PLACE, json={})).json()
    assert [(f["kind"], f["mended"]) for f in mended["flaws"]] == [("degrees", 1), ("vectors", 1)]
    assert (await client.get(PLACE)).json()["flaws"] == []
    [row] = cypher("MATCH (m:Memory) RETURN sum(size(m.embedding_a)) AS n")
    assert row["n"] == 2 * 384


async def test_parts_follow_each_other_to_the_end(
    service: Service, client: httpx.AsyncClient, cypher: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "_AT_ONCE", timedelta(0))  # a page each
    await flawed(service, cypher)
    found: list[str] = []
    seen = Counter[str](dict.fromkeys(service.check_graph.checks.walks, 0))
    parts = len(seen)  # a page of each walk, as nothing here needs two
    cursor: str | None = None
    for part in range(parts + 1):
        asked = {} if cursor is None else {"cursor": cursor}
        answer = (await client.get(PLACE, params=asked)).json()
        found += [flaw["kind"] for flaw in answer["flaws"]]
        seen.update(answer["seen"])
        cursor = answer["next_cursor"]
        if cursor is None:
            break
        assert part < parts
    assert found == ["degrees", "vectors"]
    assert {walk: number for walk, number in seen.items() if number} == {"memories": 2}


@pytest.mark.parametrize("cursor", ["x", "é", "W10", "WyJtZW1vcmllcyIsWyJ4Il0sIngiXQ"])
async def test_a_cursor_of_ones_own_is_refused(client: httpx.AsyncClient, cursor: str) -> None:
    answer = await client.get(PLACE, params={"cursor": cursor})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "cursor")


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_only_who_runs_the_service_may_ask(service: Service, method: str) -> None:
    async with keyed(service) as client:
        elsewhere = await client.request(method, PLACE, headers={"Host": "evil.example"})
        assert elsewhere.status_code == 401
    keys = (("red", SecretStr(RED)),)
    async with keyed(service, api_keys=keys) as client:
        refused = await client.request(method, PLACE, headers={"X-API-Key": RED})
        assert refused.status_code == 401
        assert "STRATAGRAPH_ADMIN_KEY" in refused.json()["detail"]
    async with keyed(service, api_keys=keys, admin_key=SecretStr(ADMIN)) as client:
        for key in (RED, "wrong-key-0123456789"):
            refused = await client.request(method, PLACE, headers={"X-API-Key": key})
            assert refused.status_code == 401
        assert (await client.request(method, PLACE)).status_code == 401
        given = {"Authorization": f"Bearer {ADMIN}"}
        assert (await client.request(method, PLACE, json={}, headers=given)).status_code == 200
        recall = {"agent_id": "anna", "text": "a"}
        assert (await client.post("/v1/recall", json=recall, headers=given)).status_code == 401


async def test_the_command_has_the_service_on_its_home_check(
    service: Service, cypher: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    await flawed(service, cypher)
    monkeypatch.setenv("STRATAGRAPH_HOME", str(tmp_path))
    monkeypatch.setattr(checking, "_AT_ONCE", timedelta(0))
    runner = CliRunner()
    async with served(service) as url:
        write_service(tmp_path, url)

        async def said(*words: str) -> tuple[int, str]:
            result = await asyncio.to_thread(runner.invoke, app, ["fsck", *words])
            return result.exit_code, result.output

        code, told = await said()
        assert code == 1
        assert "2 to mend. stratagraph fsck --repair does it." in told
        assert "memories: 2 looked at" in told
        code, told = await said("--repair", "--json")
        assert (code, told.count('"mended": 1')) == (0, 2)
        assert await said("--url", url) == (0, "memories: 2 looked at\nAll is well.\n")
