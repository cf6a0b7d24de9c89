"""Traces by OpenTelemetry (extra ``otel``): requests, use cases, statements.

Imported only if traces are configured. Spans contain names, counts and states, never content of requests; of an
exception only its class, as its message may quote a memory.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Self

from opentelemetry import context, trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType

    from opentelemetry.sdk.trace.export import SpanExporter

    from graph.ports.telemetry import Attribute, Span, Telemetry, Work

_KINDS: Mapping[Work, trace.SpanKind] = {
    "request": trace.SpanKind.SERVER,
    "statement": trace.SpanKind.CLIENT,
}
_PREFIXES: Mapping[Work, str] = {
    "recall_phase": "recall.",
    "retrieval_phase": "retrieve.",
    "transaction": "transaction.",
    "job": "job.",
}
# Our attribute names that OpenTelemetry defines otherwise; the rest get our prefix.
_FIXED = {
    "method": "http.request.method",
    "route": "http.route",
    "status": "http.response.status_code",
    "rows": "db.response.returned_rows",
}
# An unsampled parent: its children are not exported either.
_QUIET = trace.NonRecordingSpan(trace.SpanContext(1, 1, is_remote=False))
CLOSE_SECONDS = 2.0

_propagator = TraceContextTextMapPropagator()


def otlp_exporter(endpoint: str | None) -> SpanExporter:
    """Create an exporter of OTLP over HTTP; other ``OTEL_EXPORTER_OTLP_…`` variables apply too."""
    return OTLPSpanExporter(endpoint and f"{endpoint.rstrip('/')}/v1/traces")


class Tracing:
    """Telemetry that adds each span to a trace, and forwards everything."""

    def __init__(self, inner: Telemetry, exporter: SpanExporter, version: str) -> None:
        ours = Resource({"service.name": "stratagraph", "service.version": version})
        self._inner = inner
        self._exporter = exporter
        self._provider = TracerProvider(resource=ours.merge(OTELResourceDetector().detect()))
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("stratagraph", version)

    def span(
        self,
        work: Work,
        name: str,
        *,
        parent: Mapping[str, str] | None = None,
        **attributes: Attribute,
    ) -> Span:
        """Begin a span below the current one, or below the caller's."""
        timed = self._inner.span(work, name, parent=parent, **attributes)
        if attributes.pop("quiet", False):
            return _TracedSpan(name, timed, _QUIET)
        span = self._tracer.start_span(
            _PREFIXES.get(work, "") + name,
            _propagator.extract(parent) if parent is not None else None,
            _KINDS.get(work, trace.SpanKind.INTERNAL),
            _first_attributes(work, name, attributes),
        )
        return _TracedSpan(name, timed, span)

    def count(self, name: str, amount: float = 1.0, **labels: str) -> None:
        """Forward."""
        self._inner.count(name, amount, **labels)

    def observe(self, name: str, value: float, **labels: str) -> None:
        """Forward."""
        self._inner.observe(name, value, **labels)

    def gauge(self, name: str, value: float, **labels: str) -> None:
        """Forward."""
        self._inner.gauge(name, value, **labels)

    def watch(self, name: str, read: Callable[[], float]) -> None:
        """Forward."""
        self._inner.watch(name, read)

    def close(self) -> None:
        """Export the rest, without waiting for an unavailable collector."""
        patience = threading.Timer(CLOSE_SECONDS, self._exporter.shutdown)
        patience.start()
        try:
            self._provider.shutdown()
        finally:
            patience.cancel()


class _TracedSpan:
    def __init__(self, name: str, timed: Span, span: trace.Span) -> None:
        self._name = name
        self._timed = timed
        self._span = span
        self._token: context.Token | None = None

    def note(self, **attributes: Attribute) -> None:
        self._timed.note(**attributes)
        self._span.set_attributes(_named(attributes))
        if "route" in attributes:
            self._span.update_name(f"{self._name} {attributes['route']}")
        if str(attributes.get("status", "")).startswith("5"):
            self._span.set_status(trace.StatusCode.ERROR)

    def headers(self) -> Mapping[str, str]:
        carrier: dict[str, str] = {}
        if self._span is _QUIET:
            return carrier
        _propagator.inject(carrier, trace.set_span_in_context(self._span))
        return carrier

    def __enter__(self) -> Self:
        self._timed.__enter__()
        self._token = context.attach(trace.set_span_in_context(self._span))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._token is not None:
            context.detach(self._token)
        if kind is not None:
            self._span.set_attribute("error.type", kind.__name__)
            self._span.set_status(trace.StatusCode.ERROR)
        self._span.end()
        self._timed.__exit__(kind, error, traceback)


def _first_attributes(
    work: Work, name: str, attributes: Mapping[str, Attribute]
) -> dict[str, Attribute]:
    named = _named(attributes)
    if work == "statement":
        named |= {"db.system.name": "neo4j", "db.query.summary": name}
    return named


def _named(attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
    return {
        _FIXED.get(name, f"stratagraph.{name}"): int(value) if name == "status" else value
        for name, value in attributes.items()
        if name != "status" or str(value).isdecimal()
    }
