"""Members of channels, and the copies of memories that they share there."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from stratagraph.wire.kernel.base import Answer, Identity
from stratagraph.wire.kernel.values import NOW, UID_EXAMPLE

CopyStatus = Literal["created", "updated", "unchanged"]


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
    """In which channel: `channel_ids` names it."""


class PatternsSharedView(Answer):
    """Changes to the shared patterns of a channel."""

    channel_id: str = Field(description="The channel.", examples=["support"])
    shared: int = Field(description="Patterns that are shared there now.", examples=[4])
    created: int = Field(description="Patterns that came to be.", examples=[1])
    updated: int = Field(
        description="Patterns that hold for others, or more, by now.", examples=[0]
    )
    withdrawn: int = Field(description="Patterns that too few members hold by now.", examples=[0])
