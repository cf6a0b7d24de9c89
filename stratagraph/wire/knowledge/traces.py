"""Spans of OpenTelemetry: what OTLP/HTTP sends as JSON, and its answer."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, Field

from stratagraph.wire.kernel.base import Answer, Request
from stratagraph.wire.kernel.values import check_json

_SPANS: dict[str, Any] = {
    "resource": {
        "attributes": [{"key": "stratagraph.agent_id", "value": {"stringValue": "planner"}}]
    },
    "scopeSpans": [],
}


def _clean(value: dict[str, Any]) -> dict[str, Any]:
    check_json(value, 1)
    return value


# The body's limit bounds it, not that of an object that is stored.
ResourceSpans = Annotated[dict[str, Any], AfterValidator(_clean)]


class TracesRequest(Request):
    """Export of spans, as the OTLP protocol has it; fields that are not known are passed over."""

    model_config = ConfigDict(
        extra="ignore", frozen=True, allow_inf_nan=False, populate_by_name=True
    )
    resource_spans: tuple[ResourceSpans, ...] = Field(
        alias="resourceSpans",
        max_length=1_000,
        description="Resources with their spans, in the JSON of OTLP.",
        examples=[[_SPANS]],
    )


class RejectedSpans(Answer):
    """Spans that were not counted."""

    rejected_spans: str = Field(
        alias="rejectedSpans",
        description="Rejected spans, in the JSON of 64-bit numbers.",
        examples=["2"],
    )
    error_message: str = Field(
        alias="errorMessage",
        description="Why spans were rejected.",
        examples=["trace 1f…: more than 200 calls"],
    )


class TracesAnswer(Answer):
    """Answer of the OTLP protocol."""

    partial_success: RejectedSpans | None = Field(
        default=None,
        alias="partialSuccess",
        description="What was rejected; null: nothing.",
        examples=[None],
    )
