"""Run-time settings of utility and strata: show, change, reset, and audit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from graph.kernel.errors import InvalidInputError
from graph.kernel.events import Event, EventName
from graph.kernel.scope import Caller, without_tenant
from graph.kernel.values import Stratum
from graph.model.memories.browsing import Page, PagePosition
from graph.model.strata.config import STRATA_SETTINGS, StrataConfig, check_thresholds, taken_away
from graph.model.utility.config import UTILITY_SETTINGS, UtilityConfig
from graph.model.utility.configs import (
    ConfigChange,
    ConfigDecision,
    ConfigInForce,
    ConfigValue,
    Door,
    Overrides,
    ValueInForce,
)
from graph.model.utility.settings import Setting
from graph.ports.events import NO_EVENTS, EventLog
from graph.ports.utility import ConfigsInUse
from graph.ports.world import Identifiers
from graph.store.utility.configs import ConfigStore
from service.use_cases.kernel.paging import decode, page_of
from service.use_cases.kernel.watched import RecordingUseCase, UseCase, watched

Config = TypeVar("Config", UtilityConfig, StrataConfig)
TakenAway = Callable[["Mapping[str, object]", "Mapping[str, object]"], "tuple[Stratum, ...]"]
Wanted = Callable[["Mapping[str, ConfigValue]"], "Mapping[str, ConfigValue | None]"]


def _accept_all(values: Mapping[str, object], changed: Collection[str]) -> None:
    """Accept any combination of values."""


@dataclass(frozen=True, slots=True)
class ConfigSection:
    """A group of settings that are shown and changed together, and the event of a change.

    ``check_together`` gets all values in force, and the names of the changed ones. ``taken_away`` gets all values before and
    after a change, and returns the strata that it removes.
    """

    name: str
    settings: Mapping[str, Setting]
    event: EventName
    check_together: Callable[[Mapping[str, object], Collection[str]], None] = _accept_all
    taken_away: TakenAway | None = None

    def setting(self, name: str) -> Setting:
        """Return a setting by its name.

        Raises
        ------
        InvalidInputError
            If the section has none of this name.
        """
        if name not in self.settings:
            raise InvalidInputError(f"there is no such setting of {self.name}", field=name)
        return self.settings[name]

    def usable(self, name: str, value: ConfigValue) -> bool:
        """Return whether this release can use a value that was set."""
        try:
            self.setting(name).check(value)
        except InvalidInputError:
            return False
        return True


UTILITY = ConfigSection("utility", UTILITY_SETTINGS, "memory:utility_config_updated")
STRATA = ConfigSection(
    "strata", STRATA_SETTINGS, "memory:strata_config_updated", check_thresholds, taken_away
)


@dataclass(frozen=True, slots=True)
class _Author:
    """The actor, door and time of a change."""

    caller: Caller
    door: Door
    now: datetime


def overlaid(
    environment: Config, overrides: Mapping[str, ConfigValue], section: ConfigSection
) -> Config:
    """Override the environment by run-time values, ignoring those that this release cannot use."""
    usable: dict[str, Any] = {
        name: value for name, value in overrides.items() if section.usable(name, value)
    }
    return replace(environment, **usable)


def values_in_force(
    environment: Mapping[str, ValueInForce], overrides: Overrides, section: ConfigSection
) -> dict[str, ValueInForce]:
    """Return the values of a section in force, with their sources."""
    values = dict(environment)
    for name, value in overrides.values.items():
        if name in values and section.usable(name, value):
            values[name] = ValueInForce(value, "runtime", values[name].variable)
    return values


@dataclass(frozen=True, slots=True)
class ShowConfig(UseCase):
    """Show the settings in force for a tenant, and the source of each value.

    Run-time values take precedence over the environment, and that over the defaults; ``environment`` has both of these.
    """

    store: ConfigStore
    section: ConfigSection
    environment: Mapping[str, ValueInForce]

    @watched("show_config")
    async def __call__(self, tenant: str) -> ConfigInForce:
        """Read it from the graph; replicas may still use older values."""
        return self.in_force(await self.store.overrides(tenant))

    def in_force(self, overrides: Overrides) -> ConfigInForce:
        """Return the environment with overrides."""
        values = values_in_force(self.environment, overrides, self.section)
        return ConfigInForce(overrides.version, overrides.changed_at, values)


@dataclass(frozen=True, slots=True)
class ChangeConfig(RecordingUseCase):
    """Set values of a tenant at run time, or reset them to the environment.

    The actor of each change is recorded. This process uses the new values at once, others after their next refresh.

    Raises
    ------
    InvalidInputError
        If a value is unknown, of another type, out of range, or incompatible with another one in force.
    ConflictError
        If a stratum to be removed still has memories.
    """

    store: ConfigStore
    show: ShowConfig
    configs: ConfigsInUse
    events: EventLog = NO_EVENTS

    @watched("change_config")
    async def __call__(
        self, caller: Caller, changes: Mapping[str, ConfigValue | None], *, door: Door = "http"
    ) -> ConfigInForce:
        """Set the named values; None resets one to the environment."""
        for name, value in changes.items():
            self._check(name, value)
        # other settings of the tenant stay as they are
        return await self._decided(caller, lambda present: {**present, **changes}, door)

    @watched("reset_config")
    async def reset(self, caller: Caller, *, door: Door = "http") -> ConfigInForce:
        """Reset all values to the environment."""
        ours = self.show.section.settings
        return await self._decided(
            caller, lambda present: {n: None if n in ours else v for n, v in present.items()}, door
        )

    def _check(self, name: str, value: ConfigValue | None) -> None:
        declared = self.show.section.setting(name)
        if value is not None:
            declared.check(value)

    async def _decided(self, caller: Caller, wanted: Wanted, door: Door) -> ConfigInForce:
        now = self.clock.now()
        events: list[Event] = []

        def decide(present: Overrides) -> ConfigDecision:
            decision = self._decide(present, wanted(present.values), _Author(caller, door, now))
            # the transaction may be retried: only its last decision is emitted
            events[:] = decision.events
            return decision

        # before the events: a listener must read the new values
        overrides = await self.store.change(caller.tenant, decide)
        await self.configs.refresh()
        self.events.told(*events)
        if events:
            self.telemetry.count("config_changes", len(events[0].data["names"]))
        return self.show.in_force(overrides)

    def _decide(
        self, present: Overrides, wanted: Mapping[str, ConfigValue | None], by: _Author
    ) -> ConfigDecision:
        before = self.show.in_force(present).values
        # setting the present value is no change
        names = [name for name in wanted if wanted[name] != present.values.get(name)]
        changes = tuple(
            ConfigChange(
                uid=self.identifiers.new_uid(by.now),
                name=name,
                old=before[name].value if name in before else present.values[name],
                new=wanted[name],
                actor=without_tenant(by.caller.home),
                door=by.door,
                changed_at=by.now,
            )
            for name in names
        )
        values = {name: value for name, value in wanted.items() if value is not None}
        section = self.show.section
        after = self.show.in_force(replace(present, values=values)).values
        old, new = ({n: held.value for n, held in each.items()} for each in (before, after))
        # unchanged values are not checked: after an update they may be invalid together
        if names:
            section.check_together(new, names)
        leaving = section.taken_away(old, new) if section.taken_away else ()
        events = config_events(section.event, self.identifiers, by.caller, names, by.now)
        return ConfigDecision(values, changes, events, leaving)


def config_events(
    event: EventName,
    identifiers: Identifiers,
    caller: Caller,
    names: Collection[str],
    now: datetime,
) -> tuple[Event, ...]:
    """Return the event of changed settings; none without changes."""
    if not names:
        return ()
    uid, scope, agent = identifiers.new_uid(now), f"{caller.tenant}/shared", caller.agent_id or ""
    return (Event(uid, event, scope, agent, now, {"names": sorted(names)}),)


@dataclass(frozen=True, slots=True)
class ListConfigChanges(UseCase):
    """List the changes of a tenant's configuration in pages, newest first.

    Raises
    ------
    InvalidInputError
        If the cursor is not one that a page of this list gave.
    """

    store: ConfigStore
    section: ConfigSection

    @watched("list_config_changes")
    async def __call__(
        self, tenant: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[ConfigChange]:
        """Answer one page."""
        question = (f"{self.section.name} config changes", tenant)
        start = None if cursor is None else decode(cursor, question)
        found = await self.store.changes(tenant, tuple(self.section.settings), limit + 1, start)
        return page_of(found, limit, question, lambda c: PagePosition(c.changed_at, c.uid))
