"""What `/metrics` says, read as Prometheus reads it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

import httpx
import pytest
from neo4j.exceptions import TransientError
from prometheus_client.parser import text_string_to_metric_families
from pydantic import SecretStr

from cypher import QUERIES
from graph.database.driver import Connection, open_database
from graph.kernel.errors import StratagraphError
from graph.kernel.scope import Caller
from graph.ports.world import Embedder
from graph.store.utility.credits import CreditStore
from service.bootstrap import Service, open_service
from service.bootstrap.probe import Probe
from service.bootstrap.telemetry import note_server
from service.settings import Settings
from service.use_cases.recall.recall import RecallRequest
from tests.swapping import app_for, swapped

PHASES = ("understand", "embed", "candidates", "rank", "note")
QUESTION = {"agent_id": "a", "text": "what broke the build?"}
JOBS = "job_duration_seconds_count"
RED, WATCH = "red-key-0123456789", "watch-key-0123456789"

Numbers = Mapping[tuple[str, frozenset[tuple[str, str]]], float]


def parsed(text: str) -> Numbers:
    return {
        (sample.name, frozenset(sample.labels.items())): float(sample.value)
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def scraped(client: httpx.AsyncClient) -> Numbers:
    answer = await client.get("/metrics")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return parsed(answer.text)


def value(numbers: Numbers, name: str, **labels: str) -> float:
    return numbers.get((f"stratagraph_{name}", frozenset(labels.items())), 0.0)


def label_values(numbers: Numbers, label: str) -> set[str]:
    return {found for _, labels in numbers for name, found in labels if name == label}


@asynccontextmanager
async def asking(service: Service, **settings: object) -> AsyncGenerator[httpx.AsyncClient]:
    changed = service.settings.model_copy(update=settings)
    transport = httpx.ASGITransport(app_for(swapped(service, settings=changed)))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        yield client


async def test_two_recalls_move_every_phase_by_two(client: httpx.AsyncClient) -> None:
    before = await scraped(client)
    for _ in range(2):
        assert (await client.post("/v1/recall", json=QUESTION)).status_code == 200
    after = await scraped(client)

    def moved(name: str, **labels: str) -> float:
        return value(after, name, **labels) - value(before, name, **labels)

    for phase in PHASES:
        name = "recall_phase_duration_seconds_count"
        assert moved(name, phase=phase, outcome="ok") == 2, phase
    assert moved("use_case_duration_seconds_count", use_case="recall", outcome="ok") == 2
    assert moved("recall_candidates_count") == 2
    assert moved("recall_results_count") == 2
    statement = {"statement": "recall.recall_candidates", "mode": "read", "outcome": "ok"}
    assert moved("database_statement_duration_seconds_count", **statement) == 2
    route = {"method": "POST", "route": "/v1/recall", "status": "200"}
    assert moved("http_requests_total", **route) == 2
    assert moved("http_request_duration_seconds_count", **route) == 2
    assert moved("http_request_duration_seconds_sum", **route) > 0


async def test_what_became_of_rows_and_outcomes_is_counted(client: httpx.AsyncClient) -> None:
    before = await scraped(client)
    memory = {"agent_id": "a", "text": "The build broke.", "external_id": "b1"}
    named = {name: memory[name] for name in ("text", "external_id")}
    rows = {"agent_id": "a", "memories": [named, {"text": "?!"}]}
    await client.post("/v1/memories", json=rows)
    await client.post("/v1/memories", json=memory)
    task = {"agent_id": "a", "status": "success"}
    await client.post("/v1/recall", json={**QUESTION, "task_id": "t"})
    for _ in range(2):
        assert (await client.post("/v1/tasks/t/outcome", json=task)).status_code == 200
    after = await scraped(client)

    def moved(name: str, **labels: str) -> float:
        return value(after, name, **labels) - value(before, name, **labels)

    assert moved("memories_total", status="created") == 1
    assert moved("memories_total", status="rejected") == 1
    assert moved("memories_total", status="unchanged") == 1
    assert moved("outcomes_total", status="success", applied="true") == 1
    assert moved("outcomes_total", status="success", applied="false") == 1


async def test_a_404_counts_under_its_template_and_a_strange_path_under_none(
    client: httpx.AsyncClient,
) -> None:
    before = await scraped(client)
    for place in range(3):
        await client.get(f"/v1/memories/external:secret-{place}?agent_id=a")
        await client.get(f"/nowhere/secret-{place}")
        await client.request(f"MADE-UP-{place}", f"/nowhere/{place}")
    after = await scraped(client)
    route = {"method": "GET", "route": "/v1/memories/{name:path}", "status": "404"}
    nowhere = {"method": "GET", "route": "(none)", "status": "404"}
    strange = {"method": "other", "route": "(none)", "status": "404"}
    for labels in (route, nowhere, strange):
        name = "http_requests_total"
        assert value(after, name, **labels) - value(before, name, **labels) == 3, labels
    gained = {label: label_values(after, label) for label in ("route", "method")}
    assert gained["route"] - label_values(before, "route") <= {route["route"], "(none)"}
    assert gained["method"] <= {"GET", "POST", "PUT", "PATCH", "DELETE", "other"}
    assert not any("secret" in found for _, labels in after for _, found in labels)


async def test_a_failed_use_case_counts_as_an_error(client: httpx.AsyncClient) -> None:
    before = await scraped(client)
    await client.post("/v1/recall", json={"agent_id": "a", "like": "external:not-there"})
    after = await scraped(client)
    labels = {"use_case": "recall", "outcome": "error"}
    name = "use_case_duration_seconds_count"
    assert value(after, name, **labels) - value(before, name, **labels) == 1


async def test_a_failed_statement_counts_as_an_error(service: Service) -> None:
    before = parsed((await service.exposition()).decode())
    with pytest.raises(StratagraphError):
        await service.database.read(QUERIES["recall.recall_candidates"], {})
    after = parsed((await service.exposition()).decode())
    labels = {"statement": "recall.recall_candidates", "mode": "read", "outcome": "error"}
    name = "database_statement_duration_seconds_count"
    assert value(after, name, **labels) - value(before, name, **labels) == 1
    failed = {"error": "DatabaseError"}
    assert value(after, "database_errors_total", **failed) == 1 + value(
        before, "database_errors_total", **failed
    )


async def test_requests_and_connections_in_use_are_told_while_they_are(
    service: Service, client: httpx.AsyncClient
) -> None:
    seen = asyncio.Event()
    hold = asyncio.Event()

    async def work(_: object) -> None:
        seen.set()
        await hold.wait()

    holding = asyncio.create_task(service.database.write(work))
    await seen.wait()
    numbers = await _with_connections(client, 1)
    hold.set()
    await holding
    assert value(numbers, "database_connections_max") == 50
    assert value(numbers, "http_requests_in_progress") == 1
    await _with_connections(client, 0)


async def _with_connections(client: httpx.AsyncClient, wanted: int) -> Numbers:
    """Scrape until so many connections are in use: the background of the shared service takes one now and then."""
    async with asyncio.timeout(30):
        while True:
            numbers = await scraped(client)
            if value(numbers, "database_connections_in_use") == wanted:
                return numbers
            await asyncio.sleep(0.02)


async def test_work_that_is_tried_again_is_counted(service: Service) -> None:
    before = parsed((await service.exposition()).decode())
    tries: list[int] = []

    async def work(_: object) -> None:
        tries.append(len(tries))
        if len(tries) == 1:
            raise TransientError("deadlock, so to speak")

    await service.database.write(work)
    after = parsed((await service.exposition()).decode())
    assert len(tries) == 2
    assert value(after, "database_retries_total") - value(before, "database_retries_total") == 1


async def test_background_jobs_are_timed(
    settings: Settings, connection: Connection, embedder: Embedder
) -> None:
    often = settings.model_copy(update={"flush_seconds": 0.02})
    async with open_service(often, connection, embedder) as service:
        service.accesses.add(["nobody"])
        labels = {"job": "flush_accesses", "outcome": "ok"}
        deadline = asyncio.get_running_loop().time() + 10
        while value(parsed(service.metrics.exposition().decode()), JOBS, **labels) < 1:
            assert asyncio.get_running_loop().time() < deadline
            await asyncio.sleep(0.01)
        assert service.accesses.waiting == 0


async def test_a_cancelled_unit_of_work_is_told_apart(service: Service) -> None:
    started = asyncio.Event()

    async def work(_: object) -> None:
        started.set()
        await asyncio.Event().wait()

    before = parsed((await service.exposition()).decode())
    running = asyncio.create_task(service.database.write(work))
    await started.wait()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    after = parsed((await service.exposition()).decode())
    labels = {"mode": "write", "outcome": "cancelled"}
    name = "database_transaction_duration_seconds_count"
    assert value(after, name, **labels) - value(before, name, **labels) == 1


async def test_the_queue_of_access_counts_is_told(
    service: Service, client: httpx.AsyncClient
) -> None:
    await service.accesses.flush()
    service.accesses.add(["u1", "u2", "u2"])
    assert value(await scraped(client), "access_queue_length") == 2
    await service.accesses.flush()
    assert value(await scraped(client), "access_queue_length") == 0


async def test_neo4j_and_the_build_are_told(client: httpx.AsyncClient) -> None:
    numbers = await scraped(client)
    assert value(numbers, "neo4j_up") == 1
    assert value(numbers, "schema_version") >= 1
    [built] = [dict(labels) for name, labels in numbers if name == "stratagraph_build_info"]
    assert set(built) == {"version", "schema", "python"}
    assert numbers["process_resident_memory_bytes", frozenset[tuple[str, str]]()] > 1_000_000
    assert ("stratagraph_store_size_bytes", frozenset[tuple[str, str]]()) not in numbers


async def test_a_neo4j_that_is_away_is_told(service: Service) -> None:
    dead = Connection("bolt://127.0.0.1:9", timeout_seconds=0.2)
    async with open_database(dead, service.telemetry) as database:
        away = Probe(
            service.telemetry,
            database,
            service.links,
            CreditStore(database, service.configs),
            service.settings,
        )
        async with asking(swapped(service, probe=away)) as client:
            assert value(await scraped(client), "neo4j_up") == 0
    async with asking(service) as client:
        assert value(await scraped(client), "neo4j_up") == 1


async def test_deaths_and_restarts_of_the_managed_server_are_told(
    service: Service, client: httpx.AsyncClient
) -> None:
    before = await scraped(client)
    note_server(service.telemetry, "down")
    down = await scraped(client)
    assert value(down, "managed_server_up") == 0
    note_server(service.telemetry, "up")
    after = await scraped(client)
    assert value(after, "managed_server_up") == 1
    for name in ("managed_server_deaths_total", "managed_server_restarts_total"):
        assert value(after, name) - value(before, name) == 1


async def test_the_disk_of_a_managed_home_is_told(
    service: Service, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("home")
    (home / "data").mkdir()
    (home / "data" / "store").write_bytes(b"x" * 100_000)
    credits = CreditStore(service.database, service.configs)
    home_of = Settings(home=home)
    probe = Probe(service.telemetry, service.database, service.links, credits, home_of)
    async with asking(swapped(service, probe=probe)) as client:
        numbers = await scraped(client)
    assert 100_000 <= value(numbers, "store_size_bytes") < 200_000
    assert value(numbers, "store_free_bytes") > 0


async def test_two_services_count_apart(
    service: Service, settings: Settings, connection: Connection, embedder: Embedder
) -> None:
    async with open_service(settings, connection, embedder) as other:
        await other.recall(RecallRequest(Caller("local", "a"), text="anything"))
        numbers = parsed(other.metrics.exposition().decode())
        labels = {"use_case": "recall", "outcome": "ok"}
        assert value(numbers, "use_case_duration_seconds_count", **labels) == 1
        await service.recall(RecallRequest(Caller("local", "a"), text="anything"))
        again = parsed(other.metrics.exposition().decode())
        assert value(again, "use_case_duration_seconds_count", **labels) == 1


async def test_without_keys_only_this_machine_reads_them(service: Service) -> None:
    async with asking(service) as client:
        assert (await client.get("/metrics")).status_code == 200
        answer = await client.get("/metrics", headers={"Host": "evil.example"})
        assert answer.status_code == 401


@pytest.mark.parametrize("header", [f"Bearer {RED}", "Bearer wrong-key-0123456789", ""])
async def test_with_keys_only_the_metrics_key_reads_them(service: Service, header: str) -> None:
    keys = (("red", SecretStr(RED)),)
    headers = {"Authorization": header} if header else {}
    async with asking(service, api_keys=keys, metrics_key=SecretStr(WATCH)) as client:
        refused = await client.get("/metrics", headers=headers)
        assert refused.status_code == 401
        given = {"Authorization": f"Bearer {WATCH}"}
        assert (await client.get("/metrics", headers=given)).status_code == 200
        assert (await client.get("/metrics", headers={"X-API-Key": WATCH})).status_code == 200
        recall = await client.post("/v1/recall", json=QUESTION, headers=given)
        assert recall.status_code == 401


async def test_with_keys_and_no_metrics_key_the_way_out_is_told(service: Service) -> None:
    async with asking(service, api_keys=(("red", SecretStr(RED)),)) as client:
        refused = await client.get("/metrics", headers={"Authorization": f"Bearer {RED}"})
        assert refused.status_code == 401
        assert "STRATAGRAPH_METRICS_KEY" in refused.json()["detail"]
