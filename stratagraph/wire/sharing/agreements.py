"""What agents of a channel agree on and dispute, and their votes."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from stratagraph.wire.kernel.base import Answer, Identity
from stratagraph.wire.kernel.values import NOW, UID_EXAMPLE, Flag, Share

_TEXT = "Deploys happen on Tuesdays."


class AgreementsRequest(Identity):
    """Channels whose agreements to list: `channel_ids` names them."""

    disputed: bool | None = Field(
        default=None,
        description="Only what somebody opposes, or with false only what nobody does; unset: both.",
        examples=[True],
    )
    limit: Annotated[int, Field(ge=1, le=1000)] = Field(
        default=100, description="Statements at most.", examples=[100]
    )


class AgreeRequest(Identity):
    """The channel whose agreements to gather, and whether to do it or only to say what would be gathered."""

    dry_run: Flag = Field(
        default=True, description="Only say what would be done, and why.", examples=[True]
    )


class VoteRequest(Identity):
    """Vote of the agent `agent_id` in the channel that `channel_id` names."""

    agrees: Flag | None = Field(
        default=None,
        description="Whether the agent agrees; unset or null withdraws its vote.",
        examples=[True],
    )


_SAYING = {"uid": UID_EXAMPLE, "agent_id": "planner", "text": _TEXT, "at": NOW}


class SayingView(Answer):
    """What one agent said."""

    uid: str = Field(description="The memory that says it.", examples=[UID_EXAMPLE])
    agent_id: str = Field(description="Who said it.", examples=["planner"])
    text: str = Field(description="Its words.", examples=[_TEXT])
    at: datetime = Field(description="When it was said.", examples=[NOW])


class VoteView(Answer):
    """Vote of an agent on one statement."""

    agent_id: str = Field(description="Who voted.", examples=["critic"])
    statement: str = Field(description="On which statement.", examples=[UID_EXAMPLE])
    agrees: bool = Field(description="Whether it agrees.", examples=[True])
    at: datetime = Field(description="When it voted so.", examples=[NOW])


class AgreementView(Answer):
    """A statement of a channel: who holds it, who opposes it, and how sure that is."""

    uid: str = Field(
        description="The memory of what is agreed, or the one statement.", examples=[UID_EXAMPLE]
    )
    channel_id: str = Field(description="The channel.", examples=["support"])
    text: str = Field(description="The statement.", examples=[_TEXT])
    agreed: bool = Field(
        description="Whether the channel has a memory of it, as several agents hold it.",
        examples=[True],
    )
    at: datetime = Field(description="When it was said last.", examples=[NOW])
    supporters: tuple[str, ...] = Field(
        description="Agents that say or vote so, by what each said or voted last.",
        examples=[["critic", "planner"]],
    )
    opponents: tuple[str, ...] = Field(
        description="Agents that say or vote otherwise.", examples=[["scout"]]
    )
    share: Share = Field(description="Share of both that hold it.", examples=[0.667])
    lower: Share = Field(
        description="Lower bound of that share (Wilson, 95 %): it grows with the number of agents.",
        examples=[0.208],
    )
    upper: Share = Field(description="Upper bound of that share.", examples=[0.939])
    statements: tuple[SayingView, ...] = Field(
        description="The statements that say so, the oldest first.", examples=[[]]
    )
    dissent: tuple[SayingView, ...] = Field(
        description="Statements that contradict these, the oldest first.", examples=[[]]
    )
    votes: tuple[VoteView, ...] = Field(
        description="Votes on both, the oldest first.", examples=[[]]
    )


class AgreementsAnswer(Answer):
    """What the channels agree on and dispute, the surest first."""

    items: tuple[AgreementView, ...] = Field(description="The statements.", examples=[[]])


class GatheredView(Answer):
    """Statements that say the same, and what becomes of the memory that stands for them."""

    change: Literal["created", "updated", "withdrawn"] = Field(
        description="withdrawn: too few agents say so by now.", examples=["created"]
    )
    uid: str | None = Field(
        default=None, description="The memory, if there is one already.", examples=[None]
    )
    text: str = Field(description="What it says.", examples=[_TEXT])
    agents: tuple[str, ...] = Field(
        description="Agents that hold it.", examples=[["critic", "planner"]]
    )
    statements: tuple[str, ...] = Field(
        description="The memories that say so.", examples=[[UID_EXAMPLE]]
    )


class DisputeView(Answer):
    """Two statements that contradict each other."""

    one: SayingView = Field(description="One of them.", examples=[_SAYING])
    other: SayingView = Field(description="The other.", examples=[_SAYING])
    similarity: float = Field(description="Cosine of their texts.", examples=[0.89])
