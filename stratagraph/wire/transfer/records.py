"""The lines of an export that stand for nodes and edges; docs/transfer.md describes them."""

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

from stratagraph.wire.kernel.base import Request
from stratagraph.wire.kernel.values import (
    TIME_EXAMPLE,
    UID_EXAMPLE,
    ContentType,
    FoundBy,
    Importance,
    Kind,
    LinkType,
    Name,
    RecallableState,
    Share,
    State,
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
CONTEXTS_EXAMPLE = ["phase:planning", "domain:billing"]
PropertyName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
PropertyValue = Annotated[str, StringConstraints(max_length=1000)] | bool | Count | Finite
SCOPE_EXAMPLE = "agent/planner"


class Line(Request):
    """One line; what a later minor version adds to it is passed over and reported."""

    model_config = ConfigDict(extra="ignore")


class ScopeLine(Line):
    """An owner of memories."""

    type: Literal["scope"] = Field(description="What line this is.", examples=["scope"])
    scope: ScopeName = Field(description="The owner.", examples=[SCOPE_EXAMPLE])
    created_at: Time | None = Field(
        default=None, description="Since when it is known.", examples=[TIME_EXAMPLE]
    )
    speakers: Annotated[tuple[Name, ...], Field(max_length=MAX_SPEAKERS)] = Field(
        default=(), description="Who speaks in it.", examples=[["Ada"]]
    )


class MembershipLine(Line):
    """An agent that is a member of a channel."""

    type: Literal["membership"] = Field(description="What line this is.", examples=["membership"])
    scope: AgentScope = Field(description="The agent.", examples=[SCOPE_EXAMPLE])
    channel: ChannelScope = Field(description="The channel.", examples=["channel/support"])
    joined_at: Time = Field(description="Since when.", examples=[TIME_EXAMPLE])


class RelationshipLine(Line):
    """Relationship of one agent to another; there is one each way."""

    type: Literal["relationship"] = Field(
        description="What line this is.", examples=["relationship"]
    )
    scope: AgentScope = Field(description="The agent.", examples=[SCOPE_EXAMPLE])
    other: AgentScope = Field(description="To whom.", examples=["agent/critic"])
    trust: Share = Field(description="How much it trusts the other.", examples=[0.6])
    interactions: Count = Field(
        description="Number of times they had to do with each other.", examples=[4]
    )
    last_at: Time = Field(
        description="When they last had to do with each other.", examples=[TIME_EXAMPLE]
    )


class SessionLine(Line):
    """A conversation; its chain follows from its memories."""

    type: Literal["session"] = Field(description="What line this is.", examples=["session"])
    scope: ScopeName = Field(description="Whose it is.", examples=[SCOPE_EXAMPLE])
    session_id: Name = Field(description="Its name.", examples=["monday-call"])
    started_at: Time | None = Field(
        default=None, description="When it began.", examples=[TIME_EXAMPLE]
    )
    last_sequence: Count | None = Field(
        default=None, description="The last place that was given in it.", examples=[11]
    )


class MemoryLine(MemoryRequest):
    """A memory with its name and its life; without a `uid` it is one to remember anew."""

    model_config = ConfigDict(extra="ignore")

    type: Literal["memory"] = Field(description="What line this is.", examples=["memory"])
    uid: Uid = Field(description="Its name.", examples=[UID_EXAMPLE])
    scope: ScopeName = Field(description="Whose it is.", examples=[SCOPE_EXAMPLE])
    agent_id: Name | None = Field(default=None, description="Who wrote it.", examples=["planner"])
    channel_id: Name | None = Field(default=None, description="Its channel.", examples=["support"])
    user_id: Name | None = Field(default=None, description="Its user.", examples=["ada"])
    state: RecallableState = Field(
        default="active", description="Whether it is recalled.", examples=["active"]
    )
    recorded_at: Time | None = Field(
        default=None, description="When it was stored.", examples=[TIME_EXAMPLE]
    )
    content_hash: Hash | None = Field(
        default=None,
        description="Hash of its content; the same for the same memory.",
        examples=["0" * 64],
    )
    embedder: Name | None = Field(
        default=None,
        description="Embedder that made its vector.",
        examples=["bge-small-en-v1.5-int8"],
    )
    embedding: Annotated[Base64Bytes, AfterValidator(_floats)] | None = Field(
        default=None,
        description="Its vector: base64 of 32-bit floats, little-endian.",
        examples=["zczMPQ=="],
    )
    revision: Revision | None = Field(default=None, description="Its revision.", examples=[1])
    q_value: Share | None = Field(default=None, description="Learned utility.", examples=[0.5])
    q_count: Count | None = Field(
        default=None, description="How many outcomes taught it.", examples=[0]
    )
    q_m2: Spread | None = Field(default=None, description="Spread of its rewards.", examples=[0.0])
    q_left: Share | None = Field(
        default=None, description="Share of its first Q that is still in it.", examples=[0.9]
    )
    q_init: Share | None = Field(
        default=None, description="Its first Q, unless that is 0.5.", examples=[0.6]
    )
    q_seq: Count | None = Field(
        default=None, description="The number of its last reward.", examples=[1]
    )
    q_base: Share | None = Field(
        default=None, description="Its Q at the checkpoint of its history.", examples=[0.7]
    )
    q_base_left: Share | None = Field(
        default=None,
        description="Share of the first Q that was left at the checkpoint.",
        examples=[0.1],
    )
    q_base_m2: Spread | None = Field(
        default=None, description="Spread of its rewards there.", examples=[0.0]
    )
    q_base_count: Count | None = Field(
        default=None, description="Rewards that had taught it at the checkpoint.", examples=[100]
    )
    q_base_seq: Count | None = Field(
        default=None, description="The last reward behind the checkpoint.", examples=[100]
    )
    q_base_at: Time | None = Field(
        default=None,
        description="When the last reward behind the checkpoint came.",
        examples=[TIME_EXAMPLE],
    )
    initialized_from: Name | None = Field(
        default=None, description="Origin of its first Q.", examples=["default"]
    )
    success_count: Count | None = Field(default=None, description="Successes.", examples=[0])
    failure_count: Count | None = Field(default=None, description="Failures.", examples=[0])
    retrieval_count: Count | None = Field(default=None, description="Returned.", examples=[0])
    access_count: Count | None = Field(default=None, description="Recalled.", examples=[0])
    last_accessed_at: Time | None = Field(
        default=None, description="Last recalled.", examples=[TIME_EXAMPLE]
    )
    last_reward_at: Time | None = Field(
        default=None, description="Last rewarded.", examples=[TIME_EXAMPLE]
    )
    w0: Annotated[float, Field(strict=True, ge=0, le=1e18)] | None = Field(
        default=None, description="Decay weight.", examples=[1.0]
    )
    w_at: Time | None = Field(
        default=None, description="When the weight was anchored.", examples=[TIME_EXAMPLE]
    )
    condensed_by: Uid | None = Field(
        default=None, description="The run that condensed it to another.", examples=[UID_EXAMPLE]
    )
    stood_at: Count | None = Field(
        default=None, description="Its place in its session until then.", examples=[3]
    )
    made_by: Uid | None = Field(
        default=None, description="The run that made it of others.", examples=[UID_EXAMPLE]
    )
    stratum_since: Time | None = Field(
        default=None, description="When a gate moved it to its stratum.", examples=[TIME_EXAMPLE]
    )
    demoted_at: Time | None = Field(
        default=None, description="When a gate last moved it down.", examples=[TIME_EXAMPLE]
    )
    surprise: Share | None = Field(
        default=None, description="How surprising its event was.", examples=[0.8]
    )
    grace_until: Time | None = Field(
        default=None, description="Until when it does not fade.", examples=[TIME_EXAMPLE]
    )
    published_by: Name | None = Field(
        default=None, description="Of a copy: the agent that shares it.", examples=["planner"]
    )
    published_at: Time | None = Field(
        default=None, description="Of a copy: when it was first shared.", examples=[TIME_EXAMPLE]
    )
    published_revision: Revision | None = Field(
        default=None, description="Of a copy: of which revision it is.", examples=[1]
    )
    pattern_type: Name | None = Field(
        default=None, description="Of a pattern: of which type it is.", examples=["sequential"]
    )
    signature: Name | None = Field(
        default=None, description="Of a pattern: the same for the same one.", examples=["9f2c"]
    )
    support: Count | None = Field(
        default=None, description="Of a pattern: in how many sessions.", examples=[4]
    )
    confidence: Share | None = Field(
        default=None, description="Of a pattern: how sure it is, in [0, 1].", examples=[0.9]
    )
    agents: Count | None = Field(
        default=None, description="Of a pattern of a channel: how many hold it.", examples=[2]
    )
    agents_needed: Count | None = Field(
        default=None, description="The same: how many have to.", examples=[2]
    )

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

    type: Literal["version"] = Field(description="What line this is.", examples=["version"])
    uid: Uid = Field(description="Its name.", examples=[UID_EXAMPLE])
    memory_uid: Uid = Field(description="The memory.", examples=[UID_EXAMPLE])
    scope: ScopeName = Field(description="Whose it is.", examples=[SCOPE_EXAMPLE])
    replaced_at: Time = Field(description="When it was replaced.", examples=[TIME_EXAMPLE])
    kind: Kind = Field(description="What sort of memory.", examples=["preference"])
    text: Text = Field(description="Its text.", examples=["Ada prefers short answers."])
    content_type: ContentType = Field(
        default="text", description="What it was given as.", examples=["text"]
    )
    importance: Importance = Field(default=3, description="1 to 5.", examples=[3])
    tags: Tags = Field(default=(), description="Its labels.", examples=[["style"]])
    occurred_at: Time | None = Field(
        default=None, description="When it happened.", examples=[TIME_EXAMPLE]
    )
    recorded_at: Time | None = Field(
        default=None, description="Since when it was said.", examples=[TIME_EXAMPLE]
    )
    revision: Revision | None = Field(default=None, description="Its revision.", examples=[1])
    stratum: StratumName | None = Field(
        default=None, description="How lasting it was.", examples=["long_term"]
    )
    state: State | None = Field(
        default=None, description="Whether it was recalled.", examples=["active"]
    )
    content_hash: Hash | None = Field(
        default=None,
        description="Hash of its content; the same for the same memory.",
        examples=["0" * 64],
    )


class _SupersedesProperties(Line):
    """Properties of an edge `SUPERSEDES`."""

    confidence: Annotated[float, Field(gt=0, le=1)]
    evidence: Annotated[str, Field(max_length=1000)] | None = None
    found_by: FoundBy
    found_at: Time
    since: Time
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

    type: Literal["vote"] = Field(description="What line this is.", examples=["vote"])
    scope: AgentScope = Field(description="The agent.", examples=[SCOPE_EXAMPLE])
    memory_uid: Uid = Field(description="The statement.", examples=[UID_EXAMPLE])
    agrees: bool = Field(description="Whether it agrees.", examples=[True])
    at: Time = Field(description="When it voted so.", examples=[TIME_EXAMPLE])


class EdgeLine(Line):
    """A link from a memory to another of its scope, or from a copy to what it is a copy of."""

    type: Literal["edge"] = Field(description="What line this is.", examples=["edge"])
    edge: (
        LinkType
        | Literal["PROMOTED_FROM", "PUBLISHED_FROM", "SUPERSEDES", "DISTINCT_FROM", "CONTRADICTS"]
    ) = Field(
        description="What the edge means: PROMOTED_FROM, behind which concept something was archived; "
        "PUBLISHED_FROM, what a copy in a channel is a copy of; SUPERSEDES, what it replaces; DISTINCT_FROM, "
        "what somebody said that it does not replace; CONTRADICTS, what another agent of the channel said otherwise.",
        examples=["USED"],
    )
    start: Uid = Field(alias="from", description="The memory it leaves.", examples=[UID_EXAMPLE])
    end: Uid = Field(alias="to", description="The memory it enters.", examples=[UID_EXAMPLE])
    properties: Annotated[dict[PropertyName, PropertyValue], Field(max_length=16)] = Field(
        default_factory=dict[str, str | bool | int | float],
        description="Properties of the edge.",
        examples=[{}],
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
