"""What the calls take as keyword arguments; the models in `wire` say what each of them means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Required, TypeAlias, TypedDict

from stratagraph.setting_fields import StrataSettings, UtilitySettings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from stratagraph import wire

Used: TypeAlias = "Iterable[str] | Mapping[str, float]"
"""What was of use: names of memories, or the share of each by name."""


class IdentityFields(TypedDict, total=False):
    """Who asks, where it is not whom the client stands for."""

    agent_id: str | None
    channel_ids: Sequence[str]
    user_ids: Sequence[str]


class LinkFields(TypedDict):
    """A typed edge to a memory that exists."""

    type: wire.LinkType
    to: str


class MemoryFields(TypedDict, total=False):
    """What may be said of a memory beside its text."""

    kind: wire.Kind | None
    scope_kind: wire.ScopeKind | None
    external_id: str | None
    session_id: str | None
    sequence: int | None
    task_id: str | None
    speaker: str | None
    content_type: wire.ContentType | None
    structured: Mapping[str, Any] | None
    vector: Sequence[float] | None
    stratum: wire.Stratum | None
    importance: int | None
    tags: Sequence[str] | None
    domain: str | None
    phase: str | None
    source_type: str | None
    event_id: str | None
    correct: bool | None
    model: str | None
    occurred_at: datetime | str | None
    valid_from: datetime | str | None
    valid_to: datetime | str | None
    expires_at: datetime | str | None
    metadata: Mapping[str, Any] | None
    links: Sequence[LinkFields | wire.LinkRequest] | None
    supersedes: str | Sequence[str] | None
    initial_q: float | None


class RememberFields(MemoryFields, IdentityFields):
    """One memory, and who remembers it."""


class RowFields(MemoryFields):
    """One row of many."""

    text: Required[str]


class _CommonFilters(TypedDict, total=False):
    kinds: Sequence[wire.Kind] | None
    strata: Sequence[wire.Stratum] | None
    states: Sequence[wire.RecallableState] | None
    tags_any: Sequence[str] | None
    tags_all: Sequence[str] | None
    importance_min: int | None
    importance_max: int | None
    occurred_from: datetime | str | None
    occurred_to: datetime | str | None
    recorded_from: datetime | str | None
    recorded_to: datetime | str | None
    valid_at: datetime | str | None
    session_id: str | None
    domain: str | None
    phase: str | None
    correct: bool | None
    model: str | None


class FilterFields(_CommonFilters, total=False):
    """Which memories may be recalled; ``agent_id`` is who wrote them."""

    agent_id: str | None


class QueryFields(_CommonFilters, IdentityFields, total=False):
    """Which memories are meant; ``agent_id`` is who asks, ``written_by`` who wrote them."""

    access_count_min: int | None
    written_by: str | None
    scope_kind: wire.ScopeKind | None


class ListFields(QueryFields, total=False):
    """Which memories, in which order, and which page of them."""

    order: wire.PageOrder | None
    limit: int | None
    cursor: str | None


class CountFields(QueryFields, total=False):
    """Which memories, and by what they are grouped."""

    by: wire.Grouping | None


class VersionsFields(IdentityFields, total=False):
    """Which page of a memory's versions."""

    limit: int | None
    cursor: str | None


class NeighbourhoodFields(IdentityFields, total=False):
    """How far, along which edges, and how much."""

    hops: int | None
    limit: int | None
    types: Sequence[wire.EdgeType] | None


class PatchFields(TypedDict, total=False):
    """What changes of a memory; None takes back to what is in a new one."""

    text: str
    kind: wire.Kind | None
    content_type: wire.ContentType | None
    structured: Mapping[str, Any] | None
    vector: Sequence[float] | None
    stratum: wire.Stratum | None
    state: wire.RecallableState | None
    importance: int | None
    tags: Sequence[str] | None
    domain: str | None
    phase: str | None
    source_type: str | None
    event_id: str | None
    task_id: str | None
    speaker: str | None
    correct: bool | None
    model: str | None
    occurred_at: datetime | str
    valid_from: datetime | str | None
    valid_to: datetime | str | None
    expires_at: datetime | str | None
    metadata: Mapping[str, Any] | None


class DeleteFields(IdentityFields, total=False):
    """Which memories of one scope go: ``filters``, ``names`` or ``all``; ``dry_run`` unless False."""

    filters: FilterFields | wire.FiltersRequest | None
    names: Sequence[str] | None
    all: bool | None
    scope_kind: wire.ScopeKind | None
    dry_run: bool | None


class EpisodeScope(IdentityFields, total=False):
    """Whose episodes."""

    scope_kind: wire.ScopeKind | None


class EpisodeWhere(EpisodeScope, total=False):
    """Whose episodes, and of which run."""

    run: str | None


class ClearFields(EpisodeWhere, total=False):
    """Which episodes of one scope."""

    domain: str | None


class CollectFields(IdentityFields, total=False):
    """In which scope to collect, how many to show; ``dry_run`` unless False."""

    scope_kind: wire.ScopeKind | None
    dry_run: bool | None
    limit: int | None


class ConsolidateFields(IdentityFields, total=False):
    """In which scope to consolidate what, how many to show; ``dry_run`` unless False."""

    scope_kind: wire.ScopeKind | None
    strata: Sequence[wire.Stratum]
    everything: bool
    dry_run: bool | None
    limit: int | None


class AnalyticsFields(IdentityFields, total=False):
    """What to tell of utility."""

    top_n: int | None
    by: wire.UtilityGrouping | None
    include_history: bool | None
    days: int | None


class ReasoningAnalyticsFields(IdentityFields, total=False):
    """What to tell of attempts."""

    by: Sequence[wire.EpisodeGrouping] | None
    over: wire.AttemptSpan | None
    domain: str | None
    model: str | None
    occurred_from: datetime | str | None
    occurred_to: datetime | str | None
    own: bool | None
    limit: int | None
    clusters: int | None
    similarity: float | None
    time_zone: str | None


class EpisodeFilterFields(TypedDict, total=False):
    """Which episodes are meant."""

    correct: bool | Literal["unknown"] | Sequence[bool | Literal["unknown"]] | None
    domain: str | None
    model: str | None
    agent_id: str | None
    session_id: str | None
    problem_id: str | None
    occurred_from: datetime | str | None
    occurred_to: datetime | str | None
    tokens_used_min: int | None
    tokens_used_max: int | None
    latency_ms_min: float | None
    latency_ms_max: float | None
    confidence_min: float | None
    confidence_max: float | None
    temperature_min: float | None
    temperature_max: float | None
    step_count_min: int | None
    step_count_max: int | None
    tags_any: Sequence[str] | None
    tags_all: Sequence[str] | None
    actions_any: Sequence[str] | None
    actions_all: Sequence[str] | None


class EpisodeQueryFields(IdentityFields, total=False):
    """A question about episodes: which, in which order, or which numbers of them."""

    filters: EpisodeFilterFields | wire.EpisodeFiltersRequest | None
    domain: str | None
    similar_to: str | None
    min_similarity: float | None
    order: wire.EpisodeOrder | None
    limit: int | None
    measure: wire.EpisodeMeasure | None
    by: wire.EpisodeGrouping | None
    own: bool | None
    time_zone: str | None
    cursor: str | None


class EpisodeAskFields(IdentityFields, total=False):
    """How a question in words is read."""

    domain: str | None
    time_zone: str | None
    use_model: bool | None
    cursor: str | None


class ConfigFields(IdentityFields, UtilitySettings, total=False):
    """Values of utility to set; None leaves one to the environment again."""


class MoveFields(IdentityFields, total=False):
    """Where to, in which scope, and whether only to say what would move."""

    to: wire.Stratum | None
    scope_kind: wire.ScopeKind | None
    dry_run: bool | None


class PromotionFields(MoveFields, total=False):
    """What counts as successful, and of what."""

    min_q: float | None
    min_successes: int | None
    task_id: str | None
    session_id: str | None
    strata: Sequence[wire.Stratum] | None
    limit: int | None


class StrataConfigFields(IdentityFields, StrataSettings, total=False):
    """Values of strata to set; None leaves one to the environment again."""


class PredictionFields(IdentityFields, total=False):
    """What may be said of a prediction beside what is expected."""

    context: str
    prediction_id: str | None
    confidence: float
    stands_seconds: float
    scope_kind: wire.ScopeKind | None


class SurpriseFields(IdentityFields, total=False):
    """What may be said of an event beside what happened."""

    context: str | Mapping[str, Any]
    expected: Any
    prediction_id: str | None
    match: bool
    circumstances: Mapping[str, Any] | None
    text: str | None
    importance: int
    tags: Sequence[str]
    event_id: str | None
    scope_kind: wire.ScopeKind | None


class SurprisesFields(IdentityFields, total=False):
    """Which surprises are meant."""

    type: Sequence[wire.SurpriseType]
    context: Sequence[str]
    since: datetime | str | None
    before: str | None
    surprising: bool
    limit: int


class ContextFields(TypedDict, total=False):
    """What a question is about."""

    domain: str | None
    tags: Sequence[str]


class RecallFields(IdentityFields, total=False):
    """What a question may say beside its text; ``utility_weight`` is λ."""

    vector: Sequence[float] | None
    like: str | None
    phase: str | None
    utility_weight: float | None
    k: int | None
    hops: int | None
    filters: FilterFields | wire.FiltersRequest | None
    min_similarity: float | None
    explain: bool | None
    task_id: str | None
    context: ContextFields | wire.ContextRequest | None
    explore: bool | None
    include_superseded: bool | None
    as_of: datetime | str | None
    now: datetime | str | None
    min_relevance: float | None


class RetrieveFields(IdentityFields, total=False):
    """What may be asked of past attempts beside the problem; ``utility_weight`` is λ."""

    filters: EpisodeFilterFields | wire.EpisodeFiltersRequest | None
    mode: wire.RetrievalMode | None
    hops: int | None
    failures: int | None
    diversity: float | None
    max_tokens: int | None
    utility_weight: float | None
    phase: str | None
    task_id: str | None


class SignalFields(IdentityFields, total=False):
    """What may be said of a signal."""

    status: wire.StepStatus | None
    value: float | None
    quality: float | None
    id: str | None
    phase: str | None
    used: Used | None


class UtilityFields(IdentityFields, total=False):
    """How much of a memory's history."""

    at: datetime | str | None
    limit: int | None


class InjectFields(IdentityFields, total=False):
    """In which context a reward by hand counts."""

    phase: str | None
    context: ContextFields | wire.ContextRequest | None


class ExtractFields(IdentityFields, total=False):
    """Whose concepts."""

    scope_kind: wire.ScopeKind | None


class RestoreFields(ExtractFields, total=False):
    """What concepts have archived; without ``concept`` all of it."""

    concept: str | None


class ArchiveFields(RestoreFields, total=False):
    """What concepts cover; ``dry_run`` unless False."""

    dry_run: bool | None
