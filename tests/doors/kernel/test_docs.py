from __future__ import annotations

import re
from typing import Any

import httpx

from stratagraph.operations.table import OPERATIONS


async def test_the_docs_page_loads_nothing_from_elsewhere(client: httpx.AsyncClient) -> None:
    page = await client.get("/docs")
    assert page.status_code == 200
    assert "//" not in re.sub(r"<!--.*?-->|//-->|<!DOCTYPE[^>]*>", "", page.text)
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assets = re.findall(r'(?:src|href)="(/[^"]+)"', page.text)
    assert len(assets) == 2
    for asset in assets:
        served = await client.get(asset)
        assert served.status_code == 200
        assert len(served.content) > 10_000


async def test_every_body_is_described_with_examples(client: httpx.AsyncClient) -> None:
    document = (await client.get("/openapi.json")).json()
    posts = {path: way["post"] for path, way in document["paths"].items() if "post" in way}
    named = [each.path for each in OPERATIONS.values() if each.method == "POST"]
    declared, described = ({re.sub(r"\{.+?\}", "{}", path) for path in of} for of in (named, posts))
    assert described == declared
    for operation in posts.values():
        bodies = operation["requestBody"]["content"].values()
        assert any(body.get("examples") for body in bodies)
        assert all(body["schema"] for body in bodies)


async def test_the_examples_work(client: httpx.AsyncClient) -> None:
    document = (await client.get("/openapi.json")).json()
    for path in ("/v1/memories", "/v1/recall"):
        body = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]
        for example in body["examples"].values():
            answer = await client.post(path, json=example["value"])
            assert answer.is_success, answer.text


async def test_the_example_of_an_import_works(client: httpx.AsyncClient) -> None:
    document = (await client.get("/openapi.json")).json()
    body = document["paths"]["/v1/import"]["post"]["requestBody"]["content"]
    [(media_type, described)] = body.items()
    lines: str = described["examples"]["rows"]["value"]
    answer = await client.post("/v1/import", content=lines, headers={"Content-Type": media_type})
    assert '"created":2' in answer.text.splitlines()[-1]


async def test_every_reference_is_described(client: httpx.AsyncClient) -> None:
    document = (await client.get("/openapi.json")).json()
    described = document["components"]["schemas"]
    references = set(re.findall(r'"#/components/schemas/([^"]+)"', str(document).replace("'", '"')))
    assert references <= described.keys()


async def test_every_field_has_a_description(client: httpx.AsyncClient) -> None:
    document: dict[str, Any] = (await client.get("/openapi.json")).json()
    for name, schema in document["components"]["schemas"].items():
        for field, described in schema.get("properties", {}).items():
            assert described.get("description"), f"{name}.{field}"


async def test_lambda_goes_by_its_wire_name(client: httpx.AsyncClient) -> None:
    document = (await client.get("/openapi.json")).json()
    fields = document["components"]["schemas"]["RecallRequest"]["properties"]
    assert "lambda" in fields
    assert "utility_weight" not in fields
