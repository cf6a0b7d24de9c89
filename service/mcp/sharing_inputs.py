"""Inputs of the tools that share memories."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from service.mcp.inputs import Who
from stratagraph import wire


class AgreementsInput(Who):
    """Channels whose agreements to list."""

    disputed: bool | None = Field(
        default=None,
        description="Only what somebody opposes, or with false only what nobody does.",
        examples=[True],
    )
    limit: Annotated[int, Field(ge=1, le=100)] = Field(
        default=20, description="Statements at most.", examples=[20]
    )


class ShareInput(Who):
    """A memory that is shared in a channel, or no longer."""

    memory_id: wire.MemoryName = Field(
        description="A memory of the agent's own: a uid, or `external:<external_id>`.",
        examples=["01JZ8M5Q0V7Y3T2N4R6W8X9ABC"],
    )
    channel_id: wire.Name | None = Field(
        default=None, description="The channel; else the one in `channelIds`.", examples=["support"]
    )


class VoteInput(ShareInput):
    """The vote of an agent on a statement of a channel."""

    memory_id: wire.MemoryName = Field(
        description="A memory of the channel: a uid, or `external:<external_id>`.",
        examples=["01JZ8M5Q0V7Y3T2N4R6W8X9ABC"],
    )
    agrees: bool | None = Field(
        default=None,
        description="Whether the agent agrees; unset withdraws its vote.",
        examples=[True],
    )
