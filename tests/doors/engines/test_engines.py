"""The engine of a recall over HTTP: by the request, the agent's type or the tenant, from a file or an object."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from service.bootstrap import Service
from stratagraph import AsyncClient
from tests.conftest import Run
from tests.doors.operation.test_command_line import home, run
from tests.store.reading import settled

__all__ = ["home"]  # a fixture
PATH = "/v1/engines"
ANNA = {"agent_id": "anna"}
FILE = """\
memory_config:
  type: humancentric
  params: {ranking_mode: weighted, W_context: 0.4, max_working: 7, I_gate: 0.6}
agent_types:
  household:
    agents: [house-*]
    memory_config: {type: saliency}
    emotion_keywords: {flood: 1.0}
"""


@pytest_asyncio.fixture(autouse=True, loop_scope="session")
async def left_as_it_was(service: Service) -> AsyncGenerator[None]:
    yield
    caller = Caller("local", "anna")
    await service.configure_engines.reset(caller)
    await service.change_strata_config.reset(caller)


async def engine_of(client: httpx.AsyncClient, agent: str, **fields: Any) -> str:
    answer = await client.post("/v1/recall", json={"agent_id": agent, "text": "flood", **fields})
    assert answer.status_code == 200, answer.text
    return answer.json()["engine"]


async def test_the_request_comes_before_the_type_and_the_type_before_the_tenant(
    client: httpx.AsyncClient, service: Service
) -> None:
    assert await engine_of(client, "anna") == "utility"
    answer = await client.post(PATH, json=ANNA | {"yaml": FILE})
    assert answer.status_code == 200, answer.text
    assert await engine_of(client, "anna") == "weighted"
    assert await engine_of(client, "house-1") == "saliency"
    assert await engine_of(client, "house-1", engine="actr") == "actr"
    assert await engine_of(client, "anna", engine="utility") == "utility"
    assert service.configs.engines_of("other").of("anna").config.engine == "utility"


async def test_what_is_applied_is_shown_and_reset(
    client: httpx.AsyncClient, service: Service
) -> None:
    applied = (await client.post(PATH, json=ANNA | {"yaml": FILE})).json()
    shown = (await client.get(PATH)).json()
    assert shown == applied
    assert (shown["engine"], shown["settings"]["context_weight"]) == ("weighted", 0.4)
    [household] = shown["agent_types"]
    assert (household["name"], household["engine"]) == ("household", "saliency")
    assert household["settings"]["context_weight"] == 0.4
    assert household["emotion_keywords"] == {"flood": 1.0}
    strata = service.configs.strata_of("local")
    assert (strata.working_capacity, strata.eviction) == (7, "smart")
    assert (strata.consolidation_gate, strata.consolidation_probability) == (0.6, 1.0)
    told = (await client.get("/v1/strata/config/changes")).json()["items"]
    assert {"working_capacity", "eviction"} <= {change["name"] for change in told}
    await client.post(PATH, json=ANNA | {"config": {"memory_config": {"type": "basic"}}})
    [newest, *_] = (await client.get(f"{PATH}/changes")).json()["items"]
    assert (newest["name"], newest["actor"]) == ("engines", "agent/anna")
    assert "basic" in newest["new"]
    assert "household" in newest["old"]
    assert (await client.get(PATH)).json()["agent_types"] == []
    reset = (await client.delete(PATH, params=ANNA)).json()
    assert (reset["engine"], reset["config"]) == ("utility", {})
    assert await engine_of(client, "anna") == "utility"


@pytest.mark.parametrize(
    ("body", "field", "told"),
    [
        ({"yaml": FILE.replace("0.4", "-4")}, "yaml", "line 3: memory_config.params.W_context"),
        ({"yaml": "a: [\n"}, "yaml", "line 2: this is no YAML"),
        ({"config": {"memory_config": {"type": "x"}}}, "memory_config.type", "must be one of"),
        ({}, "yaml", "exactly one"),
        ({"yaml": FILE, "config": {}}, "yaml", "exactly one"),
    ],
)
async def test_what_cannot_be_used_changes_nothing(
    client: httpx.AsyncClient, body: dict[str, Any], field: str, told: str
) -> None:
    before = (await client.get(PATH)).json()
    answer = await client.post(PATH, json=ANNA | body)
    assert answer.status_code == 422
    [fault] = answer.json()["errors"]
    assert fault["field"] == field
    assert told in fault["message"]
    assert (await client.get(PATH)).json() == before


async def test_an_engine_that_is_none_is_refused(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/recall", json=ANNA | {"text": "x", "engine": "best"})
    assert answer.status_code == 422


async def test_the_client_asks_by_an_engine_and_applies_one(
    url: str, cypher: Run, service: Service
) -> None:
    async with AsyncClient(url, agent_id="anna") as client:
        await service.remember([NewMemory("local/agent/anna", "the levee broke", importance=5)])
        await settled(cypher)
        answer = await client.recall("tea", engine="saliency", explain=True)
        assert answer.engine == "saliency"
        assert answer.results[0].explanation is not None
        assert answer.results[0].explanation.components["importance"] == 1.0
        view = await client.apply_engines(config={"memory_config": {"type": "generative"}})
        assert (view.engine, (await client.engines()).version) == ("generative", view.version)
        assert (await client.reset_engines()).engine == "utility"


async def test_a_file_is_applied_and_shown_by_command(url: str, tmp_path: Path) -> None:
    file = tmp_path / "engines.yaml"
    file.write_text(FILE)
    said = await run("engines", "apply", str(file), "--url", url, "--agent", "anna")
    assert "context_weight" in said
    assert "household: house-*" in said
    assert "emotion flood: 1" in said
    assert await run("engines", "show", "--url", url) == said
    assert "saliency" in await run(
        "recall", "x", "--engine", "saliency", "--agent", "a", "--json", "--url", url
    )
    assert "household" not in await run("engines", "reset", "--url", url, "--agent", "anna")
