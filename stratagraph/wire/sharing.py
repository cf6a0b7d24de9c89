"""Members of channels, and the copies of memories that they share there."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from stratagraph.wire.base import Answer, Identity
from stratagraph.wire.values import NOW, UID_EXAMPLE

CopyStatus = Literal["created", "updated", "unchanged"]


class ChannelsRequest(Identity):
    """Which agent joins or leaves which channels: `agent_id` and `channel_ids`."""


class MembersRequest(Identity):
    """Of which agent the channels are asked for, of which channels the members."""


class MembershipView(Answer):
    """That an agent is a member of a channel."""

    agent_id: str = Field(description="The agent.", examples=["planner"])
    channel_id: str = Field(description="The channel.", examples=["support"])
    joined_at: datetime = Field(description="Since when.", examples=[NOW])
    copies: int = Field(description="How many of its memories it shares there.", examples=[3])


class ChannelsAnswer(Answer):
    """Memberships, by channel and agent."""

    items: tuple[MembershipView, ...] = Field(description="The memberships.", examples=[[]])


class LeftView(Answer):
    """What leaving a channel ended."""

    channel_id: str = Field(description="The channel.", examples=["support"])
    was_member: bool = Field(description="Whether the agent was a member.", examples=[True])
    copies: int = Field(description="How many copies were removed there.", examples=[3])


class LeftAnswer(Answer):
    """What leaving ended, by channel."""

    items: tuple[LeftView, ...] = Field(description="The channels.", examples=[[]])


class PublishRequest(Identity):
    """Whose memory goes into which channel: `agent_id` and `channel_ids`."""


class PublicationView(Answer):
    """The copy of a memory in a channel."""

    uid: str = Field(description="The copy.", examples=[UID_EXAMPLE])
    original: str = Field(description="The memory.", examples=[UID_EXAMPLE])
    channel_id: str = Field(description="The channel.", examples=["support"])
    published_by: str = Field(description="The agent that shares it.", examples=["planner"])
    published_at: datetime = Field(description="When it was first shared there.", examples=[NOW])
    status: CopyStatus = Field(description="What publishing did to it.", examples=["created"])


class UnpublishedView(Answer):
    """What unpublishing removed."""

    original: str = Field(description="The memory, as it was named.", examples=[UID_EXAMPLE])
    removed: int = Field(description="How many copies went.", examples=[1])


class PatternsRequest(Identity):
    """In which channel: `channel_ids` names it."""


class PatternsSharedView(Answer):
    """What looking at the patterns of a channel's members did."""

    channel_id: str = Field(description="The channel.", examples=["support"])
    shared: int = Field(description="Patterns that are shared there now.", examples=[4])
    created: int = Field(description="Those that came to be.", examples=[1])
    updated: int = Field(description="Those that hold for others, or more, by now.", examples=[0])
    withdrawn: int = Field(description="Those that too few members hold by now.", examples=[0])
