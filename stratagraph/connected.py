"""Base of both clients; they only differ in sending and waiting."""

from __future__ import annotations

import copy
from collections.abc import Callable, Coroutine, Generator, Sequence
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, cast

import httpx

from stratagraph.call import Call, Caller
from stratagraph.connect import (
    Certificate,
    Verify,
    environment,
    http_options,
    target_of,
    timeouts,
)
from stratagraph.errors import UsageError
from stratagraph.exchange import Came, Retries, Send, Step, exchange

A = TypeVar("A")
P = ParamSpec("P")
H = TypeVar("H", httpx.Client, httpx.AsyncClient)


class Connected(Generic[H]):
    """A connection to a service, with the caller's identity."""

    def __init__(
        self,
        url: str | None = None,
        api_key: str | None = None,
        agent_id: str | None = None,
        channel_ids: Sequence[str] = (),
        user_ids: Sequence[str] = (),
        *,
        channel_id: str | None = None,
        user_id: str | None = None,
        timeout: float = 30.0,
        retries: Retries | int | None = None,
        verify: Verify = True,
        cert: Certificate | None = None,
        proxy: str | None = None,
        sleep: Callable[[float], Any] | None = None,
    ) -> None:
        self._target = target_of(url, api_key, environment())
        channels = _one_or_several("channel", channel_id, channel_ids)
        self._caller = Caller(agent_id, channels, _one_or_several("user", user_id, user_ids))
        self._timeout = timeout
        self._retries = _retries(retries)
        self._sleep = sleep
        self._http: H = self._open(http_options(self._target, verify, cert, proxy))

    @property
    def url(self) -> str:
        """Address of the service."""
        return self._target.shown

    @property
    def caller(self) -> Caller:
        """Agent, channels and users of the client."""
        return self._caller

    def as_agent(
        self,
        agent_id: str | None,
        *,
        channel_ids: Sequence[str] | None = None,
        user_ids: Sequence[str] | None = None,
    ) -> Self:
        """Return a client on the same connections for another agent.

        Channels and users are kept unless they are given.
        """
        other = copy.copy(self)
        # the same connections: closing one closes both
        other._caller = Caller(
            agent_id,
            self._caller.channel_ids if channel_ids is None else channel_ids,
            self._caller.user_ids if user_ids is None else user_ids,
        )
        return other

    def _open(self, options: dict[str, Any]) -> H:
        raise NotImplementedError

    def _exchange(self, call: Call[A]) -> Generator[Step, Came, A]:
        return exchange(call, self.url, self._timeout, self._retries)


def awaited(
    method: Callable[Concatenate[Any, P], A],
) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, A]]:
    """Return the asynchronous form of a method that only returns the result of a client's call."""

    @wraps(method)
    async def wait(client: Any, *args: P.args, **keywords: P.kwargs) -> A:
        # The call of an asynchronous client returns a coroutine, so the method does.
        return await cast("Coroutine[Any, Any, A]", method(client, *args, **keywords))

    return wait


def request_arguments(step: Send) -> dict[str, Any]:
    return {
        "method": step.method,
        "url": step.path,
        "params": step.params,
        "content": step.content,
        "headers": step.headers,
        "timeout": timeouts(step.timeout),
    }


def _one_or_several(what: str, one: str | None, several: Sequence[str]) -> Sequence[str]:
    if one is not None and several:
        raise UsageError(f"Give {what}_id or {what}_ids, not both.")
    return several if one is None else (one,)


def _retries(given: Retries | int | None) -> Retries:
    # repeats plus the first attempt
    return Retries(attempts=given + 1) if isinstance(given, int) else given or Retries()
