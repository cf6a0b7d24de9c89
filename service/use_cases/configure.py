"""What is set of utility at run time: shown, changed, taken back, and who did so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from graph.errors import InvalidInputError
from graph.model import (
    UTILITY_FIELDS,
    ConfigChange,
    ConfigDecision,
    ConfigInForce,
    Event,
    Page,
    PagePosition,
    ValueInForce,
    check_utility_value,
)
from graph.ports import NO_EVENTS, UNWATCHED
from service.use_cases.paging import decode, page_of
from service.use_cases.watched import watched

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from graph.model import ConfigValue, Door, Overrides, UtilityConfig
    from graph.ports import (
        Clock,
        ConfigsInUse,
        ConfigStore,
        EventLog,
        Identifiers,
        Telemetry,
    )
    from graph.scope import Caller


Wanted = Callable[["Mapping[str, ConfigValue]"], "Mapping[str, ConfigValue | None]"]


@dataclass(frozen=True, slots=True)
class _By:
    """Who changes something, through which door, and when."""

    caller: Caller
    door: Door
    now: datetime


def overlaid(environment: UtilityConfig, overrides: Mapping[str, ConfigValue]) -> UtilityConfig:
    """Lay what was set at run time over the environment, passing over what this release cannot use."""
    usable: dict[str, Any] = {
        name: value for name, value in overrides.items() if _is_usable(name, value)
    }
    return replace(environment, **usable)


def laid_over(
    environment: Mapping[str, ValueInForce], overrides: Overrides
) -> dict[str, ValueInForce]:
    """Return which values are in force, and where each comes from."""
    values = dict(environment)
    for name, value in overrides.values.items():
        if name in values and _is_usable(name, value):
            values[name] = ValueInForce(value, "runtime", values[name].variable)
    return values


def _is_usable(name: str, value: ConfigValue) -> bool:
    try:
        check_utility_value(name, value)
    except InvalidInputError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class ShowConfig:
    """Show what is in force for a tenant, and where each value comes from.

    A value set at run time wins over the environment, and that over the default. ``environment``
    holds what the environment and the defaults say.
    """

    store: ConfigStore
    environment: Mapping[str, ValueInForce]
    telemetry: Telemetry = UNWATCHED

    @watched("show_config")
    async def __call__(self, tenant: str) -> ConfigInForce:
        """Read it from the graph, as every replica will know it in a moment."""
        return self.in_force(await self.store.overrides(tenant))

    def in_force(self, overrides: Overrides) -> ConfigInForce:
        """Lay overrides over the environment."""
        values = laid_over(self.environment, overrides)
        return ConfigInForce(overrides.version, overrides.changed_at, values)


@dataclass(frozen=True, slots=True)
class ChangeConfig:
    """Set values of a tenant while the service runs, or leave them to the environment again.

    Who did so is kept for each value that changes. This process uses the new ones at once, others
    when they look the next time.

    Raises
    ------
    InvalidInputError
        If there is no such value, or it has another type or lies out of its range.
    """

    store: ConfigStore
    show: ShowConfig
    configs: ConfigsInUse
    clock: Clock
    identifiers: Identifiers
    events: EventLog = NO_EVENTS
    telemetry: Telemetry = UNWATCHED

    @watched("change_config")
    async def __call__(
        self, caller: Caller, changes: Mapping[str, ConfigValue | None], *, door: Door = "http"
    ) -> ConfigInForce:
        """Set each value that is named; None leaves it to the environment again."""
        for name, value in changes.items():
            _check(name, value)
        return await self._decided(caller, lambda present: {**present, **changes}, door)

    @watched("reset_config")
    async def reset(self, caller: Caller, *, door: Door = "http") -> ConfigInForce:
        """Leave every value to the environment again."""
        return await self._decided(caller, dict[str, "ConfigValue | None"].fromkeys, door)

    async def _decided(self, caller: Caller, wanted: Wanted, door: Door) -> ConfigInForce:
        now = self.clock.now()
        told: list[Event] = []

        def decide(present: Overrides) -> ConfigDecision:
            decision = self._decide(present, wanted(present.values), _By(caller, door, now))
            told[:] = decision.events
            return decision

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
        return ConfigDecision(values, changes, self._events(names, by))

    def _events(self, names: list[str], by: _By) -> tuple[Event, ...]:
        if not names:
            return ()
        event = Event(
            uid=self.identifiers.new_uid(by.now),
            name="memory:utility_config_updated",
            scope=f"{by.caller.tenant}/shared",
            agent_id=by.caller.agent_id or "",
            at=by.now,
            data={"names": sorted(names)},
        )
        return (event,)


@dataclass(frozen=True, slots=True)
class ListConfigChanges:
    """Page through who set what of a tenant's configuration, newest first.

    Raises
    ------
    InvalidInputError
        If the cursor is not one that a page of this list gave.
    """

    store: ConfigStore
    telemetry: Telemetry = UNWATCHED

    @watched("list_config_changes")
    async def __call__(
        self, tenant: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[ConfigChange]:
        """Answer one page."""
        question = ("config changes", tenant)
        start = None if cursor is None else decode(cursor, question)
        found = await self.store.changes(tenant, limit + 1, start)
        return page_of(found, limit, question, lambda c: PagePosition(c.changed_at, c.uid))


def _check(name: str, value: ConfigValue | None) -> None:
    if value is not None:
        check_utility_value(name, value)
    elif name not in UTILITY_FIELDS:
        raise InvalidInputError("there is no such setting of utility", field=name)
