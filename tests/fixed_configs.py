"""The same settings of utility for every tenant."""

from __future__ import annotations

from dataclasses import dataclass, replace

from graph.model.utility.config import UtilityConfig


@dataclass(frozen=True, slots=True)
class FixedConfigs:
    """One configuration for all tenants; recalls accept any relevance."""

    config: UtilityConfig

    def of(self, tenant: str) -> UtilityConfig:
        del tenant
        return replace(self.config, min_relevance=0.0)
