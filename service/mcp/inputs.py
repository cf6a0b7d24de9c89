"""Inputs of the tools: fields of the HTTP API that a model has a use for, in camelCase or as there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

from stratagraph import wire

if TYPE_CHECKING:
    from collections.abc import Mapping

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
        """Whether the call is of no use from nobody."""
        return True

    @property
    def is_named(self) -> bool:
        """Whether it says who asks."""
        return self.agent_id is not None or bool(self.channel_ids) or bool(self.user_ids)

    def given(self) -> Mapping[str, Any]:
        """Return what was given, by the names of the HTTP API."""
        return self.model_dump(exclude_unset=True, exclude_none=True)


class RememberInput(Who):
    """One thing to remember."""

    text: wire.Text = Field(
        description="What to remember: one self-contained statement.",
        examples=["Ada prefers answers with a worked example."],
    )
    kind: wire.Kind = Field(
        default="observation", description="What sort of memory.", examples=["preference"]
    )
    tags: wire.Tags = Field(
        default=(), description="Labels to filter by; at most 64.", examples=[["style"]]
    )
    importance: wire.Importance = Field(
        default=3, description="1 (trivial) to 5 (vital).", examples=[4]
    )
    session_id: wire.Name | None = Field(
        default=None, description="The conversation it belongs to.", examples=["monday-call"]
    )
    speaker: wire.Name | None = Field(default=None, description="Who said it.", examples=["Ada"])
    external_id: wire.Name | None = Field(
        default=None,
        description="Your id, unique in its scope: sent again, it is the same memory.",
        examples=["ticket-17"],
    )
    domain: wire.Name | None = Field(
        default=None, description="Field of knowledge.", examples=["support"]
    )
    phase: wire.Phase | None = Field(
        default=None, description="Phase of the agent's work.", examples=["planning"]
    )
    occurred_at: wire.Time | None = Field(
        default=None, description="When it happened, zoned; unset: now."
    )
    links: Annotated[tuple[wire.LinkRequest, ...], Field(max_length=64)] = Field(
        default=(),
        description="Edges to memories that exist: `USED` to a strategy shares its credit.",
        examples=[[{"type": "USED", "to": "external:ticket-16"}]],
    )
    supersedes: wire.MemoryNames = Field(
        default=(),
        description="What it replaces, because it holds no longer: uids or `external:<external_id>`.",
        examples=[["external:ticket-16"]],
    )
    metadata: wire.JsonObject | None = Field(
        default=None,
        description="Anything of yours, given back as it is.",
        examples=[{"ticket": 17}],
    )
    scope_kind: wire.ScopeKind | None = Field(
        default=None,
        description="Whose memory it is; unset: the agent's, else the user's, else the channel's.",
        examples=["user"],
    )


class FiltersInput(wire.FiltersRequest):
    """Filters for memories to recall; what is left out does not filter."""

    model_config = ConfigDict(alias_generator=to_camel)


class ProfileInput(Who):
    """Subject of a profile."""

    subject: wire.Name = Field(
        description="Name of a person, a project or a tool.", examples=["Lena"]
    )
    as_of: wire.Time | None = Field(
        default=None, description="What held at this time, zoned; unset: what holds now."
    )
    max_tokens: Annotated[int, Field(strict=True, ge=50, le=20_000)] | None = Field(
        default=None, description="Tokens at most; unset: 1000.", examples=[500]
    )


class RecallInput(Who):
    """A question."""

    text: wire.Text = Field(
        description="What is sought, in words.", examples=["How does Ada like answers?"]
    )
    k: Annotated[int, Field(strict=True, ge=1, le=200)] | None = Field(
        default=None, description="Results at most, 1 to 200; unset: a setting (5).", examples=[5]
    )
    phase: wire.Phase | None = Field(
        default=None,
        description="Phase of your work; it sets λ.",
        examples=["planning"],
    )
    utility_weight: wire.Share | None = Field(
        default=None,
        alias="lambda",
        description="λ: 0 ranks by relevance alone, 1 by learned utility alone; unset: by phase.",
        examples=[0.5],
    )
    task_id: wire.Name | None = Field(
        default=None,
        description="The task this serves: report its outcome, and what helped ranks higher.",
        examples=["answer-ticket-17"],
    )
    filters: FiltersInput | None = Field(
        default=None, description="What may be recalled.", examples=[{"kinds": ["preference"]}]
    )
    context: wire.ContextRequest | None = Field(
        default=None,
        description="What the question is about, where utility is learned by context.",
        examples=[{"domain": "billing", "tags": ["refund"]}],
    )
    explore: wire.Flag | None = Field(
        default=None,
        description="Whether memories that few outcomes have reached get a chance; unset: a setting.",
    )
    include_superseded: wire.Flag = Field(
        default=False, description="Also what another memory has replaced, marked as such."
    )
    arousal: wire.Share | None = Field(
        default=None,
        description="How many there are by how aroused you are, 0 to 1, and two important ones; not beside `k`.",
    )
    profile: wire.MemoryProfile | None = Field(
        default=None, description="Memories from arousal 0 to 1; unset: a setting."
    )
    min_relevance: wire.Share | None = Field(
        default=None, description="Least relevance of a result, 0 to 1; unset: 0.5.", examples=[0.5]
    )
    as_of: wire.Time | None = Field(
        default=None, description="What held at this time, zoned; unset: what holds now."
    )
    explain: wire.Flag = Field(
        default=False, description="Say why each result is there, and what just missed."
    )


class EpisodeFiltersInput(wire.EpisodeFiltersRequest):
    """Filters for episodes; what is left out does not filter."""

    model_config = ConfigDict(alias_generator=to_camel)


class RetrieveInput(Who):
    """A problem to be solved."""

    query: wire.Text = Field(
        description="The problem, in words.", examples=["How many ducks are left after four fly?"]
    )
    k: Annotated[int, Field(strict=True, ge=1, le=50)] = Field(
        default=5, description="Episodes at most, 1 to 50.", examples=[3]
    )
    domain: wire.Name | None = Field(default=None, description="Of this domain.", examples=["math"])
    filters: EpisodeFiltersInput | None = Field(
        default=None,
        description="Which attempts may be given, however they are reached.",
        examples=[{"model": "small-1", "tokensUsedMax": 500}],
    )
    mode: wire.RetrievalMode = Field(
        default="all",
        description="`all`, or one of `episodic` (similarity alone), `dual` (and concepts), "
        "`structured`, `graph` (a walk over similar problems).",
    )
    hops: Annotated[int, Field(strict=True, ge=1, le=2)] | None = Field(
        default=None, description="How many problems a walk goes through, 1 or 2; unset: 2."
    )
    failures: Annotated[int, Field(strict=True, ge=0, le=50)] | None = Field(
        default=None, description="Places for wrong attempts that teach; unset: 1."
    )
    diversity: wire.Share | None = Field(
        default=None, description="How much results must differ, 0 to 1; unset: by mode."
    )
    utility_weight: wire.Share | None = Field(
        default=None,
        alias="lambda",
        description="λ: 0 ranks by relevance alone, 1 by learned utility alone; unset: by phase.",
        examples=[0.5],
    )
    max_tokens: Annotated[int, Field(strict=True, ge=1, le=100_000)] | None = Field(
        default=None, description="Write a `prompt` of so many tokens at most.", examples=[1500]
    )
    phase: wire.Phase | None = Field(
        default=None, description="Phase of your work; it sets λ.", examples=["planning"]
    )
    task_id: wire.Name | None = Field(
        default=None,
        description="The task this serves: report its outcome, and what helped ranks higher.",
        examples=["solve-17"],
    )


class UsedInput(Input):
    """A memory that was of use, and how much of the result it is."""

    name: wire.MemoryName = Field(description="A uid, or `external:<external_id>`.")
    share: Annotated[float, Field(strict=True, gt=0, le=1)] = Field(
        default=1.0, description="Above 0, at most 1."
    )


class OutcomeInput(Who):
    """Outcome of a task."""

    task_id: wire.Name = Field(
        description="The task that recalls were made with.", examples=["answer-ticket-17"]
    )
    status: wire.Status = Field(description="How it ended.", examples=["success"])
    quality: wire.Share | None = Field(
        default=None, description="How good the result was, 0 to 1.", examples=[0.8]
    )
    used: Annotated[tuple[wire.MemoryName | UsedInput, ...], Field(max_length=200)] | None = Field(
        default=None,
        description="Which recalled memories were of use: uids, or `{name, share}`. It alone is "
        "rewarded; unset: all that the task was given; empty: nothing.",
        examples=[["01JZ8M5Q0V7Y3T2N4R6W8X9ABC"]],
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
        """Whether it changes anything: who does so is recorded."""
        return self.action != "get"

    def given(self) -> Mapping[str, Any]:
        """Return what was given, by the names of the HTTP API; null is something here."""
        said = self.model_dump(
            exclude_unset=True, exclude={"action", "phase_lambdas", "reward_mapping"}
        )
        groups = {"utility_weight": self.phase_lambdas, "reward": self.reward_mapping}
        for prefix, group in groups.items():
            values = group.model_dump(exclude_unset=True) if group else {}
            said |= {f"{prefix}_{name}": value for name, value in values.items()}
        return said


class InjectInput(Who):
    """A reward by hand."""

    memory_id: wire.MemoryName = Field(
        description="The memory: a uid, or `external:<external_id>`.",
        examples=["01JZ8M5Q0V7Y3T2N4R6W8X9ABC"],
    )
    reward: Annotated[float, Field(strict=True, ge=-1, le=1)] = Field(
        description="From -1 (harmful) to 1 (helpful).", examples=[0.8]
    )
    reason: Annotated[str, StringConstraints(min_length=1, max_length=1000)] = Field(
        description="Why; it is kept, 1 to 1,000 characters.", examples=["It saved an hour."]
    )


class QueryEpisodesInput(Who):
    """A question about past attempts: in words, or as an object."""

    question: wire.Text | None = Field(
        default=None,
        description="In words, such as `my success rate on geometry by model`; then nothing else is "
        "needed.",
        examples=["failed attempts on algebra problems from last week"],
    )
    filters: EpisodeFiltersInput | None = Field(
        default=None, description="Which attempts are meant.", examples=[{"correct": False}]
    )
    domain: wire.Name | None = Field(
        default=None, description="Of this domain, also beside a `question`.", examples=["algebra"]
    )
    similar_to: wire.Text | None = Field(
        default=None,
        description="A text: attempts whose problems are nearest to it.",
        examples=["two trains meet"],
    )
    order: wire.EpisodeOrder | None = Field(default=None, description="The order of attempts.")
    limit: Annotated[int, Field(strict=True, ge=1, le=1000)] | None = Field(
        default=None, description="Attempts or groups at most; unset: 20 attempts.", examples=[5]
    )
    measure: wire.EpisodeMeasure | None = Field(
        default=None, description="Numbers instead of attempts.", examples=["success_rate"]
    )
    by: wire.EpisodeGrouping | None = Field(
        default=None, description="Numbers of each group.", examples=["model"]
    )
    divergence: wire.Flag = Field(
        default=False,
        description="The steps where right and wrong attempts part, instead of attempts.",
    )
    own: wire.Flag = Field(default=False, description="Only what this agent did itself.")
    time_zone: wire.Name | None = Field(
        default=None, description="Where days begin; unset: UTC.", examples=["Europe/Berlin"]
    )


class ReasoningAnalyticsInput(Who):
    """Analytics of past attempts."""

    by: Annotated[tuple[wire.EpisodeGrouping, ...], Field(max_length=11)] = Field(
        default=("domain", "model", "strategy", "concept"),
        description="Groups to measure.",
        examples=[["domain", "model"]],
    )
    over: wire.AttemptSpan = Field(default="month", description="Spans of the trend.")
    domain: wire.Name | None = Field(default=None, description="Attempts of this domain.")
    model: wire.Name | None = Field(default=None, description="Attempts by this model.")
    own: wire.Flag = Field(default=False, description="Only what this agent did itself.")
    clusters: Annotated[int, Field(strict=True, ge=0, le=100)] = Field(
        default=10, description="Failure clusters at most."
    )


class AnalyticsInput(Who):
    """Analytics of utility."""

    top_n: Annotated[int, Field(strict=True, ge=0, le=100)] = Field(
        default=10,
        alias="topN",
        description="Memories with the highest and the lowest Q, 0 to 100.",
    )
    include_history: wire.Flag = Field(
        default=False, description="Show the last 20 moves of each of them."
    )
    by: wire.UtilityGrouping | None = Field(
        default=None, description="Group by this too.", examples=["kind"]
    )
    days: Annotated[int, Field(strict=True, ge=1, le=365)] = Field(
        default=30, description="How far the trend goes back, 1 to 365."
    )
