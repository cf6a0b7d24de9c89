"""Decay rates as parameters of statements that save a decay anchor before the rate changes."""

from __future__ import annotations

from typing import Any

from graph.ports.utility import StrataConfigs

Rates = dict[str, list[float]]


def fading_of(configs: StrataConfigs, tenant: str) -> Rates:
    """Return the decay parameters of one tenant, by stratum."""
    return {stratum: list(each) for stratum, each in configs.fading_of(tenant).items()}


def fading_of_all(configs: StrataConfigs) -> dict[str, Any]:
    """Return the default decay parameters, and those of each tenant with settings of its own."""
    own = {tenant: fading_of(configs, tenant) for tenant in configs.strata_by_tenant}
    return {"fading": fading_of(configs, ""), "own": own}
