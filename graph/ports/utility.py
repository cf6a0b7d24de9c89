"""Run-time settings of tenants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from graph.kernel.values import Stratum
from graph.model.engines.config import TenantEngines
from graph.model.strata.config import Fading, StrataConfig
from graph.model.utility.config import UtilityConfig


class UtilityConfigs(Protocol):
    """Settings of utility in force now; looked up for each request, so it must not wait for anything."""

    def of(self, tenant: str) -> UtilityConfig:
        """Return what a tenant has set, over what the environment says."""
        ...


class StrataConfigs(Protocol):
    """Settings of strata in force now; looked up for each request, so it must not wait for anything."""

    def strata_of(self, tenant: str) -> StrataConfig:
        """Return what a tenant has set, over what the environment says."""
        ...

    @property
    def strata_by_tenant(self) -> Mapping[str, StrataConfig]:
        """Settings of strata for each tenant that has set something."""
        ...

    def fading_of(self, tenant: str) -> Mapping[Stratum, Fading]:
        """Return what the weights of a tenant's memories fade by; of no tenant: where none has set anything."""
        ...


def all_strata_configs(configs: StrataConfigs) -> list[StrataConfig]:
    """Return the settings of strata where no tenant has set anything, and those of each that has."""
    return [configs.strata_of(""), *configs.strata_by_tenant.values()]


class EngineConfigs(Protocol):
    """Settings of engines in force now; looked up for each recall, so it must not wait for anything."""

    def engines_of(self, tenant: str) -> TenantEngines:
        """Return what a tenant has set, for all its agents and by their types."""
        ...


class ConfigsInUse(UtilityConfigs, StrataConfigs, EngineConfigs, Protocol):
    """Settings in force in this process, which looks now and then for what others have set."""

    @property
    def environment(self) -> UtilityConfig:
        """Settings where a tenant has set nothing."""
        ...

    async def refresh(self) -> None:
        """Look at once what is set."""
        ...
