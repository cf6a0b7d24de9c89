"""Run-time settings of tenants, and their changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from graph.kernel.events import Event
from graph.kernel.values import Stratum
from stratagraph.vocabulary import ConfigSource, Door

ConfigValue = bool | int | float | str


@dataclass(frozen=True, slots=True)
class Overrides:
    """Settings of a tenant that override the environment; names of a newer release may be among them."""

    version: int = 0
    values: Mapping[str, ConfigValue] = field(default_factory=dict[str, ConfigValue])
    changed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ConfigChange:
    """One change of a setting; ``new`` is None if the override was removed."""

    uid: str
    name: str
    old: ConfigValue
    new: ConfigValue | None
    actor: str
    door: Door
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class ConfigDecision:
    """New overrides of a tenant, with the record of the change; the strata in ``leaving`` must be empty."""

    values: Mapping[str, ConfigValue]
    changes: tuple[ConfigChange, ...]
    events: tuple[Event, ...]
    leaving: tuple[Stratum, ...] = ()


@dataclass(frozen=True, slots=True)
class ValueInForce:
    """A value, its source, and its environment variable."""

    value: ConfigValue
    source: ConfigSource
    variable: str


@dataclass(frozen=True, slots=True)
class ConfigInForce:
    """Effective settings of a tenant; ``version`` grows with each change."""

    version: int
    changed_at: datetime | None
    values: Mapping[str, ValueInForce]


DecideConfig = Callable[["Overrides"], "ConfigDecision | None"]
