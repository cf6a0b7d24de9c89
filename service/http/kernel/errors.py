"""Errors as `application/problem+json`: one table from class to status and stable name."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, cast

from fastapi import FastAPI
from fastapi.dependencies.utils import get_flat_params
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from graph.kernel import errors
from service.faults import (
    FaultyRequestError,
    MalformedBodyError,
    MediaTypeError,
    fault_of,
    query_faults,
)
from stratagraph.wire import FaultView, Problem

MEDIA_TYPE = "application/problem+json"
RETRY_SECONDS = 2
URN = "urn:stratagraph:error:"

STATUSES: dict[type[errors.StratagraphError], tuple[HTTPStatus, str]] = {
    errors.InvalidInputError: (HTTPStatus.UNPROCESSABLE_ENTITY, "invalid-input"),
    MalformedBodyError: (HTTPStatus.BAD_REQUEST, "malformed-body"),
    MediaTypeError: (HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "media-type"),
    errors.PayloadTooLargeError: (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "payload-too-large"),
    errors.AuthenticationError: (HTTPStatus.UNAUTHORIZED, "authentication"),
    errors.NotFoundError: (HTTPStatus.NOT_FOUND, "not-found"),
    errors.ConflictError: (HTTPStatus.CONFLICT, "conflict"),
    errors.BudgetExceededError: (HTTPStatus.CONFLICT, "budget-exceeded"),
    errors.HistoryTrimmedError: (HTTPStatus.CONFLICT, "history-trimmed"),
    errors.LeaseLostError: (HTTPStatus.CONFLICT, "lease-lost"),
    errors.PreconditionFailedError: (HTTPStatus.PRECONDITION_FAILED, "precondition-failed"),
    errors.TooManyStreamsError: (HTTPStatus.SERVICE_UNAVAILABLE, "too-many-streams"),
    errors.ConfigurationError: (HTTPStatus.INTERNAL_SERVER_ERROR, "configuration"),
    errors.EmbedderMismatchError: (HTTPStatus.INTERNAL_SERVER_ERROR, "embedder-mismatch"),
    errors.EmbedderUnavailableError: (HTTPStatus.SERVICE_UNAVAILABLE, "embedder-unavailable"),
    errors.LanguageModelError: (HTTPStatus.BAD_GATEWAY, "language-model"),
    errors.EmbedderChangedError: (HTTPStatus.SERVICE_UNAVAILABLE, "embedder-changed"),
    errors.DatabaseError: (HTTPStatus.INTERNAL_SERVER_ERROR, "database"),
    errors.DatabaseUnavailableError: (HTTPStatus.SERVICE_UNAVAILABLE, "database-unavailable"),
    errors.QueryTimeoutError: (HTTPStatus.GATEWAY_TIMEOUT, "query-timeout"),
    errors.DatabaseCredentialsError: (HTTPStatus.SERVICE_UNAVAILABLE, "database-credentials"),
    errors.DiskFullError: (HTTPStatus.SERVICE_UNAVAILABLE, "disk-full"),
    errors.DatabaseTooOldError: (HTTPStatus.SERVICE_UNAVAILABLE, "database-too-old"),
    errors.SchemaNewerError: (HTTPStatus.SERVICE_UNAVAILABLE, "schema-newer"),
    errors.ManagedServerError: (HTTPStatus.SERVICE_UNAVAILABLE, "managed-server"),
    errors.DownloadError: (HTTPStatus.SERVICE_UNAVAILABLE, "download"),
    errors.JavaError: (HTTPStatus.SERVICE_UNAVAILABLE, "java"),
    errors.HomeNotWritableError: (HTTPStatus.SERVICE_UNAVAILABLE, "home-not-writable"),
    errors.HomeInUseError: (HTTPStatus.SERVICE_UNAVAILABLE, "home-in-use"),
    errors.PortTakenError: (HTTPStatus.SERVICE_UNAVAILABLE, "port-taken"),
    errors.ServerStartError: (HTTPStatus.SERVICE_UNAVAILABLE, "server-start"),
    errors.HeapTooSmallError: (HTTPStatus.SERVICE_UNAVAILABLE, "heap-too-small"),
    errors.ServerDiedError: (HTTPStatus.SERVICE_UNAVAILABLE, "server-died"),
    errors.DumpError: (HTTPStatus.SERVICE_UNAVAILABLE, "dump"),
    errors.RecoveryNeededError: (HTTPStatus.SERVICE_UNAVAILABLE, "recovery-needed"),
}

_log = logging.getLogger("stratagraph.errors")


def install_error_handlers(app: FastAPI) -> None:
    app.add_exception_handler(errors.StratagraphError, _own)
    app.add_exception_handler(RequestValidationError, _query)
    app.add_exception_handler(HTTPException, _plain)


def internal_error(request_id: str) -> Response:
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    detail = "something unforeseen went wrong; the log says more under this request id"
    return _response(status, "internal", "An error of the service", detail, request_id)


def status_of(error: errors.StratagraphError) -> tuple[HTTPStatus, str]:
    """Return the status of an error class, or of its nearest base class."""
    return next(STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES)


def _own(request: Request, error: Exception) -> Response:
    known = cast("errors.StratagraphError", error)
    status, slug = status_of(known)
    title = (type(known).__doc__ or "").strip().rstrip(".")
    detail = known.message
    if status == HTTPStatus.INTERNAL_SERVER_ERROR:
        # Messages of the database may quote a memory.
        said = {"action": "fault", "error": slug, "request_id": request.state.request_id}
        _log.error("request failed", extra=said)
        detail = title
    faults = known.faults if isinstance(known, FaultyRequestError) else _own_fault(known)
    return _response(
        status, slug, title, detail, request.state.request_id, faults, headers=_headers(status)
    )


def _own_fault(error: errors.StratagraphError) -> tuple[FaultView, ...]:
    if isinstance(error, errors.InvalidInputError) and error.field:
        return (fault_of(error),)
    return ()


def _headers(status: HTTPStatus) -> dict[str, str]:
    # short: a restart of the managed Neo4j takes seconds
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        return {"Retry-After": str(RETRY_SECONDS)}
    if status == HTTPStatus.UNAUTHORIZED:
        return {"WWW-Authenticate": "Bearer"}
    # the rest of the body is not read
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return {"Connection": "close"}
    return {}


def _query(request: Request, error: Exception) -> Response:
    details = cast("RequestValidationError", error).errors()
    faults = query_faults(details, _query_fields(request))
    return _own(request, FaultyRequestError(faults))


def _query_fields(request: Request) -> set[str]:
    """Return the fields that the route accepts in query or path."""
    route = cast("APIRoute", request.scope["route"])
    return {each.alias for each in get_flat_params(route.dependant)}


def _plain(request: Request, error: Exception) -> Response:
    refused = cast("HTTPException", error)
    status = HTTPStatus(refused.status_code)
    slug = status.phrase.lower().replace(" ", "-")
    detail = {
        HTTPStatus.NOT_FOUND: "nothing is served at this path; see /docs",
        HTTPStatus.METHOD_NOT_ALLOWED: "this path does not take that method; see /docs",
    }.get(status, status.phrase)
    return _response(
        status, slug, status.phrase, detail, request.state.request_id, headers=refused.headers
    )


def _response(
    status: HTTPStatus,
    slug: str,
    title: str,
    detail: str,
    request_id: str,
    faults: tuple[FaultView, ...] = (),
    *,
    headers: Mapping[str, str] | None = None,
) -> Response:
    problem = Problem(
        type=URN + slug,
        title=title,
        status=status,
        detail=detail,
        errors=faults,
        request_id=request_id,
    )
    return Response(problem.model_dump_json(), status, dict(headers or {}), MEDIA_TYPE)


def problem_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the error responses of a route for OpenAPI."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": HTTPStatus(status).phrase, "content": content}
        for status in statuses
    }
