"""Filters of memories for recalls, lists, counts and removals."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Self, cast

from pydantic import Field, model_validator

from stratagraph.vocabulary import Kind, ScopeKind
from stratagraph.wire.kernel.base import Identity, Request
from stratagraph.wire.kernel.values import (
    TIME_EXAMPLE,
    Flag,
    Importance,
    Name,
    Phase,
    RecallableState,
    Stratum,
    Tags,
    Time,
    fault,
)

_ACCESSES = frozenset({"access_count_min", "accessCountMin"})


class FilterFields(Request):
    """Filters of memories; fields left out do not filter."""

    kinds: Annotated[tuple[Kind, ...], Field(min_length=1)] | None = Field(
        default=None, description="Of these kinds.", examples=[["observation", "preference"]]
    )
    strata: Annotated[tuple[Stratum, ...], Field(min_length=1)] | None = Field(
        default=None, description="Of these strata.", examples=[["long_term"]]
    )
    states: Annotated[tuple[RecallableState, ...], Field(min_length=1)] | None = Field(
        default=None,
        description="In these states; unset: active.",
        examples=[["active", "archived"]],
    )
    tags_any: Tags = Field(default=(), description="With one of these tags.", examples=[["style"]])
    tags_all: Tags = Field(default=(), description="With all of these tags.", examples=[["style"]])
    importance_min: Importance = Field(
        default=1, description="At least this important.", examples=[2]
    )
    importance_max: Importance = Field(
        default=5, description="At most this important.", examples=[5]
    )
    occurred_from: Time | None = Field(
        default=None, description="Happened then or later.", examples=[TIME_EXAMPLE]
    )
    occurred_to: Time | None = Field(
        default=None, description="Happened before.", examples=["2027-05-01T00:00:00Z"]
    )
    recorded_from: Time | None = Field(
        default=None, description="Stored then or later.", examples=[TIME_EXAMPLE]
    )
    recorded_to: Time | None = Field(
        default=None, description="Stored before.", examples=["2027-05-01T00:00:00Z"]
    )
    valid_at: Time | None = Field(
        default=None, description="Holds at this time; unset: now.", examples=[TIME_EXAMPLE]
    )
    session_id: Name | None = Field(
        default=None, description="Of this session.", examples=["monday-call"]
    )
    domain: Name | None = Field(default=None, description="Of this domain.", examples=["support"])
    phase: Phase | None = Field(default=None, description="Of this phase.", examples=["planning"])
    correct: Flag | None = Field(
        default=None, description="Right or wrong attempts.", examples=[True]
    )
    model: Name | None = Field(
        default=None, description="Written by this model.", examples=["small-1"]
    )

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.importance_min > self.importance_max:
            raise fault("request", "importance_max: must not be below importance_min")
        for name in ("occurred", "recorded"):
            start: datetime | None = getattr(self, f"{name}_from")
            end: datetime | None = getattr(self, f"{name}_to")
            if start is not None and end is not None and start >= end:
                raise fault("request", f"{name}_to: must be later than {name}_from")
        return self


class FiltersRequest(FilterFields):
    """Filters of memories to recall; fields left out do not filter."""

    agent_id: Name | None = Field(
        default=None,
        description="Written by this agent (in a scope the caller reads).",
        examples=["planner"],
    )

    @model_validator(mode="before")
    @classmethod
    def _not_by_accesses(cls, given: Any) -> Any:
        named = cast("Mapping[str, Any]", given).keys() if isinstance(given, Mapping) else ()
        if not _ACCESSES.isdisjoint(named):
            raise fault(
                "request",
                "access_count_min: changes with each recall, so it filters lists and counts alone: "
                "GET /v1/memories",
            )
        return cast("Any", given)


class QueryFilters(Identity, FilterFields):
    """Identity and filters in the query; numbers and booleans arrive as text."""

    importance_min: Annotated[int, Field(ge=1, le=5)] = Field(
        default=1, description="At least this important.", examples=[2]
    )
    importance_max: Annotated[int, Field(ge=1, le=5)] = Field(
        default=5, description="At most this important.", examples=[5]
    )
    access_count_min: Annotated[int, Field(ge=0)] = Field(
        default=0, description="Recalled at least so often.", examples=[3]
    )
    correct: bool | None = Field(
        default=None, description="Right or wrong attempts.", examples=[True]
    )
    written_by: Name | None = Field(
        default=None,
        description="Written by this agent: the filter `agent_id` of a recall.",
        examples=["planner"],
    )
    scope_kind: ScopeKind | None = Field(
        default=None,
        description="Only in the scope of this kind; unset: in all that the caller reads.",
        examples=["agent"],
    )
