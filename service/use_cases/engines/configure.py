"""Configuration of the engines of a tenant: show, apply and reset."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graph.kernel.errors import InvalidInputError
from graph.kernel.events import Event
from graph.kernel.scope import Caller
from graph.model.engines.config import NO_ENGINES, TenantEngines
from graph.model.engines.files import read_engines
from graph.model.utility.configs import ConfigChange, ConfigDecision, ConfigValue, Door, Overrides
from graph.model.utility.settings import Setting
from graph.ports.events import NO_EVENTS, EventLog
from graph.ports.utility import ConfigsInUse
from graph.store.utility.configs import ConfigStore
from service.use_cases.kernel.watched import RecordingUseCase, watched
from service.use_cases.utility.configure import STRATA, ConfigSection

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
"""The same as a group of settings, so that its changes are listed as those of others."""
_LONGEST = 200_000  # characters of that text


@dataclass(frozen=True, slots=True)
class EnginesInForce:
    """Configuration of the engines of a tenant; ``said`` is what was applied."""

    version: int
    changed_at: datetime | None
    engines: TenantEngines
    said: Mapping[str, Any]


def engines_in(values: Mapping[str, ConfigValue]) -> TenantEngines:
    """Return the engines among run-time settings; what this release cannot use is passed over."""
    # an older release may hold what this one does not know: recalls go on
    try:
        return read_engines(_said(values)).engines
    except InvalidInputError:
        return NO_ENGINES


@dataclass(frozen=True, slots=True)
class ConfigureEngines(RecordingUseCase):
    """Show the engines of a tenant, apply a configuration in place of the one before, or drop it.

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
        """Put a configuration in place of the one before."""
        # read first, so that nothing is stored that cannot be used
        strata = read_engines(data).strata
        text = json.dumps(data, ensure_ascii=False, sort_keys=True)
        if len(text) > _LONGEST:
            raise InvalidInputError(f"memory_config: longer than {_LONGEST} characters as JSON")
        return await self._set(caller, {**strata, ENGINES: text}, door)

    @watched("reset_engines")
    async def reset(self, caller: Caller, *, door: Door = "http") -> EnginesInForce:
        """Let every agent recall by the default again."""
        return await self._set(caller, {ENGINES: None}, door)

    async def _set(
        self, caller: Caller, wanted: Mapping[str, ConfigValue | None], door: Door
    ) -> EnginesInForce:
        now = self.clock.now()
        told: list[Event] = []

        def decide(present: Overrides) -> ConfigDecision:
            values = {**present.values, **wanted}
            strata = self.configs.strata_of(caller.tenant)
            before = {name: getattr(strata, name, "") for name in wanted} | dict(present.values)
            changes = tuple(
                self._change(caller, name, (before[name], value), now, door)
                for name, value in wanted.items()
                # what is set to what it is already changes nothing
                if value != present.values.get(name)
            )
            # a transaction may be tried again: only its last decision is told
            told[:] = self._events(caller, [change.name for change in changes], now)
            kept = {name: value for name, value in values.items() if value is not None}
            return ConfigDecision(kept, changes, tuple(told))

        overrides = await self.store.change(caller.tenant, decide)
        await self.configs.refresh()
        self.events.told(*told)
        return _in_force(overrides)

    def _events(self, caller: Caller, changed: Sequence[str], now: datetime) -> list[Event]:
        """Tell of the settings of strata that a configuration has changed."""
        names = sorted(name for name in changed if name != ENGINES)
        if not names:
            return []
        event = Event(
            uid=self.identifiers.new_uid(now),
            name=STRATA.event,
            scope=f"{caller.tenant}/shared",
            agent_id=caller.agent_id or "",
            at=now,
            data={"names": names},
        )
        return [event]

    def _change(
        self,
        caller: Caller,
        name: str,
        values: tuple[ConfigValue, ConfigValue | None],
        now: datetime,
        door: Door,
    ) -> ConfigChange:
        old, new = values
        actor = caller.home.partition("/")[2]
        return ConfigChange(self.identifiers.new_uid(now), name, old, new, actor, door, now)


def _in_force(overrides: Overrides) -> EnginesInForce:
    return EnginesInForce(
        overrides.version,
        overrides.changed_at,
        engines_in(overrides.values),
        _said(overrides.values),
    )


def _said(values: Mapping[str, ConfigValue]) -> Mapping[str, Any]:
    text = values.get(ENGINES)
    return json.loads(text) if isinstance(text, str) and text else {}
