from __future__ import annotations

from collections.abc import AsyncGenerator

import httpx
import pytest
from pydantic import SecretStr

from service.bootstrap import Service
from tests.doors.asking import results_of
from tests.swapping import app_for, swapped

RED, BLUE = "red-key-0123456789", "blue-key-0123456789"
MEMORY = {"agent_id": "a", "text": "the red secret", "external_id": "e"}


@pytest.fixture
async def guarded(service: Service) -> AsyncGenerator[httpx.AsyncClient]:
    keys = (("red", SecretStr(RED)), ("blue", SecretStr(BLUE)))
    settings = service.settings.model_copy(update={"api_keys": keys})
    transport = httpx.ASGITransport(app_for(swapped(service, settings=settings)))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        yield client


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


@pytest.mark.parametrize(
    "headers",
    [
        {},
        bearer("wrong-key-0123456789"),
        bearer(RED + "x"),
        bearer(RED[:-1]),
        {"Authorization": f"Basic {RED}"},
        {"Authorization": "Bearer"},
        {"X-API-Key": "wrong-key-0123456789"},
        {"X-API-Key": ""},
        {"X-API-Key": "ключ".encode()},
    ],
)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v1/memories"),
        ("POST", "/v1/recall"),
        ("POST", "/v1/tasks/t/outcome"),
        ("GET", "/v1/memories/external:e?agent_id=a"),
        ("DELETE", "/v1/memories/external:e?agent_id=a"),
        ("POST", "/mcp"),
    ],
)
async def test_without_a_known_key_nothing_is_answered(
    guarded: httpx.AsyncClient, headers: dict[str, str | bytes], method: str, path: str
) -> None:
    sent = {name.encode(): value for name, value in headers.items()}
    raw = [
        (name, value if isinstance(value, bytes) else value.encode())
        for name, value in sent.items()
    ]
    content = b'{"agent_id": "a", "text": "the red secret"}' if method == "POST" else None
    kind = [(b"content-type", b"application/json")]
    answer = await guarded.request(method, path, content=content, headers=[*raw, *kind])
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json()["type"] == "urn:stratagraph:error:authentication"
    assert "key-0123456789" not in answer.text


@pytest.mark.parametrize("headers", [bearer(RED), {"X-API-Key": RED}])
async def test_a_known_key_opens_its_tenant(
    guarded: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    saved = await guarded.post("/v1/memories", json=MEMORY, headers=headers)
    assert saved.status_code == 201
    read = await guarded.get("/v1/memories/external:e?agent_id=a", headers=headers)
    assert read.json()["text"] == MEMORY["text"]


async def test_the_key_of_another_tenant_sees_nothing(guarded: httpx.AsyncClient) -> None:
    uid = (await guarded.post("/v1/memories", json=MEMORY, headers=bearer(RED))).json()["uid"]
    blue = bearer(BLUE)
    for name in (uid, "external:e"):
        path = f"/v1/memories/{name}?agent_id=a"
        assert (await guarded.get(path, headers=blue)).status_code == 404
        assert (await guarded.delete(path, headers=blue)).status_code == 404
    question = {"agent_id": "a", "text": "red secret"}
    assert len(await results_of(guarded, question, expect=1, headers=bearer(RED))) == 1
    assert await results_of(guarded, question, expect=0, headers=blue) == []


async def test_the_tenant_never_comes_from_the_body(guarded: httpx.AsyncClient) -> None:
    body = {**MEMORY, "tenant": "blue"}
    answer = await guarded.post("/v1/memories", json=body, headers=bearer(RED))
    assert answer.status_code == 422


async def test_health_and_docs_need_no_key(guarded: httpx.AsyncClient) -> None:
    for path in ("/healthz", "/readyz", "/docs", "/openapi.json"):
        assert (await guarded.get(path)).status_code == 200


async def test_a_body_is_not_read_before_the_key(guarded: httpx.AsyncClient) -> None:
    async def endless() -> AsyncGenerator[bytes]:
        pytest.fail("the body was read")
        yield b""

    headers = {"Content-Type": "application/json"}
    answer = await guarded.post("/v1/memories", content=endless(), headers=headers)
    assert answer.status_code == 401
