"""Liveness and readiness of a service."""

from __future__ import annotations

from pydantic import Field

from stratagraph.wire.kernel.base import Answer


class HealthView(Answer):
    """State of a service."""

    status: str = Field(description="`ok`, `ready` or `not ready`.", examples=["ready"])
    waiting_for: dict[str, str] = Field(
        default_factory=dict,
        description="What is not ready, and why.",
        examples=[{"neo4j": "does not answer"}],
    )
    limited_by: dict[str, str] = Field(
        default_factory=dict,
        description="What a ready service refuses for now, and why: `writes` on a full disk.",
        examples=[{"writes": "the disk is full"}],
    )
