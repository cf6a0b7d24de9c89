"""What every request and answer has in common: who asks, and what was wrong."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from stratagraph.wire.values import Name, Names


class Request(BaseModel):
    """What a client sends: unknown fields, NaN and infinities are refused."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, populate_by_name=True
    )


class Answer(BaseModel):
    """What the service sends; fields may be added in later releases."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)


class Identity(Request):
    """Who asks, inside the tenant of the API key; at least one of the three."""

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


class FaultView(Answer):
    """One thing that cannot be used."""

    field: str | None = Field(description="Where: a path such as `filters.kinds`.", examples=["k"])
    message: str = Field(
        description="What is wrong with it.",
        examples=["Input should be less than or equal to 200"],
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
        description="Which fields, and why.",
        examples=[[{"field": "k", "message": "…"}]],
    )
    request_id: str | None = Field(
        default=None, description="The id of the request in the logs.", examples=["5f0c9a"]
    )
