"""The graph checked against itself."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from stratagraph.wire.kernel.base import Answer, Request
from stratagraph.wire.kernel.values import UID_EXAMPLE

FlawKind = Literal[
    "versions",
    "estimates",
    "credits",
    "transitions",
    "surprises",
    "rewards",
    "visits",
    "steps",
    "patches",
    "parts",
    "counts",
    "bases",
    "copies",
    "marked",
    "stranded",
    "homeless",
    "sessions",
    "terms",
    "degrees",
    "validity",
    "vectors",
]


class CheckRequest(Request):
    """Position where a check goes on."""

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
    """Flaws of the part that was checked."""

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
