"""What is set of utility."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from graph.model import UTILITY_FIELDS, UtilityConfig

if TYPE_CHECKING:
    from service.settings import Settings


def configured(settings: Settings) -> UtilityConfig:
    """Return what the environment says of utility."""
    return UtilityConfig(**{name: getattr(settings, name) for name in UTILITY_FIELDS})


@dataclass(frozen=True, slots=True)
class FixedConfigs:
    """What the environment says, for every tenant."""

    config: UtilityConfig

    def of(self, tenant: str) -> UtilityConfig:
        """Return it."""
        del tenant
        return self.config
