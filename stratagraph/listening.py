"""An event stream: its request, parsing, and resumption. No I/O."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, get_args

import httpx
from pydantic import ValidationError

from stratagraph import wire
from stratagraph.call import Caller, stated
from stratagraph.errors import UnexpectedAnswerError
from stratagraph.exchange import BUSY, Came, Retries, Send, failure_of, retry_after

if TYPE_CHECKING:
    from stratagraph.fields import IdentityFields

# The service sends a heartbeat every 15 seconds.
_SILENCE_SECONDS = 45.0
_RETRY_SECONDS = 2.0
_NAMES = frozenset(get_args(wire.EventName))

Heard = wire.EventView | wire.GapView


class Listening:
    """Position of a listener: it resumes after the last event, on any replica."""

    def __init__(
        self,
        caller: Caller,
        names: Sequence[wire.EventName],
        agent: str | None,
        after: int | None,
        identity: IdentityFields,
        retries: Retries,
    ) -> None:
        query: dict[str, Any] = {"name": list(names) or None, "agent": agent}
        self._query = stated(query) | caller.fields(identity)
        self._after = after
        self._retries = retries
        self._rest = _RETRY_SECONDS
        self._failing_since: float | None = None
        self._failures = 0
        self._said: dict[str, str] = {}
        self._request_id = ""

    def request(self) -> Send:
        """Return the request, and reset the parser."""
        self._said = {}
        self._request_id = uuid.uuid4().hex
        headers = {"Accept": "text/event-stream", "X-Request-ID": self._request_id}
        # after the last received event, on any replica
        if self._after is not None:
            headers["Last-Event-ID"] = str(self._after)
        return Send("GET", "/v1/events", self._query, None, headers, _SILENCE_SECONDS)

    def take(self, line: str) -> Heard | None:
        """Parse a line of the stream; return the event that it completes.

        Raises
        ------
        UnexpectedAnswerError
            If it cannot be read.
        """
        # any line shows that the stream is alive
        self._failures, self._failing_since = 0, None
        name, _, value = line.partition(":")
        if name:
            self._said[name] = value.removeprefix(" ")
            return None
        if line:
            return None  # a comment
        said, self._said = self._said, {}
        try:
            return self._ended(said)
        except (ValidationError, ValueError) as error:
            raise UnexpectedAnswerError(
                "The service streams something this client cannot read. "
                "Is it a Stratagraph service, of a release that fits?",
                request_id=self._request_id,
            ) from error

    def _ended(self, said: dict[str, str]) -> Heard | None:
        if "retry" in said:
            self._rest = int(said["retry"]) / 1000
        if "id" in said:
            # also for an event of unknown name: it was received
            self._after = int(said["id"])
        if said.get("event") == "stream:gap":
            return wire.GapView.model_validate_json(said["data"])
        if said.get("event") in _NAMES:
            return wire.EventView.model_validate_json(said["data"])
        return None

    def pause(self, came: Came, shown: str) -> float:
        """Return the seconds to wait before the next attempt, after an end, a refusal or a failure.

        Raises
        ------
        StratagraphError
            If there is no point in it, or it has failed for too long.
        """
        if came is None:
            return self._rest
        now = self._retries.clock()
        self._failures += 1
        if self._failing_since is None:
            self._failing_since = now
        worn_out = now - self._failing_since > self._retries.deadline
        if worn_out or self._retries.attempts == 1 or not _passes(came):
            raise failure_of(came, shown, self._request_id)
        # at most 30: higher powers of 2 are not needed
        drawn = self._retries.pause(min(self._failures, 30))
        return max(drawn, retry_after(came)) if isinstance(came, httpx.Response) else drawn


def _passes(came: Came) -> bool:
    if isinstance(came, httpx.Response):
        return came.status_code in BUSY
    return isinstance(came, httpx.TransportError) and not isinstance(
        came, httpx.UnsupportedProtocol
    )
