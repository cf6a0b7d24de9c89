"""Outer loops over ended cycles."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from stratagraph.vocabulary import LoopRule
from stratagraph.wire.kernel.base import Answer, Identity
from stratagraph.wire.kernel.values import NOW, UID_EXAMPLE, Flag, StratumName


class LoopRequest(Identity):
    """Request to run the outer loop, or only to say what it would do."""

    dry_run: Flag = Field(default=True, description="Only say what it would do.", examples=[True])


class LoopMoveView(Answer):
    """A memory that is moved, and by which rule."""

    uid: str = Field(description="The memory.", examples=[UID_EXAMPLE])
    rule: LoopRule = Field(
        description="`promote`: Q ≥ 0.7 and 3 successes; `abstract`: 10 successes in `long_term`; `failing`: Q ≤ 0.3 and 5 "
        "failures; `stale`: Q ≤ 0.5 and not used for 30 days.",
        examples=["promote"],
    )
    from_stratum: StratumName = Field(description="Where it was.", examples=["working"])
    to_stratum: StratumName = Field(description="Where it goes.", examples=["long_term"])
    archived: bool = Field(description="Whether it leaves recall.", examples=[False])


class LoopView(Answer):
    """One outer loop: its report, and the run that moved memories."""

    uid: str = Field(description="Its uid.", examples=[UID_EXAMPLE])
    scope: str = Field(description="Scope of the cycles.", examples=["agent/planner"])
    by: str = Field(description="`hand` or `worker`.", examples=["worker"])
    state: Literal["done", "undoing", "undone", "erased"] = Field(
        description="Whether it stands.", examples=["done"]
    )
    started_at: datetime = Field(description="When it began.", examples=[NOW])
    report: dict[str, Any] = Field(
        description="How effective reasoning was, by mode, phase, tool and day; how strata are related in what helped; what "
        "confidence learned; memories by rule.",
        examples=[{"cycles": 5}],
    )
    moved_by: str | None = Field(
        default=None,
        description="The run of the gates that moved memories.",
        examples=[UID_EXAMPLE],
    )


class LoopAnswer(LoopView):
    """An outer loop that was run, or planned."""

    dry_run: bool = Field(description="Whether nothing was done.", examples=[True])
    moves: tuple[LoopMoveView, ...] = Field(description="Moves of memories.", examples=[[]])


class LoopsAnswer(Answer):
    """Outer loops, the newest first."""

    loops: tuple[LoopView, ...] = Field(description="The latest outer loops.", examples=[[]])
