"""Channels: members, copies, agreements and disputes; and relationships of agents."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from stratagraph.vocabulary import CopyStatus
from stratagraph.wire.kernel.base import Answer, Identity
from stratagraph.wire.kernel.values import NOW, UID_EXAMPLE, Flag, Name, Share


class ChannelsRequest(Identity):
    """Agent that joins or leaves channels: `agent_id` and `channel_ids`."""


class MembershipView(Answer):
    """Membership of an agent in a channel."""

    agent_id: str = Field(description="The agent.", examples=["planner"])
    channel_id: str = Field(description="The channel.", examples=["support"])
    joined_at: datetime = Field(description="Since when.", examples=[NOW])
    copies: int = Field(description="How many of its memories it shares there.", examples=[3])


class ChannelsAnswer(Answer):
    """Memberships, by channel and agent."""

    items: tuple[MembershipView, ...] = Field(description="The memberships.", examples=[[]])


class LeftView(Answer):
    """Result of leaving a channel."""

    channel_id: str = Field(description="The channel.", examples=["support"])
    was_member: bool = Field(description="Whether the agent was a member.", examples=[True])
    copies: int = Field(description="How many copies were removed there.", examples=[3])


class LeftAnswer(Answer):
    """Result of leaving, by channel."""

    items: tuple[LeftView, ...] = Field(description="The channels.", examples=[[]])


class PublishRequest(Identity):
    """Owner of a memory, and the channel to share it in: `agent_id` and `channel_id`."""


class PublicationView(Answer):
    """The copy of a memory in a channel."""

    uid: str = Field(description="The copy.", examples=[UID_EXAMPLE])
    original: str = Field(description="The memory.", examples=[UID_EXAMPLE])
    channel_id: str = Field(description="The channel.", examples=["support"])
    published_by: str = Field(description="The agent that shares it.", examples=["planner"])
    published_at: datetime = Field(description="When it was first shared there.", examples=[NOW])
    status: CopyStatus = Field(description="What publishing did to it.", examples=["created"])


class UnpublishedView(Answer):
    """Copies that unpublishing removed."""

    original: str = Field(description="The memory, as it was named.", examples=[UID_EXAMPLE])
    removed: int = Field(description="How many copies went.", examples=[1])


class PatternsRequest(Identity):
    """The channel: `channel_ids` names it."""


class PatternsSharedView(Answer):
    """Changes to the shared patterns of a channel."""

    channel_id: str = Field(description="The channel.", examples=["support"])
    shared: int = Field(description="Patterns that are shared there now.", examples=[4])
    created: int = Field(description="Patterns that came to be.", examples=[1])
    updated: int = Field(
        description="Patterns that hold for others, or more, by now.", examples=[0]
    )
    withdrawn: int = Field(description="Patterns that too few members hold by now.", examples=[0])


class InteractionRequest(Identity):
    """Outcome of an interaction with another agent."""

    other_agent_id: Name = Field(description="The other agent.", examples=["critic"])
    outcome: Share = Field(description="How it went: 0 badly, 1 well.", examples=[1.0])


class RelationshipsRequest(Identity):
    """Agent whose relationships to list."""

    limit: Annotated[int, Field(ge=1, le=1000)] = Field(
        default=100, description="Relationships at most.", examples=[100]
    )


class RelationshipView(Answer):
    """Relationship of one agent to another."""

    agent_id: str = Field(description="The agent.", examples=["planner"])
    other_agent_id: str = Field(description="The other.", examples=["critic"])
    trust: float = Field(description="How much it trusts the other, 0 to 1.", examples=[0.55])
    trusted: float = Field(description="How much the other trusts it.", examples=[0.5])
    interactions: int = Field(description="How often they met.", examples=[1])
    last_at: datetime = Field(description="When they met last.", examples=[NOW])


class RelationshipsAnswer(Answer):
    """Relationships, the latest first."""

    items: tuple[RelationshipView, ...] = Field(description="The relationships.", examples=[[]])


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
    """The channel whose agreements to compute, and whether to do or only to plan it."""

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
    """Statement of one agent."""

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
    """A statement of a channel: who holds it, who opposes it, and its certainty."""

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
    """Statements that the channels agree on or dispute, the most certain first."""

    items: tuple[AgreementView, ...] = Field(description="The statements.", examples=[[]])


class GatheredView(Answer):
    """Statements with the same meaning, and the change of their agreement."""

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
