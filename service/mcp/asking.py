"""HTTP client of the tools."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast

import httpx

from graph.kernel.errors import StratagraphError
from stratagraph.call import Call

TIMEOUT_SECONDS = 120.0
_JSON = {"content-type": "application/json"}


class RefusedError(StratagraphError):
    """The service refused the call."""


@dataclass(frozen=True, slots=True)
class Asking:
    """The HTTP API at any address.

    ``reach`` returns the address before each call: it waits for a service that is starting, and replaces one that has
    ended by the next that answers.
    """

    reach: Callable[[], Awaitable[httpx.AsyncClient]]

    async def __call__(self, call: Call[Any], headers: Mapping[str, str]) -> Mapping[str, Any]:
        """Send a request, and return the JSON object of the answer.

        Raises
        ------
        RefusedError
            If it is refused, or nobody answers; the message is for a model to act on.
        """
        answer = await self._send(call, headers)
        body = _object(answer.content)
        if not answer.is_success:
            raise RefusedError(_reason(answer.status_code, body))
        return body

    async def _send(self, call: Call[Any], headers: Mapping[str, str]) -> httpx.Response:
        # for each call: a replaced service has another address
        http = await self.reach()
        try:
            return await _request(http, call, headers)
        except httpx.ConnectError:
            # Nothing was sent yet, so another address can be tried.
            if (other := await self.reach()) is http:
                raise _unreachable(http) from None
        try:
            return await _request(other, call, headers)
        except httpx.ConnectError:
            raise _unreachable(other) from None


async def _request(
    http: httpx.AsyncClient, call: Call[Any], headers: Mapping[str, str]
) -> httpx.Response:
    try:
        return await http.request(
            call.method,
            call.path,
            content=call.body,
            params=dict(call.query),
            headers={**headers, **_JSON},
            timeout=TIMEOUT_SECONDS,
        )
    except httpx.ConnectError:
        raise
    except httpx.HTTPError as error:
        # sent, but not answered: a repeat could execute it twice
        raise RefusedError(
            f"the service did not answer ({type(error).__name__}); whether it did what was asked "
            "is not known"
        ) from None


def _object(content: bytes) -> Mapping[str, Any]:
    try:
        decoded: object = json.loads(content)
    except ValueError:
        return {}
    return cast("Mapping[str, Any]", decoded) if isinstance(decoded, dict) else {}


def _reason(status: int, problem: Mapping[str, Any]) -> str:
    # the faults name the fields, so that a model can correct them
    faults = "; ".join(
        ": ".join(filter(None, (fault.get("field"), fault.get("message"))))
        for fault in problem.get("errors") or ()
    )
    said = faults or problem.get("detail") or f"the service answered {status}"
    wait = "; try again in a moment" if status == HTTPStatus.SERVICE_UNAVAILABLE else ""
    return f"{said}{wait}"


def _unreachable(http: httpx.AsyncClient) -> RefusedError:
    # without user and password of the address
    shown = str(http.base_url.copy_with(userinfo=b"")).rstrip("/")
    return RefusedError(f"no service answers at {shown}; start it: stratagraph serve")
