"""Inputs of the tools: fields of the HTTP API that are useful to a model, in camelCase or snake_case."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin

from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    Strict,
    StringConstraints,
    create_model,
)
from pydantic.alias_generators import to_camel

from stratagraph import wire
from stratagraph.operations.declaration import Operation

_Reward = Annotated[float, Field(strict=True, ge=-1, le=1)] | None


class Input(BaseModel):
    """Input of a tool: fields in camelCase or snake_case, and no others."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        frozen=True,
        allow_inf_nan=False,
    )


class Who(Input):
    """Identity of the caller; the connection gives what a call leaves out."""

    operation: ClassVar[Operation[Any] | None] = None

    agent_id: wire.Name | None = Field(
        default=None,
        description="The acting agent.",
        examples=["planner"],
    )
    channel_ids: wire.Names = Field(
        default=(), description="Channels read too.", examples=[["support"]]
    )
    user_ids: wire.Names = Field(default=(), description="Users read too.", examples=[["ada"]])

    @property
    def must_be_named(self) -> bool:
        """Return whether the call needs a caller."""
        return True

    @property
    def is_named(self) -> bool:
        """Return whether it names a caller."""
        return self.agent_id is not None or bool(self.channel_ids) or bool(self.user_ids)

    def given(self) -> Mapping[str, Any]:
        """Return the given fields, by their names in the HTTP API."""
        return self.model_dump(exclude_unset=True, exclude_none=True)


def input_of(operation: Operation[Any], **fields: str | tuple[Any, Any]) -> type[Who]:
    """Return the input of a tool: some fields of an operation, each with its description for models.

    A field has the type and the limits of the operation's request, but numbers and flags are strict JSON. A pair
    declares another field, or another form of one: its type, and its description or the whole field.
    """
    asked = operation.takes.model_fields if operation.takes else {}
    made: dict[str, Any] = {}
    for name, said in fields.items():
        if not isinstance(said, str):
            kind, field = said
            if isinstance(field, str):
                field = Field(None if NoneType in get_args(kind) else ..., description=field)
            made[name] = (kind, field)
            continue
        info = asked[name]
        field = Field(alias=info.serialization_alias or to_camel(name), description=said)
        kind: Any = Annotated[(_in_json(info.annotation), field, *info.metadata)]
        made[name] = (kind, ... if info.is_required() else None)
    takes = create_model(f"{operation.name}_input", __base__=Who, **made)
    takes.operation = operation
    return takes


def _in_json(annotation: Any) -> Any:
    """Return a type that accepts no text for a number or a flag, unlike a query."""
    # *5* in a query is a text, but in JSON it is a mistake
    if annotation in {bool, int, float}:
        return Annotated[annotation, Strict()]
    if get_origin(annotation) is Annotated:
        kind, *metadata = get_args(annotation)
        return Annotated[(_in_json(kind), *metadata)]
    if get_origin(annotation) in {Union, UnionType}:
        return Union[tuple(map(_in_json, get_args(annotation)))]  # noqa: UP007 -- of types at run time
    return annotation


class FiltersInput(wire.FiltersRequest):
    """Filters for memories to recall; what is left out does not filter."""

    model_config = ConfigDict(alias_generator=to_camel)


class EpisodeFiltersInput(wire.EpisodeFiltersRequest):
    """Filters for episodes; what is left out does not filter."""

    model_config = ConfigDict(alias_generator=to_camel)


class UsedInput(Input):
    """A memory that was of use, and how much of the result it is."""

    name: wire.MemoryName = Field(description="A uid, or `external:<external_id>`.")
    share: Annotated[float, Field(strict=True, gt=0, le=1)] = Field(
        default=1.0, description="Above 0, at most 1."
    )


class PhaseWeights(Input):
    """λ of each phase."""

    observation: wire.Share | None = None
    reasoning: wire.Share | None = None
    planning: wire.Share | None = None
    action: wire.Share | None = None
    reflection: wire.Share | None = None


class RewardMapping(Input):
    """The reward of each way in which a task can end, -1 to 1."""

    success: _Reward = None
    failure: _Reward = None
    partial: _Reward = None
    timeout: _Reward = None


class ConfigInput(Who, wire.UtilityConfigRequest):
    """Change to the configuration; values are those of `stratagraph config`."""

    action: Literal["get", "set", "reset"] = Field(
        default="get",
        description="`get` shows it; `set` sets what is given, null leaves a value to the "
        "environment again; `reset` leaves all to it.",
    )
    utility_learning: wire.Flag | None = Field(
        default=None,
        validation_alias=AliasChoices("enabled", "utilityLearning"),
        description="Rank by learned utility, and learn it from outcomes.",
    )
    utility_weight_default: wire.Share | None = Field(
        default=None,
        validation_alias=AliasChoices("lambda", "utilityWeightDefault"),
        description="λ of a recall without a phase.",
        examples=[0.6],
    )
    q_history_limit: Annotated[int, Field(strict=True, ge=1, le=10_000)] | None = Field(
        default=None,
        validation_alias=AliasChoices("qValueHistoryLimit", "qHistoryLimit"),
        description="Rewards of a memory that are kept one by one.",
    )
    q_default: wire.Share | None = Field(
        default=None,
        validation_alias=AliasChoices("defaultQValue", "qDefault"),
        description="Q of a memory that is new.",
    )
    phase_lambdas: PhaseWeights | None = Field(
        default=None, description="λ of recalls by phase.", examples=[{"planning": 0.8}]
    )
    reward_mapping: RewardMapping | None = Field(
        default=None, description="Rewards by how a task ended.", examples=[{"partial": 0.2}]
    )

    @property
    def must_be_named(self) -> bool:
        """Return whether it changes anything, as changes are recorded with their author."""
        return self.action != "get"

    def given(self) -> Mapping[str, Any]:
        """Return the given fields, by their names in the HTTP API; null is a value here."""
        said = self.model_dump(
            exclude_unset=True, exclude={"action", "phase_lambdas", "reward_mapping"}
        )
        groups = {"utility_weight": self.phase_lambdas, "reward": self.reward_mapping}
        for prefix, group in groups.items():
            values = group.model_dump(exclude_unset=True) if group else {}
            said |= {f"{prefix}_{name}": value for name, value in values.items()}
        return said


class DeleteInput(Who):
    """Subject to erase."""

    kind: Literal["memory", "session", "user", "agent"] = Field(
        default="memory",
        description="What `name` names: one memory, a session of yours, or a user or an agent with all of "
        "its memories.",
        examples=["memory"],
    )
    name: Annotated[str, StringConstraints(min_length=1, max_length=265)] = Field(
        description="The uid of a memory or external:<its id>; the id of a session, user or agent.",
        examples=["01JZ8M5Q0V7Y3T2N4R6W8X9ABC"],
    )
