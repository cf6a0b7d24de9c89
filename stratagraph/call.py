"""`Call`: one request as a value, and how its answer is read. No I/O."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar, cast
from urllib.parse import quote

from pydantic import BaseModel
from pydantic_core import to_json

from stratagraph.errors import UsageError

A = TypeVar("A")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call(Generic[A]):
    """One request and how its answer is read.

    ``repeatable``: a repeat has the effect of one call, so it can be tried again when it is unknown whether it arrived.
    ``gone_is_done``: a repeat that finds nothing has succeeded before. ``accepts``: statuses that are answers beside
    2xx. ``busy``: statuses that are retried beside the usual ones.
    """

    method: str
    path: str
    read: Callable[[bytes], A]
    query: Mapping[str, Any] = field(default_factory=dict[str, Any])
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    repeatable: bool = True
    gone_is_done: bool = False
    accepts: frozenset[int] = frozenset()
    busy: frozenset[int] = frozenset()


# A task of several calls: it yields each call and is sent its answer.
Plan = Generator[Call[Any], Any, T]


@dataclass(frozen=True, slots=True)
class Caller:
    """Agent, channels and users of a client."""

    agent_id: str | None = None
    channel_ids: Sequence[str] = ()
    user_ids: Sequence[str] = ()

    def fields(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the identity fields; those of a call replace the client's."""
        own = {
            "agent_id": self.agent_id,
            "channel_ids": self.channel_ids,
            "user_ids": self.user_ids,
        }
        own |= {name: given[name] for name in own if name in given}
        # a single name replaces the client's list
        for one, several in (("channel_id", "channel_ids"), ("user_id", "user_ids")):
            if given.get(one) is not None:
                own[several] = (given[one],)
        return stated(own)


def segment(name: str) -> str:
    """Encode a name as one segment of a path."""
    # `..` would be resolved as the parent
    return quote(name, safe="") if name.strip(".") else name.replace(".", "%2E")


def following(call: Call[A], cursor: str | None) -> Call[A] | None:
    """Return the call for the next page, or None at the end."""
    return replace(call, query={**call.query, "cursor": cursor}) if cursor else None


def said(model: BaseModel) -> dict[str, Any]:
    return model.model_dump(mode="json", by_alias=True, exclude_unset=True)


def stated(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def encoded(value: object) -> bytes:
    """Encode as JSON; errors are the caller's."""
    try:
        return to_json(value, fallback=_as_list)
    except (TypeError, ValueError) as error:
        raise UsageError(f"This cannot be sent as JSON: {error}") from error


def _as_list(value: object) -> object:
    # An array of numpy or torch, which this package does not import.
    if hasattr(value, "tolist"):
        return cast("Any", value).tolist()
    raise TypeError(f"a value of type {type(value).__name__}")
