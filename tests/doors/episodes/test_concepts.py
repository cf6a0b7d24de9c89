"""Concepts by hand, over HTTP, from the clients and at the command line."""

from __future__ import annotations

import httpx
import pytest

from graph.kernel.scope import Caller
from service.bootstrap import Service
from tests.conftest import Run
from tests.store.reading import settled
from tests.store.solving import EGGS, attempt, rows_of

WHO = {"agent_id": "anna"}


async def test_concepts_are_extracted_archived_and_brought_back(
    client: httpx.AsyncClient, service: Service, anna: Caller, cypher: Run
) -> None:
    await attempt(service, anna, *rows_of("egg", EGGS[:8]))
    await settled(cypher)
    made = (await client.post("/v1/concepts/extract", json=WHO)).json()
    assert (len(made["created"]), made["merged"], made["joined"]) == (1, [], 8)
    shown = (await client.get(f"/v1/memories/{made['created'][0]}", params=WHO)).json()
    assert shown["kind"] == "concept"
    assert shown["structured"]["success_rate"] == 1.0
    look = (await client.post("/v1/concepts/archive", json=WHO)).json()
    assert (look["dry_run"], len(look["archived"]), look["kept"]) == (True, 5, 3)
    body = {**WHO, "dry_run": False, "concept": made["created"][0]}
    done = (await client.post("/v1/concepts/archive", json=body)).json()
    assert done == {**look, "dry_run": False}
    back = (await client.post("/v1/concepts/restore", json=WHO)).json()
    assert back == {"restored": 10, "kept": []}
    again = (await client.post("/v1/concepts/extract", json=WHO)).json()
    assert again == {"created": [], "merged": [], "joined": 0, "counted": 0}


@pytest.mark.parametrize("path", ["extract", "archive", "restore"])
async def test_a_faulty_request_is_refused(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.post(f"/v1/concepts/{path}", json={})).status_code == 422
    wrong = {**WHO, "scope_kind": "user"}
    assert (await client.post(f"/v1/concepts/{path}", json=wrong)).status_code == 422


@pytest.mark.parametrize("path", ["archive", "restore"])
async def test_a_concept_that_is_not_there_is_not_found(
    client: httpx.AsyncClient, path: str
) -> None:
    answer = await client.post(f"/v1/concepts/{path}", json={**WHO, "concept": "none"})
    assert answer.status_code == 404
