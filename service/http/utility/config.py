"""`/v1/utility/config`: run-time settings of utility."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request

from graph.kernel.scope import Caller
from graph.model.memories.browsing import Page
from graph.model.utility.config import UTILITY_SETTINGS
from graph.model.utility.configs import ConfigChange, ConfigInForce, ConfigValue, Door
from service.http.kernel.routing import serves
from service.http.kernel.security import Tenant
from service.http.kernel.state import Bound
from service.http.kernel.views import view_of
from stratagraph import wire
from stratagraph.operations import utility as operations


def entered_by(request: Request) -> Door:
    """Return the door of a request, which `/mcp` states for calls within this process."""
    return "mcp" if getattr(request.state, "door", None) == "mcp" else "http"


EnteredBy = Annotated[Door, Depends(entered_by)]
router = APIRouter()


@serves(router, operations.UTILITY_CONFIG)
async def show_config(tenant: Tenant, service: Bound) -> wire.ConfigView:
    return config_view(await service.show_config(tenant))


@serves(router, operations.CHANGE_UTILITY_CONFIG)
async def change_config(
    caller: Caller, body: wire.UtilityConfigRequest, door: EnteredBy, service: Bound
) -> wire.ConfigView:
    changes = changed_settings(body, UTILITY_SETTINGS)
    return config_view(await service.change_config(caller, changes, door=door))


@serves(router, operations.RESET_UTILITY_CONFIG)
async def reset_config(caller: Caller, door: EnteredBy, service: Bound) -> wire.ConfigView:
    return config_view(await service.change_config.reset(caller, door=door))


@serves(router, operations.UTILITY_CONFIG_CHANGES)
async def list_config_changes(
    tenant: Tenant, asked: wire.ConfigChangesRequest, service: Bound
) -> wire.ConfigChangePage:
    page = await service.list_config_changes(tenant, limit=asked.limit, cursor=asked.cursor)
    return changes_view(page)


def changed_settings(body: wire.Request, names: Iterable[str]) -> dict[str, Any]:
    """Return the settings that a request names, with null for those to reset."""
    return {name: getattr(body, name) for name in names if name in body.model_fields_set}


def changes_view(page: Page[ConfigChange]) -> wire.ConfigChangePage:
    """Return the view of a page of changes."""
    items = tuple(_change_view(change) for change in page.items)
    return wire.ConfigChangePage(items=items, next_cursor=page.cursor)


def config_view(config: ConfigInForce) -> wire.ConfigView:
    """Return the view of the effective settings."""
    values = {
        name: view_of(wire.ConfigValueView, held, value=_finite(held.value))
        for name, held in config.values.items()
    }
    return view_of(wire.ConfigView, config, values=values)


def _change_view(change: ConfigChange) -> wire.ConfigChangeView:
    return view_of(
        wire.ConfigChangeView,
        change,
        old=_finite(change.old),
        new=None if change.new is None else _finite(change.new),
    )


def _finite(value: ConfigValue) -> ConfigValue:
    """Return infinity as in the environment, as JSON has no number for it."""
    return "inf" if isinstance(value, float) and math.isinf(value) else value
