"""What is set of utility, the same for every tenant."""

from __future__ import annotations

from dataclasses import dataclass

from graph.model import UtilityConfig


@dataclass(frozen=True, slots=True)
class FixedConfigs:
    """One configuration, whoever asks."""

    config: UtilityConfig

    def of(self, tenant: str) -> UtilityConfig:
        del tenant
        return self.config
