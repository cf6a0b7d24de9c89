"""Garbage collection of episodes, and its undo."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from stratagraph.vocabulary import CollectionState, CollectReason
from stratagraph.wire.kernel.base import Answer
from stratagraph.wire.kernel.runs import RunView
from stratagraph.wire.kernel.values import NOW, UID_EXAMPLE


class CollectableView(Answer):
    """A collectable or collected episode."""

    uid: str = Field(description="Its name.", examples=[UID_EXAMPLE])
    reason: CollectReason = Field(description="Why, in a word.", examples=["duplicate"])
    why: str = Field(
        description="Why, in a sentence.",
        examples=["the same attempt as 01JZ… which is worth more"],
    )
    kept: str | None = Field(
        default=None, description="The equal one that stays.", examples=[UID_EXAMPLE]
    )
    text: str = Field(description="Its text, at most 280 characters.", examples=["What is 2 + 2?"])
    recorded_at: datetime = Field(description="When it was stored.", examples=[NOW])
    q_value: float = Field(description="Learned utility, 0 to 1.", examples=[0.5])


class CollectionView(RunView[CollectionState]):
    """A run of the collection."""

    state: CollectionState = Field(
        description="done: it can be undone until `purge_at`. purged: no more. erased: an erasure ended it.",
        examples=["done"],
    )
    purge_at: datetime = Field(description="Until when it can be undone.", examples=[NOW])
    collected: int = Field(description="Episodes it hid.", examples=[3])
    restored: int = Field(description="Of these, brought back.", examples=[0])
    purged: int = Field(description="Of these, removed for good.", examples=[0])
    counts: dict[str, int] = Field(description="Hidden, by reason.", examples=[{"duplicate": 3}])


class CollectAnswer(Answer):
    """Planned or collected episodes."""

    scope: str = Field(description="In whose memory.", examples=["agent/planner"])
    dry_run: bool = Field(description="Whether nothing was changed.", examples=[True])
    total: int = Field(description="How many would go, or were to go.", examples=[3])
    counts: dict[str, int] = Field(description="`total` by reason.", examples=[{"duplicate": 3}])
    items: tuple[CollectableView, ...] = Field(
        description="The first of them, by uid.", examples=[[]]
    )
    run: CollectionView | None = Field(
        default=None, description="The run, if there was one.", examples=[None]
    )


class CollectionsAnswer(Answer):
    """Runs, the latest first."""

    items: tuple[CollectionView, ...] = Field(description="The runs.", examples=[[]])


class CollectionAnswer(CollectionView):
    """A run with its hidden memories."""

    items: tuple[CollectableView, ...] = Field(
        description="The first of what it keeps hidden, by uid.", examples=[[]]
    )
