"""`/v1/strata/config`: run-time settings of strata."""

from __future__ import annotations

from fastapi import APIRouter

from graph.kernel.scope import Caller
from graph.model.strata.config import STRATA_SETTINGS
from service.http.kernel.routing import serves
from service.http.kernel.security import Tenant
from service.http.kernel.state import Bound
from service.http.utility.config import EnteredBy, changed_settings, changes_view, config_view
from stratagraph import wire
from stratagraph.operations import strata as operations

router = APIRouter()


@serves(router, operations.STRATA_CONFIG)
async def show_strata_config(tenant: Tenant, service: Bound) -> wire.ConfigView:
    return config_view(await service.show_strata_config(tenant))


@serves(router, operations.CHANGE_STRATA_CONFIG)
async def change_strata_config(
    caller: Caller, body: wire.StrataConfigRequest, door: EnteredBy, service: Bound
) -> wire.ConfigView:
    changes = changed_settings(body, STRATA_SETTINGS)
    return config_view(await service.change_strata_config(caller, changes, door=door))


@serves(router, operations.RESET_STRATA_CONFIG)
async def reset_strata_config(caller: Caller, door: EnteredBy, service: Bound) -> wire.ConfigView:
    return config_view(await service.change_strata_config.reset(caller, door=door))


@serves(router, operations.STRATA_CONFIG_CHANGES)
async def list_strata_config_changes(
    tenant: Tenant, asked: wire.ConfigChangesRequest, service: Bound
) -> wire.ConfigChangePage:
    page = await service.list_strata_config_changes(tenant, limit=asked.limit, cursor=asked.cursor)
    return changes_view(page)
