"""What may change of a stored memory."""

from __future__ import annotations

from pydantic import Field

from stratagraph.wire.base import Request
from stratagraph.wire.values import (
    TIME_EXAMPLE,
    ContentType,
    Flag,
    Importance,
    JsonObject,
    Kind,
    Name,
    Phase,
    RecallableState,
    Stratum,
    Tags,
    Text,
    Time,
    Vector,
)


class PatchRequest(Request):
    """A JSON merge patch (RFC 7396): what is left out stays, null takes back to the default."""

    text: Text | None = Field(
        default=None,
        description="What is remembered; it is embedded anew. Cannot be removed.",
        examples=["Ada prefers short answers."],
    )
    kind: Kind | None = Field(
        default=None, description="What sort of memory.", examples=["insight"]
    )
    content_type: ContentType | None = Field(
        default=None, description="What it is given as.", examples=["text"]
    )
    structured: JsonObject | None = Field(
        default=None, description="Merged key by key.", examples=[{"city": "Bergen"}]
    )
    vector: Vector | None = Field(
        default=None,
        description="Its embedding; null: the text is embedded instead.",
        examples=[[0.12, -0.4, 0.07]],
    )
    stratum: Stratum | None = Field(
        default=None, description="How lasting it is.", examples=["semantic"]
    )
    state: RecallableState | None = Field(
        default=None, description="An archived memory is not recalled.", examples=["archived"]
    )
    importance: Importance | None = Field(default=None, description="1 to 5.", examples=[5])
    tags: Tags | None = Field(
        default=None, description="All its labels; a list is replaced whole.", examples=[["style"]]
    )
    domain: Name | None = Field(default=None, description="Its domain.", examples=["support"])
    phase: Phase | None = Field(default=None, description="Its phase.", examples=["planning"])
    source_type: Name | None = Field(default=None, description="Its source.", examples=["retro"])
    event_id: Name | None = Field(default=None, description="Its event.", examples=["evt-1"])
    task_id: Name | None = Field(default=None, description="Its task.", examples=["ticket-17"])
    speaker: Name | None = Field(default=None, description="Who said it.", examples=["Ada"])
    correct: Flag | None = Field(default=None, description="Right or wrong.", examples=[True])
    model: Name | None = Field(default=None, description="The language model.", examples=["s-1"])
    occurred_at: Time | None = Field(
        default=None, description="When it happened. Cannot be removed.", examples=[TIME_EXAMPLE]
    )
    valid_from: Time | None = Field(
        default=None, description="Since when it holds.", examples=[TIME_EXAMPLE]
    )
    valid_to: Time | None = Field(
        default=None, description="Until when it holds.", examples=["2027-05-01T00:00:00Z"]
    )
    expires_at: Time | None = Field(
        default=None, description="When it goes.", examples=["2027-05-01T00:00:00Z"]
    )
    metadata: JsonObject | None = Field(
        default=None, description="Merged key by key.", examples=[{"ticket": None}]
    )
