"""Configuration of the engines of a tenant: show, apply and reset."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graph.kernel.errors import InvalidInputError
from graph.kernel.events import Event
from graph.kernel.scope import Caller, without_tenant
from graph.model.engines.config import NO_ENGINES, TenantEngines
from graph.model.engines.files import read_engines
from graph.model.utility.configs import ConfigChange, ConfigDecision, ConfigValue, Door, Overrides
from graph.model.utility.settings import Setting
from graph.ports.events import NO_EVENTS, EventLog
from graph.ports.utility import ConfigsInUse
from graph.store.utility.configs import ConfigStore
from service.use_cases.kernel.watched import RecordingUseCase, watched
from service.use_cases.utility.configure import STRATA, ConfigSection, config_events

ENGINES = "engines"
"""Name of the configuration among the run-time settings of a tenant, a text of JSON."""
SECTION = ConfigSection(
    ENGINES,
    {
        ENGINES: Setting(
            ENGINES, str, "", None, (), "Configuration of the engines, as JSON.", variable=None
        )
    },
    STRATA.event,
)
"""The configuration as a group of settings, so that its changes are listed."""
_LONGEST = 200_000  # characters of that text


@dataclass(frozen=True, slots=True)
class EnginesInForce:
    """Configuration of the engines of a tenant; ``said`` is the applied JSON."""

    version: int
    changed_at: datetime | None
    engines: TenantEngines
    said: Mapping[str, Any]


def engines_in(values: Mapping[str, ConfigValue]) -> TenantEngines:
    """Return the engines of run-time settings; none if this release cannot use them."""
    # a newer release may have stored an unknown configuration: recalls must go on
    try:
        return read_engines(_applied_json(values)).engines
    except InvalidInputError:
        return NO_ENGINES


@dataclass(frozen=True, slots=True)
class ConfigureEngines(RecordingUseCase):
    """Show, replace or reset the engines of a tenant.

    Raises
    ------
    InvalidInputError
        If an entry cannot be used; its field names the place.
    """

    store: ConfigStore
    configs: ConfigsInUse
    events: EventLog = NO_EVENTS

    @watched("show_engines")
    async def __call__(self, tenant: str) -> EnginesInForce:
        """Read it from the graph."""
        return _in_force(await self.store.overrides(tenant))

    @watched("apply_engines")
    async def apply(
        self, caller: Caller, data: Mapping[str, Any], *, door: Door = "http"
    ) -> EnginesInForce:
        """Replace the configuration."""
        # validated first, so that only usable configurations are stored
        strata = read_engines(data).strata
        text = json.dumps(data, ensure_ascii=False, sort_keys=True)
        if len(text) > _LONGEST:
            raise InvalidInputError(f"memory_config: longer than {_LONGEST} characters as JSON")
        return await self._set(caller, {**strata, ENGINES: text}, door)

    @watched("reset_engines")
    async def reset(self, caller: Caller, *, door: Door = "http") -> EnginesInForce:
        """Reset to the default engine for all agents."""
        return await self._set(caller, {ENGINES: None}, door)

    async def _set(
        self, caller: Caller, wanted: Mapping[str, ConfigValue | None], door: Door
    ) -> EnginesInForce:
        now = self.clock.now()
        events: list[Event] = []

        def decide(present: Overrides) -> ConfigDecision:
            values = {**present.values, **wanted}
            strata = self.configs.strata_of(caller.tenant)
            before = {name: getattr(strata, name, "") for name in wanted} | dict(present.values)
            changes = tuple(
                self._change(caller, name, (before[name], value), now, door)
                for name, value in wanted.items()
                # setting the present value is no change
                if value != present.values.get(name)
            )
            # the transaction may be retried: only its last decision is emitted
            names = [change.name for change in changes if change.name != ENGINES]
            events[:] = config_events(STRATA.event, self.identifiers, caller, names, now)
            kept = {name: value for name, value in values.items() if value is not None}
            return ConfigDecision(kept, changes, tuple(events))

        overrides = await self.store.change(caller.tenant, decide)
        await self.configs.refresh()
        self.events.told(*events)
        return _in_force(overrides)

    def _change(
        self,
        caller: Caller,
        name: str,
        values: tuple[ConfigValue, ConfigValue | None],
        now: datetime,
        door: Door,
    ) -> ConfigChange:
        old, new = values
        actor = without_tenant(caller.home)
        return ConfigChange(self.identifiers.new_uid(now), name, old, new, actor, door, now)


def _in_force(overrides: Overrides) -> EnginesInForce:
    return EnginesInForce(
        overrides.version,
        overrides.changed_at,
        engines_in(overrides.values),
        _applied_json(overrides.values),
    )


def _applied_json(values: Mapping[str, ConfigValue]) -> Mapping[str, Any]:
    text = values.get(ENGINES)
    return json.loads(text) if isinstance(text, str) and text else {}
