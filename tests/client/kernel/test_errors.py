"""Each way a call can fail, and the exception for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from pydantic import SecretStr

from service.bootstrap import Service
from stratagraph import (
    AsyncClient,
    Call,
    Client,
    ConnectionFailedError,
    InvalidRequestError,
    MethodNotAllowedError,
    NotFoundError,
    PayloadTooLargeError,
    Retries,
    StratagraphError,
    UnauthorizedError,
    UnavailableError,
    UnexpectedAnswerError,
    UsageError,
)
from tests.client.lossy import LossyWay, lossy_way, said
from tests.served import served
from tests.swapping import swapped

KEY = "a-key-of-some-length"
NEXT_TO_NEVER = Retries(attempts=1)


@pytest_asyncio.fixture(loop_scope="session")
async def guarded(service: Service) -> AsyncGenerator[str]:
    keys = service.settings.model_copy(update={"api_keys": (("red", SecretStr(KEY)),)})
    async with served(swapped(service, settings=keys)) as url:
        yield url


async def test_without_a_key_it_says_how_to_give_one(guarded: str) -> None:
    for key in (None, KEY + "x"):
        async with AsyncClient(guarded, key, agent_id="a") as client:
            with pytest.raises(UnauthorizedError, match="STRATAGRAPH_API_KEY") as told:
                await client.recall("x")
            assert told.value.status == 401
    async with AsyncClient(guarded, KEY, agent_id="a") as client:
        assert (await client.recall("x")).results == ()


async def test_a_key_goes_beside_a_password_of_the_address(guarded: str) -> None:
    url = guarded.replace("://", "://user:secret@")
    async with AsyncClient(url, KEY, agent_id="a") as client:
        assert (await client.recall("x")).results == ()
        with pytest.raises(NotFoundError) as told:
            await client.get("nothing")
    assert "secret" not in str(told.value)


async def test_each_field_is_named(anna: AsyncClient) -> None:
    with pytest.raises(InvalidRequestError, match="importance") as told:
        await anna.remember(" ", importance=9)
    assert sorted(fault.field or "" for fault in told.value.errors) == ["importance", "text"]
    assert told.value.type == "invalid-input"
    assert told.value.request_id


async def test_the_service_says_what_it_does_not_serve(anna: AsyncClient) -> None:
    with pytest.raises(MethodNotAllowedError, match="older release"):
        await anna.send(Call("PUT", "/v1/recall", bytes.decode))
    with pytest.raises(NotFoundError, match="nothing is served"):
        await anna.send(Call("GET", "/v2", bytes.decode))


async def test_nobody_there() -> None:
    async with AsyncClient("http://127.0.0.1:9", agent_id="a", retries=0) as client:
        with pytest.raises(ConnectionFailedError, match="stratagraph serve") as told:
            await client.recall("x")
    assert not told.value.sent


@pytest_asyncio.fixture(loop_scope="session")
async def way() -> AsyncGenerator[LossyWay]:
    async with lossy_way("http://127.0.0.1:9") as way:
        yield way


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (said("200 OK", b"<html>"), UnexpectedAnswerError, "cannot read"),
        (said("200 OK", b'{"status": "created"}'), UnexpectedAnswerError, "release"),
        (said("404 Not Found", b"<html>"), UnexpectedAnswerError, "Is it a Stratagraph"),
        (said("301 Moved", Location="https://x/"), UnexpectedAnswerError, "another address"),
        (said("500 Oh", b"oh"), UnexpectedAnswerError, "answered 500"),
        (said("502 Bad Gateway", b"<html>"), UnavailableError, "in front of the service"),
        (said("413 Too Large", b"<html>"), PayloadTooLargeError, "in front of the service"),
        (said("403 Forbidden"), UnauthorizedError, "in front of the service"),
        (b"SSH-2.0-OpenSSH\r\n\r\n", ConnectionFailedError, "RemoteProtocolError"),
    ],
)
async def test_what_answers_in_place_of_a_service(
    way: LossyWay, answer: bytes, kind: type[StratagraphError], words: str
) -> None:
    way.faults.append(answer)
    async with AsyncClient(way.url, agent_id="a", retries=NEXT_TO_NEVER) as client:
        with pytest.raises(kind, match=words) as told:
            await client.remember("x")
    assert type(told.value) is kind
    assert way.url in str(told.value)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("127.0.0.1:8400", "must look like"),
        ("ftp://host", "must look like"),
        ("http://", "must look like"),
        ("http://[::1", "cannot be used"),
        ("http://host:port", "cannot be used"),
    ],
)
def test_an_address_that_cannot_be_used(url: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Client(url)


def test_a_key_that_cannot_be_sent() -> None:
    with pytest.raises(UsageError, match="header"):
        Client(api_key="ключ")
    with pytest.raises(UsageError, match="header"):
        Client(api_key="two\nlines")


async def test_being_unready_is_an_answer_and_a_proxy_is_not(way: LossyWay) -> None:
    unready = b'{"status": "not ready", "waiting_for": {"neo4j": "does not answer"}}'
    way.faults.append(said("503 Service Unavailable", unready))
    way.faults.append(said("503 Service Unavailable", b"<html>"))
    async with AsyncClient(way.url, retries=NEXT_TO_NEVER) as client:
        assert (await client.ready()).waiting_for == {"neo4j": "does not answer"}
        with pytest.raises(UnavailableError, match="in front of the service"):
            await client.ready()


async def test_a_call_that_is_given_up_leaves_the_client_well(way: LossyWay) -> None:
    way.faults.append("stall")
    async with AsyncClient(way.url, agent_id="a", retries=NEXT_TO_NEVER) as client:
        waiting = asyncio.create_task(client.health())
        while not way.connections:
            await asyncio.sleep(0.01)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        way.faults.append(said("200 OK", b'{"status": "ok"}'))
        assert (await client.health()).status == "ok"
