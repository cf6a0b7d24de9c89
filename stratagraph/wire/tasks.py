"""Outcomes of tasks."""

from __future__ import annotations

from pydantic import Field

from stratagraph.wire.base import Answer, Identity
from stratagraph.wire.values import UID_EXAMPLE, Share, Status


class OutcomeRequest(Identity):
    """How a task ended."""

    status: Status = Field(description="How it ended.", examples=["success"])
    quality: Share | None = Field(
        default=None,
        description="How good the result was, 0 to 1; it scales the reward.",
        examples=[0.8],
    )


class RewardView(Answer):
    """How one memory's utility moved."""

    uid: str = Field(description="The memory.", examples=[UID_EXAMPLE])
    q_before: float = Field(description="Its Q before.", examples=[0.5])
    q_after: float = Field(description="Its Q now.", examples=[0.55])


class OutcomeView(Answer):
    """What an outcome did."""

    task_id: str = Field(description="The task.", examples=["answer-ticket-17"])
    status: Status = Field(description="How it ended.", examples=["success"])
    quality: float | None = Field(default=None, description="As reported.", examples=[0.8])
    reward: float = Field(description="What was learned from it, -1 to 1.", examples=[0.8])
    applied: bool = Field(description="False: it was reported before.", examples=[True])
    rewarded: tuple[RewardView, ...] = Field(
        default=(), description="The memories it moved.", examples=[[]]
    )
