"""Engines of a recall: ranking laws, their settings, and the agents that use them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Literal, get_args

from graph.model.utility.settings import Range, setting, settings_of
from stratagraph.vocabulary import Engine

TimeUnit = Literal["seconds", "minutes", "hours", "days", "weeks", "years"]
RelevanceBy = Literal["words", "embeddings"]
Table = Mapping[str, float]

ENGINES: tuple[Engine, ...] = get_args(Engine)
DAYS: Mapping[TimeUnit, float] = MappingProxyType(
    {
        "seconds": 1 / 86_400,
        "minutes": 1 / 1_440,
        "hours": 1 / 24,
        "days": 1.0,
        "weeks": 7.0,
        "years": 365.25,
    }
)
_SHARE = Range(0, 1)
_WEIGHT = Range(0, 100)
_POSITIVE = Range(0, 100, above=True)
_COUNT = Range(0, 200)


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """Settings of the engines, with defaults of the sources.

    ``variable`` of a setting is the name of the parameter in *Human-Centric Cognitive Engines*.

    Raises
    ------
    InvalidInputError
        If a value has another type or lies out of its range; the message names both.
    """

    engine: Engine = setting("utility", "Law that orders memories where a request names none.")
    time_unit: TimeUnit = setting("days", "Unit of the ages that λ and `max_age` are for.")
    decay_rate: float = setting(
        0.1, "λ, decay of importance per unit of time.", _WEIGHT, variable="lambda"
    )
    max_age: float = setting(
        0.0,
        "Age in units at which recency is 0; 0: the age of the oldest candidate.",
        Range(0, 1e9),
    )
    recency_weight: float = setting(0.3, "Weight of recency.", _WEIGHT, variable="W_recency")
    importance_weight: float = setting(
        0.5, "Weight of the importance that is left.", _WEIGHT, variable="W_importance"
    )
    context_weight: float = setting(
        0.2, "Weight of a tag that the question names.", _WEIGHT, variable="W_context"
    )
    relevance_weight: float = setting(
        0.0, "Weight of contextual resonance.", _WEIGHT, variable="W_relevance"
    )
    interference_weight: float = setting(
        0.0, "Weight of retroactive interference.", _WEIGHT, variable="W_interference"
    )
    interference_cap: float = setting(
        0.8, "γ, the most that newer memories suppress.", _SHARE, variable="gamma"
    )
    relevance_by: RelevanceBy = setting("words", "What contextual resonance is read from.")
    interference_by: RelevanceBy = setting(
        "words", "What the likeness of memories that interfere is read from."
    )
    recent: int = setting(
        5, "Most recent memories of the basic ranking.", _COUNT, variable="window_size"
    )
    important: int = setting(
        2,
        "Most important other memories of the basic ranking.",
        _COUNT,
        variable="top_k_significant",
    )
    base_level_decay: float = setting(0.5, "d of ACT-R's base-level activation.", _POSITIVE)
    hourly_recency: float = setting(
        0.995, "Share of recency that is left after an hour.", Range(0, 1, above=True)
    )
    generative_recency_weight: float = setting(
        1.0, "Weight of recency in *Generative Agents*.", _WEIGHT
    )
    generative_importance_weight: float = setting(
        1.0, "Weight of importance in *Generative Agents*.", _WEIGHT
    )
    generative_relevance_weight: float = setting(
        1.0, "Weight of relevance in *Generative Agents*.", _WEIGHT
    )
    emotion_default: float = setting(
        0.1, "Emotional weight of a text without a keyword of the table.", _SHARE
    )
    source_default: float = setting(
        1.0, "Weight of a source that no pattern of the table matches.", _SHARE
    )

    def __post_init__(self) -> None:
        """Check every value."""
        for name, declared in ENGINE_SETTINGS.items():
            declared.check(getattr(self, name))

    def asks_embeddings(self, engine: Engine) -> bool:
        """Return whether the law of an engine compares vectors of memories."""
        interferes = engine == "weighted" and self.interference_weight > 0
        return interferes and self.interference_by == "embeddings"

    def asks_relevance(self, engine: Engine) -> bool:
        """Return whether the law of an engine uses relevance."""
        by_weight = engine == "weighted" and self.relevance_weight > 0
        return by_weight or engine in ("utility", "generative")


@dataclass(frozen=True, slots=True)
class AgentEngine:
    """Settings of the engines for one agent, with its tables of emotions and sources.

    A table maps a keyword, or a pattern of a source, to a weight in [0, 1].
    """

    config: EngineConfig = field(default_factory=EngineConfig)
    emotions: Table = field(default_factory=dict[str, float])
    sources: Table = field(default_factory=dict[str, float])


@dataclass(frozen=True, slots=True)
class AgentType:
    """Agents with the same settings: those whose name matches one of ``agents``."""

    name: str
    agents: tuple[str, ...]
    engine: AgentEngine

    def matches(self, agent_id: str) -> bool:
        """Return whether an agent is of this type."""
        return any(fnmatchcase(agent_id, pattern) for pattern in self.agents)


@dataclass(frozen=True, slots=True)
class TenantEngines:
    """Settings of the engines of a tenant, and its types of agents, in order."""

    engine: AgentEngine = field(default_factory=AgentEngine)
    types: tuple[AgentType, ...] = ()

    def of(self, agent_id: str | None) -> AgentEngine:
        """Return the settings of an agent: those of its first type, else the tenant's."""
        if agent_id is None:
            return self.engine
        found = (each.engine for each in self.types if each.matches(agent_id))
        return next(found, self.engine)


def changed(config: EngineConfig, values: Mapping[str, object]) -> EngineConfig:
    """Return a copy with some settings changed.

    Raises
    ------
    InvalidInputError
        If a value has another type or lies out of its range.
    """
    known = {each.name: getattr(config, each.name) for each in fields(config)}
    return replace(config, **{**known, **values})


ENGINE_SETTINGS = settings_of(EngineConfig)
PARAMETERS: Mapping[str, str] = MappingProxyType(
    {name: name for name in ENGINE_SETTINGS if name != "engine"}
    | {each.variable: name for name, each in ENGINE_SETTINGS.items() if each.variable}
)
"""Names of the parameters in a file, ours and those of the source, and the setting of each."""
NO_ENGINES = TenantEngines()
