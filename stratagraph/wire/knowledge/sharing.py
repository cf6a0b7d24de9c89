"""File of knowledge for other instances: counts and templates, without texts of tasks and people."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints, model_validator

from stratagraph.vocabulary import PatternType, ScopeKind
from stratagraph.wire.kernel.base import Answer, Identity
from stratagraph.wire.kernel.values import NOW, UID_EXAMPLE, Name, Time, fault, owner

Whole = Annotated[int, Field(ge=0, le=10**12)]
_Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Won = tuple[Whole, Whole]
Short = Annotated[str, StringConstraints(max_length=4_000)]
Tallies = Annotated[dict[Short, Whole], Field(max_length=64)]
Shares = Annotated[dict[Short, Won], Field(max_length=64)]
MOST_SHARED = 5_000

_Contexts = Annotated[
    Tallies,
    Field(
        description="Contexts in which it came, with counts.",
        examples=[{"shipment_creation": 9}],
    ),
]

_EXPORTED = {
    "format": "stratagraph-knowledge",
    "version": 1,
    "source": UID_EXAMPLE,
    "made_at": NOW,
    "least": 5,
}


class SharedCounts(Answer):
    """Counts of one thing."""

    model_config = ConfigDict(frozen=True, populate_by_name=True, allow_inf_nan=False)

    uses: Whole = Field(description="How often it came.", examples=[42])
    successes: Whole = Field(description="How often that went well.", examples=[40])
    timed: Whole = Field(default=0, description="How many durations are known.", examples=[42])
    duration_mean: _Amount = Field(
        default=0.0, description="Their mean, in milliseconds.", examples=[420.0]
    )
    duration_squares: _Amount = Field(
        default=0.0, description="The sum of squared differences from it.", examples=[9000.0]
    )
    buckets: dict[int, Whole] = Field(
        default_factory=dict[int, int],
        max_length=256,
        description="Durations by bucket, each 1.1 times as wide.",
        examples=[{"64": 42}],
    )
    first_seen: datetime | None = Field(
        default=None, description="Day on which it came first.", examples=[NOW]
    )
    last_used: Time = Field(description="Day on which it came last.", examples=[NOW])

    @model_validator(mode="after")
    def _adds_up(self) -> SharedCounts:
        if self.successes > self.uses:
            raise fault("request", "successes: are more than uses")
        if self.timed != sum(self.buckets.values()):
            raise fault("request", "buckets: hold other than timed durations")
        return self


class SharedTool(SharedCounts):
    """Calls of a tool."""

    tool: Name = Field(description="Its name.", examples=["create_shipment"])
    retries: Whole = Field(default=0, description="Retries.", examples=[3])
    starts: Whole = Field(
        default=0, description="How often it was the first of a task.", examples=[5]
    )
    after: Shares = Field(
        default_factory=dict,
        description="Tools called next: successes and failures.",
        examples=[{"pay": [9, 1]}],
    )


class SharedContext(SharedCounts):
    """Calls of a tool in one context."""

    tool: Name = Field(description="The tool.", examples=["create_shipment"])
    context: Short = Field(description="The context.", examples=["shipment_creation"])


class SharedError(SharedCounts):
    """Failures of a tool with one error; ``successes`` counts those followed by a success."""

    tool: Name = Field(description="The tool.", examples=["create_shipment"])
    error: Short = Field(description="Without its values.", examples=["facility * is closed"])
    contexts: _Contexts = Field(default_factory=dict)
    solutions: Shares = Field(
        default_factory=dict,
        description="What was done next, and whether it worked.",
        examples=[{"pay": [9, 1]}],
    )
    culprits: Tallies = Field(
        default_factory=dict,
        description="Values given, of named parameters.",
        examples=[{"units=imperial": 9}],
    )


class SharedParameter(SharedCounts):
    """Calls of a tool with one parameter."""

    tool: Name = Field(description="The tool.", examples=["create_shipment"])
    parameter: Short = Field(description="The parameter.", examples=["units"])
    values: Shares = Field(
        default_factory=dict,
        description="By value, where it was named.",
        examples=[{"metric": [9, 0]}],
    )
    shapes: Shares = Field(
        default_factory=dict, description="By the value's shape.", examples=[{"A3 93": [9, 0]}]
    )


class SharedPattern(SharedCounts):
    """A pattern."""

    pattern_type: PatternType = Field(description="Of what.", examples=["query_pattern"])
    pattern: Annotated[Short, StringConstraints(min_length=1)] = Field(
        description="What it says.", examples=["create_*_for_facility_*"]
    )
    steps: Annotated[tuple[Name, ...], Field(max_length=200)] = Field(
        default=(), description="Tools in order.", examples=[["list_facilities", "create_shipment"]]
    )
    ways: Shares = Field(
        default_factory=dict,
        description="Of queries: sequences of tools, with successes and failures.",
        examples=[{"list_facilities → create_shipment": [9, 1]}],
    )
    contexts: _Contexts = Field(default_factory=dict)
    steps_total: Whole = Field(default=0, description="Calls of all its uses.", examples=[84])
    general: bool = Field(
        default=False, description="Whether it was found over several queries.", examples=[True]
    )


class SharedNoise(Answer):
    """Noise on the counts of a file."""

    mechanism: Literal["discrete_laplace"] = Field(
        default="discrete_laplace",
        description="Distribution that the noise was drawn from.",
        examples=["discrete_laplace"],
    )
    epsilon: Annotated[float, Field(gt=0, allow_inf_nan=False)] = Field(
        description="Loss of privacy of a task with one call; one with n calls loses n times as much.",
        examples=[1.0],
    )
    sensitivity: Whole = Field(
        description="How many counts a task with one call is taken to change, each by one.",
        examples=[14],
    )
    scale: _Amount = Field(description="`sensitivity / epsilon`.", examples=[14.0])


class SharedKnowledgeView(Answer):
    """Own counts of one scope, for others."""

    format: Literal["stratagraph-knowledge"] = Field(
        default="stratagraph-knowledge",
        description="Format of the file.",
        examples=["stratagraph-knowledge"],
    )
    version: Literal[1] = Field(default=1, description="Of the format.", examples=[1])
    source: Name = Field(
        description="Who counted: a name drawn at random, the same in later files.",
        examples=[UID_EXAMPLE],
    )
    made_at: Time = Field(description="Day on which it was written.", examples=[NOW])
    least: Whole = Field(description="Nothing is in it that came more seldom.", examples=[5])
    noise: SharedNoise | None = Field(
        default=None, description="Noise on its counts.", examples=[None]
    )
    tools: tuple[SharedTool, ...] = Field(
        default=(), max_length=MOST_SHARED, description="Tools.", examples=[[]]
    )
    contexts: tuple[SharedContext, ...] = Field(
        default=(), max_length=MOST_SHARED, description="Tools by context.", examples=[[]]
    )
    errors: tuple[SharedError, ...] = Field(
        default=(), max_length=MOST_SHARED, description="Errors.", examples=[[]]
    )
    parameters: tuple[SharedParameter, ...] = Field(
        default=(), max_length=MOST_SHARED, description="Parameters.", examples=[[]]
    )
    patterns: tuple[SharedPattern, ...] = Field(
        default=(), max_length=MOST_SHARED, description="Patterns.", examples=[[]]
    )


class ExportKnowledgeRequest(Identity):
    """Limits of the exported knowledge of a scope."""

    least: Annotated[int, Field(strict=True, ge=2, le=1_000_000)] = Field(
        default=5, description="What fewer calls or tasks said stays here.", examples=[5]
    )
    values_of: Annotated[tuple[Short, ...], Field(max_length=1_000)] = Field(
        default=(),
        description="Parameters, as `tool.parameter`, whose values are told; of the others only the shapes.",
        examples=[["create_shipment.units"]],
    )
    epsilon: Annotated[float, Field(gt=0, le=1_000, allow_inf_nan=False)] | None = Field(
        default=None,
        description="Privacy budget of the noise; unset: counts are exact.",
        examples=[1.0],
    )
    scope_kind: ScopeKind | None = owner()


class ImportKnowledgeRequest(Identity):
    """A file of another scope or instance."""

    file: SharedKnowledgeView = Field(description="As an export wrote it.", examples=[_EXPORTED])
    scope_kind: ScopeKind | None = owner("Into whose")


class ImportedKnowledgeView(Answer):
    """Result of an import, by the entries of its file."""

    scope: str = Field(description="Scope that the entries went to.", examples=["agent/planner"])
    source: str = Field(description="Random name of who counted.", examples=[UID_EXAMPLE])
    added: int = Field(description="Entries that are new here.", examples=[40])
    changed: int = Field(
        description="Entries whose counts were added, or replaced by newer ones.", examples=[2]
    )
    unchanged: int = Field(description="Entries that were here already.", examples=[0])
    removed: int = Field(
        description="Entries that the source told before and tells no more.", examples=[0]
    )
    left_out: int = Field(description="Entries that identify somebody.", examples=[0])
