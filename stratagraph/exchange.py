"""Retry logic of one call: send, wait, send again, until there is an answer. No I/O.

`exchange` yields the next action and is sent its result, so that both clients share the rules.
"""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Callable, Generator
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, TypeVar

import httpx
from pydantic import ValidationError

from stratagraph.errors import (
    URN,
    ConnectionFailedError,
    RefusedError,
    RequestTimeoutError,
    StratagraphError,
    UnexpectedAnswerError,
    class_of,
)
from stratagraph.wire import Problem

if TYPE_CHECKING:
    from stratagraph.call import Call

A = TypeVar("A")

REQUEST_ID = "X-Request-ID"
# The service did not begin, or declares that a repeat is harmless.
BUSY = frozenset({429, 502, 503, 504})
# A proxy may answer so instead of the service, without a problem.
FROM_A_PROXY = frozenset({401, 403, 413, *BUSY})
FINAL = frozenset({"budget-exceeded"})
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)


@dataclass(frozen=True, slots=True)
class Retries:
    """Retry policy: number and time of repeats, exponential pauses with full jitter.

    ``attempts``: maximum number. ``first_pause``, ``longest_pause``: the pause before the n-th repeat is drawn from 0
    to ``min(longest_pause, first_pause · 2ⁿ⁻¹)`` seconds. ``deadline``: seconds for all attempts. ``random`` and
    ``clock`` can be replaced in tests.
    """

    attempts: int = 4
    first_pause: float = 0.2
    longest_pause: float = 5.0
    deadline: float = 60.0
    random: Callable[[], float] = random.random
    clock: Callable[[], float] = time.monotonic

    def pause(self, repeat: int) -> float:
        """Draw the seconds to wait before a repeat, the first being 1."""
        return self.random() * min(self.longest_pause, self.first_pause * 2.0 ** (repeat - 1))


@dataclass(frozen=True, slots=True)
class Send:
    """Send the request and return the response, or httpx's error."""

    method: str
    path: str
    params: dict[str, object]
    content: bytes | None
    headers: dict[str, str]
    timeout: float


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait for some seconds."""

    seconds: float


Step = Send | Wait
Came = httpx.Response | httpx.HTTPError | None


def exchange(
    call: Call[A], shown: str, timeout: float, retries: Retries
) -> Generator[Step, Came, A]:
    """Try a call until it is answered, refused for good, or out of attempts or time."""
    # for all attempts: a caller waits no longer
    end = retries.clock() + retries.deadline
    # one id for all, so that the service's log shows one call
    request_id = uuid.uuid4().hex
    attempt = 0
    unsure = False
    while True:
        attempt += 1
        # above 0, so that the last attempt is still made
        left = max(end - retries.clock(), 0.001)
        came = yield _request(call, request_id, min(timeout, left))
        if isinstance(came, httpx.Response):
            if came.is_success or _accepted(call, came):
                return _read(call, came, shown)
            # an earlier attempt may have deleted it
            if unsure and call.gone_is_done and came.status_code == HTTPStatus.NOT_FOUND:
                return call.read(b"")
        failure = failure_of(came, shown, request_id)
        pause = _pause(call, came, retries, attempt)
        # no pause beyond the deadline
        if pause is None or retries.clock() + pause >= end:
            raise _with_attempts(failure, attempt) from _cause(came)
        # any earlier attempt may have arrived
        unsure = unsure or not _surely_not_done(came)
        yield Wait(pause)


def _request(call: Call[A], request_id: str, timeout: float) -> Send:
    headers = {**call.headers, REQUEST_ID: request_id}
    if call.body is not None:
        headers.setdefault("Content-Type", "application/json")
    return Send(call.method, call.path, dict(call.query), call.body, headers, timeout)


def _pause(call: Call[A], came: Came, retries: Retries, attempt: int) -> float | None:
    """Return the seconds to wait before the next attempt, or None for no further one."""
    if attempt >= retries.attempts or not _worth_repeating(call, came):
        return None
    if not call.repeatable and not _surely_not_done(came):
        return None
    drawn = retries.pause(attempt)
    # the greater of both: the service knows when, jitter spreads clients
    return max(drawn, retry_after(came)) if isinstance(came, httpx.Response) else drawn


def _worth_repeating(call: Call[A], came: Came) -> bool:
    if isinstance(came, httpx.Response):
        return came.status_code in BUSY | call.busy and not _is_final(came)
    return isinstance(came, httpx.TransportError) and not isinstance(
        came, httpx.UnsupportedProtocol
    )


def _is_final(came: httpx.Response) -> bool:
    """Return whether a repeat would get the same answer at any time."""
    problem = _problem(came) if came.status_code == HTTPStatus.CONFLICT else None
    return problem is not None and problem.type.removeprefix(URN) in FINAL


def _surely_not_done(came: Came) -> bool:
    """Return whether the service cannot have acted on the request."""
    if isinstance(came, httpx.Response):
        # rate limits are checked before anything is done
        return came.status_code == HTTPStatus.TOO_MANY_REQUESTS
    return isinstance(came, NOT_SENT)


def retry_after(response: httpx.Response) -> float:
    """Parse `Retry-After`: seconds, or a date."""
    said = response.headers.get("Retry-After", "").strip()
    if said.isdecimal():
        return float(said)
    try:
        return max(parsedate_to_datetime(said).timestamp() - time.time(), 0.0)
    except (ValueError, TypeError):
        return 0.0


def _accepted(call: Call[A], response: httpx.Response) -> bool:
    """Return whether it is an answer in spite of its status, and from the service itself."""
    if response.status_code not in call.accepts:
        return False
    try:
        call.read(response.content)
    except ValueError:
        # a proxy may use the same status for its own page
        return False
    return True


def _read(call: Call[A], response: httpx.Response, shown: str) -> A:
    try:
        return call.read(response.content)
    except ValueError as error:
        raise UnexpectedAnswerError(
            f"{shown} answered {response.status_code} with something this client cannot read. "
            "Is it a Stratagraph service, of a release that fits?",
            request_id=response.headers.get(REQUEST_ID),
        ) from error


def failure_of(came: Came, shown: str, request_id: str) -> StratagraphError:
    """Convert a failed exchange to its exception."""
    if isinstance(came, httpx.Response):
        return refusal(came, shown, request_id)
    if isinstance(came, httpx.TimeoutException):
        return RequestTimeoutError(
            f"{shown} did not answer in time ({type(came).__name__}). "
            "Is it there and well? A longer `timeout` may help.",
            request_id=request_id,
            sent=not isinstance(came, NOT_SENT),
        )
    return ConnectionFailedError(
        f"No service answers at {shown} ({type(came).__name__}: {came}). "
        "Start one with `stratagraph serve`, or name another address.",
        request_id=request_id,
        sent=not isinstance(came, NOT_SENT),
    )


def refusal(response: httpx.Response, shown: str, request_id: str) -> StratagraphError:
    """Convert an answer without success to its exception."""
    if response.is_redirect:
        return UnexpectedAnswerError(
            f"{shown} leads on to another address; give that one as the url.", request_id=request_id
        )
    problem = _problem(response)
    if problem is None:
        return UnexpectedAnswerError(
            f"{shown} answered {response.status_code} without saying why. "
            "Is it a Stratagraph service?",
            request_id=request_id,
        )
    kind = class_of(problem)
    return kind(_refused(problem, kind, shown), problem=problem, request_id=request_id)


def _problem(response: httpx.Response) -> Problem | None:
    try:
        return Problem.model_validate_json(response.content)
    except ValidationError:
        if response.status_code not in FROM_A_PROXY:
            return None
    # without a problem the answer is not from the service
    title = response.reason_phrase or "Refused"
    detail = f"{title}, said by something in front of the service"
    return Problem(type="about:blank", title=title, status=response.status_code, detail=detail)


def _refused(problem: Problem, kind: type[RefusedError], shown: str) -> str:
    faults = "".join(f"\n  {fault.field}: {fault.message}" for fault in problem.errors)
    remedy = f"\n{kind.remedy}" if kind.remedy else ""
    return f"{shown}: {problem.detail} ({problem.status}){faults}{remedy}"


def _with_attempts(failure: StratagraphError, attempts: int) -> StratagraphError:
    if attempts > 1:
        failure.message += f" (tried {attempts} times)"
        failure.args = (failure.message,)
    return failure


def _cause(came: Came) -> Exception | None:
    return came if isinstance(came, Exception) else None
