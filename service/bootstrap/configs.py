"""What is set of utility: by the environment, and over it by each tenant while the service runs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from graph.model import UTILITY_FIELDS, UtilityConfig, ValueInForce
from service.settings import variable_of
from service.use_cases.configure import overlaid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from graph.ports import ConfigStore
    from service.settings import Settings


def configured(settings: Settings) -> UtilityConfig:
    """Return what the environment says of utility."""
    return UtilityConfig(**{name: getattr(settings, name) for name in UTILITY_FIELDS})


def configured_values(settings: Settings) -> Mapping[str, ValueInForce]:
    """Return each value of the environment, with whether and by which variable it was set."""
    return {
        name: ValueInForce(
            getattr(settings, name),
            "environment" if name in settings.model_fields_set else "default",
            variable_of(name),
        )
        for name in UTILITY_FIELDS
    }


class LiveConfigs:
    """The ``ConfigsInUse`` of a service: held per tenant, read anew every moment.

    When the graph cannot be read, what was known last stays in force.
    """

    def __init__(self, store: ConfigStore, environment: UtilityConfig) -> None:
        self._store = store
        self._environment = environment
        self._by_tenant: dict[str, UtilityConfig] = {}
        self._looking = asyncio.Lock()

    @property
    def environment(self) -> UtilityConfig:
        """See ``ConfigsInUse.environment``."""
        return self._environment

    def of(self, tenant: str) -> UtilityConfig:
        """See ``UtilityConfigs.of``."""
        return self._by_tenant.get(tenant, self._environment)

    async def refresh(self) -> None:
        """See ``ConfigsInUse.refresh``; a look that began later never loses to an earlier one."""
        async with self._looking:
            found = await self._store.all_overrides()
            self._by_tenant = {
                tenant: overlaid(self._environment, overrides.values)
                for tenant, overrides in found.items()
                if overrides.values
            }
