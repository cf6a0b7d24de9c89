"""What goes over HTTP: the requests and answers that the service and its clients share."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Self, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)
from pydantic_core import PydanticCustomError

Kind = Literal[
    "observation", "problem", "episode", "concept", "strategy", "pattern", "insight", "preference"
]
Stratum = Literal["working", "short_term", "episodic", "long_term", "semantic"]
State = Literal["active", "archived", "hidden"]
RecallableState = Literal["active", "archived"]
PhaseName = Literal["observation", "reasoning", "planning", "action", "reflection"]
ContentType = Literal["text", "structured", "embedding"]
Status = Literal["success", "failure", "partial", "timeout"]
LinkType = Literal["SIMILAR_TO", "REQUIRES", "SOLVED", "ATTEMPTED", "USED", "DERIVED_FROM"]
ScopeKind = Literal["agent", "channel", "user", "shared"]
SaveStatus = Literal["created", "updated", "unchanged", "duplicate", "rejected"]

MAX_TEXT_BYTES = 100_000
MAX_JSON_BYTES = 65_536
MAX_JSON_DEPTH = 32
MAX_BATCH = 1_000
PHASE_ALIASES = {
    "observe": "observation",
    "reason": "reasoning",
    "plan": "planning",
    "act": "action",
    "reflect": "reflection",
}

_MAX_INTEGER = 2**63
_FIRST_TIME = datetime(1, 1, 2, tzinfo=UTC)
_LAST_TIME = datetime(9999, 1, 1, tzinfo=UTC)


def _fault(slug: Literal["text", "name", "time", "json", "request"], message: str) -> Exception:
    return PydanticCustomError(slug, message)  # pyright: ignore[reportArgumentType] -- not a template


def _text(value: str) -> str:
    if "\0" in value:
        raise _fault("text", "must not hold the character NUL")
    if not value.strip():
        raise _fault("text", "must not be empty")
    if len(value.encode()) > MAX_TEXT_BYTES:
        raise _fault("text", "at most 100,000 bytes of UTF-8; split it into several")
    return value


def _printable(value: str) -> str:
    if not value.strip() or not value.isprintable():
        raise _fault("name", "must be printable characters, and not only spaces")
    return value


def _time_as_text(value: object) -> object:
    if isinstance(value, (str, datetime)):
        return value
    raise _fault("time", "must be a string such as 2026-05-01T09:30:00Z")


def _zoned(value: datetime) -> datetime:
    if value.utcoffset() is None:
        raise _fault("time", "needs a time zone, such as the Z in 2026-05-01T09:30:00Z")
    if not _FIRST_TIME <= value < _LAST_TIME:
        raise _fault("time", "must lie in the years 1 to 9998")
    return value.astimezone(UTC)


def _json_object(value: dict[str, Any]) -> dict[str, Any]:
    _check_json(value, 1)
    if len(json.dumps(value, ensure_ascii=False).encode()) > MAX_JSON_BYTES:
        raise _fault("json", "at most 64 KiB as JSON")
    return value


def _check_json(value: object, depth: int) -> None:
    if depth > MAX_JSON_DEPTH:
        raise _fault("json", "nested deeper than 32")
    if isinstance(value, Mapping):
        entries = cast("Mapping[object, object]", value)
        for key, entry in entries.items():
            _check_json_text(key)
            _check_json(entry, depth + 1)
    elif isinstance(value, (list, tuple)):
        for entry in cast("Sequence[object]", value):
            _check_json(entry, depth + 1)
    else:
        _check_json_leaf(value)


def _check_json_leaf(value: object) -> None:
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, int):
        if not -_MAX_INTEGER <= value < _MAX_INTEGER:
            raise _fault("json", "whole numbers must fit in 64 bits; send others as strings")
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise _fault("json", "numbers must be finite")
    else:
        _check_json_text(value)


def _check_json_text(value: object) -> None:
    if not isinstance(value, str):
        raise _fault("json", "must be JSON: objects, lists, strings, numbers, booleans, null")
    if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
        raise _fault("json", "strings must not hold NUL or lone surrogates")


def _phase(value: object) -> object:
    return PHASE_ALIASES.get(value, value) if isinstance(value, str) else value


def _unique(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


Text = Annotated[str, AfterValidator(_text), Field(min_length=1)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=256), AfterValidator(_printable)]
MemoryName = Annotated[
    str, StringConstraints(min_length=1, max_length=265), AfterValidator(_printable)
]
Tag = Annotated[str, StringConstraints(min_length=1, max_length=128), AfterValidator(_printable)]
Tags = Annotated[tuple[Tag, ...], Field(max_length=64), AfterValidator(_unique)]
Names = Annotated[tuple[Name, ...], Field(max_length=100), AfterValidator(_unique)]
Time = Annotated[datetime, BeforeValidator(_time_as_text), AfterValidator(_zoned)]
JsonObject = Annotated[dict[str, Any], AfterValidator(_json_object)]
Phase = Annotated[PhaseName, BeforeValidator(_phase)]
Importance = Annotated[int, Field(strict=True, ge=1, le=5)]
Share = Annotated[float, Field(strict=True, ge=0, le=1)]
Flag = Annotated[bool, Field(strict=True)]
# Past this a 32-bit float may overflow; only the direction of a vector counts.
Number = Annotated[float, Field(strict=True, ge=-1e9, le=1e9)]
Vector = Annotated[tuple[Number, ...], Field(min_length=1, max_length=4096)]

_NOW = datetime(2026, 5, 1, 9, 30, tzinfo=UTC)
_TIME_EXAMPLE = "2026-05-01T09:30:00Z"
_UID_EXAMPLE = "01JZ8M5Q0V7Y3T2N4R6W8X9ABC"


class Request(BaseModel):
    """What a client sends: unknown fields, NaN and infinities are refused."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, populate_by_name=True
    )


class Answer(BaseModel):
    """What the service sends; fields may be added in later releases."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)


class Identity(Request):
    """Who asks, inside the tenant of the API key; at least one of the three."""

    agent_id: Name | None = Field(
        default=None,
        description="The agent that acts; it reads and writes its own memories.",
        examples=["planner"],
    )
    channel_ids: Names = Field(
        default=(), description="Channels whose memories are read too.", examples=[["support"]]
    )
    user_ids: Names = Field(
        default=(), description="Users whose memories are read too.", examples=[["ada"]]
    )


class LinkRequest(Request):
    """A typed edge from the new memory to one that exists in the same scope."""

    type: LinkType = Field(description="What the edge means.", examples=["USED"])
    to: MemoryName = Field(
        description="A uid, or `external:<external_id>`.", examples=["external:ticket-17"]
    )


class MemoryRequest(Request):
    """One thing to remember."""

    text: Text = Field(
        description="What to remember; at most 100,000 bytes of UTF-8.",
        examples=["Ada prefers answers with a worked example."],
    )
    kind: Kind = Field(
        default="observation", description="What sort of memory.", examples=["preference"]
    )
    scope_kind: ScopeKind | None = Field(
        default=None,
        description="Whose memory it is; unset: the agent's, else the user's, else the channel's.",
        examples=["user"],
    )
    external_id: Name | None = Field(
        default=None,
        description="Your id, unique in its scope: sent again, it is the same memory.",
        examples=["ticket-17"],
    )
    session_id: Name | None = Field(
        default=None,
        description="The conversation it belongs to; its memories are chained in order.",
        examples=["monday-call"],
    )
    sequence: Annotated[int, Field(strict=True, ge=0, lt=2**53)] | None = Field(
        default=None,
        description="Place in the session, from 0; unset: after the last. Needs `session_id`.",
        examples=[12],
    )
    task_id: Name | None = Field(
        default=None, description="The task it came from.", examples=["answer-ticket-17"]
    )
    speaker: Name | None = Field(default=None, description="Who said it.", examples=["Ada"])
    content_type: ContentType | None = Field(
        default=None,
        description="Unset: `structured` when `structured` is given, else `text`.",
        examples=["text"],
    )
    structured: JsonObject | None = Field(
        default=None,
        description="The content as a JSON object beside its text; at most 64 KiB, 32 deep.",
        examples=[{"city": "Oslo"}],
    )
    vector: Vector | None = Field(
        default=None,
        description="Its embedding, of the graph's dimension; unset: the text is embedded.",
        examples=[[0.12, -0.4, 0.07]],
    )
    stratum: Stratum = Field(
        default="long_term", description="How lasting it is.", examples=["long_term"]
    )
    importance: Importance = Field(default=3, description="1 (trivial) to 5 (vital).", examples=[4])
    tags: Tags = Field(
        default=(), description="Labels to filter by; at most 64.", examples=[["style", "teaching"]]
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
    occurred_at: Time | None = Field(
        default=None, description="When it happened, zoned; unset: now.", examples=[_TIME_EXAMPLE]
    )
    valid_from: Time | None = Field(
        default=None, description="Since when it holds, zoned.", examples=[_TIME_EXAMPLE]
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
    links: Annotated[tuple[LinkRequest, ...], Field(max_length=64)] = Field(
        default=(),
        description="Edges to memories that exist; at most 64.",
        examples=[[{"type": "USED", "to": "external:ticket-16"}]],
    )

    @model_validator(mode="after")
    def _content_matches(self) -> Self:
        if self.sequence is not None and self.session_id is None:
            raise _fault("request", "sequence: needs a session_id")
        if self.content_type == "structured" and self.structured is None:
            raise _fault("request", "structured: is needed for content_type structured")
        if self.content_type == "embedding" and self.vector is None:
            raise _fault("request", "vector: is needed for content_type embedding")
        return self


class RememberRequest(Identity, MemoryRequest):
    """One memory and who remembers it."""


class BatchRequest(Identity):
    """Up to 1,000 memories of one caller; a row cannot name another."""

    memories: Annotated[tuple[MemoryRequest, ...], Field(min_length=1, max_length=MAX_BATCH)] = (
        Field(
            description="The memories, 1 to 1,000.",
            examples=[[{"text": "The build broke."}, {"text": "A newer compiler mended it."}]],
        )
    )


class BatchEnvelope(Identity):
    """A batch whose rows are still unread, so that each is judged alone."""

    memories: Annotated[tuple[Any, ...], Field(min_length=1, max_length=MAX_BATCH)] = Field(
        description="The rows, 1 to 1,000.", examples=[[{"text": "The build broke."}]]
    )


class FiltersRequest(Request):
    """Which memories may be recalled; what is left out does not filter."""

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
        default=None, description="Happened then or later.", examples=[_TIME_EXAMPLE]
    )
    occurred_to: Time | None = Field(
        default=None, description="Happened before.", examples=["2027-05-01T00:00:00Z"]
    )
    recorded_from: Time | None = Field(
        default=None, description="Stored then or later.", examples=[_TIME_EXAMPLE]
    )
    recorded_to: Time | None = Field(
        default=None, description="Stored before.", examples=["2027-05-01T00:00:00Z"]
    )
    valid_at: Time | None = Field(
        default=None, description="Holds at this time; unset: now.", examples=[_TIME_EXAMPLE]
    )
    session_id: Name | None = Field(
        default=None, description="Of this session.", examples=["monday-call"]
    )
    domain: Name | None = Field(default=None, description="Of this domain.", examples=["support"])
    phase: Phase | None = Field(default=None, description="Of this phase.", examples=["planning"])
    agent_id: Name | None = Field(
        default=None,
        description="Written by this agent (in a scope the caller reads).",
        examples=["planner"],
    )
    correct: Flag | None = Field(
        default=None, description="Right or wrong attempts.", examples=[True]
    )
    model: Name | None = Field(
        default=None, description="Written by this model.", examples=["small-1"]
    )

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.importance_min > self.importance_max:
            raise _fault("request", "importance_max: must not be below importance_min")
        for name in ("occurred", "recorded"):
            start: datetime | None = getattr(self, f"{name}_from")
            end: datetime | None = getattr(self, f"{name}_to")
            if start is not None and end is not None and start >= end:
                raise _fault("request", f"{name}_to: must be later than {name}_from")
        return self


class RecallRequest(Identity):
    """A question: exactly one of `text`, `vector` and `like`."""

    text: Text | None = Field(
        default=None,
        description="What is sought, in words.",
        examples=["How does Ada like answers?"],
    )
    vector: Vector | None = Field(
        default=None, description="What is sought, as an embedding.", examples=[[0.12, -0.4, 0.07]]
    )
    like: MemoryName | None = Field(
        default=None,
        description="What is like this memory: a uid, or `external:<external_id>`.",
        examples=[_UID_EXAMPLE],
    )
    phase: Phase | None = Field(
        default=None, description="Phase of the agent's work: it sets λ.", examples=["planning"]
    )
    utility_weight: Share | None = Field(
        default=None,
        validation_alias="lambda",
        serialization_alias="lambda",
        description="λ: 0 ranks by relevance alone, 1 by learned utility alone; unset: by phase.",
        examples=[0.5],
    )
    k: Annotated[int, Field(strict=True, ge=1, le=200)] | None = Field(
        default=None, description="Results at most, 1 to 200; unset: a setting (5).", examples=[5]
    )
    hops: Annotated[int, Field(strict=True, ge=0, le=2)] | None = Field(
        default=None,
        description="How far relevance spreads along edges, 0 to 2; unset: 1.",
        examples=[1],
    )
    filters: FiltersRequest = Field(
        default_factory=FiltersRequest,
        description="What may be recalled.",
        examples=[{"kinds": ["preference"]}],
    )
    min_similarity: Annotated[float, Field(strict=True, ge=-1, le=1)] | None = Field(
        default=None, description="Least cosine of a result, -1 to 1.", examples=[0.2]
    )
    explain: Flag = Field(
        default=False,
        description="Say why each result is there, and what just missed.",
        examples=[True],
    )
    task_id: Name | None = Field(
        default=None,
        description="The task this serves: its outcome will reward the results.",
        examples=["answer-ticket-17"],
    )

    @model_validator(mode="after")
    def _one_question(self) -> Self:
        given = sum(value is not None for value in (self.text, self.vector, self.like))
        if given != 1:
            raise _fault("request", "text: give exactly one of text, vector and like")
        return self


class OutcomeRequest(Identity):
    """How a task ended."""

    status: Status = Field(description="How it ended.", examples=["success"])
    quality: Share | None = Field(
        default=None,
        description="How good the result was, 0 to 1; it scales the reward.",
        examples=[0.8],
    )


class FaultView(Answer):
    """One thing that cannot be used."""

    field: str | None = Field(description="Where: a path such as `filters.kinds`.", examples=["k"])
    message: str = Field(
        description="What is wrong with it.",
        examples=["Input should be less than or equal to 200"],
    )


class Problem(Answer):
    """An error, as `application/problem+json` (RFC 9457)."""

    type: str = Field(
        description="Stable name of the error.", examples=["urn:stratagraph:error:invalid-input"]
    )
    title: str = Field(description="The error in general.", examples=["The request cannot be used"])
    status: int = Field(description="The HTTP status.", examples=[422])
    detail: str = Field(description="This case.", examples=["1 field cannot be used"])
    errors: tuple[FaultView, ...] = Field(
        default=(),
        description="Which fields, and why.",
        examples=[[{"field": "k", "message": "…"}]],
    )
    request_id: str | None = Field(
        default=None, description="The id of the request in the logs.", examples=["5f0c9a"]
    )


class RememberAnswer(Answer):
    """What became of one memory."""

    status: SaveStatus = Field(
        description="created, updated (a new version), unchanged or duplicate.",
        examples=["created"],
    )
    uid: str = Field(description="Its name from now on.", examples=[_UID_EXAMPLE])


class RowAnswer(Answer):
    """What became of one row of a batch."""

    index: int = Field(description="The row, from 0.", examples=[0])
    status: SaveStatus = Field(description="What became of it.", examples=["created"])
    uid: str | None = Field(
        default=None, description="Its name, unless it was rejected.", examples=[_UID_EXAMPLE]
    )
    error: FaultView | None = Field(
        default=None,
        description="Why it was rejected.",
        examples=[{"field": "text", "message": "must not be empty"}],
    )


class CountsView(Answer):
    """How many rows of a batch ended how."""

    created: int = Field(default=0, description="New memories.", examples=[2])
    updated: int = Field(default=0, description="New versions of known memories.", examples=[0])
    unchanged: int = Field(
        default=0, description="Known external ids with the same content.", examples=[0]
    )
    duplicate: int = Field(default=0, description="The same memory again.", examples=[0])
    rejected: int = Field(
        default=0, description="Faulty rows; nothing of them was stored.", examples=[0]
    )


class BatchAnswer(Answer):
    """What became of a batch."""

    counts: CountsView = Field(description="Rows by result.", examples=[{"created": 2}])
    results: tuple[RowAnswer, ...] = Field(
        description="One per row, in order.", examples=[[{"index": 0, "status": "created"}]]
    )


class MemoryView(Answer):
    """A stored memory."""

    uid: str = Field(description="Its name.", examples=[_UID_EXAMPLE])
    external_id: str | None = Field(default=None, description="Your id.", examples=["ticket-17"])
    scope: str = Field(description="Whose it is.", examples=["agent/planner"])
    kind: Kind = Field(description="What sort of memory.", examples=["preference"])
    text: str = Field(description="Its text.", examples=["Ada prefers worked examples."])
    content_type: ContentType = Field(description="What it was given as.", examples=["text"])
    structured: dict[str, Any] | None = Field(
        default=None, description="Its content as an object.", examples=[{"city": "Oslo"}]
    )
    stratum: Stratum = Field(description="How lasting it is.", examples=["long_term"])
    state: State = Field(description="Whether it is recalled.", examples=["active"])
    importance: int = Field(description="1 to 5.", examples=[3])
    tags: tuple[str, ...] = Field(default=(), description="Its labels.", examples=[["style"]])
    agent_id: str | None = Field(default=None, description="Who wrote it.", examples=["planner"])
    channel_id: str | None = Field(default=None, description="Its channel.", examples=["support"])
    user_id: str | None = Field(default=None, description="Its user.", examples=["ada"])
    session_id: str | None = Field(
        default=None, description="Its session.", examples=["monday-call"]
    )
    sequence: int | None = Field(
        default=None, description="Its place in the session.", examples=[12]
    )
    task_id: str | None = Field(
        default=None, description="Its task.", examples=["answer-ticket-17"]
    )
    speaker: str | None = Field(default=None, description="Who said it.", examples=["Ada"])
    domain: str | None = Field(default=None, description="Its domain.", examples=["support"])
    phase: PhaseName | None = Field(default=None, description="Its phase.", examples=["planning"])
    source_type: str | None = Field(
        default=None, description="Its source.", examples=["conversation"]
    )
    event_id: str | None = Field(default=None, description="Its event.", examples=["evt-2026-0501"])
    correct: bool | None = Field(default=None, description="Right or wrong.", examples=[True])
    model: str | None = Field(default=None, description="The language model.", examples=["small-1"])
    occurred_at: datetime = Field(description="When it happened.", examples=[_NOW])
    recorded_at: datetime = Field(description="When it was stored.", examples=[_NOW])
    valid_from: datetime | None = Field(
        default=None, description="Since when it holds.", examples=[_NOW]
    )
    valid_to: datetime | None = Field(
        default=None, description="Until when it holds.", examples=[_NOW]
    )
    expires_at: datetime | None = Field(default=None, description="When it goes.", examples=[_NOW])
    q_value: float = Field(description="Learned utility, 0 to 1.", examples=[0.5])
    q_count: int = Field(description="How many outcomes taught it.", examples=[0])
    retrieval_count: int = Field(description="How often a recall returned it.", examples=[7])
    success_count: int = Field(
        description="How many tasks it was given to went well.", examples=[2]
    )
    failure_count: int = Field(description="How many of them failed.", examples=[1])
    access_count: int = Field(description="How often it was recalled.", examples=[7])
    last_accessed_at: datetime | None = Field(
        default=None, description="Last recalled.", examples=[_NOW]
    )
    last_reward_at: datetime | None = Field(
        default=None, description="Last rewarded.", examples=[_NOW]
    )
    metadata: dict[str, Any] | None = Field(
        default=None, description="As it was given.", examples=[{"ticket": 17}]
    )


class ExplanationView(Answer):
    """Why a result stands where it stands."""

    components: dict[str, float] = Field(
        description="What each part added to the score.", examples=[{"cosine": 0.61}]
    )
    path: tuple[str, ...] = Field(
        description="How it was reached: uids and types of edges, from the query.",
        examples=[["vector", _UID_EXAMPLE]],
    )


class RecalledView(Answer):
    """One result."""

    uid: str = Field(description="Its name.", examples=[_UID_EXAMPLE])
    external_id: str | None = Field(default=None, description="Your id.", examples=["ticket-17"])
    scope: str = Field(description="Whose it is.", examples=["agent/planner"])
    kind: Kind = Field(description="What sort of memory.", examples=["preference"])
    stratum: Stratum = Field(description="How lasting it is.", examples=["long_term"])
    text: str = Field(description="Its text.", examples=["Ada prefers worked examples."])
    speaker: str | None = Field(default=None, description="Who said it.", examples=["Ada"])
    session_id: str | None = Field(
        default=None, description="Its session.", examples=["monday-call"]
    )
    tags: tuple[str, ...] = Field(default=(), description="Its labels.", examples=[["style"]])
    metadata: dict[str, Any] | None = Field(
        default=None, description="As it was given.", examples=[{"ticket": 17}]
    )
    occurred_at: datetime = Field(description="When it happened.", examples=[_NOW])
    importance: int = Field(description="1 to 5.", examples=[3])
    score: float = Field(description="What orders the results.", examples=[1.42])
    relevance: float = Field(
        description="Share of the pool's best relevance, 0 to 1.", examples=[0.93]
    )
    similarity: float = Field(description="Cosine to the question, -1 to 1.", examples=[0.61])
    q_value: float = Field(description="Learned utility, 0 to 1.", examples=[0.5])
    explanation: ExplanationView | None = Field(
        default=None, description="With `explain`.", examples=[{"components": {}, "path": []}]
    )


class NearMissView(Answer):
    """What almost was a result."""

    uid: str = Field(description="Its name.", examples=[_UID_EXAMPLE])
    text: str = Field(description="Its text.", examples=["Bob prefers short answers."])
    score: float = Field(description="Its score.", examples=[-0.2])
    reason: str = Field(description="What kept it out.", examples=["6th of 5"])


class RecallExplanationView(Answer):
    """What `explain` adds to the whole answer."""

    near_misses: tuple[NearMissView, ...] = Field(
        description="Up to five candidates that were not returned.", examples=[[]]
    )


class RecallAnswerView(Answer):
    """What was recalled, best first."""

    results: tuple[RecalledView, ...] = Field(description="Best first.", examples=[[]])
    utility_weight: float = Field(
        validation_alias="lambda",
        serialization_alias="lambda",
        description="The λ that was used.",
        examples=[0.5],
    )
    candidates: int = Field(description="How many memories were compared.", examples=[87])
    task_id: str | None = Field(
        default=None, description="The task that was given these.", examples=["answer-ticket-17"]
    )
    explanation: RecallExplanationView | None = Field(
        default=None, description="With `explain`.", examples=[{"near_misses": []}]
    )


class RewardView(Answer):
    """How one memory's utility moved."""

    uid: str = Field(description="The memory.", examples=[_UID_EXAMPLE])
    q_before: float = Field(description="Its Q before.", examples=[0.5])
    q_after: float = Field(description="Its Q now.", examples=[0.55])


class OutcomeView(Answer):
    """What an outcome did."""

    task_id: str = Field(description="The task.", examples=["answer-ticket-17"])
    status: Status = Field(description="How it ended.", examples=["success"])
    quality: float | None = Field(default=None, description="As reported.", examples=[0.8])
    reward: float = Field(description="What was learned from it, -1 to 1.", examples=[0.8])
    applied: bool = Field(description="False: it was reported before.", examples=[True])
    rewarded: tuple[RewardView, ...] = Field(
        default=(), description="The memories it moved.", examples=[[]]
    )
