"""Routes of operations: what the table declares becomes a route's path, errors and description."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.responses import Response

from service.http.kernel.errors import problem_responses
from service.http.kernel.openapi import request_body

if TYPE_CHECKING:
    from fastapi import APIRouter

    from stratagraph.operations.declaration import Operation

Route = TypeVar("Route", bound=Callable[..., Any])


def serves(
    router: APIRouter,
    operation: Operation[Any],
    *,
    responses: Mapping[int, Mapping[str, Any]] | None = None,
    media_types: tuple[str, ...] = ("application/json",),
    body: Mapping[str, Any] | None = None,
    **options: Any,
) -> Callable[[Route], Route]:
    """Register a function as the route of an operation; ``responses`` and ``body`` describe what no model says."""
    if operation.gives is NoneType and not responses:
        options |= {"status_code": HTTPStatus.NO_CONTENT, "response_class": Response}
    return router.api_route(
        operation.path,
        methods=[operation.method],
        tags=[operation.room],
        summary=operation.summary,
        description=operation.details or None,
        responses={
            **_answers(operation),
            **{status: dict(answer) for status, answer in (responses or {}).items()},
            **problem_responses(*operation.statuses),
        },
        openapi_extra={"requestBody": body} if body else _body(operation, media_types),
        **options,
    )


def _answers(operation: Operation[Any]) -> dict[int | str, dict[str, Any]]:
    return {} if operation.gives is NoneType else {200: {"model": operation.gives}}


def _body(operation: Operation[Any], media_types: tuple[str, ...]) -> dict[str, Any] | None:
    models = operation.bodies or (operation.takes,)
    if not operation.has_body:
        return None
    return request_body(operation.examples, *filter(None, models), media_types=media_types)
