"""Runs, which change many memories and can be undone, for gates, collections and consolidations."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Generic, TypeVar

from pydantic import Field

from stratagraph.vocabulary import ScopeKind
from stratagraph.wire.kernel.base import Answer, Identity
from stratagraph.wire.kernel.values import NOW, UID_EXAMPLE, Flag, owner

_State = TypeVar("_State", bound=str)
Shown = Annotated[
    int,
    Field(ge=0, le=1000, description="How many to show one by one, 0 to 1,000.", examples=[100]),
]


class RunRequest(Identity):
    """The scope of a run, and whether to do or only to plan it."""

    scope_kind: ScopeKind | None = owner("Whose memories")
    dry_run: Flag = Field(
        default=True, description="Only say what would be done, and why.", examples=[True]
    )
    limit: Shown = 100


class RunsRequest(Identity):
    """Number of runs to list."""

    limit: Annotated[int, Field(ge=1, le=200)] = Field(
        default=20, description="Runs at most.", examples=[20]
    )


class RunItemsRequest(Identity):
    """Number of items of a run to show."""

    limit: Shown = 100


class UndoRequest(Identity):
    """Identity of who undoes a run, and whether to skip memories changed since."""

    skip_changed: Flag = Field(
        default=False,
        description="Undo the rest where some was changed, moved, rewarded or removed since; else 409.",
        examples=[False],
    )


class RunView(Answer, Generic[_State]):
    """A run: actor, scope, times and state."""

    run: str = Field(description="Its name.", examples=[UID_EXAMPLE])
    scope: str = Field(description="In whose memory.", examples=["agent/planner"])
    by: str = Field(description="Who began it: hand or worker.", examples=["worker"])
    state: _State = Field(description="How it stands.", examples=["done"])
    started_at: datetime = Field(description="When it began.", examples=[NOW])
    finished_at: datetime | None = Field(
        default=None, description="When it came to its state.", examples=[NOW]
    )
