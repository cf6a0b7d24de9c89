"""Lines around the records of an export, and the answer of an import."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from stratagraph.wire.kernel.base import Answer
from stratagraph.wire.kernel.values import TIME_EXAMPLE, Time
from stratagraph.wire.memories.models import Redacted
from stratagraph.wire.transfer.records import Line

FORMAT = "stratagraph"
FORMAT_VERSION = "1.4"


class EmbedderLine(Line):
    """Embedder of a graph's vectors."""

    name: str = Field(description="Its name.", examples=["bge-small-en-v1.5-int8"])
    dimension: int = Field(description="Numbers per vector.", examples=[384])


class HeaderLine(Line):
    """The first line of an export."""

    type: Literal["header"] = Field(description="What line this is.", examples=["header"])
    format: Literal["stratagraph"] = Field(description="Name of the format.", examples=[FORMAT])
    version: Annotated[str, StringConstraints(pattern=r"^\d{1,4}\.\d{1,4}$")] = Field(
        description="Its version; another number before the point is not read.",
        examples=[FORMAT_VERSION],
    )
    release: str | None = Field(
        default=None, description="The release that wrote it.", examples=["0.1.0"]
    )
    exported_at: Time | None = Field(
        default=None, description="When it was begun.", examples=[TIME_EXAMPLE]
    )
    embedder: EmbedderLine | None = Field(
        default=None,
        description="Embedder that made the vectors.",
        examples=[{"name": "…", "dimension": 256}],
    )
    covers: Literal["tenant"] | tuple[str, ...] | None = Field(
        default=None, description="`tenant`, or the scopes.", examples=[["agent/planner"]]
    )
    vectors: bool | None = Field(
        default=None, description="Whether all vectors are in it.", examples=[False]
    )
    memories: int | None = Field(
        default=None, description="How many memories there were at its start.", examples=[1200]
    )


class PositionLine(Line):
    """Position where an export can go on after all lines before this one."""

    type: Literal["position"] = Field(description="What line this is.", examples=["position"])
    after: str = Field(description="Value to send as `after`.", examples=["WyJtZW1v…"])


class FooterLine(Line):
    """The last line: an export without it was cut."""

    type: Literal["footer"] = Field(description="What line this is.", examples=["footer"])
    counts: dict[str, int] = Field(description="Lines by type.", examples=[{"memory": 1200}])


class ErrorLine(Line):
    """The last line of an export that broke off; it goes on behind the last position."""

    type: Literal["error"] = Field(description="What line this is.", examples=["error"])
    detail: str = Field(description="What went wrong.", examples=["Neo4j does not answer"])


class LineReport(Answer):
    """A line, or a field of one, that did not land."""

    type: Literal["rejected", "skipped"] = Field(
        description="rejected: it cannot be used. skipped: this release does not know it.",
        examples=["rejected"],
    )
    line: int = Field(description="The number of the line, from 1.", examples=[17])
    field: str | None = Field(
        default=None, description="Faulty field of the line.", examples=["text"]
    )
    message: str = Field(description="What is wrong with it.", examples=["must not be empty"])


class ImportCounts(Answer):
    """Result of the lines so far."""

    created: int = Field(default=0, description="New here.", examples=[998])
    updated: int = Field(default=0, description="Given another content.", examples=[0])
    unchanged: int = Field(default=0, description="Here before.", examples=[1])
    rejected: int = Field(default=0, description="Not usable.", examples=[1])
    skipped: int = Field(default=0, description="Of unknown types.", examples=[0])


class ImportProgress(Answer):
    """Every line up to this one is settled."""

    type: Literal["progress"] = Field(default="progress", description="…", examples=["progress"])
    line: int = Field(description="The last line that is settled.", examples=[1000])
    counts: ImportCounts = Field(description="Lines so far by what became of them.", examples=[{}])


class ImportSummary(Answer):
    """The end of an import."""

    type: Literal["summary"] = Field(default="summary", description="…", examples=["summary"])
    line: int = Field(description="The last line.", examples=[1201])
    counts: ImportCounts = Field(description="Lines by what became of them.", examples=[{}])
    types: dict[str, ImportCounts] = Field(
        default_factory=dict[str, ImportCounts],
        description="`counts` by type of line.",
        examples=[{}],
    )
    embedded: int = Field(default=0, description="Texts that were embedded.", examples=[998])
    redacted: Redacted = Field(default_factory=dict[str, int])
    unreported: int = Field(
        default=0, description="Faulty lines beyond the 1,000 that are reported.", examples=[0]
    )
    complete: bool | None = Field(
        default=None,
        description="Whether all lines that the footer counts were there; null: no header.",
        examples=[True],
    )
    dry_run: bool = Field(default=False, description="Nothing was written.", examples=[False])


class ImportBroken(Answer):
    """The end of an import that broke off; what was settled stays."""

    type: Literal["error"] = Field(default="error", description="…", examples=["error"])
    line: int = Field(description="The last line that is settled.", examples=[1000])
    detail: str = Field(description="What went wrong.", examples=["Neo4j does not answer"])
