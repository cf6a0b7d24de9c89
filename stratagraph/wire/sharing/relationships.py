"""Relationships between agents."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from stratagraph.wire.kernel.base import Answer, Identity
from stratagraph.wire.kernel.values import NOW, Name, Share


class InteractionRequest(Identity):
    """Result of an interaction of the agent with another."""

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
