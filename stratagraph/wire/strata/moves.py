"""Moves of memories between strata: by gates, with undo, and on request."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Self

from pydantic import Field, model_validator

from stratagraph.vocabulary import (
    GateState,
    MoveDirection,
    ScopeKind,
    State,
    TransitionAction,
    TransitionReason,
)
from stratagraph.wire.kernel.base import Answer, Identity, note_old_name, renamed
from stratagraph.wire.kernel.runs import RunView
from stratagraph.wire.kernel.values import (
    NOW,
    UID_EXAMPLE,
    Flag,
    MemoryName,
    MoveTarget,
    Name,
    Stratum,
    StratumName,
    fault,
    owner,
)


class TransitionView(Answer):
    """Move of a memory, with its numbers."""

    uid: str = Field(description="The memory.", examples=[UID_EXAMPLE])
    action: TransitionAction = Field(description="What becomes of it.", examples=["promote"])
    reason: TransitionReason = Field(description="Why, in a word.", examples=["score_reached"])
    why: str = Field(description="Why, in a sentence.", examples=["score 0.94, at least 0.8"])
    from_stratum: StratumName = Field(description="Where it was.", examples=["working"])
    to_stratum: StratumName = Field(description="Where it goes.", examples=["short_term"])
    to_state: State = Field(description="Whether it is recalled there.", examples=["active"])
    weight: float = Field(description="Weight that is left.", examples=[0.94])
    score: float = Field(description="(importance / 5) · (1 + surprise) · weight.", examples=[0.94])
    flagged: bool = Field(
        description="An active memory rests on what leaves here.", examples=[False]
    )


class GateRunView(RunView[GateState]):
    """A run of the gates."""

    by: str = Field(
        description="What began it: hand, worker, or room for something new.", examples=["worker"]
    )
    state: GateState = Field(
        description="done: it can be undone until `undo_until`; erased: an erasure ended it.",
        examples=["done"],
    )
    strata: tuple[StratumName, ...] = Field(
        description="Strata that it looked at.", examples=[["working", "short_term"]]
    )
    undo_until: datetime = Field(description="Until when it can be undone.", examples=[NOW])
    looked: int = Field(description="Memories it looked at.", examples=[120])
    restored: int = Field(description="Memories moved back.", examples=[0])
    counts: dict[str, int] = Field(description="Moved, by action.", examples=[{"promote": 3}])


class GatesAnswer(Answer):
    """Planned or moved memories."""

    scope: str = Field(description="In whose memory.", examples=["agent/planner"])
    dry_run: bool = Field(description="Whether nothing was changed.", examples=[True])
    looked: int = Field(description="Memories looked at.", examples=[120])
    total: int = Field(description="How many would move, or were to move.", examples=[3])
    counts: dict[str, int] = Field(description="`total` by action.", examples=[{"promote": 3}])
    items: tuple[TransitionView, ...] = Field(
        description="The first of them, the most lasting stratum first.", examples=[[]]
    )
    run: GateRunView | None = Field(
        default=None, description="The run; unset after a dry one.", examples=[None]
    )


class GateRunsAnswer(Answer):
    """Runs, the latest first."""

    items: tuple[GateRunView, ...] = Field(description="The runs.", examples=[[]])


class GateRunAnswer(GateRunView):
    """A run with its moves that are not undone."""

    items: tuple[TransitionView, ...] = Field(
        description="The first of what it moved, by uid.", examples=[[]]
    )


class MovesRequest(Identity):
    """Memories of one scope to move up or down, and how far."""

    memories: Annotated[tuple[MemoryName, ...], Field(min_length=1, max_length=1000)] = Field(
        description="Uids or `external:<external_id>`, 1 to 1,000.", examples=[[UID_EXAMPLE]]
    )
    to: MoveTarget | None = Field(
        default=None,
        description="Where to: a stratum, or `up` or `down` for the next one.",
        examples=["long_term"],
    )
    direction: MoveDirection | None = Field(
        default=None,
        json_schema_extra={"deprecated": True},
        description="The old way to say `up` and `down`; it goes with the next release.",
        examples=[None],
    )
    scope_kind: ScopeKind | None = owner("Whose memories")
    dry_run: Flag = Field(default=False, description="Only say what would move.", examples=[False])

    _old_names = renamed(names="memories")

    @model_validator(mode="after")
    def _somewhere(self) -> Self:
        if "direction" in self.model_fields_set:
            note_old_name("direction")
            if self.to in {"up", "down"}:
                raise fault("request", "direction: the old name of to; give to alone")
        elif self.to is None:
            raise fault("request", "to: name a stratum, up or down")
        return self

    @property
    def way(self) -> tuple[MoveDirection | None, Stratum | None]:
        """Direction, or None if the stratum decides, and the stratum, or None for the next one."""
        match self.to:
            case "up":
                return "promote", None
            case "down":
                return "demote", None
            case stratum:
                return self.direction, stratum


class PromotionsRequest(Identity):
    """Conditions for promoting memories of one scope, and how far they go up."""

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
    strata: Annotated[tuple[Stratum, ...], Field(min_length=1)] | None = Field(
        default=None,
        description="Only what is in one of these; unset: all below `long_term`.",
        examples=[["working", "short_term"]],
    )
    to: Stratum | None = Field(
        default=None,
        description="The stratum to move to; unset: the next one.",
        examples=["long_term"],
    )
    scope_kind: ScopeKind | None = owner("Whose memories")
    dry_run: Flag = Field(
        default=True, description="Only say what would move; false moves.", examples=[False]
    )
    limit: Annotated[int, Field(strict=True, ge=1, le=1000)] = Field(
        default=1000, description="How many at once, highest Q first.", examples=[100]
    )


class RefusalView(Answer):
    """A name, and why its memory is not moved."""

    name: str = Field(description="As it was named.", examples=[UID_EXAMPLE])
    why: str = Field(description="Why, in a sentence.", examples=["it is archived"])


class MovesAnswer(Answer):
    """Moved or planned memories, and refused ones."""

    scope: str = Field(description="Scope of the memories.", examples=["agent/planner"])
    dry_run: bool = Field(description="Whether nothing was changed.", examples=[False])
    total: int = Field(description="Memories that moved, or would.", examples=[1])
    items: tuple[TransitionView, ...] = Field(description="One by one.", examples=[[]])
    refused: tuple[RefusalView, ...] = Field(
        description="Memories that do not move.", examples=[[]]
    )
    run: GateRunView | None = Field(
        default=None,
        description="The run, to undo it by; unset where nothing moved.",
        examples=[None],
    )
