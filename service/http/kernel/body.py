"""Request bodies: limited while they arrive, decoded once, refused unless strict JSON."""

from __future__ import annotations

import re
from typing import Annotated, Generic

import jiter
from fastapi import Depends, Request
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graph.kernel.errors import PayloadTooLargeError
from service.faults import MalformedBodyError, MediaTypeError, Model, read_as
from service.http.kernel.security import Tenant

MAX_BODY_BYTES = 32 * 1024 * 1024
# Read line by line, each limited, and never kept as a whole.
UNBOUNDED = frozenset({"/v1/import", "/v1/episodes/import"})

_JSON = re.compile(r"application/(?:[a-z0-9.+-]+\+)?json")
_PLACE = re.compile(r"at line (?P<line>\d+) column (?P<column>\d+)$")


class BodyLimit:
    """Refuse a body over 32 MB by its stated length, or as soon as more has arrived."""

    def __init__(self, app: ASGIApp, limit: int = MAX_BODY_BYTES) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in UNBOUNDED:
            await self._app(scope, receive, send)
            return
        stated = Headers(scope=scope).get("content-length", "0")
        # 20 digits at most: Python refuses to parse numbers of thousands of digits
        is_over = stated.isdecimal() and int(stated[:20]) > self._limit
        arrived = 0

        async def receive_bounded() -> Message:
            nonlocal arrived
            if is_over:
                raise too_large(self._limit)
            message = await receive()
            # counted too: the length may be missing or wrong
            arrived += len(message.get("body", b""))
            if arrived > self._limit:
                raise too_large(self._limit)
            return message

        await self._app(scope, receive_bounded, send)


async def decoded_json(request: Request, _tenant: Tenant) -> object:
    """Decode the body, after authentication."""
    return await read_json(request)


async def read_json(request: Request) -> object:
    """Decode the body of an authenticated caller."""
    if not is_json(request):
        raise MediaTypeError
    # a small compressed body may expand to a huge one
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise MediaTypeError("the body must not be compressed")
    return json_of(await request.body())


def is_json(request: Request) -> bool:
    """Return whether a request declares its body as JSON in UTF-8."""
    media_type, _, parameters = request.headers.get("content-type", "").lower().partition(";")
    charset = parameters.strip().removeprefix("charset=").strip('"')
    return bool(_JSON.fullmatch(media_type.strip())) and charset in {"", "utf-8", "utf8"}


def json_of(body: bytes) -> object:
    """Parse strict JSON: no duplicate keys, no NaN or infinity."""
    try:
        # one value of a duplicate key could be checked, and the other stored
        return jiter.from_json(body, allow_inf_nan=False, catch_duplicate_keys=True)
    except ValueError as error:
        raise MalformedBodyError(_describe(str(error))) from None


Decoded = Annotated[object, Depends(decoded_json)]


class JsonBody(Generic[Model]):
    """Dependency that reads the body as a request model."""

    def __init__(self, model: type[Model]) -> None:
        self._model = model

    def __call__(self, decoded: Decoded) -> Model:
        return read_as(self._model, decoded)


def _describe(reason: str) -> str:
    place = _PLACE.search(reason)
    where = f" (line {place['line']}, column {place['column']})" if place else ""
    return f"the body is not usable JSON: {json_fault(reason)}{where}"


# the reason alone: what the parser read may be a secret
def json_fault(reason: str) -> str:
    """Return a parser's message without the input, which may contain a secret."""
    if reason.startswith("Detected duplicate key"):
        return "a key stands twice in one object"
    if reason.startswith("recursion limit"):
        return "it is nested too deep"
    if "number" in reason:
        return "a number is not finite, too long or badly written"
    if "unicode" in reason or "hex escape" in reason:
        return "a string holds invalid UTF-8 or half of a surrogate pair"
    return "check quotes, commas and brackets; NaN and Infinity are no JSON"


def too_large(limit: int) -> PayloadTooLargeError:
    """Return the error for a body above a limit in bytes."""
    return PayloadTooLargeError(
        f"the body is larger than {limit // (1024 * 1024)} MB; split it into several requests"
    )
