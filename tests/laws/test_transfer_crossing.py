"""Neither an export nor an import crosses a tenant, or writes over another scope."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest_asyncio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from service.app import create_app
from service.bootstrap import Connection, Service, open_service
from service.settings import Settings
from tests.conftest import Run
from tests.doors.cycled import go_round
from tests.doors.filled import fill
from tests.doors.learned import learn_all
from tests.doors.moving import content, everything, exported, imported, of

ACME = {"Authorization": "Bearer key-of-acme"}
LOCAL = {"Authorization": "Bearer key-of-local"}
# Labels and names that two tenants share by accident, or to deceive.
AGENTS = ("anna", "bert")


@pytest_asyncio.fixture(loop_scope="session")
async def doors(
    connection: Connection, service: Service
) -> AsyncGenerator[tuple[httpx.AsyncClient, Service]]:
    keys = (("acme", SecretStr("key-of-acme")), ("local", SecretStr("key-of-local")))
    guarded = Settings(neo4j_uri=connection.uri, api_keys=keys)
    async with open_service(guarded, connection, service.embedders.reading.embedder) as opened:
        transport = httpx.ASGITransport(app=create_app(opened), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            yield client, opened


Doors = tuple[httpx.AsyncClient, Service]


async def of_tenant(client: httpx.AsyncClient, key: dict[str, str]) -> list[dict[str, Any]]:
    answer = await client.get(
        "/v1/export", params={"scope": "tenant", "vectors": True}, headers=key
    )
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


async def test_an_export_shows_one_tenant(doors: Doors) -> None:
    client, service = doors
    await fill(client, service, headers=ACME, agents=AGENTS)
    await fill(client, service, headers=LOCAL, agents=("anna",))
    acme, local = await of_tenant(client, ACME), await of_tenant(client, LOCAL)
    assert len(of(acme, "memory")) == 14
    assert len(of(local, "memory")) == 7
    names = [
        {line[name] for line in lines for name in ("uid", "memory_uid", "from", "to") if name in line}
        for lines in (acme, local)
    ]  # fmt: skip
    assert not names[0] & names[1]
    positions = of(acme, "position")
    for position in positions:
        rest = await client.get(
            "/v1/export", params={"scope": "tenant", "after": position["after"]}, headers=LOCAL
        )
        shown = [json.loads(line) for line in rest.text.splitlines()]
        assert not names[0] & {line.get("uid") for line in shown}


async def test_an_import_cannot_touch_what_another_tenant_has(doors: Doors, cypher: Run) -> None:
    client, service = doors
    await fill(client, service, headers=ACME, agents=("anna",))
    await go_round(client, service, headers=ACME)
    learn_all(cypher)
    before = [row for row in everything(cypher) if "acme" in row or "USED" in row]
    stolen = await of_tenant(client, ACME)
    answer = await imported(client, stolen, LOCAL)
    refused: set[str] = {stolen[report["line"] - 1]["type"] for report in of(answer, "rejected")}
    halves = {"memory", "version", "edge", "retrieval", "reward", "rewarded"}
    assert refused == {*halves, "estimate", "credit", "cycle", "visit", "step", "patch"}
    landed = {kind for kind, counts in answer[-1]["types"].items() if counts["created"]}
    nameless = {"membership", "relationship", "plugin", "scope", "session", "task", "expectation"}
    assert landed == nameless  # these have no names beyond their scope
    assert [row for row in everything(cypher) if "acme" in row or "USED" in row] == before
    assert content(await of_tenant(client, ACME)) == content(stolen)
    assert not of(await of_tenant(client, LOCAL), "memory")


@given(data=st.data())
@settings(
    max_examples=25,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
async def test_no_line_reaches_across(doors: Doors, cypher: Run, data: st.DataObject) -> None:
    """Join what is ours with what is theirs in every line that names two things."""
    client, service = doors
    if not cypher("MATCH (m:Memory) RETURN m LIMIT 1"):
        await fill(client, service, headers=ACME, agents=("anna",))
        await fill(client, service, headers=LOCAL, agents=("anna",))
        for key in (ACME, LOCAL):
            await go_round(client, service, headers=key)
        learn_all(cypher)
    theirs, ours = await of_tenant(client, ACME), await of_tenant(client, LOCAL)
    before = everything(cypher)
    kinds = ["version", "edge", "retrieval", "rewarded", "memory", "estimate", "credit"]
    kinds += ["cycle", "visit", "step", "patch"]
    kind = data.draw(st.sampled_from(kinds))
    line = dict(data.draw(st.sampled_from(of(ours, kind))))
    names = [n for n in ("uid", "memory_uid", "from", "to", "reward_uid", "cycle_uid") if n in line]
    if kind in ("cycle", "patch"):
        names = [n for n in names if n in ("uid", "cycle_uid")]  # the others join nothing
    name = data.draw(st.sampled_from(names))
    sort = {"reward_uid": "reward", "cycle_uid": "cycle", "uid": kind}.get(name, "memory")
    line[name] = data.draw(st.sampled_from(of(theirs, sort)))["uid"]
    answer = await imported(client, [line], LOCAL)
    assert answer[-1]["counts"]["rejected"] == 1, (line, answer)
    assert everything(cypher) == before


async def test_a_uid_of_another_scope_is_not_written_over(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await fill(client, service)
    before = everything(cypher)
    lines = await exported(client)
    moved = [
        {**line, "scope": scope, "text": "written over"}
        for line in of(lines, "memory")
        for scope in ("agent/bert", "channel/anna", "user/anna", "shared")
    ]
    answer = await imported(client, moved)
    assert answer[-1]["counts"]["rejected"] == len(moved)
    assert everything(cypher) == before
