"""Inputs of the tools that share memories."""

from __future__ import annotations

from pydantic import Field

from service.mcp.inputs import Who
from stratagraph import wire


class ShareInput(Who):
    """A memory that is shared in a channel, or no longer."""

    memory_id: wire.MemoryName = Field(
        description="A memory of the agent's own: a uid, or `external:<external_id>`.",
        examples=["01JZ8M5Q0V7Y3T2N4R6W8X9ABC"],
    )
    channel_id: wire.Name | None = Field(
        default=None, description="The channel; else the one in `channelIds`.", examples=["support"]
    )
