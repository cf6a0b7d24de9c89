"""The lines of an export that stand for tasks and what was learned from them; docs/transfer.md describes them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from stratagraph.wire.kernel.values import (
    TIME_EXAMPLE,
    UID_EXAMPLE,
    Name,
    Phase,
    Share,
    Signed,
    Status,
    Time,
)
from stratagraph.wire.transfer.records import (
    CONTEXTS_EXAMPLE,
    SCOPE_EXAMPLE,
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

    type: Literal["task"] = Field(description="What line this is.", examples=["task"])
    scope: ScopeName = Field(description="Whose it is.", examples=[SCOPE_EXAMPLE])
    task_id: Name = Field(description="Its name.", examples=["answer-ticket-17"])
    created_at: Time = Field(description="When it began.", examples=[TIME_EXAMPLE])
    expires_at: Time = Field(description="When it is forgotten.", examples=[TIME_EXAMPLE])
    status: Status | None = Field(default=None, description="How it ended.", examples=["success"])
    quality: Share | None = Field(default=None, description="As reported.", examples=[0.8])
    reward: Signed | None = Field(default=None, description="What was learned.", examples=[0.8])
    report: Hash | None = Field(
        default=None, description="Hash of the report that ended it.", examples=["0" * 64]
    )
    ended_at: Time | None = Field(
        default=None, description="When it ended.", examples=[TIME_EXAMPLE]
    )


class RetrievalLine(Line):
    """A memory that a task was given."""

    type: Literal["retrieval"] = Field(description="What line this is.", examples=["retrieval"])
    scope: ScopeName = Field(description="Scope of the task.", examples=[SCOPE_EXAMPLE])
    task_id: Name = Field(description="The task.", examples=["answer-ticket-17"])
    memory_uid: Uid = Field(description="The memory.", examples=[UID_EXAMPLE])
    phase: Phase | None = Field(default=None, description="In this phase.", examples=["planning"])
    rank: Count = Field(description="Its best place.", examples=[1])
    score: Finite = Field(description="Its score there.", examples=[0.7])
    contexts: Contexts | None = Field(
        default=None, description="In which contexts.", examples=[CONTEXTS_EXAMPLE]
    )
    retrieved_at: Time = Field(description="When the task was given them.", examples=[TIME_EXAMPLE])


class RewardLine(Line):
    """A reward that was applied: of an outcome, a step, a signal or by hand, or one that takes back."""

    type: Literal["reward"] = Field(description="What line this is.", examples=["reward"])
    uid: Uid = Field(description="Its name.", examples=[UID_EXAMPLE])
    scope: ScopeName = Field(description="Whose it is.", examples=[SCOPE_EXAMPLE])
    kind: Literal["outcome", "step", "signal", "manual", "revert"] | None = Field(
        default=None, description="What gave it; an outcome if absent.", examples=["outcome"]
    )
    task_id: Name | None = Field(
        default=None, description="The task.", examples=["answer-ticket-17"]
    )
    status: Status | Literal["skipped"] | None = Field(
        default=None, description="How it ended.", examples=["success"]
    )
    quality: Share | None = Field(default=None, description="As reported.", examples=[0.8])
    reward: Signed = Field(description="What was learned.", examples=[0.8])
    scale: Literal["unit", "signed"] | None = Field(
        default=None, description="On which scale; signed if absent.", examples=["unit"]
    )
    signal: Name | None = Field(
        default=None, description="Name of the signal.", examples=["user_feedback"]
    )
    signal_id: Name | None = Field(default=None, description="Its name.", examples=["thumb-3"])
    reason: Reason | None = Field(
        default=None, description="Reason that was given.", examples=["wrong since May"]
    )
    actor: Actor | None = Field(default=None, description="Who gave it.", examples=[SCOPE_EXAMPLE])
    reverts: Uid | None = Field(
        default=None, description="The reward that it takes back.", examples=[UID_EXAMPLE]
    )
    recorded_at: Time = Field(description="When it was recorded.", examples=[TIME_EXAMPLE])
    reverted_at: Time | None = Field(
        default=None, description="When it was taken back.", examples=[TIME_EXAMPLE]
    )
    folded: Count | None = Field(
        default=None, description="Its entries behind checkpoints of memories.", examples=[1]
    )
    folded_credits: Count | None = Field(
        default=None,
        description="Its entries behind checkpoints of strategies and concepts.",
        examples=[1],
    )


class RewardedLine(Line):
    """Change of one memory's Q by a reward."""

    type: Literal["rewarded"] = Field(description="What line this is.", examples=["rewarded"])
    reward_uid: Uid = Field(description="The reward.", examples=[UID_EXAMPLE])
    memory_uid: Uid = Field(description="The memory.", examples=[UID_EXAMPLE])
    seq: Count = Field(description="Its number in the memory's history.", examples=[1])
    q_before: Share = Field(description="Its Q before.", examples=[0.5])
    q_after: Share = Field(description="Its Q after.", examples=[0.55])
    reward: Signed = Field(description="What was learned.", examples=[1.0])
    target: Signed | None = Field(
        default=None, description="Where it drew Q to; the reward if absent.", examples=[1.0]
    )
    strength: Share | None = Field(
        default=None,
        description="Strength of the reward for this memory; 1 if absent.",
        examples=[1.0],
    )
    step: Share = Field(description="How far Q moved on its way there.", examples=[0.1])
    share: Share = Field(description="The memory's share of the credit.", examples=[1.0])
    via: Literal["direct", "USED"] | None = Field(
        default=None, description="USED: by way of a memory that used it.", examples=["direct"]
    )
    contexts: Contexts | None = Field(
        default=None, description="Contexts whose estimates moved too.", examples=[CONTEXTS_EXAMPLE]
    )
    context_step: Share | None = Field(
        default=None, description="Step by which these moved.", examples=[0.05]
    )


class EstimateLine(Line):
    """Estimate of a memory's utility in one context."""

    type: Literal["estimate"] = Field(description="What line this is.", examples=["estimate"])
    scope: ScopeName = Field(description="Scope of the memory.", examples=[SCOPE_EXAMPLE])
    memory_uid: Uid = Field(description="The memory.", examples=[UID_EXAMPLE])
    context: Context = Field(description="The context.", examples=["domain:billing"])
    q_value: Share = Field(description="Its Q there.", examples=[0.6])
    q_count: Count = Field(description="How many rewards taught it.", examples=[4])
    q_left: Share = Field(description="Share of its first Q that is left.", examples=[0.81])
    q_m2: Spread = Field(description="Spread of its rewards.", examples=[0.0])
    q_init: Share = Field(description="Its first Q.", examples=[0.5])
    last_reward_at: Time | None = Field(
        default=None, description="Last rewarded.", examples=[TIME_EXAMPLE]
    )
    q_base: Share | None = Field(
        default=None, description="Its Q at the checkpoint.", examples=[0.7]
    )
    q_base_left: Share | None = Field(
        default=None,
        description="Share of its first Q that was left at the checkpoint.",
        examples=[0.1],
    )
    q_base_m2: Spread | None = Field(
        default=None, description="Spread of its rewards at the checkpoint.", examples=[0.0]
    )
    q_base_count: Count | None = Field(
        default=None, description="Rewards that had taught it at the checkpoint.", examples=[100]
    )


class CreditLine(Line):
    """A share of a reward that a strategy or concept has still to get."""

    type: Literal["credit"] = Field(description="What line this is.", examples=["credit"])
    uid: Uid = Field(description="Its name.", examples=[UID_EXAMPLE])
    scope: ScopeName = Field(description="Scope of the memory.", examples=[SCOPE_EXAMPLE])
    memory_uid: Uid = Field(description="Memory that gets it.", examples=[UID_EXAMPLE])
    reward_uid: Uid = Field(description="Of which reward.", examples=[UID_EXAMPLE])
    reward: Signed = Field(description="What was learned.", examples=[1.0])
    target: Signed = Field(description="Where it draws Q to.", examples=[1.0])
    strength: Share = Field(description="Strength of the reward for this memory.", examples=[1.0])
    step: Share = Field(description="How far Q moves.", examples=[0.05])
    share: Share = Field(description="Its share of the credit.", examples=[0.5])
    contexts: Contexts | None = Field(
        default=None, description="Contexts whose estimates move too.", examples=[CONTEXTS_EXAMPLE]
    )
    context_step: Share | None = Field(
        default=None, description="Step by which these move.", examples=[0.025]
    )
    recorded_at: Time = Field(description="Since when it waits.", examples=[TIME_EXAMPLE])
