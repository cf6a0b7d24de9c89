"""Run-time settings of utility and strata: from the environment, with overrides of tenants."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from graph.kernel.values import Stratum
from graph.model.engines.config import NO_ENGINES, TenantEngines
from graph.model.strata.config import STRATA_SETTINGS, Fading, StrataConfig
from graph.model.utility.config import UTILITY_SETTINGS, UtilityConfig
from graph.model.utility.configs import ValueInForce
from graph.scoring.strata import POLICIES
from graph.store.utility.configs import ConfigStore
from service.settings import Settings, variable_of
from service.use_cases.engines.configure import ENGINES, engines_in
from service.use_cases.utility.configure import STRATA, UTILITY, ConfigSection, overlaid


def configured(settings: Settings) -> UtilityConfig:
    """Return the settings of utility in the environment."""
    return UtilityConfig(**{name: getattr(settings, name) for name in UTILITY_SETTINGS})


def configured_strata(settings: Settings) -> StrataConfig:
    """Return the settings of strata in the environment."""
    return StrataConfig(**{name: getattr(settings, name) for name in STRATA_SETTINGS})


def configured_values(settings: Settings, section: ConfigSection) -> Mapping[str, ValueInForce]:
    """Return each value of the environment, with the variable that sets it, if any."""
    return {
        name: ValueInForce(
            getattr(settings, name),
            "environment" if name in settings.model_fields_set else "default",
            variable_of(name),
        )
        for name in section.settings
    }


class LiveConfigs:
    """The ``ConfigsInUse`` of a service: cached per tenant, and refreshed periodically.

    If the graph cannot be read, the last known values remain.
    """

    def __init__(
        self, store: ConfigStore, environment: UtilityConfig, strata: StrataConfig | None = None
    ) -> None:
        self._store = store
        self._environment = environment
        self._strata = StrataConfig() if strata is None else strata
        self._by_tenant: dict[str, UtilityConfig] = {}
        self._strata_by_tenant: dict[str, StrataConfig] = {}
        self._engines_by_tenant: dict[str, TenantEngines] = {}
        self._looking = asyncio.Lock()

    @property
    def environment(self) -> UtilityConfig:
        """See ``ConfigsInUse.environment``."""
        return self._environment

    def of(self, tenant: str) -> UtilityConfig:
        """See ``UtilityConfigs.of``."""
        return self._by_tenant.get(tenant, self._environment)

    def strata_of(self, tenant: str) -> StrataConfig:
        """See ``StrataConfigs.strata_of``."""
        return self._strata_by_tenant.get(tenant, self._strata)

    def engines_of(self, tenant: str) -> TenantEngines:
        """See ``EngineConfigs.engines_of``."""
        return self._engines_by_tenant.get(tenant, NO_ENGINES)

    @property
    def strata_by_tenant(self) -> Mapping[str, StrataConfig]:
        """See ``StrataConfigs.strata_by_tenant``."""
        return self._strata_by_tenant

    def fading_of(self, tenant: str) -> Mapping[Stratum, Fading]:
        """See ``StrataConfigs.fading_of``."""
        config = self.strata_of(tenant)
        raised = config.reward_weight_factor
        usual = {name: POLICIES[config.kin(name)] for name in config.order}
        return {
            name: Fading(rate, usual[name].utility_factor, raised, usual[name].reward_cap)
            for name, rate in config.decay_rates.items()
        }

    async def refresh(self) -> None:
        """See ``ConfigsInUse.refresh``; results of earlier reads never replace later ones."""
        # one read at a time: a slow one must not restore older values
        async with self._looking:
            found = await self._store.all_overrides()
            said = {tenant: held.values for tenant, held in found.items() if held.values}
            self._by_tenant = {
                tenant: overlaid(self._environment, values, UTILITY)
                for tenant, values in said.items()
            }
            self._strata_by_tenant = {
                tenant: overlaid(self._strata, values, STRATA) for tenant, values in said.items()
            }
            self._engines_by_tenant = {
                tenant: engines_in(values) for tenant, values in said.items() if ENGINES in values
            }
