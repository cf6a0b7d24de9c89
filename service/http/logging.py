"""A request id for every request, and one line in the log: never a text, an id or a query."""

from __future__ import annotations

import logging
import re
import time
import traceback
from typing import TYPE_CHECKING
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders

from service.http.errors import internal_error

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "X-Request-ID"
_SANE = re.compile(r"[A-Za-z0-9._-]{1,128}")
_QUIET = frozenset({"/healthz", "/readyz"})

access = logging.getLogger("stratagraph.access")
errors = logging.getLogger("stratagraph.errors")


class RequestLog:
    """Outermost layer: names the request, answers 500 for a fault of ours, logs the rest."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = _request_id(scope)
        scope.setdefault("state", {})["request_id"] = request_id
        started = time.perf_counter()
        status = 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = request_id
            await send(message)

        try:
            await self._app(scope, receive, answer)
        except Exception as error:  # noqa: BLE001 - the outermost handler
            _log_fault(error, request_id)
            if not status:
                await internal_error(request_id)(scope, receive, answer)
        finally:
            _log_access(scope, request_id, status, time.perf_counter() - started)


def configure_logging(level: str) -> None:
    """Write the service's log lines to standard error."""
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s %(message)s", force=True)
    logging.getLogger("stratagraph").setLevel(level.upper())


def _request_id(scope: Scope) -> str:
    given = Headers(scope=scope).get(HEADER, "")
    return given if _SANE.fullmatch(given) else uuid4().hex


def _log_access(scope: Scope, request_id: str, status: int, seconds: float) -> None:
    path = getattr(scope.get("route"), "path", "-")
    access.log(
        logging.DEBUG if path in _QUIET else logging.INFO,
        "request_id=%s method=%s path=%s status=%s ms=%.1f",
        request_id,
        scope["method"],
        path,
        status or "aborted",
        seconds * 1000,
    )


def _log_fault(error: Exception, request_id: str) -> None:
    # The message of an unforeseen exception may quote a memory: only its class and place are told.
    frames = "".join(traceback.format_tb(error.__traceback__))
    errors.error("request_id=%s unforeseen=%s\n%s", request_id, type(error).__name__, frames)
