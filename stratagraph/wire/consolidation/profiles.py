"""Profiles of a person, a project or a tool."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from stratagraph.vocabulary import ProfileGroup
from stratagraph.wire.kernel.base import Answer, Identity
from stratagraph.wire.kernel.values import NOW, TIME_EXAMPLE, UID_EXAMPLE, Time


class ProfileRequest(Identity):
    """Time and budget of a profile."""

    as_of: Time | None = Field(
        default=None,
        description="What held at this time, zoned; unset: what holds now.",
        examples=[TIME_EXAMPLE],
    )
    max_tokens: Annotated[int, Field(ge=50, le=20_000)] = Field(
        default=1000,
        description="Tokens of the text at most, at four bytes each.",
        examples=[1000],
    )


class ProfileLineView(Answer):
    """One statement with its evidence."""

    group: ProfileGroup = Field(description="Sort of statement.", examples=["facts"])
    text: str = Field(
        description="The statement as it was said; behind the question that it needs, each with who said it.",
        examples=["Lena lives in Berlin."],
    )
    speaker: str | None = Field(description="Who said it.", examples=["Lena"])
    occurred_at: datetime = Field(description="When it was said last.", examples=[NOW])
    evidence: tuple[str, ...] = Field(
        description="Memories that say so, the newest first.", examples=[[UID_EXAMPLE]]
    )
    relation: str | None = Field(
        default=None,
        description="Relation of the claim that it makes, if any.",
        examples=["live in"],
    )
    value: str | None = Field(default=None, description="Value of that claim.", examples=["Berlin"])
    negated: bool = Field(default=False, description="The claim is denied.", examples=[False])
    replaced_by: str | None = Field(
        default=None,
        description="Later memory that may replace it; what surely replaces a statement stands in its place.",
        examples=[UID_EXAMPLE],
    )


class ProfileView(Answer):
    """Known statements about a subject."""

    subject: str = Field(description="The subject.", examples=["Lena"])
    at: datetime = Field(description="The time at which they hold.", examples=[NOW])
    lines: tuple[ProfileLineView, ...] = Field(
        description="Statements: facts, preferences, relations, decisions, notes; each group's newest first.",
        examples=[[]],
    )
    text: str = Field(
        description="All of it for a prompt; empty where nothing is known.",
        examples=[
            "Lena, as known on 2 March 2026:\nFacts:\n- Lena lives in Berlin. (1 March 2026)"
        ],
    )
    tokens: int = Field(description="Tokens of the text.", examples=[24])
    left_out: int = Field(description="Statements for which there was no room.", examples=[0])
