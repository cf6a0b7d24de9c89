"""Routes of operations: path, errors and description are those of the operation."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from http import HTTPStatus
from types import NoneType
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from graph.kernel.scope import Caller
from service.http.kernel.body import JsonBody
from service.http.kernel.errors import problem_responses
from service.http.kernel.openapi import request_body
from service.http.kernel.security import Tenant, caller_of
from service.http.kernel.views import json_answer
from stratagraph.operations.declaration import Operation

Route = TypeVar("Route", bound=Callable[..., Any])
_ASKED, _TENANT = "_asked", "_tenant"


def serves(
    router: APIRouter,
    operation: Operation[Any],
    *,
    responses: Mapping[int, Mapping[str, Any]] | None = None,
    media_types: tuple[str, ...] = ("application/json",),
    body: Mapping[str, Any] | None = None,
    **options: Any,
) -> Callable[[Route], Route]:
    """Register a function as the route of an operation.

    A parameter of the operation's request type is read from the query or the body; one of type ``Caller`` is the
    caller. A returned view is the body of the answer; None means no body. ``responses`` and ``body`` describe what no
    model describes.
    """
    # without a body: 204, unless the route declares another answer
    if operation.gives is NoneType and not responses:
        options |= {"status_code": HTTPStatus.NO_CONTENT, "response_class": Response}
    register = router.api_route(
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

    def registered(function: Route) -> Route:
        # the function itself is returned, so that it can be called without the framework
        register(_endpoint(operation, function))
        return function

    return registered


def _endpoint(operation: Operation[Any], function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function with parameters as the framework expects them."""
    parameters = inspect.signature(function, eval_str=True).parameters.values()
    callers = [each.name for each in parameters if each.annotation is Caller]
    requests = [each.name for each in parameters if each.annotation is operation.takes]

    async def endpoint(**given: Any) -> Response:
        asked, tenant = given.pop(_ASKED, None), given.pop(_TENANT, "")
        given |= dict.fromkeys(requests, asked)
        given |= {name: caller_of(tenant, asked) for name in callers}
        answer = await function(**given)
        if answer is None:
            return Response(status_code=HTTPStatus.NO_CONTENT)
        return answer if isinstance(answer, Response) else json_answer(HTTPStatus.OK, answer)

    known = [each for each in parameters if each.name not in {*callers, *requests}]
    if callers:
        known.append(_parameter(_TENANT, Tenant))
    if callers or requests:
        known.append(_parameter(_ASKED, _source(operation)))
    by_name = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in known]
    endpoint.__signature__ = inspect.Signature(by_name)  # pyright: ignore[reportFunctionMemberAccess] -- it may have one
    endpoint.__name__, endpoint.__doc__ = function.__name__, function.__doc__
    return endpoint


def _parameter(name: str, kind: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind)


def _source(operation: Operation[Any]) -> Any:
    """Return from where the framework reads an operation's request."""
    model: Any = operation.takes
    # the body is read once, by ``JsonBody``; the query by the framework
    return Annotated[model, Depends(JsonBody(model)) if operation.has_body else Query()]


def _answers(operation: Operation[Any]) -> dict[int | str, dict[str, Any]]:
    return {} if operation.gives is NoneType else {200: {"model": operation.gives}}


def _body(operation: Operation[Any], media_types: tuple[str, ...]) -> dict[str, Any] | None:
    models = operation.bodies or (operation.takes,)
    if not operation.has_body:
        return None
    return request_body(operation.examples, *filter(None, models), media_types=media_types)
