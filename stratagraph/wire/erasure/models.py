"""Erasing agents, sessions, users and memories, and the receipts."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from stratagraph.wire.kernel.base import Answer, Identity
from stratagraph.wire.kernel.values import NOW, UID_EXAMPLE, ScopeKind, owner

ErasureKind = Literal["agent", "session", "user", "memory", "memories"]
ErasureState = Literal["running", "done"]
ErasureStage = Literal["hide", "spread", "restore", "events", "remove", "sweep", "rewards", "check"]


class DeleteMemoryRequest(Identity):
    """Identity of who erases a memory, and whether to answer with a receipt."""

    receipt: bool = Field(default=False, description="Answer with the receipt.", examples=[True])


class EraseSessionRequest(Identity):
    """In which scope the session lies."""

    scope_kind: ScopeKind | None = owner("Whose session")


class ErasureView(Answer):
    """Progress of an erasure; once it is done, its receipt."""

    erasure: str = Field(description="Its name.", examples=[UID_EXAMPLE])
    kind: ErasureKind = Field(description="What was to be erased.", examples=["agent"])
    state: ErasureState = Field(
        description="running: hidden from every answer, and being removed. done: nothing is left.",
        examples=["done"],
    )
    stage: ErasureStage | None = Field(
        default=None, description="Stage that it is at, while it runs.", examples=["remove"]
    )
    subject: str = Field(
        description="SHA-256 of this name, the kind, the scope and the id, one a line: whoever knows them can compare.",
        examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    )
    started_at: datetime = Field(description="When it was asked for.", examples=[NOW])
    finished_at: datetime | None = Field(
        default=None, description="When nothing was left.", examples=[NOW]
    )
    hidden: int = Field(
        description="Memories that no answer shows any more, removed or not.", examples=[120]
    )
    counts: dict[str, int] = Field(
        description="Nodes removed so far, by label; and `copies` and `derived` among the hidden memories, "
        "`restored` sources that were brought back, `cleaned` rewards of which only the names went.",
        examples=[{"Memory": 120, "Version": 4, "Session": 3, "derived": 2, "restored": 9}],
    )
