"""Events of utility, as they are streamed."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from stratagraph.vocabulary import EventName
from stratagraph.wire.kernel.base import Answer, Identity
from stratagraph.wire.kernel.values import Name

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

    id: int = Field(description="Its number among the tenant's, which never decreases.")
    uid: str = Field(description="The event.")
    name: EventName = Field(description="What happened.")
    scope: str = Field(description="Scope of the memories it is about.")
    agent_id: str | None = Field(default=None, description="The agent that brought it about.")
    at: datetime = Field(description="When it happened.")
    data: dict[str, Any] = Field(description="Ids and numbers.")


class GapView(Answer):
    """Notice of a gap in a stream: events after ``after`` were removed."""

    id: int = Field(description="The number to go on behind.")
    name: Literal["stream:gap"] = Field(default="stream:gap", description="Name of the notice.")
    after: int = Field(description="The number that was to be gone on behind.")
    oldest: int = Field(description="The first number that is there.")
