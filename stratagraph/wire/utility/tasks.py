"""Outcomes of tasks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, cast

from pydantic import BeforeValidator, Field

from stratagraph.wire.kernel.base import Answer, Identity, Request
from stratagraph.wire.kernel.values import UID_EXAMPLE, MemoryName, PositiveShare, Share, Status


class UsedRequest(Request):
    """A memory that was of use, and how much."""

    name: MemoryName = Field(description="Uid or `external:<external_id>`.", examples=[UID_EXAMPLE])
    share: PositiveShare = Field(
        default=1.0, description="How much of the result it is, above 0 to 1.", examples=[0.5]
    )


def _named(value: Any) -> Any:
    return {"name": value} if isinstance(value, str) else value


def _listed(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    shares = cast("Mapping[str, Any]", value)
    return [{"name": name, "share": share} for name, share in shares.items()]


Used = Annotated[
    tuple[Annotated[UsedRequest, BeforeValidator(_named)], ...],
    Field(max_length=200),
    BeforeValidator(_listed),
]


class OutcomeRequest(Identity):
    """Outcome of a task."""

    status: Status = Field(description="How it ended.", examples=["success"])
    quality: Share | None = Field(
        default=None,
        description="How good the result was, 0 to 1; it scales the reward.",
        examples=[0.8],
    )
    used: Used | None = Field(
        default=None,
        description="What was of use, as names, `{name, share}` or an object of shares by name, at most 200; it alone is "
        "rewarded. Unset: all that the task was given. Empty: nothing.",
        examples=[[UID_EXAMPLE, {"name": "external:ticket-17", "share": 0.5}]],
    )


class RewardView(Answer):
    """Change of one memory's utility."""

    uid: str = Field(description="The memory.", examples=[UID_EXAMPLE])
    q_before: float = Field(description="Its Q before.", examples=[0.5])
    q_after: float = Field(description="Its Q now.", examples=[0.55])
    share: float = Field(
        default=1.0, description="Its share in the reward; the largest is 1.", examples=[1.0]
    )
    step: float = Field(
        default=0.0, description="How far it went to what the reward says.", examples=[0.1]
    )


class OutcomeView(Answer):
    """Result of an outcome."""

    task_id: str = Field(description="The task.", examples=["answer-ticket-17"])
    status: Status = Field(description="How it ended.", examples=["success"])
    quality: float | None = Field(default=None, description="As reported.", examples=[0.8])
    reward: float = Field(description="What was learned from it, -1 to 1.", examples=[0.8])
    applied: bool = Field(description="False: it was reported before.", examples=[True])
    rewarded: tuple[RewardView, ...] = Field(
        default=(), description="The memories it moved.", examples=[[]]
    )
    reward_uid: str | None = Field(
        default=None,
        description="The reward, by which it can be taken back; null while learning is off.",
        examples=[UID_EXAMPLE],
    )
    ignored: int = Field(
        default=0, description="Names in `used` that are no memories of the caller.", examples=[0]
    )
