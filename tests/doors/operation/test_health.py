from __future__ import annotations

from collections.abc import Mapping

import httpx

from graph.kernel.errors import DatabaseUnavailableError
from service.bootstrap import Service
from tests.swapping import app_for


async def get(app_of: Service, path: str) -> httpx.Response:
    transport = httpx.ASGITransport(app_for(app_of))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        return await client.get(path)


def as_kind(kind: type[Service], service: Service) -> Service:
    other = kind.__new__(kind)
    vars(other).update(vars(service))
    return other


async def test_a_ready_service_says_so(client: httpx.AsyncClient) -> None:
    assert (await client.get("/healthz")).json()["status"] == "ok"
    ready = await client.get("/readyz")
    assert (ready.status_code, ready.json()) == (
        200,
        {"status": "ready", "waiting_for": {}, "limited_by": {}},
    )


async def test_what_is_not_ready_is_named(service: Service) -> None:
    class Waiting(Service):
        async def readiness(self) -> Mapping[str, str]:
            return {"schema": "is being migrated"}

    answer = await get(as_kind(Waiting, service), "/readyz")
    assert answer.status_code == 503
    assert answer.headers["retry-after"]
    assert answer.json()["waiting_for"] == {"schema": "is being migrated"}


async def test_a_dead_database_is_not_ready_but_the_process_lives(service: Service) -> None:
    class Dead(Service):
        async def readiness(self) -> Mapping[str, str]:
            raise DatabaseUnavailableError

    dead = as_kind(Dead, service)
    assert (await get(dead, "/readyz")).status_code == 503
    assert (await get(dead, "/healthz")).status_code == 200
