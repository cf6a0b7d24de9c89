"""Presidio's recognisers, in place of the light ones and without any network."""

from __future__ import annotations

import socket
from itertools import pairwise
from typing import Any

import httpx
import pytest

from graph.ports.world import Embedder
from service.app import create_app
from service.bootstrap import Connection, Service, open_service
from service.settings import Settings

pytest.importorskip("presidio_analyzer", reason="needs the extra `pii`: make test-extras")

from graph.privacy.presidio import PresidioRecognizer


@pytest.fixture(scope="module")
def recognizer() -> PresidioRecognizer:
    return PresidioRecognizer()


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> Any:
        raise AssertionError("it asks the network")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.parametrize(
    ("text", "kind", "value", "written"),
    [
        ("write to Anna@Example.org now", "EMAIL", "anna@example.org", "Anna@Example.org"),
        ("call +49 30 12345678", "PHONE", "493012345678", "+49 30 12345678"),
        ("paid by 4539 0089 8232 6972", "CARD", "4539008982326972", "4539 0089 8232 6972"),
        ("to DE89 3704 0044 0532 0130 00.", "IBAN", "DE89370400440532013000",
         "DE89 3704 0044 0532 0130 00"),
        ("it came from 8.8.8.8", "IP", "8.8.8.8", "8.8.8.8"),
        ("my SSN is 536-90-4399", "NATIONAL_ID", "536904399", "536-90-4399"),
    ],
)  # fmt: skip
def test_who_is_named_is_found_without_the_network(
    recognizer: PresidioRecognizer, offline: None, text: str, kind: str, value: str, written: str
) -> None:
    [found] = recognizer.find(text)
    assert (found.type, found.value, text[found.start : found.end]) == (kind, value, written)


@pytest.mark.parametrize(
    "text",
    [
        "see https://example.org/a?b=1 of 2026-01-01",
        "Natalia sold 48/2 = <<48/2=24>>24 clips.",
        "card 4539 0089 8232 6973",  # its check digit is wrong
        "nobody at all",
        "",
    ],
)
def test_nobody_is_found_where_nobody_is(
    recognizer: PresidioRecognizer, offline: None, text: str
) -> None:
    assert list(recognizer.find(text)) == []


def test_findings_stand_in_order_and_apart(recognizer: PresidioRecognizer) -> None:
    text = "anna@example.org, bert@example.org or 4539 0089 8232 6972"
    found = recognizer.find(text)
    assert [one.type for one in found] == ["EMAIL", "EMAIL", "CARD"]
    assert all(one.end <= other.start for one, other in pairwise(found))


async def test_a_service_that_was_told_to_masks_by_it(
    service: Service, settings: Settings, connection: Connection, embedder: Embedder
) -> None:
    other = settings.model_copy(update={"pii_recognizer": "presidio"})
    async with open_service(other, connection, embedder) as running:
        transport = httpx.ASGITransport(app=create_app(running), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            episode = {"input": {"problem": "Ask anna@example.org about 4539 0089 8232 6972."}}
            added = await client.post("/v1/episodes", json={"agent_id": "anna", **episode})
            assert added.status_code == 201, added.text
            assert added.json()["redacted"] == {"EMAIL": 1, "CARD": 1}
            name = added.json()["uid"]
            read = await client.get(f"/v1/episodes/{name}", params={"agent_id": "anna"})
    assert read.json()["episode"]["input"]["problem"] == "Ask <EMAIL> about <CARD>."
