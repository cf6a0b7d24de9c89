"""Decay rates as parameters of the statements that anchor a weight before its rate changes."""

from __future__ import annotations

from typing import Any

from graph.ports.utility import StrataConfigs

Rates = dict[str, list[float]]


def fading_of(configs: StrataConfigs, tenant: str) -> Rates:
    """Return what holds for the memories of one tenant, by stratum."""
    return {stratum: list(each) for stratum, each in configs.fading_of(tenant).items()}


def fading_of_all(configs: StrataConfigs) -> dict[str, Any]:
    """Return the parameters that say what holds for those who have set nothing, and for each who has."""
    own = {tenant: fading_of(configs, tenant) for tenant in configs.strata_by_tenant}
    return {"fading": fading_of(configs, ""), "own": own}
