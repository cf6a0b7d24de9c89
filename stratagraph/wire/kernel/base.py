"""Base of requests and answers: the caller's identity, and faults."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, Self, cast

from pydantic import BaseModel, ConfigDict, Field, model_validator

from stratagraph.wire.kernel.values import Name, Names, fault

OLD_NAMES: ContextVar[list[str] | None] = ContextVar("old_names", default=None)
"""Old names of fields that the request at hand used; None where nobody collects them."""


class Request(BaseModel):
    """Request of a client: unknown fields, NaN and infinities are refused."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, populate_by_name=True
    )


def renamed(**old_names: str) -> Any:
    """Accept old names of fields for one release: ``old="new"``."""

    def take(data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        given = dict(cast("Mapping[str, Any]", data))
        for old, new in old_names.items():
            if old not in given:
                continue
            if new in given:
                raise fault("request", f"{old}: the old name of {new}; give {new} alone")
            given[new] = given.pop(old)
            note_old_name(old)
        return given

    return model_validator(mode="before")(take)


def note_old_name(name: str) -> None:
    """Record that a request used an old name, which its answer reports."""
    collected = OLD_NAMES.get()
    if collected is not None:
        collected.append(name)


class Answer(BaseModel):
    """Answer of the service; fields may be added in later releases."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)


class Identity(Request):
    """Identity of the caller, inside the tenant of the API key; at least one of the three."""

    agent_id: Name | None = Field(
        default=None,
        description="The agent that acts; it reads and writes its own memories.",
        examples=["planner"],
    )
    channel_ids: Names = Field(
        default=(), description="Channels whose memories are read too.", examples=[["support"]]
    )
    user_ids: Names = Field(
        default=(), description="Users whose memories are read too.", examples=[["ada"]]
    )
    channel_id: Name | None = Field(
        default=None,
        description="One channel: the same as `channel_ids` with one name.",
        examples=["support"],
    )
    user_id: Name | None = Field(
        default=None,
        description="One user: the same as `user_ids` with one name.",
        examples=["ada"],
    )

    @model_validator(mode="after")
    def _one_or_several(self) -> Self:
        for one, several in (("channel_id", "channel_ids"), ("user_id", "user_ids")):
            if getattr(self, one) is not None and getattr(self, several):
                raise fault("request", f"{one}: give {one} or {several}, not both")
        return self

    @property
    def channels(self) -> tuple[str, ...]:
        """The channels, given in either form."""
        return self.channel_ids if self.channel_id is None else (self.channel_id,)

    @property
    def users(self) -> tuple[str, ...]:
        """The users, given in either form."""
        return self.user_ids if self.user_id is None else (self.user_id,)


class FaultView(Answer):
    """One invalid field or value."""

    field: str | None = Field(
        description="Faulty field, as a path such as `filters.kinds`.", examples=["k"]
    )
    message: str = Field(
        description="What is wrong with it.",
        examples=["must be at most 200"],
    )


class Problem(Answer):
    """An error, as `application/problem+json` (RFC 9457)."""

    type: str = Field(
        description="Stable name of the error.", examples=["urn:stratagraph:error:invalid-input"]
    )
    title: str = Field(description="The error in general.", examples=["The request cannot be used"])
    status: int = Field(description="The HTTP status.", examples=[422])
    detail: str = Field(description="This case.", examples=["1 field cannot be used"])
    errors: tuple[FaultView, ...] = Field(
        default=(),
        description="Faulty fields, and why.",
        examples=[[{"field": "k", "message": "…"}]],
    )
    request_id: str | None = Field(
        default=None, description="The id of the request in the logs.", examples=["5f0c9a"]
    )
