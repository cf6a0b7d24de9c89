"""Moving memories between strata by hand."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from stratagraph.wire.base import Answer, Identity
from stratagraph.wire.gates import GateRunView, TransitionView
from stratagraph.wire.values import UID_EXAMPLE, Flag, MemoryName, Name, ScopeKind, Stratum

MoveDirection = Literal["promote", "demote"]


class MovesRequest(Identity):
    """Which memories of one scope to move up or down, and how far."""

    direction: MoveDirection = Field(description="Up or down.", examples=["promote"])
    names: Annotated[tuple[MemoryName, ...], Field(min_length=1, max_length=1000)] = Field(
        description="Uids or `external:<external_id>`, 1 to 1,000.", examples=[[UID_EXAMPLE]]
    )
    to: Stratum | None = Field(
        default=None,
        description="The stratum to move to; unset: the next one.",
        examples=["long_term"],
    )
    scope_kind: ScopeKind | None = Field(
        default=None,
        description="Whose memories; unset: the agent's, else the user's, else the channel's.",
        examples=["agent"],
    )
    dry_run: Flag = Field(default=False, description="Only say what would move.", examples=[False])


class PromotionsRequest(Identity):
    """Which memories of one scope have proved themselves, and how far they go up."""

    min_q: Annotated[float, Field(strict=True, ge=0, le=1)] = Field(
        default=0.7, description="At least this Q, 0 to 1.", examples=[0.7]
    )
    min_successes: Annotated[int, Field(strict=True, ge=0)] = Field(
        default=3, description="At least so many successes.", examples=[3]
    )
    task_id: Name | None = Field(
        default=None,
        description="Only what this task was given; it must have ended in a success.",
        examples=["ticket-17"],
    )
    session_id: Name | None = Field(
        default=None, description="Only of this session.", examples=["monday-call"]
    )
    strata: Annotated[tuple[Stratum, ...], Field(min_length=1)] = Field(
        default=("working", "short_term", "episodic"),
        description="Only what is in one of these.",
        examples=[["working", "short_term"]],
    )
    to: Stratum | None = Field(
        default=None,
        description="The stratum to move to; unset: the next one.",
        examples=["long_term"],
    )
    scope_kind: ScopeKind | None = Field(
        default=None,
        description="Whose memories; unset: the agent's, else the user's, else the channel's.",
        examples=["agent"],
    )
    dry_run: Flag = Field(
        default=True, description="Only say what would move; false moves.", examples=[False]
    )
    limit: Annotated[int, Field(strict=True, ge=1, le=1000)] = Field(
        default=1000, description="How many at once, highest Q first.", examples=[100]
    )


class RefusalView(Answer):
    """A name, and why what it names stays where it is."""

    name: str = Field(description="As it was named.", examples=[UID_EXAMPLE])
    why: str = Field(description="Why, in a sentence.", examples=["it is archived"])


class MovesAnswer(Answer):
    """What moved, or would, and what does not."""

    scope: str = Field(description="Whose memories.", examples=["agent/planner"])
    dry_run: bool = Field(description="Whether nothing was changed.", examples=[False])
    total: int = Field(description="How many moved, or would.", examples=[1])
    items: tuple[TransitionView, ...] = Field(description="One by one.", examples=[[]])
    refused: tuple[RefusalView, ...] = Field(description="What does not move.", examples=[[]])
    run: GateRunView | None = Field(
        default=None,
        description="The run, to undo it by; unset where nothing moved.",
        examples=[None],
    )
