"""Erasures of agents, sessions, users and memories, their receipts, and checks of the graph."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from stratagraph.vocabulary import ErasureKind, ErasureStage, ErasureState, FlawKind, ScopeKind
from stratagraph.wire.kernel.base import Answer, Identity, Request
from stratagraph.wire.kernel.values import NOW, UID_EXAMPLE, owner


class DeleteMemoryRequest(Identity):
    """Identity of who erases a memory, and whether to answer with a receipt."""

    receipt: bool = Field(default=False, description="Answer with the receipt.", examples=[True])


class EraseSessionRequest(Identity):
    """Scope of the session to erase."""

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


class CheckRequest(Request):
    """Position where a check continues."""

    cursor: str | None = Field(
        default=None,
        max_length=2000,
        description="`next_cursor` of the part before; unset: from the beginning.",
        examples=["WyJtZW1vcmllcyIs"],
    )


class FlawView(Answer):
    """Flaws of one kind."""

    kind: FlawKind = Field(description="What is wrong: see erasure.md.", examples=["degrees"])
    count: int = Field(description="Flaws found in this part.", examples=[1])
    mended: int = Field(description="Flaws of these that were mended.", examples=[0])
    examples: tuple[tuple[str, ...], ...] = Field(
        description="The first five: uids, scope and name of sessions and terms, or label, scope and key of what executions taught.",
        examples=[[[UID_EXAMPLE]]],
    )


class CheckAnswer(Answer):
    """Flaws of the checked part."""

    flaws: tuple[FlawView, ...] = Field(
        description="By kind; none: all is well here.",
        examples=[[{"kind": "degrees", "count": 1, "mended": 0, "examples": [[UID_EXAMPLE]]}]],
    )
    seen: dict[str, int] = Field(
        description="Nodes that were looked at, by what they are.", examples=[{"memories": 12_000}]
    )
    next_cursor: str | None = Field(
        default=None,
        description="Where the next part begins; null: all of the graph was looked at.",
        examples=[None],
    )
