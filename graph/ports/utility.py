"""What tenants have set of utility."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from graph.model import UtilityConfig


class UtilityConfigs(Protocol):
    """What is in force now; looked up for each request, so it must not wait for anything."""

    def of(self, tenant: str) -> UtilityConfig:
        """Return what a tenant has set, over what the environment says."""
        ...
