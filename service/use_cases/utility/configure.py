"""Run-time settings of utility and strata: show, change, reset, and audit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from graph.kernel.errors import InvalidInputError
from graph.kernel.events import Event, EventName
from graph.kernel.scope import Caller
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
from graph.store.utility.configs import ConfigStore
from service.use_cases.kernel.paging import decode, page_of
from service.use_cases.kernel.watched import RecordingUseCase, UseCase, watched

Config = TypeVar("Config", UtilityConfig, StrataConfig)
TakenAway = Callable[["Mapping[str, object]", "Mapping[str, object]"], "tuple[Stratum, ...]"]
Wanted = Callable[["Mapping[str, ConfigValue]"], "Mapping[str, ConfigValue | None]"]


def _nothing(values: Mapping[str, object], changed: Collection[str]) -> None:
    """Refuse no values beside each other."""


@dataclass(frozen=True, slots=True)
class ConfigSection:
    """A group of settings that are shown and changed together, and the event of a change.

    ``check_together`` is given all values in force, and the names of those that change. ``taken_away`` is given
    all values before and after a change, and names the strata that go with it.
    """

    name: str
    settings: Mapping[str, Setting]
    event: EventName
    check_together: Callable[[Mapping[str, object], Collection[str]], None] = _nothing
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
        """Say whether this release can use a value that was set."""
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
class _By:
    """The actor, door and time of a change."""

    caller: Caller
    door: Door
    now: datetime


def overlaid(
    environment: Config, overrides: Mapping[str, ConfigValue], section: ConfigSection
) -> Config:
    """Lay what was set at run time over the environment, passing over what this release cannot use."""
    usable: dict[str, Any] = {
        name: value for name, value in overrides.items() if section.usable(name, value)
    }
    return replace(environment, **usable)


def laid_over(
    environment: Mapping[str, ValueInForce], overrides: Overrides, section: ConfigSection
) -> dict[str, ValueInForce]:
    """Return which values of a section are in force, and where each comes from."""
    values = dict(environment)
    for name, value in overrides.values.items():
        if name in values and section.usable(name, value):
            values[name] = ValueInForce(value, "runtime", values[name].variable)
    return values


@dataclass(frozen=True, slots=True)
class ShowConfig(UseCase):
    """Show the settings in force for a tenant, and the source of each value.

    A value set at run time wins over the environment, and that over the default. ``environment``
    holds what the environment and the defaults say.
    """

    store: ConfigStore
    section: ConfigSection
    environment: Mapping[str, ValueInForce]

    @watched("show_config")
    async def __call__(self, tenant: str) -> ConfigInForce:
        """Read it from the graph, as every replica will know it in a moment."""
        return self.in_force(await self.store.overrides(tenant))

    def in_force(self, overrides: Overrides) -> ConfigInForce:
        """Lay overrides over the environment."""
        values = laid_over(self.environment, overrides, self.section)
        return ConfigInForce(overrides.version, overrides.changed_at, values)


@dataclass(frozen=True, slots=True)
class ChangeConfig(RecordingUseCase):
    """Set values of a tenant at run time, or reset them to the environment.

    Who did so is kept for each value that changes. This process uses the new ones at once, others
    when they look the next time.

    Raises
    ------
    InvalidInputError
        If there is no such value, it has another type or lies out of its range, or it does not go
        with another that is in force.
    ConflictError
        If a stratum would go that still holds memories.
    """

    store: ConfigStore
    show: ShowConfig
    configs: ConfigsInUse
    events: EventLog = NO_EVENTS

    @watched("change_config")
    async def __call__(
        self, caller: Caller, changes: Mapping[str, ConfigValue | None], *, door: Door = "http"
    ) -> ConfigInForce:
        """Set each value that is named; None leaves it to the environment again."""
        for name, value in changes.items():
            self._check(name, value)
        # other settings of the tenant stay as they are
        return await self._decided(caller, lambda present: {**present, **changes}, door)

    @watched("reset_config")
    async def reset(self, caller: Caller, *, door: Door = "http") -> ConfigInForce:
        """Leave every value to the environment again."""
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
        told: list[Event] = []

        def decide(present: Overrides) -> ConfigDecision:
            decision = self._decide(present, wanted(present.values), _By(caller, door, now))
            # a transaction may be tried again: only its last decision is told
            told[:] = decision.events
            return decision

        # before the events: whoever hears of it reads the new values
        overrides = await self.store.change(caller.tenant, decide)
        await self.configs.refresh()
        self.events.told(*told)
        if told:
            self.telemetry.count("config_changes", len(told[0].data["names"]))
        return self.show.in_force(overrides)

    def _decide(
        self, present: Overrides, wanted: Mapping[str, ConfigValue | None], by: _By
    ) -> ConfigDecision:
        before = self.show.in_force(present).values
        # what is set to what it is already changes nothing
        names = [name for name in wanted if wanted[name] != present.values.get(name)]
        changes = tuple(
            ConfigChange(
                uid=self.identifiers.new_uid(by.now),
                name=name,
                old=before[name].value if name in before else present.values[name],
                new=wanted[name],
                actor=by.caller.home.partition("/")[2],
                door=by.door,
                changed_at=by.now,
            )
            for name in names
        )
        values = {name: value for name, value in wanted.items() if value is not None}
        section = self.show.section
        after = self.show.in_force(replace(present, values=values)).values
        old, new = ({n: held.value for n, held in each.items()} for each in (before, after))
        # a change of nothing is not checked: what is in force may be odd since an update
        if names:
            section.check_together(new, names)
        leaving = section.taken_away(old, new) if section.taken_away else ()
        return ConfigDecision(values, changes, self._events(names, by), leaving)

    def _events(self, names: list[str], by: _By) -> tuple[Event, ...]:
        if not names:
            return ()
        event = Event(
            uid=self.identifiers.new_uid(by.now),
            name=self.show.section.event,
            scope=f"{by.caller.tenant}/shared",
            agent_id=by.caller.agent_id or "",
            at=by.now,
            data={"names": sorted(names)},
        )
        return (event,)


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
