"""Middleware for every request: its id, span, metrics, and one log line.

No texts, ids of memories or queries are logged; a path is logged as the template of its route.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Mapping
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graph.ports.telemetry import UNWATCHED, Telemetry
from service import logs
from service.bootstrap import service_of
from service.http.kernel.errors import internal_error

HEADER = "X-Request-ID"
NO_ROUTE = "(none)"
ABORTED = "aborted"
_SANE = re.compile(r"[A-Za-z0-9._-]{1,128}")
_QUIET = frozenset({"/healthz", "/readyz", "/metrics"})
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_TRACE_HEADERS = ("traceparent", "tracestate")

access = logging.getLogger("stratagraph.access")
errors = logging.getLogger("stratagraph.errors")


class RequestLog:
    """Outermost middleware: sets the request id, answers 500 for unexpected errors, and logs requests."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        # unknown methods are replaced: metrics need few label values
        method = scope["method"] if scope["method"] in _METHODS else "other"
        telemetry = _telemetry(scope)
        # probes every second would fill log and traces
        quiet = scope["path"] in _QUIET
        with telemetry.span("request", method, parent=_trace_of(headers), quiet=quiet) as span:
            exchange = _Exchange(_request_id(headers), span.headers(), send)
            scope.setdefault("state", {})["request_id"] = exchange.request_id
            token = logs.context.set(exchange.log_context())
            started = time.perf_counter()
            try:
                await self._answer(scope, receive, exchange)
            # also if the client disconnected: each request is logged once
            finally:
                told: Mapping[str, str] = {
                    "method": method,
                    "route": route_of(scope),
                    "status": exchange.status,
                }
                span.note(**told)
                telemetry.count("http_requests", 1, **told)
                _log_access(told, exchange.request_id, time.perf_counter() - started)
                logs.context.reset(token)

    async def _answer(self, scope: Scope, receive: Receive, exchange: _Exchange) -> None:
        try:
            await self._app(scope, receive, exchange.send)
        except Exception as error:  # noqa: BLE001 - the outermost handler
            said = {"action": "fault", "request_id": exchange.request_id}
            errors.error("unforeseen error", exc_info=error, extra=said)
            # a started answer cannot be replaced
            if exchange.status == ABORTED:
                await internal_error(exchange.request_id)(scope, receive, exchange.send)


class _Exchange:
    """One request and its answer: adds headers, and reads the status."""

    def __init__(self, request_id: str, trace: Mapping[str, str], send: Send) -> None:
        self.request_id = request_id
        self.status = ABORTED
        self._trace = trace
        self._send = send

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = str(message["status"])
            headers = MutableHeaders(scope=message)
            headers[HEADER] = self.request_id
            headers.update(self._trace)
        await self._send(message)

    def log_context(self) -> Mapping[str, str]:
        parts = self._trace.get("traceparent", "").split("-")
        trace = {"trace_id": parts[1]} if len(parts) > 1 else {}
        return {"request_id": self.request_id, **trace}


def route_of(scope: Scope) -> str:
    """Return the template of the path, never the path itself."""
    return str(getattr(scope.get("route"), "path", NO_ROUTE))


def _telemetry(scope: Scope) -> Telemetry:
    service = service_of(scope["app"])
    return service.telemetry if service else UNWATCHED


def _trace_of(headers: Headers) -> dict[str, str]:
    return {name: headers[name] for name in _TRACE_HEADERS if name in headers}


def _request_id(headers: Headers) -> str:
    given = headers.get(HEADER, "")
    # characters that could break a log line are replaced
    return given if _SANE.fullmatch(given) else uuid4().hex


def _log_access(told: Mapping[str, str], request_id: str, seconds: float) -> None:
    access.log(
        logging.DEBUG if told["route"] in _QUIET else logging.INFO,
        "request answered",
        extra={
            "action": "request",
            **told,
            "ms": round(seconds * 1000, 1),
            "request_id": request_id,
        },
    )
