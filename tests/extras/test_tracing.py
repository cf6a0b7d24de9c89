"""Traces, made by the real SDK from real requests."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanContext, SpanKind, StatusCode

from graph.database.driver import Connection
from graph.ports.world import Embedder
from service import tracing
from service.app import create_app
from service.bootstrap import Service, open_service
from service.settings import Settings

CALLER = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
QUESTION = {"agent_id": "anna-secret", "text": "the secret of the vault", "task_id": "task-secret"}


@asynccontextmanager
async def asking(
    settings: Settings, connection: Connection, embedder: Embedder
) -> AsyncGenerator[httpx.AsyncClient]:
    async with open_service(settings, connection, embedder) as service:
        transport = httpx.ASGITransport(create_app(service), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            yield client


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    """Every span that a traced service sends until it is closed."""
    exporter = InMemorySpanExporter()

    def keep(_endpoint: str | None) -> InMemorySpanExporter:
        return exporter

    monkeypatch.setattr(tracing, "otlp_exporter", keep)
    return exporter


@pytest.fixture
def traced(service: Service) -> Settings:
    return service.settings.model_copy(update={"tracing": True})


def named(spans: Sequence[ReadableSpan], name: str) -> ReadableSpan:
    [found] = [span for span in spans if span.name == name]
    return found


def place(span: ReadableSpan) -> SpanContext:
    assert span.context is not None
    return span.context


def parent_of(spans: Sequence[ReadableSpan], span: ReadableSpan) -> ReadableSpan | None:
    by_id = {place(each).span_id: each for each in spans}
    return by_id.get(span.parent.span_id) if span.parent else None


def line_of(spans: Sequence[ReadableSpan], name: str) -> list[str]:
    """Names from the door down to a span."""
    line: list[str] = []
    span: ReadableSpan | None = named(spans, name)
    while span is not None:
        line.insert(0, span.name)
        span = parent_of(spans, span)
    return line


def trace_of(spans: Sequence[ReadableSpan], root: str) -> list[ReadableSpan]:
    trace_id = place(named(spans, root)).trace_id
    return [span for span in spans if place(span).trace_id == trace_id]


async def test_a_trace_leads_from_the_door_to_the_statement(
    traced: Settings, connection: Connection, embedder: Embedder, kept: InMemorySpanExporter
) -> None:
    async with asking(traced, connection, embedder) as client:
        answer = await client.post("/v1/recall", json=QUESTION, headers=CALLER)
        assert answer.status_code == 200
    spans = trace_of(kept.get_finished_spans(), "POST /v1/recall")
    door = ["POST /v1/recall", "recall"]
    assert line_of(spans, "recall.recall_candidates") == [
        *door,
        "recall.candidates",
        "transaction.read",
        "recall.recall_candidates",
    ]
    assert line_of(spans, "utility.record_retrieval")[:3] == [*door, "recall.note"]
    for phase in ("understand", "embed", "rank"):
        assert line_of(spans, f"recall.{phase}") == [*door, f"recall.{phase}"]


async def test_the_trace_of_the_caller_goes_on(
    traced: Settings, connection: Connection, embedder: Embedder, kept: InMemorySpanExporter
) -> None:
    async with asking(traced, connection, embedder) as client:
        answer = await client.post("/v1/recall", json=QUESTION, headers=CALLER)
        alone = await client.post("/v1/recall", json={"agent_id": "a"})
    roots = [span for span in kept.get_finished_spans() if span.name == "POST /v1/recall"]
    root = next(span for span in roots if span.parent is not None)
    assert f"{place(root).trace_id:032x}" == "0af7651916cd43dd8448eb211c80319c"
    assert root.parent is not None
    assert f"{root.parent.span_id:016x}" == "b7ad6b7169203331"
    told = f"00-0af7651916cd43dd8448eb211c80319c-{place(root).span_id:016x}-01"
    assert answer.headers["traceparent"] == told
    assert "0af7651916cd43dd8448eb211c80319c" not in alone.headers["traceparent"]


async def test_spans_say_names_and_numbers_and_nothing_of_the_request(
    traced: Settings, connection: Connection, embedder: Embedder, kept: InMemorySpanExporter
) -> None:
    async with asking(traced, connection, embedder) as client:
        await client.post("/v1/recall", json=QUESTION)
        await client.get("/v1/memories/external:id-secret?agent_id=anna-secret")
    spans = kept.get_finished_spans()
    root, statement = named(spans, "POST /v1/recall"), named(spans, "recall.recall_candidates")
    assert root.kind is SpanKind.SERVER
    assert dict(root.attributes or {}) == {
        "http.request.method": "POST",
        "http.route": "/v1/recall",
        "http.response.status_code": 200,
    }
    assert statement.kind is SpanKind.CLIENT
    assert dict(statement.attributes or {}) == {
        "db.system.name": "neo4j",
        "db.query.summary": "recall.recall_candidates",
        "db.response.returned_rows": 1,
        "stratagraph.mode": "read",
    }
    assert "secret" not in "".join(span.to_json() for span in spans)
    assert root.resource.attributes["service.name"] == "stratagraph"


async def test_what_fails_is_told_by_its_class(
    traced: Settings, connection: Connection, embedder: Embedder, kept: InMemorySpanExporter
) -> None:
    async with asking(traced, connection, embedder) as client:
        await client.post("/v1/recall", json={"agent_id": "a", "like": "external:no-secret"})
    span = named(kept.get_finished_spans(), "recall")
    assert span.status.status_code is StatusCode.ERROR
    assert (span.attributes or {})["error.type"] == "NotFoundError"
    assert span.events == ()
    root = named(kept.get_finished_spans(), "POST /v1/recall")
    assert root.status.status_code is StatusCode.UNSET, "a 404 is no fault of the service"


async def test_looks_at_health_leave_no_spans(
    traced: Settings, connection: Connection, embedder: Embedder, kept: InMemorySpanExporter
) -> None:
    async with asking(traced, connection, embedder) as client:
        started = len(kept.get_finished_spans())
        for path in ("/healthz", "/readyz", "/metrics"):
            answer = await client.get(path)
            assert answer.status_code == 200
            assert "traceparent" not in answer.headers
        assert "stratagraph_http_requests_total" in answer.text
    names = [span.name for span in kept.get_finished_spans()[started:]]
    assert not [name for name in names if name.startswith("GET") or "index_states" in name]


async def test_requests_at_once_do_not_mix(
    traced: Settings, connection: Connection, embedder: Embedder, kept: InMemorySpanExporter
) -> None:
    async with asking(traced, connection, embedder) as client:
        await asyncio.gather(*(client.post("/v1/recall", json=QUESTION) for _ in range(8)))
    spans = kept.get_finished_spans()
    roots = [span for span in spans if span.name == "POST /v1/recall"]
    assert len({place(root).trace_id for root in roots}) == 8
    for root in roots:
        own = [span for span in spans if place(span).trace_id == place(root).trace_id]
        assert [span.name for span in own].count("recall.recall_candidates") == 1


Received = list[ExportTraceServiceRequest]


@contextmanager
def collector() -> Generator[tuple[str, Received]]:
    """A collector that keeps what it is sent."""
    received: Received = []

    class Collect(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            assert self.path == "/v1/traces"
            if self.headers.get("Content-Encoding") == "gzip":
                import gzip

                body = gzip.decompress(body)
            received.append(ExportTraceServiceRequest.FromString(body))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Collect)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", received
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def test_a_named_collector_is_sent_everything_by_the_end(
    service: Service, connection: Connection, embedder: Embedder
) -> None:
    with collector() as (endpoint, received):
        named_one = service.settings.model_copy(update={"otlp_endpoint": f"{endpoint}/"})
        async with asking(named_one, connection, embedder) as client:
            await client.post("/v1/recall", json=QUESTION)
    spans = [
        span.name
        for request in received
        for resource in request.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]
    assert {"POST /v1/recall", "recall", "recall.recall_candidates"} <= set(spans)


async def test_without_being_asked_nothing_is_traced(
    service: Service, connection: Connection, embedder: Embedder
) -> None:
    with collector() as (endpoint, received):
        off = service.settings.model_copy(update={"otlp_endpoint": endpoint, "tracing": False})
        async with asking(off, connection, embedder) as client:
            answer = await client.post("/v1/recall", json=QUESTION, headers=CALLER)
    assert received == []
    assert "traceparent" not in answer.headers


async def test_a_collector_that_is_away_neither_hinders_nor_delays(
    service: Service, connection: Connection, embedder: Embedder
) -> None:
    away = service.settings.model_copy(update={"otlp_endpoint": "http://127.0.0.1:9"})
    async with asking(away, connection, embedder) as client:
        assert (await client.post("/v1/recall", json=QUESTION)).status_code == 200
        closing = time.monotonic()
    assert time.monotonic() - closing < tracing.CLOSE_SECONDS + 5
