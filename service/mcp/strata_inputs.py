"""Inputs of the tools that move memories between strata, predict, and report surprises."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from service.mcp.inputs import Who
from stratagraph import wire

_EXPECTED = {"status": "success", "seconds": 20}


class MoveInput(Who):
    """Memories to move up or down."""

    memories: Annotated[tuple[wire.MemoryName, ...], Field(min_length=1, max_length=1000)] = Field(
        description="The memories: uids, or `external:<external_id>`.",
        examples=[["external:rule-7"]],
    )
    to: wire.MoveTarget = Field(
        description="Where to: a stratum, or `up` or `down` for the next one.", examples=["up"]
    )
    dry_run: wire.Flag = Field(default=False, description="Only say what would move.")


class PromoteInput(Who):
    """Conditions for moving successful memories up."""

    task_id: wire.Name | None = Field(
        default=None,
        description="Only what this task was given; it must have ended in a success.",
        examples=["ticket-17"],
    )
    session_id: wire.Name | None = Field(default=None, description="Only of this session.")
    min_q: Annotated[float, Field(strict=True, ge=0, le=1)] = Field(
        default=0.7, description="At least this learned utility, 0 to 1."
    )
    min_successes: Annotated[int, Field(strict=True, ge=0)] = Field(
        default=3, description="At least so many successes."
    )
    to: wire.Stratum | None = Field(
        default=None, description="The stratum to move to; unset: the next one."
    )
    dry_run: wire.Flag = Field(default=True, description="Only say what would move; false moves.")


class PredictInput(Who):
    """Expectation."""

    expected: Any = Field(
        description="What you expect: a text, a number, or an object of them.", examples=[_EXPECTED]
    )
    context: wire.Name = Field(
        default="default",
        description="In which kind of situation: what is usual is learned for each.",
        examples=["deploy"],
    )
    prediction_id: wire.Name | None = Field(
        default=None, description="Its name, to answer it by.", examples=["deploy-42"]
    )
    confidence: wire.Share = Field(default=0.5, description="How sure you are, 0 to 1.")
    stands_seconds: Annotated[float, Field(ge=1, le=31_536_000)] = Field(
        default=3600.0, description="How long it waits for its outcome."
    )


class SurpriseInput(Who):
    """Event."""

    actual: Any = Field(
        description="What happened, in the form of what was expected.",
        examples=[{"status": "failed", "seconds": 95}],
    )
    text: wire.Text | None = Field(
        default=None,
        description="What is remembered of it if it surprises: one self-contained statement.",
        examples=["The deploy of host b failed after 95 seconds."],
    )
    expected: Any = Field(
        default=None, description="What was expected; unset: a prediction, else what is known."
    )
    context: wire.Name = Field(
        default="default", description="In which kind of situation.", examples=["deploy"]
    )
    prediction_id: wire.Name | None = Field(
        default=None, description="The prediction that this answers.", examples=["deploy-42"]
    )
    importance: wire.Importance = Field(
        default=3, description="1 (trivial) to 5 (vital), before the surprise."
    )
    tags: wire.Tags = Field(default=(), description="Labels of its memory; at most 64.")
    event_id: wire.Name | None = Field(
        default=None, description="Its name: reported twice, it counts once."
    )


class SurprisesInput(Who):
    """Filter for surprises."""

    type: tuple[wire.SurpriseType, ...] = Field(
        default=(), description="Only of these types.", examples=[["unexpected_error"]]
    )
    context: Annotated[tuple[wire.Name, ...], Field(max_length=100)] = Field(
        default=(), description="Only of these contexts.", examples=[["deploy"]]
    )
    surprising: wire.Flag = Field(default=True, description="Only those above their threshold.")
    limit: Annotated[int, Field(strict=True, ge=1, le=200)] = Field(
        default=20, description="How many at most, the newest first."
    )
