"""Strata of a tenant over HTTP: added, used, refused, taken away, and no other tenant's."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import httpx
import pytest
import pytest_asyncio
from pydantic import SecretStr

from graph.kernel.scope import Caller
from service.bootstrap import Service
from tests.conftest import Run
from tests.doors.erasure.test_checking import keyed

PATH = "/v1/strata/config"
ANNA = {"agent_id": "anna"}
DAILY = ANNA | {"own_strata": "daily after short_term capacity=200 retention_hours=72 decay=0.2"}
KNOWN = "must be one of working, short_term, daily, episodic, long_term, semantic"


@pytest_asyncio.fixture(autouse=True, loop_scope="session")
async def left_as_it_was(service: Service, cypher: Run) -> AsyncGenerator[None]:
    yield
    cypher("MATCH (m:Memory) DETACH DELETE m")
    for tenant in ("local", "red"):
        await service.change_strata_config.reset(Caller(tenant, "anna"))


async def remember(client: httpx.AsyncClient, text: str, stratum: str) -> httpx.Response:
    return await client.post("/v1/memories", json=ANNA | {"text": text, "stratum": stratum})


async def test_a_memory_is_stored_changed_found_and_moved_by_an_own_stratum(
    client: httpx.AsyncClient,
) -> None:
    assert (await remember(client, "The gate code is 4711.", "daily")).status_code == 422
    shown = (await client.patch(PATH, json=DAILY)).json()["values"]["own_strata"]
    assert (shown["value"], shown["source"]) == (DAILY["own_strata"], "runtime")
    uid = (await remember(client, "The gate code is 4711.", "daily")).json()["uid"]
    other = (await remember(client, "The gate code was 0815.", "episodic")).json()["uid"]
    found = await client.get("/v1/memories", params=ANNA | {"strata": "daily"})
    assert [(item["uid"], item["stratum"]) for item in found.json()["items"]] == [(uid, "daily")]
    changed = await client.patch(f"/v1/memories/{other}", json={"stratum": "daily"}, params=ANNA)
    assert changed.json()["stratum"] == "daily"
    asked = ANNA | {"text": "gate code", "filters": {"strata": ["daily"]}}
    answer = await client.post("/v1/recall", json=asked)
    assert answer.status_code == 200, answer.text
    moved = await client.post("/v1/strata/moves", json=ANNA | {"memories": [uid], "to": "up"})
    assert [item["to_stratum"] for item in moved.json()["items"]] == ["episodic"]
    proven = await client.post(
        "/v1/strata/promotions", json=ANNA | {"min_successes": 0, "min_q": 0}
    )
    assert {item["from_stratum"] for item in proven.json()["items"]} == {"daily", "episodic"}


@pytest.mark.parametrize(
    ("method", "path", "body", "field"),
    [
        ("POST", "/v1/memories", {"text": "x", "stratum": "attic"}, "stratum"),
        ("PATCH", "/v1/memories/{uid}", {"stratum": "attic"}, "stratum"),
        ("POST", "/v1/recall", {"text": "x", "filters": {"strata": ["attic"]}}, "filters.strata.0"),
        ("GET", "/v1/memories", {}, "strata.0"),
        ("POST", "/v1/strata/moves", {"memories": ["u"], "to": "attic"}, "to"),
        ("POST", "/v1/strata/promotions", {"strata": ["attic"]}, "strata.0"),
        ("POST", "/v1/consolidations", {"strata": ["attic"]}, "strata.0"),
    ],
)
async def test_an_unknown_stratum_is_refused_with_those_that_are_known(
    client: httpx.AsyncClient, method: str, path: str, body: dict[str, object], field: str
) -> None:
    await client.patch(PATH, json=DAILY)
    uid = (await remember(client, "The gate code is 4711.", "daily")).json()["uid"]
    match method:
        case "GET":
            answer = await client.get(path, params={**ANNA, "strata": "attic"})
        case "PATCH":
            answer = await client.patch(path.format(uid=uid), json=body, params=ANNA)
        case _:
            answer = await client.post(path, json=ANNA | body)
    assert answer.status_code == 422, answer.text
    assert answer.json()["errors"][0] == {"field": field, "message": KNOWN}


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ("daily after weekly", "daily: weekly is no stratum"),
        ("semantic after working", "semantic: the name is taken"),
        ("daily after working decay=101", "daily: decay must be in [0, 100]"),
    ],
)
async def test_a_setting_that_cannot_be_is_told_in_words(
    client: httpx.AsyncClient, own: str, said: str
) -> None:
    answer = await client.patch(PATH, json=ANNA | {"own_strata": own})
    assert answer.status_code == 422
    [fault] = answer.json()["errors"]
    assert fault["field"] == "own_strata"
    assert fault["message"].startswith(said)


async def test_a_stratum_goes_only_when_it_is_empty(client: httpx.AsyncClient) -> None:
    await client.patch(PATH, json=DAILY)
    uid = (await remember(client, "The gate code is 4711.", "daily")).json()["uid"]
    for answer in (
        await client.patch(PATH, json=ANNA | {"own_strata": None}),
        await client.delete(PATH, params=ANNA),
    ):
        assert answer.status_code == 409
        assert "daily (1). Move or delete them first" in answer.json()["detail"]
    await client.patch(f"/v1/memories/{uid}", json={"stratum": "episodic"}, params=ANNA)
    assert (await client.patch(PATH, json=ANNA | {"own_strata": None})).status_code == 200
    assert (await remember(client, "Another.", "daily")).status_code == 422


async def test_archived_memories_are_deleted_by_their_stratum(client: httpx.AsyncClient) -> None:
    await client.patch(PATH, json=DAILY)
    uid = (await remember(client, "The gate code is 4711.", "daily")).json()["uid"]
    await client.patch(f"/v1/memories/{uid}", json={"state": "archived"}, params=ANNA)
    assert (await client.patch(PATH, json=ANNA | {"own_strata": None})).status_code == 409
    meant = {"filters": {"strata": ["daily"], "states": ["archived"]}, "dry_run": False}
    assert (await client.post("/v1/memories/delete", json=ANNA | meant)).json()["deleted"] == 1
    assert (await client.patch(PATH, json=ANNA | {"own_strata": None})).status_code == 200


async def test_the_outer_loop_moves_memories_of_own_strata(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    own = "daily after short_term; rules after long_term"
    await client.patch(PATH, json=ANNA | {"own_strata": own})
    proven = (await remember(client, "Trains leave at ten past.", "daily")).json()["uid"]
    general = (await remember(client, "Trains run on time.", "rules")).json()["uid"]
    cypher("MATCH (m:Memory) SET m.q_value = 0.9, m.success_count = 12, m.q_count = 12")
    tried = (await client.post("/v1/loops", json=ANNA)).json()
    assert {(m["uid"], m["rule"], m["to_stratum"]) for m in tried["moves"]} == {
        (proven, "promote", "long_term"),
        (general, "abstract", "semantic"),
    }


async def test_an_own_stratum_is_no_other_tenants(service: Service) -> None:
    keys = (("red", SecretStr("red-key-0123456789")), ("blue", SecretStr("blue-key-0123456789")))
    async with keyed(service, api_keys=keys) as client:
        red, blue = ({"X-API-Key": f"{name}-key-0123456789"} for name in ("red", "blue"))
        answer = await client.patch(PATH, json=DAILY, headers=red)
        assert answer.status_code == 200, answer.text
        body = ANNA | {"text": "The gate code is 4711.", "stratum": "daily"}
        for _ in range(2):  # what one tenant knows does not stay for the next request
            saved = await client.post("/v1/memories", json=body, headers=red)
            assert saved.is_success, saved.text
            refused = await client.post("/v1/memories", json=body, headers=blue)
            assert refused.status_code == 422
            assert refused.json()["errors"][0]["message"] == KNOWN.replace("daily, ", "")
        shown = (await client.get(PATH, headers=blue)).json()["values"]["own_strata"]
        assert (shown["value"], shown["source"]) == ("", "default")


async def test_an_export_with_an_own_stratum_is_imported_where_the_stratum_is_known(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    await client.patch(PATH, json=DAILY)
    await remember(client, "The gate code is 4711.", "daily")
    dump = (await client.get("/v1/export", params=ANNA)).content
    assert b'"stratum":"daily"' in dump.replace(b'": "', b'":"')
    cypher("MATCH (m:Memory) DETACH DELETE m")
    headers = {"Content-Type": "application/x-ndjson"}
    back = await client.post("/v1/import", content=dump, params=ANNA, headers=headers)
    assert back.status_code == 200, back.text
    found = await client.get("/v1/memories", params=ANNA | {"strata": "daily"})
    assert len(found.json()["items"]) == 1
    cypher("MATCH (m:Memory) DETACH DELETE m")
    await client.patch(PATH, json=ANNA | {"own_strata": None})
    refused = await client.post("/v1/import", content=dump, params=ANNA, headers=headers)
    assert "must be one of working, short_term, episodic" in refused.text
