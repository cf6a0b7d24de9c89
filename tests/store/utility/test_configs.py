"""What is set of utility at run time, on a real graph: merged, recorded, seen by every replica."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from graph.database.driver import Connection
from graph.kernel.errors import DatabaseUnavailableError, InvalidInputError
from graph.kernel.scope import Caller
from graph.model.utility.config import UTILITY_SETTINGS, UtilityConfig
from graph.model.utility.configs import Overrides
from graph.ports.world import Embedder
from graph.store.utility.configs import ConfigStore
from service.bootstrap import Service, open_service
from service.bootstrap.configs import LiveConfigs
from service.settings import Settings
from service.use_cases.utility.configure import UTILITY, overlaid
from tests.conftest import Recalls, Remembers, Run

ANNA = Caller("local", "anna")
PLAIN = UtilityConfig(min_relevance=0.0)  # that of the settings of these tests
ACME = Caller("acme", user_ids=("ada",))


@pytest_asyncio.fixture(loop_scope="session")
async def other(
    service: Service, settings: Settings, connection: Connection, embedder: Embedder
) -> AsyncGenerator[Service]:
    """Another replica, which looks often."""
    quick = settings.model_copy(update={"config_watch_seconds": 0.05})
    async with open_service(quick, connection, embedder) as replica:
        yield replica


@pytest_asyncio.fixture(autouse=True, loop_scope="session")
async def left_as_it_was(service: Service) -> AsyncGenerator[None]:
    yield
    await service.change_config.reset(ANNA)
    await service.change_config.reset(ACME)


async def until(met: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not met():
            await asyncio.sleep(0.01)


async def test_without_any_change_the_environment_and_the_defaults_hold(service: Service) -> None:
    config = await service.show_config("local")
    assert (config.version, config.changed_at) == (0, None)
    assert tuple(config.values) == tuple(UTILITY_SETTINGS)
    assert {held.source for name, held in config.values.items() if name != "min_relevance"} == {
        "default"
    }
    assert config.values["q_default"].variable == "STRATAGRAPH_Q_DEFAULT"
    assert service.configs.of("local") == PLAIN


async def test_a_change_holds_at_once_here_and_soon_on_the_other_replica(
    service: Service, other: Service
) -> None:
    shown = await service.change_config(ANNA, {"utility_weight_default": 0.9, "exploration": "ucb"})
    assert shown.version == 1
    assert shown.values["utility_weight_default"].value == 0.9
    assert shown.values["utility_weight_default"].source == "runtime"
    assert service.configs.of("local").utility_weight_default == 0.9
    await until(lambda: other.configs.of("local").utility_weight_default == 0.9)
    assert other.configs.of("local").exploration == "ucb"
    assert other.configs.of("acme") == PLAIN
    assert await other.show_config("local") == shown


async def test_what_is_taken_back_is_as_the_environment_says(
    service: Service, other: Service
) -> None:
    await service.change_config(ANNA, {"learning_rate": 0.5, "q_default": 0.4})
    await service.change_config(ANNA, {"learning_rate": None})
    config = service.configs.of("local")
    assert (config.learning_rate, config.q_default) == (0.1, 0.4)
    shown = await service.change_config.reset(ANNA)
    assert {held.source for name, held in shown.values.items() if name != "min_relevance"} == {
        "default"
    }
    assert shown.version == 3
    await until(lambda: other.configs.of("local") == PLAIN)


async def test_what_is_set_wins_over_the_environment_until_it_is_taken_back(
    service: Service, settings: Settings, connection: Connection, embedder: Embedder
) -> None:
    said = settings.model_copy(update={"learning_rate": 0.3})
    async with open_service(said, connection, embedder) as replica:
        for change, value, source in (
            ({}, 0.3, "environment"),
            ({"learning_rate": 0.6}, 0.6, "runtime"),
            ({"learning_rate": None}, 0.3, "environment"),
        ):
            held = (await replica.change_config(ANNA, change)).values["learning_rate"]
            assert (held.value, held.source) == (value, source)
            assert replica.configs.of("local").learning_rate == value


async def test_each_value_that_changes_is_recorded_and_none_that_does_not(
    service: Service, cypher: Run
) -> None:
    await service.change_config(ANNA, {"learning_rate": 0.5, "exploration": "ucb"})
    await service.change_config(Caller("local", "bert"), {"learning_rate": 0.5, "q_default": 0.4})
    await service.change_config(ANNA, {"exploration": None, "contextual_utility": None})
    page = await service.list_config_changes("local")
    told = [(c.name, c.old, c.new, c.actor, c.door) for c in page.items]
    assert told[0] == ("exploration", "ucb", None, "agent/anna", "http")
    assert told[1] == ("q_default", 0.5, 0.4, "agent/bert", "http")
    assert sorted(told[2:]) == [
        ("exploration", "none", "ucb", "agent/anna", "http"),
        ("learning_rate", 0.1, 0.5, "agent/anna", "http"),
    ]
    assert page.cursor is None
    assert (await service.show_config("local")).changed_at == page.items[0].changed_at
    [row] = cypher("MATCH (c:UtilityConfig {tenant: 'local'}) RETURN c.version AS version")
    assert row["version"] == 3


async def test_what_changes_nothing_leaves_no_trace(service: Service, cypher: Run) -> None:
    await service.change_config(ANNA, {"learning_rate": 0.5})
    shown = await service.change_config(ANNA, {"learning_rate": 0.5})
    assert shown.version == 1
    assert await service.change_config(ANNA, {}) == shown
    counted = cypher("MATCH (n) WHERE n:ConfigChange OR n:Event RETURN count(n) AS n")
    assert counted == [{"n": 2}]


async def test_changes_come_in_pages(service: Service) -> None:
    for step in range(1, 8):
        await service.change_config(ANNA, {"learning_rate": step / 10})
    seen: list[object] = []
    cursor = None
    while True:
        page = await service.list_config_changes("local", limit=3, cursor=cursor)
        seen += [change.new for change in page.items]
        cursor = page.cursor
        if cursor is None:
            break
    assert seen == [0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
    with pytest.raises(InvalidInputError, match="cursor"):
        await service.list_config_changes("acme", cursor="x")


async def test_only_so_many_changes_are_kept(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.store.utility.configs._KEPT_CHANGES", 3)
    for step in range(1, 8):
        await service.change_config(ANNA, {"learning_rate": step / 10})
    page = await service.list_config_changes("local")
    assert [change.new for change in page.items] == [0.7, 0.6, 0.5]


async def test_a_tenant_sees_and_sets_only_its_own(service: Service) -> None:
    await service.change_config(ACME, {"learning_rate": 0.9})
    assert service.configs.of("local") == PLAIN
    assert (await service.show_config("local")).version == 0
    assert (await service.list_config_changes("local")).items == ()
    [change] = (await service.list_config_changes("acme")).items
    assert change.actor == "user/ada"
    acme_page = await service.list_config_changes("acme", limit=1)
    assert acme_page.cursor is None


async def test_writers_at_once_lose_no_value(service: Service, other: Service) -> None:
    names = [
        name for name in UTILITY_SETTINGS if name.startswith(("phase_weight", "utility_weight_"))
    ]
    await asyncio.gather(
        *(
            (service, other)[place % 2].change_config(ANNA, {name: 0.125})
            for place, name in enumerate(names)
        )
    )
    shown = await service.show_config("local")
    assert {name for name, held in shown.values.items() if held.source == "runtime"} == set(names)
    assert shown.version == len(names)
    assert len((await service.list_config_changes("local", limit=200)).items) == len(names)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"learning_rate": 1.5}, r"learning_rate: must be in \(0, 1\]"),
        ({"learning_rate": 0.2, "exploration": "greedy"}, "exploration: must be one of"),
        ({"colour": "red"}, "no such setting"),
        ({"colour": None}, "no such setting"),
    ],
)
async def test_a_wrong_value_changes_nothing(
    service: Service, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(InvalidInputError, match=said) as refused:
        await service.change_config(ANNA, changes)
    assert refused.value.field in changes
    assert (await service.show_config("local")).version == 0


async def test_what_a_newer_release_has_set_is_kept_and_passed_over(
    service: Service, cypher: Run
) -> None:
    await service.change_config(ANNA, {"learning_rate": 0.2})
    cypher(
        "MATCH (c:UtilityConfig {tenant: 'local'}) SET c.overrides = "
        """'{"learning_rate": 7, "dreams": true, "q_default": 0.25}'"""
    )
    await service.configs.refresh()
    assert service.configs.of("local") == replace(PLAIN, q_default=0.25)
    shown = await service.change_config(ANNA, {"q_default": 0.75})
    assert shown.values["learning_rate"].source == "default"
    [row] = cypher("MATCH (c:UtilityConfig {tenant: 'local'}) RETURN c.overrides AS overrides")
    assert row["overrides"] == '{"dreams": true, "learning_rate": 7, "q_default": 0.75}'


async def test_a_change_is_told_as_an_event_to_the_whole_tenant(
    service: Service, cypher: Run
) -> None:
    await service.change_config(ANNA, {"learning_rate": 0.2, "exploration": "ucb"})
    [row] = cypher("MATCH (e:Event) RETURN e {.*} AS event")
    event = row["event"]
    assert event["name"] == "memory:utility_config_updated"
    assert (event["scope"], event["agent_id"]) == ("local/shared", "anna")
    assert event["data"] == '{"names":["exploration","learning_rate"]}'
    assert event["waiting"] == "local"


async def test_what_is_set_is_used(
    service: Service, remember: Remembers, recall: Recalls, cypher: Run
) -> None:
    await service.change_config(ANNA, {"q_default": 0.25, "utility_weight_default": 0.875})
    uid = await remember(ANNA, "The lighthouse keeper naps at noon.")
    [row] = cypher("MATCH (m:Memory {uid: $uid}) RETURN m.q_value AS q", uid=uid)
    assert row["q"] == 0.25
    answer = await recall(ANNA, "lighthouse keeper", task_id="t")
    assert answer.utility_weight == 0.875
    await service.change_config(ANNA, {"track_memory_usage": False})
    await recall(ANNA, "lighthouse keeper", task_id="untracked")
    tasks = cypher("MATCH (t:Task) RETURN t.task_id AS id")
    assert tasks == [{"id": "t"}]
    await service.change_config(ANNA, {"utility_learning": False})
    assert (await recall(ANNA, "lighthouse keeper")).utility_weight == 0.0


async def test_a_replica_that_cannot_look_keeps_what_it_knew(service: Service) -> None:
    class Flaky(ConfigStore):
        def __init__(self) -> None:
            self.found: dict[str, Overrides] | None = {"a": Overrides(1, {"q_default": 0.25})}

        async def all_overrides(self) -> dict[str, Overrides]:
            if self.found is None:
                raise DatabaseUnavailableError
            return self.found

    store = Flaky()
    configs = LiveConfigs(store, UtilityConfig())
    await configs.refresh()
    store.found = None
    with pytest.raises(DatabaseUnavailableError):
        await configs.refresh()
    assert configs.of("a").q_default == 0.25
    assert configs.environment == configs.of("b") == overlaid(UtilityConfig(), {}, UTILITY)
