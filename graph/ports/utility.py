"""Run-time settings of tenants."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.model.browsing import PagePosition
    from graph.model.configs import ConfigChange, ConfigDecision, Overrides
    from graph.model.engines import TenantEngines
    from graph.model.recall import Estimate
    from graph.model.strata import Fading, StrataConfig
    from graph.model.utility import UtilityConfig
    from graph.model.values import Stratum


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


DecideConfig = Callable[["Overrides"], "ConfigDecision | None"]


class ConfigStore(Protocol):
    """Store of the settings of tenants, in the graph."""

    async def overrides(self, tenant: str) -> Overrides:
        """Read what a tenant has set."""
        ...

    async def all_overrides(self) -> Mapping[str, Overrides]:
        """Read what every tenant has set."""
        ...

    async def change(self, tenant: str, decide: DecideConfig) -> Overrides:
        """Have the overrides decided anew under their lock; None leaves them as they are."""
        ...

    async def changes(
        self, tenant: str, names: Sequence[str], limit: int, start: PagePosition | None
    ) -> tuple[ConfigChange, ...]:
        """Read who changed which of some values, newest first, behind a position."""
        ...


class EstimateStore(Protocol):
    """Store of estimates of utility in contexts."""

    async def of(
        self, uids: Sequence[str], scopes: Sequence[str], contexts: Sequence[str]
    ) -> Mapping[str, Sequence[Estimate]]:
        """Read what is known of memories in some contexts, by uid, as far as the scopes go."""
        ...
