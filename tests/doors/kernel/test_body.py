from __future__ import annotations

from collections.abc import AsyncGenerator

import httpx
import pytest

from service.http.kernel.body import MAX_BODY_BYTES

JSON = {"Content-Type": "application/json"}
GOOD = b'{"agent_id": "a", "text": "x"}'


async def test_a_body_over_the_limit_is_refused_while_it_arrives(
    client: httpx.AsyncClient,
) -> None:
    sent = 0

    async def endless() -> AsyncGenerator[bytes]:
        nonlocal sent
        while sent < 3 * MAX_BODY_BYTES:
            sent += 1024 * 1024
            yield b" " * (1024 * 1024)

    answer = await client.post("/v1/memories", content=endless(), headers=JSON)
    assert answer.status_code == 413
    assert answer.json()["type"] == "urn:stratagraph:error:payload-too-large"
    assert answer.headers["connection"] == "close"
    assert sent <= MAX_BODY_BYTES + 2 * 1024 * 1024


async def test_a_stated_length_over_the_limit_is_refused_unread(
    client: httpx.AsyncClient,
) -> None:
    async def unread() -> AsyncGenerator[bytes]:
        pytest.fail("the body was read")
        yield b""

    headers = {**JSON, "Content-Length": str(MAX_BODY_BYTES + 1)}
    answer = await client.post("/v1/memories", content=unread(), headers=headers)
    assert answer.status_code == 413


async def test_a_body_of_the_limit_is_read(client: httpx.AsyncClient) -> None:
    body = GOOD + b" " * (MAX_BODY_BYTES - len(GOOD))
    assert (await client.post("/v1/memories", content=body, headers=JSON)).status_code == 201


@pytest.mark.parametrize(
    "media_type",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "",
        "application/xml",
    ],
)
async def test_another_media_type_is_refused(client: httpx.AsyncClient, media_type: str) -> None:
    headers = {"Content-Type": media_type} if media_type else {}
    answer = await client.post("/v1/memories", content=GOOD, headers=headers)
    assert answer.status_code == 415
    assert "application/json" in answer.json()["detail"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "application/json; charset=latin-1"},
        {"Content-Type": "application/json", "Content-Encoding": "gzip"},
    ],
)
async def test_another_encoding_is_refused(
    client: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    answer = await client.post("/v1/memories", content=GOOD, headers=headers)
    assert answer.status_code == 415


@pytest.mark.parametrize(
    "media_type",
    ["application/json; charset=utf-8", "Application/JSON", "application/vnd.api+json"],
)
async def test_json_by_any_name_is_read(client: httpx.AsyncClient, media_type: str) -> None:
    headers = {"Content-Type": media_type}
    answer = await client.post("/v1/memories", content=GOOD, headers=headers)
    assert answer.status_code == 201
