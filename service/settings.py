"""Settings of the process, read from the environment once, and only here."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic_settings import NoDecode, SettingsConfigDict

from graph.kernel.errors import ConfigurationError, InvalidInputError
from graph.kernel.scope import check_tenant
from graph.model.memories.privacy import PII_POLICIES, PiiPolicy
from service.runtime_settings import RuntimeSettings
from service.variables import PREFIX, describe, refuse_contradictions, refuse_unknown
from service.variables import variables as variables_of

_TEST_VARIABLES = frozenset(
    {"STRATAGRAPH_TEST_NEO4J_URI", "STRATAGRAPH_TEST_NEO4J_PASSWORD", "STRATAGRAPH_TEST_BASE_IMAGE"}
)
_REMOVED = frozenset(
    {"STRATAGRAPH_HOT_SCOPES", "STRATAGRAPH_HOT_SCOPE_MEMORIES", "STRATAGRAPH_HOT_SCOPES_MB"}
)
_POLICIES: Mapping[str, PiiPolicy] = {policy: policy for policy in PII_POLICIES}
_SEPARATORS = re.compile(r"[;\s]")
_BOLT = re.compile(r"(?:bolt|neo4j)(?:\+s|\+ssc)?://", re.IGNORECASE)
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def _xdg(variable: str, fallback: str) -> Path:
    return Path(os.environ.get(variable) or Path.home() / fallback) / "stratagraph"


def _lowered(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


class Settings(RuntimeSettings):
    """Environment settings; each field is ``STRATAGRAPH_<FIELD>`` unless its description says else.

    Those that each tenant can change while the service runs are declared in ``graph/model``, as
    fields of ``UtilityConfig`` and ``StrataConfig``.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, frozen=True, extra="ignore", populate_by_name=True
    )

    home: Path = Field(
        default_factory=lambda: _xdg("XDG_DATA_HOME", ".local/share"),
        description="Folder of the managed Neo4j: data, password, pid file, logs.",
    )
    cache: Path = Field(
        default_factory=lambda: _xdg("XDG_CACHE_HOME", ".cache"),
        description="Folder of Neo4j's jars, class-data archives and the embedding model; homes share it.",
    )
    host: str = Field(default="127.0.0.1", description="Address the API listens on.")
    port: int | None = Field(
        default=None, ge=1, le=65535, description="Port of the API; unset: 8400, or a free one."
    )
    api_keys: Annotated[tuple[tuple[str, SecretStr], ...], NoDecode] = Field(
        default=(),
        description="Keys and their tenants, `tenant:key,tenant:key`; required off loopback.",
    )

    url: str | None = Field(
        default=None,
        description="Service that the command line and the Python client speak to; "
        "unset: the one on this home (command line), or on this machine's usual port (client).",
    )
    api_key: SecretStr | None = Field(
        default=None, description="Key that the command line and the Python client send."
    )

    neo4j_uri: str | None = Field(
        default=None,
        validation_alias="NEO4J_URI",
        description="`NEO4J_URI`: a server of your own; unset: a managed one is started.",
    )
    neo4j_username: str = Field(
        default="neo4j",
        validation_alias="NEO4J_USERNAME",
        description="`NEO4J_USERNAME`: its user.",
    )
    neo4j_password: SecretStr = Field(
        default=SecretStr(""),
        validation_alias="NEO4J_PASSWORD",
        description="`NEO4J_PASSWORD`: its password; empty: no authentication.",
    )
    neo4j_database: str = Field(
        default="neo4j",
        validation_alias="NEO4J_DATABASE",
        description="`NEO4J_DATABASE`: its database.",
    )
    neo4j_pool_size: int = Field(default=50, ge=1, description="Connections to Neo4j at most.")
    neo4j_timeout_seconds: float = Field(
        default=2.0, gt=0, le=60, description="Seconds to wait for a connection before a 503."
    )
    neo4j_heap: str = Field(
        default="1g", pattern=r"^\d+[kmg]$", description="Heap of the managed Neo4j."
    )
    neo4j_pagecache: str = Field(
        default="256m", pattern=r"^\d+[kmg]$", description="Page cache of the managed Neo4j."
    )
    disk_reserve_mb: int = Field(
        default=512,
        ge=0,
        description="Free megabytes on the managed Neo4j's disk below which writes get 503; 0: none.",
    )
    neo4j_bolt_port: int | None = Field(
        default=None,
        ge=1,
        le=65535,
        description="Bolt port of the managed Neo4j; unset: 7687 or free.",
    )
    neo4j_http_port: int | None = Field(
        default=None,
        ge=1,
        le=65535,
        description="Browser port of the managed Neo4j; unset: 7474 or free.",
    )
    java: Path | None = Field(
        default=None, description="A `java` to use in place of the one that is installed along."
    )

    config_watch_seconds: float = Field(
        default=1.0,
        gt=0,
        le=10,
        description="Seconds between two looks at what is set of utility at run time.",
    )
    events: bool = Field(default=True, description="Keep events of utility for those who listen.")
    event_minutes: float = Field(
        default=60.0, gt=0, le=10_080, description="Minutes for which events are kept."
    )
    event_streams: int = Field(
        default=64, ge=1, le=1000, description="Listeners to events at once, on one replica."
    )

    embedder: str | None = Field(
        default=None,
        min_length=1,
        description="Model that makes vectors: `bge-small-en-v1.5-int8`, `wordllama`, or a model of "
        "sentence-transformers by name (`name@revision` pins it) or folder; unset: the graph's own, the first for an "
        "empty one.",
    )
    embedder_device: str | None = Field(
        default=None,
        min_length=1,
        description="Device of a sentence-transformers model: cpu, cuda, mps; unset: the best.",
    )
    embedder_batch_size: int = Field(
        default=32, ge=1, le=4096, description="Texts a sentence-transformers model takes at once."
    )
    embedder_watch_seconds: float = Field(
        default=2.0,
        gt=0,
        le=10,
        description="Seconds between two looks whether the graph is being re-embedded.",
    )
    embedding_cache: int = Field(
        default=1024, ge=0, description="Vectors of questions that are kept; 0: none."
    )

    results: int = Field(
        default=5, ge=1, le=200, description="Results of a recall that names no k."
    )
    candidates: int = Field(
        default=20,
        ge=1,
        le=500,
        description="Pool in which relevance and Q are compared; at least k.",
    )
    hops: int = Field(default=1, ge=0, le=2, description="Hops of a recall that names none.")
    unseen_share: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="Share of the last full-text score of an arm that was cut off which a memory "
        "counts that it did not return; 0: as if it shared no word.",
    )
    asking_loss: float = Field(
        default=0.1,
        ge=0,
        le=1,
        description="Loss of a memory that itself ends by asking, where the question asks.",
    )
    term_frequency_max: int = Field(
        default=20,
        ge=1,
        le=1000,
        description="Terms that more memories of a scope mention are not walked over.",
    )
    vector_candidates: int = Field(
        default=20, ge=1, le=1000, description="Candidates by vector; at least k."
    )
    lexical_candidates: int = Field(
        default=40, ge=1, le=1000, description="Candidates by words; at least 2 k."
    )
    expanded_candidates: int = Field(
        default=5, ge=0, le=200, description="The best of each arm whose neighbours join the pool."
    )

    retrieval_problems: int = Field(
        default=50,
        ge=1,
        le=1000,
        description="Problems that a retrieval of episodes looks at: so many by meaning, and as many "
        "by words.",
    )
    retrieval_expanded: int = Field(
        default=10,
        ge=1,
        le=100,
        description="The nearest of these, from which it goes on to problems similar to them.",
    )
    retrieval_failures: int = Field(
        default=1,
        ge=0,
        le=50,
        description="Places among its results for failed attempts that teach, at most a fifth of k.",
    )

    query_seconds: float = Field(
        default=5.0,
        gt=0,
        le=600,
        description="Seconds a question about episodes may take in Neo4j.",
    )
    query_rows: int = Field(
        default=200, ge=1, le=1000, description="Episodes or groups one question gets at most."
    )
    query_nearest: int = Field(
        default=200,
        ge=1,
        le=10_000,
        description="Episodes nearest to a text that a question orders or measures; at least its limit.",
    )
    query_similarity: float = Field(
        default=0.55,
        ge=-1,
        le=1,
        description="Least cosine of episodes that are about a text, unless a question says another; as the "
        "default embedder has it (0.3 with wordllama).",
    )
    divergence_similarity: float = Field(
        default=0.72,
        ge=-1,
        le=1,
        description="Least cosine of two problems whose right and wrong attempts are compared; as the default "
        "embedder has it.",
    )

    concepts: bool = Field(
        default=True,
        description="Extract concepts from correct episodes in the background, and rate them.",
    )
    concept_every: int = Field(
        default=10,
        ge=1,
        le=10_000,
        description="Correct episodes of a scope after which its concepts are extracted.",
    )
    concept_batch: int = Field(
        default=60, ge=1, le=500, description="Problems that one step of an extraction looks at."
    )
    concept_affinity: float = Field(
        default=0.6,
        gt=0,
        le=1,
        description="From where on problems belong to one concept: half their texts' cosine, half the "
        "overlap of what solved them.",
    )
    concept_problems: int = Field(
        default=3, ge=2, le=100, description="Solved problems that a new concept needs at least."
    )
    concept_same: float = Field(
        default=0.95, ge=0, le=1, description="Cosine from which on two concepts are one."
    )
    concept_archive: bool = Field(
        default=False,
        description="Archive, in the background, attempts that their concept covers, but for exemplars; "
        "it can be undone.",
    )
    concept_successes: int = Field(
        default=3,
        ge=0,
        le=1000,
        description="Correct attempts of each procedure that stay active beside their concept.",
    )
    concept_failures: int = Field(
        default=2, ge=0, le=1000, description="Wrong attempts that stay active beside a concept."
    )
    concept_slack: int = Field(
        default=10,
        ge=1,
        le=10_000,
        description="Active attempts that a concept gains before it is looked at again.",
    )

    llm_base_url: str | None = Field(
        default=None,
        pattern=r"^https?://[^\s/?#]+[^\s?#]*$",
        description="A language model's interface as OpenAI has it, `https://…/v1`; unset: none is used.",
    )
    callback_addresses: str = Field(
        default="",
        description="Addresses below which agents' own checkers of steps may be asked, with commas between; empty: none.",
    )
    callback_secret: SecretStr | None = Field(
        default=None,
        description="Key by which requests to checkers are signed; unset: none is sent.",
    )
    callback_seconds: float = Field(
        default=2.0, gt=0, le=30, description="Seconds that a checker has to answer."
    )
    llm_api_key: SecretStr | None = Field(
        default=None, min_length=1, description="Its key; unset: none is sent."
    )
    llm_model: str | None = Field(
        default=None, min_length=1, description="Its model; needed where there is an address."
    )
    llm_timeout_seconds: float = Field(
        default=30.0, gt=0, le=600, description="Seconds that one request to it may take."
    )
    llm_retries: int = Field(
        default=2, ge=0, le=10, description="Tries more where it does not answer, or is busy."
    )
    llm_tokens_per_hour: int = Field(
        default=200_000, ge=0, description="Tokens that this process lets it take in any hour."
    )

    worker: bool = Field(
        default=True,
        description="Work in the background; of several replicas that may, one does.",
    )
    worker_tick_seconds: float = Field(
        default=1.0, gt=0, le=60, description="Seconds the worker rests when nothing waits."
    )
    link_batch: int = Field(
        default=200, ge=1, le=2000, description="Memories that are linked in one transaction."
    )
    similar_memories: int = Field(
        default=5, ge=1, le=50, description="Similar memories each is linked to at most."
    )
    similarity_threshold: float = Field(
        default=0.8, ge=-1, le=1, description="Least cosine of memories that are linked as similar."
    )
    terms_per_memory: int = Field(
        default=8, ge=0, le=50, description="Names and key phrases of a memory at most."
    )

    gc: bool = Field(
        default=True,
        description="Collect episodes that help nobody, in the background; by hand it is always possible.",
    )
    gc_hours: float = Field(
        default=24.0, gt=0, le=8_760, description="Hours between two looks at a scope."
    )
    gc_grace_days: float = Field(
        default=30.0,
        ge=0,
        le=3_650,
        description="Days for which a collection can be undone; then its episodes go for good.",
    )
    gc_age_days: float = Field(
        default=7.0, ge=0, le=3_650, description="Days before which no episode is collected."
    )
    gc_confidence: float = Field(
        default=0.2,
        ge=0,
        le=1,
        description="Confidence below which an episode goes that is not right and never helped.",
    )
    gc_unused_days: float = Field(
        default=90.0,
        ge=0,
        le=3_650,
        description="Days after which an episode goes that was never recalled, or only failed.",
    )
    gc_q: float = Field(
        default=0.3, ge=0, le=1, description="Q below which an episode that only failed may go."
    )

    pii_policy: PiiPolicy = Field(
        default="mask",
        description="Treatment of e-mail addresses, numbers of phones, cards, accounts and the like "
        "in what is stored: `mask`, `hash` (equal values stay equal), `reject` the row, or `off`.",
    )
    pii_policies: Annotated[tuple[tuple[str, PiiPolicy], ...], NoDecode] = Field(
        default=(), description="Treatment for single tenants, `tenant:policy,tenant:policy`."
    )
    pii_memories: Literal["reasoning", "all"] = Field(
        default="reasoning",
        description="Memories that are treated: problems, episodes, concepts and strategies, or all.",
    )
    pii_recognizer: Literal["light", "presidio"] = Field(
        default="light",
        description="Recognizer that finds such details; `presidio` needs the extra `pii` and some milliseconds a text.",
    )
    pii_regions: Annotated[tuple[str, ...], NoDecode] = Field(
        default=("US", "GB", "DE", "FR", "ES", "IT", "NL", "IN", "AU", "BR"),
        description="Countries whose way of writing phone numbers is known, as two letters each: `US,GB`.",
    )
    pii_hash_key: SecretStr | None = Field(
        default=None,
        min_length=16,
        description="Secret behind the tokens of `hash`; unset: one per tenant, made once, in the graph.",
    )

    episodes_max: int = Field(
        default=10_000, ge=0, description="Episodes that a scope may hold; 0: without bound."
    )
    episodes_max_mb: int = Field(
        default=1024,
        ge=0,
        description="Megabytes of episodes that a scope may hold; 0: without bound.",
    )
    episodes_at_cap: Literal["refuse", "evict"] = Field(
        default="refuse",
        description="Treatment of one episode more: `refuse` it with 409, or `evict` the least valuable.",
    )

    task_days: float = Field(
        default=30, gt=0, description="Days a task and its retrievals are kept."
    )
    knowledge_days: float = Field(
        default=90,
        gt=0,
        description="Days for which executions are kept, and patterns, tools and errors that nothing used.",
    )
    mcp_observe: bool = Field(
        default=False,
        description="Report the tool calls that are served over MCP as executions: tool, duration, success; never what was said.",
    )
    erasure_days: float = Field(
        default=365, gt=0, description="Days for which the receipts of erasures are kept."
    )
    flush_seconds: float = Field(
        default=2.0,
        gt=0,
        description="Seconds between two writes of access counts and of events of recalls.",
    )
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], BeforeValidator(_lowered)
    ] = Field(default="info", description="debug, info, warning or error.")
    log_format: Literal["text", "json"] = Field(
        default="text", description="`text`: lines for people; `json`: one object per line."
    )
    metrics_key: SecretStr | None = Field(
        default=None,
        min_length=16,
        description="Key that opens `/metrics` and nothing else; needed for it where keys are set.",
    )
    admin_key: SecretStr | None = Field(
        default=None,
        min_length=16,
        description="Key that opens `/v1/admin` and nothing else; needed for it where keys are set.",
    )
    tracing: bool | None = Field(
        default=None,
        description="Send OpenTelemetry traces (extra `otel`); unset: if a collector is named.",
    )
    otlp_endpoint: str | None = Field(
        default=None,
        validation_alias="OTEL_EXPORTER_OTLP_ENDPOINT",
        description="`OTEL_EXPORTER_OTLP_ENDPOINT`: the collector, `http://127.0.0.1:4318`.",
    )

    @model_validator(mode="before")
    @classmethod
    def _read_keys(cls, values: dict[str, Any]) -> dict[str, Any]:
        raw = values.get("api_keys")
        if isinstance(raw, str):
            values["api_keys"] = _parse_keys(raw)
        policies, regions = values.get("pii_policies"), values.get("pii_regions")
        if isinstance(policies, str):
            values["pii_policies"] = _parse_policies(policies)
        if isinstance(regions, str):
            values["pii_regions"] = _parse_regions(regions)
        return values

    @property
    def traces(self) -> bool:
        """Return whether traces are exported."""
        return self.otlp_endpoint is not None if self.tracing is None else self.tracing

    @model_validator(mode="after")
    def _rises_above_what_sinks(self) -> Self:
        values = self.model_dump(include={"demotion_threshold", "auto_promotion_threshold"})
        sinks, rises = values["demotion_threshold"], values["auto_promotion_threshold"]
        if sinks > rises:
            raise ValueError(
                f"{PREFIX}DEMOTION_THRESHOLD ({sinks:g}) lies above "
                f"{PREFIX}AUTO_PROMOTION_THRESHOLD ({rises:g}): a memory would rise and sink at once"
            )
        return self

    @model_validator(mode="after")
    def _model_where_one_is_asked(self) -> Self:
        if self.llm_base_url is not None and self.llm_model is None:
            raise ValueError(
                f"{PREFIX}LLM_BASE_URL names no model: set {PREFIX}LLM_MODEL, as its server calls it"
            )
        return self

    @model_validator(mode="after")
    def _policies_of_known_tenants(self) -> Self:
        unknown = {tenant for tenant, _ in self.pii_policies} - {
            tenant for tenant, _ in self.api_keys
        }
        if self.api_keys and unknown:
            names = ", ".join(sorted(unknown))
            raise ValueError(f"{PREFIX}PII_POLICIES: {names} has no key in {PREFIX}API_KEYS")
        return self

    @model_validator(mode="after")
    def _uri_of_neo4j(self) -> Self:
        if self.neo4j_uri is not None and not _BOLT.match(self.neo4j_uri):
            raise ValueError(
                "NEO4J_URI: must begin with bolt:// or neo4j:// (with TLS bolt+s:// or neo4j+s://), "
                "such as neo4j://127.0.0.1:7687"
            )
        return self

    @model_validator(mode="after")
    def _keys_off_loopback(self) -> Self:
        if self.host not in _LOOPBACK and not self.api_keys:
            raise ValueError(
                f"host {self.host} is not loopback: set {PREFIX}API_KEYS=tenant:key, "
                "or anyone who reaches this port reads and writes every memory"
            )
        return self


def load_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings.

    Raises
    ------
    ConfigurationError
        If a variable is unknown, mistyped, set twice with two values, or out of range; the message
        names the variable that was set, its value and what it must be.
    """
    environ = os.environ if environ is None else environ
    fields = Settings.model_fields
    refuse_unknown(fields, environ, besides=_TEST_VARIABLES, removed=_REMOVED)
    refuse_contradictions(fields, environ)
    try:
        return Settings()
    except ValidationError as error:
        raise ConfigurationError(describe(error, fields, environ)) from error


def variables() -> dict[str, tuple[str, ...]]:
    """Return the variables of each field, our own first."""
    return variables_of(Settings.model_fields)


def variable_of(field: str) -> str:
    """Return the variable that sets a field, else our own."""
    names = variables()[field]
    return next((name for name in names if name in os.environ), names[0])


def _parse_keys(raw: str) -> tuple[tuple[str, SecretStr], ...]:
    keys: list[tuple[str, SecretStr]] = []
    for part in filter(None, (part.strip() for part in raw.split(","))):
        tenant, colon, key = part.partition(":")
        if not colon or len(key) < 16:
            raise ValueError(f"{PREFIX}API_KEYS is `tenant:key,…`, keys of at least 16 characters")
        try:
            check_tenant(tenant)
        except InvalidInputError as error:
            raise ValueError(f"{PREFIX}API_KEYS: {error.message}") from error
        if _SEPARATORS.search(key):
            raise ValueError(
                f"{PREFIX}API_KEYS: a key has a `;` or a space; a comma parts two keys"
            )
        if any(key == known.get_secret_value() and tenant != owner for owner, known in keys):
            raise ValueError(f"{PREFIX}API_KEYS: two tenants have the same key; give each its own")
        keys.append((tenant, SecretStr(key)))
    return tuple(keys)


def _parse_policies(raw: str) -> tuple[tuple[str, PiiPolicy], ...]:
    policies: list[tuple[str, PiiPolicy]] = []
    for part in filter(None, (part.strip() for part in raw.split(","))):
        tenant, colon, said = part.partition(":")
        policy = _POLICIES.get(said.strip().lower())
        if not colon or policy is None:
            choices = ", ".join(PII_POLICIES)
            raise ValueError(
                f"{PREFIX}PII_POLICIES is `tenant:policy,…`, policies one of {choices}"
            )
        try:
            check_tenant(tenant)
        except InvalidInputError as error:
            raise ValueError(f"{PREFIX}PII_POLICIES: {error.message}") from error
        policies.append((tenant, policy))
    return tuple(policies)


def _parse_regions(raw: str) -> tuple[str, ...]:
    regions = tuple(part.strip().upper() for part in raw.split(",") if part.strip())
    if any(len(region) != 2 or not region.isalpha() for region in regions):
        raise ValueError(f"{PREFIX}PII_REGIONS is `US,GB,…`, two letters each")
    return regions
