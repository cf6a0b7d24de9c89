"""Configuration of the engines of a tenant."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from stratagraph.vocabulary import Engine
from stratagraph.wire.kernel.base import Answer, Identity
from stratagraph.wire.kernel.values import NOW, JsonObject, fault
from stratagraph.wire.utility.config import ConfigValue

_YAML = "memory_config:\n  type: humancentric\n  params: {ranking_mode: weighted}\n"


class ApplyEnginesRequest(Identity):
    """A configuration that replaces the previous one: exactly one of `yaml` and `config`."""

    yaml: Annotated[str, Field(max_length=200_000)] | None = Field(
        default=None, description="The text of a YAML file.", examples=[_YAML]
    )
    config: JsonObject | None = Field(
        default=None,
        description="The same as an object: `memory_config`, `emotion_keywords`, `source_patterns`, "
        "`agent_types`.",
        examples=[{"memory_config": {"type": "weighted", "params": {"W_context": 0.4}}}],
    )

    @model_validator(mode="after")
    def _one_text(self) -> Self:
        if (self.yaml is None) == (self.config is None):
            raise fault("request", "yaml: give exactly one of yaml and config")
        return self


class EngineSettingsView(Answer):
    """Effective settings of the engines for some agents."""

    engine: Engine = Field(
        description="Law that orders memories where a request names none.", examples=["weighted"]
    )
    settings: dict[str, ConfigValue] = Field(
        description="Each value by its name.", examples=[{"decay_rate": 0.1}]
    )
    emotion_keywords: dict[str, float] = Field(
        description="Emotional weight of each keyword.", examples=[{"flood": 1.0}]
    )
    source_patterns: dict[str, float] = Field(
        description="Weight of each source.", examples=[{"neighbour": 0.8}]
    )


class AgentTypeView(EngineSettingsView):
    """Settings of the engines of one type of agents."""

    name: str = Field(description="Its name.", examples=["household"])
    agents: tuple[str, ...] = Field(
        description="Names and patterns of its agents.", examples=[["household-*"]]
    )


class EnginesView(EngineSettingsView):
    """Effective settings of the engines for a tenant and its types of agents."""

    version: int = Field(description="Grows with each change; 0: none yet.", examples=[3])
    changed_at: datetime | None = Field(
        default=None, description="When something was set last.", examples=[NOW]
    )
    agent_types: tuple[AgentTypeView, ...] = Field(
        description="Types of agents, in the order in which an agent's is sought.", examples=[[]]
    )
    config: dict[str, Any] = Field(description="Settings that were applied.", examples=[{}])
