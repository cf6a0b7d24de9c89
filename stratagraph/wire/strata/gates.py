"""Running the gates of strata, and moving back what they moved."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from stratagraph.wire.kernel.base import Answer
from stratagraph.wire.kernel.runs import RunView
from stratagraph.wire.kernel.values import NOW, UID_EXAMPLE, State, StratumName

TransitionAction = Literal["promote", "demote", "archive", "purge", "delete"]
TransitionReason = Literal[
    "score_reached",
    "score_too_low",
    "time_over",
    "over_capacity",
    "over_capacity_evidence",
    "asked",
]
GateState = Literal["running", "done", "undoing", "undone", "erased"]


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
    """Memories that would move or moved."""

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
    """A run with what it moved and has not moved back."""

    items: tuple[TransitionView, ...] = Field(
        description="The first of what it moved, by uid.", examples=[[]]
    )
