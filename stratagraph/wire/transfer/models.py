"""Lines around the records of an export, and the answer of an import."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from stratagraph.wire.kernel.base import Answer
from stratagraph.wire.kernel.values import Time
from stratagraph.wire.memories.models import Redacted
from stratagraph.wire.transfer.records import Line

FORMAT = "stratagraph"
FORMAT_VERSION = "1.4"


class EmbedderLine(Line):
    """Embedder of a graph's vectors."""

    name: str = Field(description="Its name.")
    dimension: int = Field(description="Numbers per vector.")


class HeaderLine(Line):
    """The first line of an export."""

    type: Literal["header"]
    format: Literal["stratagraph"] = Field(description="Name of the format.")
    version: Annotated[str, StringConstraints(pattern=r"^\d{1,4}\.\d{1,4}$")] = Field(
        description="Its version; another number before the point is not read."
    )
    release: str | None = Field(default=None, description="The release that wrote it.")
    exported_at: Time | None = Field(default=None, description="When it was begun.")
    embedder: EmbedderLine | None = Field(
        default=None, description="Embedder that made the vectors."
    )
    covers: Literal["tenant"] | tuple[str, ...] | None = Field(
        default=None, description="`tenant`, or the scopes."
    )
    vectors: bool | None = Field(default=None, description="Whether all vectors are in it.")
    memories: int | None = Field(
        default=None, description="How many memories there were at its start."
    )


class PositionLine(Line):
    """Position from which an export can continue after all lines before this one."""

    type: Literal["position"]
    after: str = Field(description="Value to send as `after`.")


class FooterLine(Line):
    """The last line: an export without it is incomplete."""

    type: Literal["footer"]
    counts: dict[str, int] = Field(description="Lines by type.")


class ErrorLine(Line):
    """The last line of an interrupted export, which continues after the last position."""

    type: Literal["error"]
    detail: str = Field(description="What went wrong.")


class LineReport(Answer):
    """A line, or a field of one, that was not stored."""

    type: Literal["rejected", "skipped"] = Field(
        description="rejected: it cannot be used. skipped: this release does not know it."
    )
    line: int = Field(description="The number of the line, from 1.")
    field: str | None = Field(default=None, description="Faulty field of the line.")
    message: str = Field(description="What is wrong with it.")


class ImportCounts(Answer):
    """Result of the lines so far."""

    created: int = Field(default=0, description="New here.")
    updated: int = Field(default=0, description="Given another content.")
    unchanged: int = Field(default=0, description="Here before.")
    rejected: int = Field(default=0, description="Not usable.")
    skipped: int = Field(default=0, description="Of unknown types.")


class ImportProgress(Answer):
    """Progress: every line up to this one is done."""

    type: Literal["progress"] = "progress"
    line: int = Field(description="The last line that is settled.")
    counts: ImportCounts = Field(description="Lines so far by what became of them.")


class ImportSummary(Answer):
    """The end of an import."""

    type: Literal["summary"] = "summary"
    line: int = Field(description="The last line.")
    counts: ImportCounts = Field(description="Lines by what became of them.")
    types: dict[str, ImportCounts] = Field(
        default_factory=dict[str, ImportCounts], description="`counts` by type of line."
    )
    embedded: int = Field(default=0, description="Texts that were embedded.")
    redacted: Redacted = Field(default_factory=dict[str, int])
    unreported: int = Field(
        default=0, description="Faulty lines beyond the 1,000 that are reported."
    )
    complete: bool | None = Field(
        default=None,
        description="Whether all lines that the footer counts were there; null: no header.",
    )
    dry_run: bool = Field(default=False, description="Nothing was written.")


class ImportBroken(Answer):
    """The end of an interrupted import; completed lines are kept."""

    type: Literal["error"] = "error"
    line: int = Field(description="The last line that is settled.")
    detail: str = Field(description="What went wrong.")
