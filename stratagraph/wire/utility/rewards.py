"""Outcomes and signals of tasks, manual rewards, their updates, and reverts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, cast

from pydantic import BeforeValidator, Field, StringConstraints

from stratagraph.vocabulary import Status
from stratagraph.wire.kernel.base import Answer, Identity, Request
from stratagraph.wire.kernel.values import (
    NOW,
    TIME_EXAMPLE,
    UID_EXAMPLE,
    MemoryName,
    Name,
    Phase,
    PositiveShare,
    Share,
    Signed,
    Time,
)
from stratagraph.wire.recall.models import ContextRequest


class UsedRequest(Request):
    """A memory that was used, with its share."""

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


SignalName = Literal["step", "user_feedback", "tool_accuracy", "efficiency"]
StepStatus = Literal["success", "failure", "skipped"]

Reason = Annotated[str, StringConstraints(min_length=1, max_length=1000)]
HistoryLimit = Annotated[int, Field(ge=1, le=1000)]


class SignalRequest(Identity):
    """Signal of a task before it ends."""

    signal: SignalName = Field(
        description="`step`: how a step of it went. The others are judgements.",
        examples=["user_feedback"],
    )
    status: StepStatus | None = Field(
        default=None, description="Of a step: how it went.", examples=["success"]
    )
    value: Signed | None = Field(
        default=None, description="Of the others: from -1 (bad) to 1 (good).", examples=[0.5]
    )
    quality: Share | None = Field(
        default=None,
        description="Of a step that succeeded: how good it was, 0 to 1.",
        examples=[0.8],
    )
    id: Name | None = Field(
        default=None,
        description="Your own id of it: sent again with the same one it counts once.",
        examples=["thumbs-up-1"],
    )
    phase: Phase | None = Field(
        default=None,
        description="It is for what was given in this phase; unset: for all.",
        examples=["action"],
    )
    used: Used | None = Field(
        default=None,
        description="What was of use, as of an outcome.",
        examples=[["external:ticket-17"]],
    )


class SignalView(Answer):
    """Result of a signal."""

    task_id: str = Field(description="The task.", examples=["answer-ticket-17"])
    signal: SignalName = Field(description="Name of the signal.", examples=["user_feedback"])
    reward: float = Field(description="What was learned from it, -1 to 1.", examples=[0.5])
    applied: bool = Field(
        description="False: heard before, a skipped step, or learning is off.", examples=[True]
    )
    rewarded: tuple[RewardView, ...] = Field(
        default=(), description="The memories it moved.", examples=[[]]
    )
    reward_uid: str | None = Field(
        default=None, description="The reward, to take it back by.", examples=[UID_EXAMPLE]
    )
    ignored: int = Field(
        default=0, description="Names in `used` that are no memories of the caller.", examples=[0]
    )


class InjectRequest(Identity):
    """A reward by hand."""

    reward: Signed = Field(description="From -1 (harmful) to 1 (helpful).", examples=[1.0])
    reason: Reason = Field(
        description="Why; it is kept, 1 to 1,000 characters.", examples=["confirmed by the vendor"]
    )
    phase: Phase | None = Field(
        default=None,
        description="Where utility is learned by context: in this phase.",
        examples=["planning"],
    )
    context: ContextRequest | None = Field(
        default=None,
        description="Where utility is learned by context: in this one.",
        examples=[{"domain": "billing"}],
    )


class InjectView(Answer):
    """Result of a reward by hand."""

    reward_uid: str = Field(description="The reward, to take it back by.", examples=[UID_EXAMPLE])
    uid: str = Field(description="The memory.", examples=[UID_EXAMPLE])
    q_before: float = Field(description="Its Q before.", examples=[0.5])
    q_after: float = Field(description="Its Q now.", examples=[0.55])
    step: float = Field(description="How far it went to the reward.", examples=[0.1])


class RevertRequest(Identity):
    """Take a reward back."""

    reason: Reason | None = Field(
        default=None, description="Why; it is kept.", examples=["reported by mistake"]
    )


class RevertView(Answer):
    """Result of taking a reward back."""

    reward_uid: str = Field(description="The reward.", examples=[UID_EXAMPLE])
    revert_uid: str | None = Field(
        default=None,
        description="The entry that says so; null when it had been taken back before.",
        examples=[UID_EXAMPLE],
    )
    applied: bool = Field(description="False: it had been taken back before.", examples=[True])
    restored: tuple[RewardView, ...] = Field(
        default=(), description="The memories it had moved, and their Q now.", examples=[[]]
    )
    kept: int = Field(
        default=0,
        description="Strategies and concepts whose histories no longer reach back to it.",
        examples=[0],
    )


class UtilityRequest(Identity):
    """Part of a memory's history to show."""

    at: Time | None = Field(
        default=None, description="Also its Q as of this time.", examples=[TIME_EXAMPLE]
    )
    limit: HistoryLimit = Field(
        default=100, description="Entries at most, the newest; 1 to 1,000.", examples=[100]
    )


class ContextUtilityView(Answer):
    """Utility of a memory in one context."""

    context: str = Field(description="The context.", examples=["phase:planning"])
    q_value: float = Field(description="Its Q there.", examples=[0.55])
    q_count: int = Field(description="Rewards it had there.", examples=[2])
    utility: float = Field(description="Utility in the context.", examples=[0.7])
    evidence: float = Field(
        description="Rewards that the utility rests on, in effect.", examples=[1.95]
    )


class CheckpointView(Answer):
    """Beginning of the history that is kept."""

    seq: int = Field(description="The last entry behind it.", examples=[25])
    at: datetime = Field(description="Its time.", examples=[NOW])
    q_value: float = Field(description="Q there.", examples=[0.61])


class HistoryEntryView(Answer):
    """One entry of a memory's history."""

    seq: int = Field(description="Its number.", examples=[1])
    reward_uid: str = Field(description="The reward.", examples=[UID_EXAMPLE])
    kind: str = Field(
        description="`outcome`, `step`, `signal`, `manual` or `revert`.", examples=["outcome"]
    )
    recorded_at: datetime = Field(description="When it was recorded.", examples=[NOW])
    q_before: float = Field(description="Q before.", examples=[0.5])
    q_after: float = Field(description="Q after.", examples=[0.55])
    reward: float = Field(description="What was learned, -1 to 1.", examples=[1.0])
    target: float = Field(description="Where it drew Q to.", examples=[1.0])
    step: float = Field(description="How far Q went there.", examples=[0.1])
    share: float = Field(description="Its share in the reward.", examples=[1.0])
    via: str = Field(
        description="`direct`, or `USED`: by a memory that used it.", examples=["direct"]
    )
    reverted: bool = Field(description="Whether it was taken back.", examples=[False])
    task_id: str | None = Field(
        default=None, description="The task, where it is the caller's.", examples=["ticket-17"]
    )
    reason: str | None = Field(
        default=None, description="The reason, where it is the caller's.", examples=["confirmed"]
    )


class UtilityView(Answer):
    """Utility of one memory, and its history."""

    uid: str = Field(description="The memory.", examples=[UID_EXAMPLE])
    q_value: float = Field(description="Its Q.", examples=[0.55])
    q_count: int = Field(description="Rewards that hold.", examples=[1])
    q_variance: float = Field(description="Variance of the rewards.", examples=[0.0225])
    q_error: float = Field(description="How far off the utility may be.", examples=[0.25])
    evidence: float = Field(description="On how many rewards it rests.", examples=[1.0])
    utility: float = Field(
        description="What its own rewards say, without what it began with.", examples=[0.667]
    )
    initialized_from: str = Field(
        description="Where its first Q came from: `default`, `surprise`, `transfer`, `manual`.",
        examples=["default"],
    )
    contexts: tuple[ContextUtilityView, ...] = Field(
        default=(), description="What it is worth in contexts.", examples=[[]]
    )
    checkpoint: CheckpointView | None = Field(
        default=None, description="Where its history begins, once that was cut.", examples=[None]
    )
    q_at: float | None = Field(
        default=None, description="Its Q as of `at`, where that was asked for.", examples=[0.5]
    )
    history: tuple[HistoryEntryView, ...] = Field(
        default=(), description="Its newest entries, oldest first.", examples=[[]]
    )
