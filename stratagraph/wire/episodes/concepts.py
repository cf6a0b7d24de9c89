"""Concepts: extraction, archiving of covered attempts, and their restoration."""

from __future__ import annotations

from pydantic import Field

from stratagraph.vocabulary import ScopeKind
from stratagraph.wire.kernel.base import Answer, Identity
from stratagraph.wire.kernel.values import UID_EXAMPLE, Flag, MemoryName, owner


class ExtractRequest(Identity):
    """Scope whose concepts are extracted."""

    scope_kind: ScopeKind | None = owner()


class ExtractView(Answer):
    """Result of an extraction."""

    created: tuple[str, ...] = Field(
        description="The uids of concepts that it made.", examples=[[UID_EXAMPLE]]
    )
    merged: tuple[str, ...] = Field(
        description="The uids of concepts that it found again, by name or meaning.", examples=[[]]
    )
    joined: int = Field(description="How many problems got a concept.", examples=[6])
    counted: int = Field(
        description="How many correct episodes no longer wait for one.", examples=[12]
    )


class ArchiveRequest(ExtractRequest):
    """Attempts to archive behind concepts."""

    concept: MemoryName | None = Field(
        default=None,
        description="One concept, by uid or `external:<id>`; unset: all of the scope.",
        examples=[UID_EXAMPLE],
    )
    dry_run: Flag = Field(
        default=True,
        description="Only say what would be archived; false archives.",
        examples=[False],
    )


class ArchiveView(Answer):
    """Attempts that concepts cover."""

    archived: tuple[str, ...] = Field(
        description="The uids of episodes that were archived, or would be.",
        examples=[[UID_EXAMPLE]],
    )
    kept: int = Field(description="How many stay active beside their concepts.", examples=[5])
    concepts: int = Field(description="How many concepts were looked at.", examples=[2])
    dry_run: bool = Field(description="Whether nothing was archived.", examples=[True])


class RestoreRequest(ExtractRequest):
    """Attempts to restore."""

    concept: MemoryName | None = Field(
        default=None,
        description="What this concept archived, by uid or `external:<id>`; unset: all of the scope.",
        examples=[UID_EXAMPLE],
    )


class RestoreView(Answer):
    """Restored attempts."""

    restored: int = Field(
        description="How many episodes and problems are active again.", examples=[7]
    )
    kept: tuple[str, ...] = Field(
        description="The uids of what was changed since it was archived, and stays as it is.",
        examples=[[]],
    )
