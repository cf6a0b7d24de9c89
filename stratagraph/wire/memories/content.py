"""Content of a memory, declared once for requests, changes, versions, exports and answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin

from pydantic import BaseModel, Field, create_model

from stratagraph.wire.kernel.values import (
    TIME_EXAMPLE,
    Flag,
    JsonObject,
    Name,
    Phase,
    Structured,
    Time,
)


class Content(BaseModel):
    """Optional content of a memory in a request."""

    task_id: Name | None = Field(
        default=None, description="The task it came from.", examples=["answer-ticket-17"]
    )
    speaker: Name | None = Field(default=None, description="Who said it.", examples=["Ada"])
    structured: Structured | None = Field(
        default=None,
        description="The content as a JSON object beside its text; at most 64 KiB, 32 deep.",
        examples=[{"city": "Oslo"}],
    )
    domain: Name | None = Field(
        default=None, description="Field of knowledge.", examples=["support"]
    )
    phase: Phase | None = Field(
        default=None,
        description="Phase of the agent's work; observe, reason, plan, act, reflect also do.",
        examples=["planning"],
    )
    source_type: Name | None = Field(
        default=None, description="What produced it.", examples=["conversation"]
    )
    event_id: Name | None = Field(
        default=None, description="The event that it records.", examples=["evt-2026-0501"]
    )
    correct: Flag | None = Field(
        default=None, description="Whether the attempt was right (episodes).", examples=[True]
    )
    model: Name | None = Field(
        default=None, description="The language model at work.", examples=["small-1"]
    )
    valid_from: Time | None = Field(
        default=None, description="Since when it holds, zoned.", examples=[TIME_EXAMPLE]
    )
    valid_to: Time | None = Field(
        default=None, description="Until when it holds, zoned.", examples=["2027-05-01T00:00:00Z"]
    )
    expires_at: Time | None = Field(
        default=None,
        description="When it is no longer recalled, zoned.",
        examples=["2027-05-01T00:00:00Z"],
    )
    metadata: JsonObject | None = Field(
        default=None,
        description="Anything of yours, given back as it is; at most 64 KiB, 32 deep.",
        examples=[{"ticket": 17}],
    )


def _unlimited(model: type[BaseModel]) -> type[BaseModel]:
    """Return the model without limits, as stored values were checked before, and may be longer."""
    fields: dict[str, Any] = {
        name: (
            _without_limits(field.annotation),
            Field(default=None, description=field.description, examples=field.examples),
        )
        for name, field in model.model_fields.items()
    }
    return create_model(f"Shown{model.__name__}", __doc__="Content, as it is shown.", **fields)


def _without_limits(annotation: Any) -> Any:
    if get_origin(annotation) is Annotated:
        return _without_limits(get_args(annotation)[0])
    parts = get_args(annotation)
    if type(None) in parts:
        [some] = [part for part in parts if part is not type(None)]
        return _without_limits(some) | None
    return annotation


if TYPE_CHECKING:

    class ShownContent(Content):
        """Content of a memory in an answer."""
else:
    ShownContent = _unlimited(Content)
