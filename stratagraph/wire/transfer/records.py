"""Lines of an export for nodes and edges; docs/transfer.md describes them."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    Base64Bytes,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

from stratagraph.vocabulary import ContentType, FoundBy, Kind, LinkType, State
from stratagraph.wire.kernel.base import Request
from stratagraph.wire.kernel.values import (
    Importance,
    Name,
    RecallableState,
    Share,
    StratumName,
    Tags,
    Text,
    Time,
    fault,
)
from stratagraph.wire.memories.content import Content
from stratagraph.wire.memories.models import MemoryRequest

MAX_SPEAKERS = 200
MAX_DIMENSION = 4096

_OWNERS = ("agent/", "channel/", "user/")


def _scope_name(value: str) -> str:
    owner, _, name = value.partition("/")
    if value == "shared" or (f"{owner}/" in _OWNERS and name.strip() and name.isprintable()):
        return value
    raise fault("name", "must be agent/…, channel/…, user/… or shared")


def _agent_scope(value: str) -> str:
    return _of("agent/", value)


def _channel_scope(value: str) -> str:
    return _of("channel/", value)


def _of(owner: str, value: str) -> str:
    if value.startswith(owner):
        return value
    raise fault("name", f"must be {owner}…")


def _floats(value: bytes) -> bytes:
    if not value or len(value) % 4 or len(value) > 4 * MAX_DIMENSION:
        raise fault("request", "must be base64 of 1 to 4,096 floats of 32 bits, little-endian")
    return value


Uid = Annotated[str, StringConstraints(pattern=r"^[0-7][0-9A-HJKMNP-TV-Z]{25}$")]
ScopeName = Annotated[
    str, StringConstraints(min_length=1, max_length=264), AfterValidator(_scope_name)
]
AgentScope = Annotated[ScopeName, AfterValidator(_agent_scope)]
ChannelScope = Annotated[ScopeName, AfterValidator(_channel_scope)]
Hash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Revision = Annotated[int, Field(strict=True, ge=1, lt=2**53)]
Count = Annotated[int, Field(strict=True, ge=0, lt=2**53)]
Finite = Annotated[float, Field(strict=True, ge=-1e18, le=1e18)]
Spread = Annotated[float, Field(strict=True, ge=0, le=1e18)]
Contexts = Annotated[
    tuple[Annotated[str, StringConstraints(min_length=1, max_length=300)], ...],
    Field(max_length=200),
]
PropertyName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
PropertyValue = Annotated[str, StringConstraints(max_length=1000)] | bool | Count | Finite


class Line(Request):
    """One line; fields of later minor versions are ignored and reported."""

    model_config = ConfigDict(extra="ignore")


class ScopeLine(Line):
    """An owner of memories."""

    type: Literal["scope"]
    scope: ScopeName = Field(description="The owner.")
    created_at: Time | None = Field(default=None, description="Since when it is known.")
    speakers: Annotated[tuple[Name, ...], Field(max_length=MAX_SPEAKERS)] = Field(
        default=(), description="Who speaks in it."
    )


class MembershipLine(Line):
    """An agent that is a member of a channel."""

    type: Literal["membership"]
    scope: AgentScope = Field(description="The agent.")
    channel: ChannelScope = Field(description="The channel.")
    joined_at: Time = Field(description="Since when.")


class RelationshipLine(Line):
    """Relationship of one agent to another; there is one each way."""

    type: Literal["relationship"]
    scope: AgentScope = Field(description="The agent.")
    other: AgentScope = Field(description="To whom.")
    trust: Share = Field(description="How much it trusts the other.")
    interactions: Count = Field(description="Number of times they had to do with each other.")
    last_at: Time = Field(description="When they last had to do with each other.")


class SessionLine(Line):
    """A conversation; its chain follows from its memories."""

    type: Literal["session"]
    scope: ScopeName = Field(description="Whose it is.")
    session_id: Name = Field(description="Its name.")
    started_at: Time | None = Field(default=None, description="When it began.")
    last_sequence: Count | None = Field(
        default=None, description="The last place that was given in it."
    )


class MemoryLine(MemoryRequest):
    """A memory with its name and its state; without a `uid` it is stored as a new one."""

    model_config = ConfigDict(extra="ignore")

    type: Literal["memory"]
    uid: Uid = Field(description="Its name.")
    scope: ScopeName = Field(description="Whose it is.")
    agent_id: Name | None = Field(default=None, description="Who wrote it.")
    channel_id: Name | None = Field(default=None, description="Its channel.")
    user_id: Name | None = Field(default=None, description="Its user.")
    state: RecallableState = Field(default="active", description="Whether it is recalled.")
    recorded_at: Time | None = Field(default=None, description="When it was stored.")
    content_hash: Hash | None = Field(
        default=None, description="Hash of its content; the same for the same memory."
    )
    embedder: Name | None = Field(default=None, description="Embedder that made its vector.")
    embedding: Annotated[Base64Bytes, AfterValidator(_floats)] | None = Field(
        default=None, description="Its vector: base64 of 32-bit floats, little-endian."
    )
    revision: Revision | None = Field(default=None, description="Its revision.")
    q_value: Share | None = Field(default=None, description="Learned utility.")
    q_count: Count | None = Field(default=None, description="How many outcomes taught it.")
    q_m2: Spread | None = Field(default=None, description="Spread of its rewards.")
    q_left: Share | None = Field(
        default=None, description="Share of its first Q that is still in it."
    )
    q_init: Share | None = Field(default=None, description="Its first Q, unless that is 0.5.")
    q_seq: Count | None = Field(default=None, description="The number of its last reward.")
    q_base: Share | None = Field(
        default=None, description="Its Q at the checkpoint of its history."
    )
    q_base_left: Share | None = Field(
        default=None, description="Share of the first Q that was left at the checkpoint."
    )
    q_base_m2: Spread | None = Field(default=None, description="Spread of its rewards there.")
    q_base_count: Count | None = Field(
        default=None, description="Rewards that had taught it at the checkpoint."
    )
    q_base_seq: Count | None = Field(
        default=None, description="The last reward behind the checkpoint."
    )
    q_base_at: Time | None = Field(
        default=None, description="When the last reward behind the checkpoint came."
    )
    initialized_from: Name | None = Field(default=None, description="Origin of its first Q.")
    success_count: Count | None = Field(default=None, description="Successes.")
    failure_count: Count | None = Field(default=None, description="Failures.")
    retrieval_count: Count | None = Field(default=None, description="Returned.")
    access_count: Count | None = Field(default=None, description="Recalled.")
    last_accessed_at: Time | None = Field(default=None, description="Last recalled.")
    last_reward_at: Time | None = Field(default=None, description="Last rewarded.")
    w0: Annotated[float, Field(strict=True, ge=0, le=1e18)] | None = Field(
        default=None, description="Decay weight."
    )
    w_at: Time | None = Field(default=None, description="When the weight was anchored.")
    condensed_by: Uid | None = Field(
        default=None, description="The run that condensed it to another."
    )
    stood_at: Count | None = Field(default=None, description="Its place in its session until then.")
    made_by: Uid | None = Field(default=None, description="The run that made it of others.")
    stratum_since: Time | None = Field(
        default=None, description="When a gate moved it to its stratum."
    )
    demoted_at: Time | None = Field(default=None, description="When a gate last moved it down.")
    surprise: Share | None = Field(default=None, description="How surprising its event was.")
    grace_until: Time | None = Field(default=None, description="Until when it does not fade.")
    published_by: Name | None = Field(
        default=None, description="Of a copy: the agent that shares it."
    )
    published_at: Time | None = Field(
        default=None, description="Of a copy: when it was first shared."
    )
    published_revision: Revision | None = Field(
        default=None, description="Of a copy: of which revision it is."
    )
    pattern_type: Name | None = Field(
        default=None, description="Of a pattern: of which type it is."
    )
    signature: Name | None = Field(
        default=None, description="Of a pattern: the same for the same one."
    )
    support: Count | None = Field(default=None, description="Of a pattern: in how many sessions.")
    confidence: Share | None = Field(
        default=None, description="Of a pattern: how sure it is, in [0, 1]."
    )
    agents: Count | None = Field(
        default=None, description="Of a pattern of a channel: how many hold it."
    )
    agents_needed: Count | None = Field(default=None, description="The same: how many have to.")

    @model_validator(mode="after")
    def _content_matches(self) -> Self:
        if self.sequence is not None and self.session_id is None:
            raise fault("request", "sequence: needs a session_id")
        placed = self.sequence is not None or self.state == "archived"
        if self.session_id is not None and not placed:
            raise fault("request", "sequence: is needed, as the memory has a place in its session")
        return self


class VersionLine(Content, Line):
    """Content of a memory before an update."""

    type: Literal["version"]
    uid: Uid = Field(description="Its name.")
    memory_uid: Uid = Field(description="The memory.")
    scope: ScopeName = Field(description="Whose it is.")
    replaced_at: Time = Field(description="When it was replaced.")
    kind: Kind = Field(description="What sort of memory.")
    text: Text = Field(description="Its text.")
    content_type: ContentType = Field(default="text", description="What it was given as.")
    importance: Importance = Field(default=3, description="1 to 5.")
    tags: Tags = Field(default=(), description="Its labels.")
    occurred_at: Time | None = Field(default=None, description="When it happened.")
    recorded_at: Time | None = Field(default=None, description="Since when it was said.")
    revision: Revision | None = Field(default=None, description="Its revision.")
    stratum: StratumName | None = Field(default=None, description="How lasting it was.")
    state: State | None = Field(default=None, description="Whether it was recalled.")
    content_hash: Hash | None = Field(
        default=None, description="Hash of its content; the same for the same memory."
    )


class _SupersedesProperties(Line):
    """Properties of an edge `SUPERSEDES`."""

    confidence: Annotated[float, Field(gt=0, le=1)]
    evidence: Annotated[str, Field(max_length=1000)] | None = None
    found_by: FoundBy
    found_at: Time
    since: Time
    starts: Time | None = None
    decisive: bool
    ends: bool = False


class _DistinctProperties(Line):
    """Properties of an edge `DISTINCT_FROM`."""

    stated_at: Time


class _ContradictsProperties(Line):
    """Properties of an edge `CONTRADICTS`."""

    similarity: Annotated[float, Field(ge=-1, le=1)]
    found_at: Time
    made_by: Uid


class VoteLine(Line):
    """The vote of an agent on a statement of a channel."""

    type: Literal["vote"]
    scope: AgentScope = Field(description="The agent.")
    memory_uid: Uid = Field(description="The statement.")
    agrees: bool = Field(description="Whether it agrees.")
    at: Time = Field(description="When it voted so.")


class EdgeLine(Line):
    """A link from a memory to another of its scope, or from a copy to its original."""

    type: Literal["edge"]
    edge: (
        LinkType
        | Literal["PROMOTED_FROM", "PUBLISHED_FROM", "SUPERSEDES", "DISTINCT_FROM", "CONTRADICTS"]
    ) = Field(
        description="What the edge means: PROMOTED_FROM, behind which concept something was archived; "
        "PUBLISHED_FROM, what a copy in a channel is a copy of; SUPERSEDES, what it replaces; DISTINCT_FROM, "
        "what somebody said that it does not replace; CONTRADICTS, what another agent of the channel said otherwise."
    )
    start: Uid = Field(alias="from", description="The memory it leaves.")
    end: Uid = Field(alias="to", description="The memory it enters.")
    properties: Annotated[dict[PropertyName, PropertyValue], Field(max_length=16)] = Field(
        default_factory=dict[str, str | bool | int | float], description="Properties of the edge."
    )

    @model_validator(mode="after")
    def _says_what_it_must(self) -> Self:
        if self.edge == "SUPERSEDES":
            _SupersedesProperties.model_validate(self.properties)
        elif self.edge == "DISTINCT_FROM":
            _DistinctProperties.model_validate(self.properties)
        elif self.edge == "CONTRADICTS":
            _ContradictsProperties.model_validate(self.properties)
        return self
