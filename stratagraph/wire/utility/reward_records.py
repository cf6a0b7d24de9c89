"""Lines of an export for tasks and their rewards; docs/transfer.md describes them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from stratagraph.vocabulary import Status
from stratagraph.wire.kernel.values import Name, Phase, Share, Signed, Time
from stratagraph.wire.transfer.records import (
    Contexts,
    Count,
    Finite,
    Hash,
    Line,
    ScopeName,
    Spread,
    Uid,
)
from stratagraph.wire.utility.rewards import Reason

Actor = Annotated[str, StringConstraints(min_length=1, max_length=400)]
Context = Annotated[str, StringConstraints(min_length=1, max_length=300)]


class TaskLine(Line):
    """Task that recalls were made for."""

    type: Literal["task"]
    scope: ScopeName = Field(description="Whose it is.")
    task_id: Name = Field(description="Its name.")
    created_at: Time = Field(description="When it began.")
    expires_at: Time = Field(description="When it is forgotten.")
    status: Status | None = Field(default=None, description="How it ended.")
    quality: Share | None = Field(default=None, description="As reported.")
    reward: Signed | None = Field(default=None, description="What was learned.")
    report: Hash | None = Field(default=None, description="Hash of the report that ended it.")
    ended_at: Time | None = Field(default=None, description="When it ended.")


class RetrievalLine(Line):
    """A memory given to a task."""

    type: Literal["retrieval"]
    scope: ScopeName = Field(description="Scope of the task.")
    task_id: Name = Field(description="The task.")
    memory_uid: Uid = Field(description="The memory.")
    phase: Phase | None = Field(default=None, description="In this phase.")
    rank: Count = Field(description="Its best place.")
    score: Finite = Field(description="Its score there.")
    contexts: Contexts | None = Field(default=None, description="In which contexts.")
    retrieved_at: Time = Field(description="When the task was given them.")


class RewardLine(Line):
    """An applied reward: of an outcome, a step, a signal or by hand, or a revert."""

    type: Literal["reward"]
    uid: Uid = Field(description="Its name.")
    scope: ScopeName = Field(description="Whose it is.")
    kind: Literal["outcome", "step", "signal", "manual", "revert"] | None = Field(
        default=None, description="What gave it; an outcome if absent."
    )
    task_id: Name | None = Field(default=None, description="The task.")
    status: Status | Literal["skipped"] | None = Field(default=None, description="How it ended.")
    quality: Share | None = Field(default=None, description="As reported.")
    reward: Signed = Field(description="What was learned.")
    scale: Literal["unit", "signed"] | None = Field(
        default=None, description="On which scale; signed if absent."
    )
    signal: Name | None = Field(default=None, description="Name of the signal.")
    signal_id: Name | None = Field(default=None, description="Its name.")
    reason: Reason | None = Field(default=None, description="Reason that was given.")
    actor: Actor | None = Field(default=None, description="Who gave it.")
    reverts: Uid | None = Field(default=None, description="The reward that it takes back.")
    recorded_at: Time = Field(description="When it was recorded.")
    reverted_at: Time | None = Field(default=None, description="When it was taken back.")
    folded: Count | None = Field(
        default=None, description="Its entries behind checkpoints of memories."
    )
    folded_credits: Count | None = Field(
        default=None, description="Its entries behind checkpoints of strategies and concepts."
    )


class RewardedLine(Line):
    """Change of one memory's Q by a reward."""

    type: Literal["rewarded"]
    reward_uid: Uid = Field(description="The reward.")
    memory_uid: Uid = Field(description="The memory.")
    seq: Count = Field(description="Its number in the memory's history.")
    q_before: Share = Field(description="Its Q before.")
    q_after: Share = Field(description="Its Q after.")
    reward: Signed = Field(description="What was learned.")
    target: Signed | None = Field(
        default=None, description="Where it drew Q to; the reward if absent."
    )
    strength: Share | None = Field(
        default=None, description="Strength of the reward for this memory; 1 if absent."
    )
    step: Share = Field(description="How far Q moved on its way there.")
    share: Share = Field(description="The memory's share of the credit.")
    via: Literal["direct", "USED"] | None = Field(
        default=None, description="USED: by way of a memory that used it."
    )
    contexts: Contexts | None = Field(
        default=None, description="Contexts whose estimates moved too."
    )
    context_step: Share | None = Field(default=None, description="Step by which these moved.")


class EstimateLine(Line):
    """Estimate of a memory's utility in one context."""

    type: Literal["estimate"]
    scope: ScopeName = Field(description="Scope of the memory.")
    memory_uid: Uid = Field(description="The memory.")
    context: Context = Field(description="The context.")
    q_value: Share = Field(description="Its Q there.")
    q_count: Count = Field(description="How many rewards taught it.")
    q_left: Share = Field(description="Share of its first Q that is left.")
    q_m2: Spread = Field(description="Spread of its rewards.")
    q_init: Share = Field(description="Its first Q.")
    last_reward_at: Time | None = Field(default=None, description="Last rewarded.")
    q_base: Share | None = Field(default=None, description="Its Q at the checkpoint.")
    q_base_left: Share | None = Field(
        default=None, description="Share of its first Q that was left at the checkpoint."
    )
    q_base_m2: Spread | None = Field(
        default=None, description="Spread of its rewards at the checkpoint."
    )
    q_base_count: Count | None = Field(
        default=None, description="Rewards that had taught it at the checkpoint."
    )


class CreditLine(Line):
    """A pending share of a reward for a strategy or concept."""

    type: Literal["credit"]
    uid: Uid = Field(description="Its name.")
    scope: ScopeName = Field(description="Scope of the memory.")
    memory_uid: Uid = Field(description="Memory that gets it.")
    reward_uid: Uid = Field(description="Of which reward.")
    reward: Signed = Field(description="What was learned.")
    target: Signed = Field(description="Where it draws Q to.")
    strength: Share = Field(description="Strength of the reward for this memory.")
    step: Share = Field(description="How far Q moves.")
    share: Share = Field(description="Its share of the credit.")
    contexts: Contexts | None = Field(
        default=None, description="Contexts whose estimates move too."
    )
    context_step: Share | None = Field(default=None, description="Step by which these move.")
    recorded_at: Time = Field(description="Since when it waits.")
