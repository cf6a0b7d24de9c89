"""Changes of a stored memory, and memories to delete."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from stratagraph.vocabulary import ContentType, Kind, ScopeKind
from stratagraph.wire.kernel.base import Answer, Identity, Request, renamed
from stratagraph.wire.kernel.values import (
    TIME_EXAMPLE,
    UID_EXAMPLE,
    Flag,
    Importance,
    MemoryName,
    RecallableState,
    Stratum,
    Tags,
    Text,
    Time,
    Vector,
    fault,
    owner,
)
from stratagraph.wire.memories.content import Content
from stratagraph.wire.recall.filters import FiltersRequest


class PatchRequest(Content, Request):
    """A JSON merge patch (RFC 7396): fields left out are kept, null restores the default.

    ``structured`` and ``metadata`` are merged key by key.
    """

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
    occurred_at: Time | None = Field(
        default=None, description="When it happened. Cannot be removed.", examples=[TIME_EXAMPLE]
    )


class DeleteRequest(Identity):
    """Memories of one scope to remove: exactly one of `filters`, `memories` and `all`."""

    filters: FiltersRequest | None = Field(
        default=None,
        description="What these filters let pass; at least one filter.",
        examples=[{"session_id": "monday-call"}],
    )
    memories: Annotated[tuple[MemoryName, ...], Field(min_length=1, max_length=1000)] | None = (
        Field(
            default=None,
            description="Uids or `external:<external_id>`, 1 to 1,000; others are passed over.",
            examples=[[UID_EXAMPLE]],
        )
    )
    all: Flag = Field(
        default=False,
        description="Every memory of the scope: archived, expired and no longer valid ones too.",
        examples=[True],
    )
    scope_kind: ScopeKind | None = owner("Whose memories")
    dry_run: Flag = Field(
        default=True, description="Only say what would go; false removes.", examples=[False]
    )

    _old_names = renamed(names="memories")

    @model_validator(mode="after")
    def _one_choice(self) -> Self:
        if (self.filters is not None) + (self.memories is not None) + self.all != 1:
            raise fault("request", "filters: give exactly one of filters, memories and all")
        if self.filters is not None and not self.filters.model_fields_set:
            raise fault("request", "filters: name at least one filter, or send all: true")
        return self


RemovedSample = Annotated[
    tuple[str, ...],
    Field(description="The uids of the first of them, at most 20.", examples=[[UID_EXAMPLE]]),
]
RemovedCounts = Annotated[
    dict[str, int],
    Field(
        description="What went in all by label, and how many memories were `copies` of others or `derived` from them, "
        "or sources that came back (`restored`).",
        examples=[{"Memory": 12, "derived": 1, "restored": 3}],
    ),
]


class DeleteAnswer(Answer):
    """Removed memories, or planned for removal."""

    scope: str = Field(description="Scope of the memories.", examples=["agent/planner"])
    dry_run: bool = Field(description="Whether nothing was removed.", examples=[True])
    matched: int = Field(description="How many memories are meant.", examples=[42])
    deleted: int = Field(
        description="How many were removed; what changed meanwhile stays.", examples=[0]
    )
    sample: RemovedSample
    counts: RemovedCounts = Field(default_factory=dict[str, int])
