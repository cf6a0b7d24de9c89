from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import NoReturn

import httpx
import pytest

from graph.kernel import errors
from service.bootstrap import Service
from service.http.kernel.errors import STATUSES, status_of
from service.logs import TextFormatter
from tests.swapping import app_for, swapped

QUESTION = {"agent_id": "a", "text": "the secret question"}


def failing(error: Exception) -> Callable[..., object]:
    async def recall(*_: object) -> NoReturn:
        raise error

    return recall


async def answer_to(service: Service, error: Exception) -> httpx.Response:
    app = app_for(swapped(service, recall=failing(error)))  # pyright: ignore[reportArgumentType] -- same call
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        return await client.post("/v1/recall", json=QUESTION)


def kinds() -> list[type[errors.StratagraphError]]:
    found: list[type[errors.StratagraphError]] = []
    pending = [errors.StratagraphError]
    while pending:
        below = pending.pop().__subclasses__()
        own = [kind for kind in below if kind.__module__ == "graph.kernel.errors"]
        found.extend(own)
        pending.extend(own)
    return found


def test_every_error_has_a_row_in_the_table() -> None:
    assert [kind for kind in kinds() if kind not in STATUSES] == []


def test_every_row_has_a_name_of_its_own() -> None:
    names = [slug for _, slug in STATUSES.values()]
    assert len(names) == len(set(names))
    for kind, (_, slug) in STATUSES.items():
        kebab = re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__.removesuffix("Error")).lower()
        assert slug == kebab


@pytest.mark.parametrize("kind", kinds())
async def test_every_error_is_a_problem(
    service: Service, kind: type[errors.StratagraphError]
) -> None:
    answer = await answer_to(service, kind())
    status, slug = status_of(kind())
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["type"] == f"urn:stratagraph:error:{slug}"
    assert answer.json()["title"]


async def test_a_dead_database_says_when_to_come_back(service: Service) -> None:
    answer = await answer_to(service, errors.DatabaseUnavailableError())
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0


@pytest.mark.parametrize(
    "error", [errors.DatabaseError("the secret text"), RuntimeError("the secret text")]
)
async def test_a_fault_of_ours_tells_no_texts(
    service: Service, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    with caplog.at_level(logging.DEBUG, "stratagraph"):
        answer = await answer_to(service, error)
    assert answer.status_code == 500
    assert "secret" not in answer.text
    logged = [record for record in caplog.records if record.name.startswith("stratagraph")]
    assert logged
    lines = [TextFormatter().format(record) for record in logged]
    assert not any("secret text" in line for line in lines)
    assert any(answer.json()["request_id"] in line for line in lines)


@pytest.mark.parametrize(
    ("method", "path", "status", "slug"),
    [
        ("GET", "/nowhere", 404, "not-found"),
        ("PUT", "/v1/recall", 405, "method-not-allowed"),
    ],
)
async def test_unknown_paths_and_methods_are_problems(
    client: httpx.AsyncClient, method: str, path: str, status: int, slug: str
) -> None:
    answer = await client.request(method, path)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["type"] == f"urn:stratagraph:error:{slug}"


async def test_a_sane_request_id_is_kept(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/recall", json={}, headers={"X-Request-ID": "my-id.1"})
    assert answer.headers["x-request-id"] == "my-id.1"
    assert answer.json()["request_id"] == "my-id.1"


@pytest.mark.parametrize("given", ["", "a b", "x" * 129, "a\tb", "<script>"])
async def test_another_request_id_is_made_anew(client: httpx.AsyncClient, given: str) -> None:
    answer = await client.get("/healthz", headers={"X-Request-ID": given})
    assert re.fullmatch(r"[0-9a-f]{32}", answer.headers["x-request-id"])


async def test_the_log_holds_no_texts_and_no_ids(
    client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, "stratagraph"):
        await client.post("/v1/recall", json=QUESTION, headers={"X-Request-ID": "r1"})
        await client.get("/v1/memories/external:hidden?agent_id=hidden")
    told = [record for record in caplog.records if record.name == "stratagraph.access"]
    lines = [TextFormatter().format(record) for record in told]
    assert "method=POST route=/v1/recall status=200 ms=" in lines[0]
    assert "request_id=r1" in lines[0]
    assert "route=/v1/memories/{name:path} status=404" in lines[1]
    assert not any("hidden" in line or "secret" in line for line in lines)
