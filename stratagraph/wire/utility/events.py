"""Events of utility, as they are streamed."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from stratagraph.wire.kernel.base import Answer, Identity
from stratagraph.wire.kernel.values import NOW, UID_EXAMPLE, Name

EventName = Literal[
    "memory:qvalue_updated",
    "memory:qvalue_batch_updated",
    "memory:reward_attributed",
    "memory:tracked",
    "memory:utility_retrieval_completed",
    "memory:utility_config_updated",
    "concept:extracted",
    "concept:archived",
    "memory:strata_config_updated",
    "memory:surprised",
    "memory:superseded",
    "agent:surprised",
]
EventNumber = Annotated[int, Field(ge=0, le=2**62)]


class EventsRequest(Identity):
    """Filter of streamed events, and where the stream starts."""

    name: tuple[EventName, ...] = Field(
        default=(),
        description="Only events of these names; several stand several times.",
        examples=[["memory:qvalue_updated"]],
    )
    agent: Name | None = Field(
        default=None, description="Only what this agent brought about.", examples=["planner"]
    )
    after: EventNumber | None = Field(
        default=None,
        description="Go on behind this number; unset: from now on. `Last-Event-ID` wins.",
        examples=[41],
    )


class EventView(Answer):
    """One event."""

    id: int = Field(
        description="Its number among the tenant's, which never decreases.", examples=[42]
    )
    uid: str = Field(description="The event.", examples=[UID_EXAMPLE])
    name: EventName = Field(description="What happened.", examples=["memory:qvalue_updated"])
    scope: str = Field(description="Scope of the memories it is about.", examples=["agent/planner"])
    agent_id: str | None = Field(
        default=None, description="The agent that brought it about.", examples=["planner"]
    )
    at: datetime = Field(description="When it happened.", examples=[NOW])
    data: dict[str, Any] = Field(
        description="Ids and numbers.", examples=[{"uid": UID_EXAMPLE, "old": 0.5, "new": 0.55}]
    )


class GapView(Answer):
    """Notice of a gap in a stream: events behind ``after`` are gone."""

    id: int = Field(description="The number to go on behind.", examples=[96])
    name: Literal["stream:gap"] = Field(
        default="stream:gap", description="Name of the notice.", examples=["stream:gap"]
    )
    after: int = Field(description="The number that was to be gone on behind.", examples=[41])
    oldest: int = Field(description="The first number that is there.", examples=[97])
