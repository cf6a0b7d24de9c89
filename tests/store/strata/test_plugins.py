"""Surprise plugins in the graph: restarts, replicas, races, scopes and erasure."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime

import pytest

from graph.database.driver import Connection, open_database
from graph.kernel.errors import InvalidInputError
from graph.kernel.scope import Caller
from graph.model.strata.plugins import Observation, PluginSettings, PluginState
from graph.store.strata.plugins import PluginStore
from service.bootstrap import Service
from service.use_cases.strata.observing import sense_all
from tests.conftest import Run
from tests.store.erasing import SECRET, WHO, naming

ANNA, BERT = Caller("local", "anna"), Caller("local", "bert")
FLOOD, CALM = {"FLOOD": "HIGH"}, {"FLOOD": "NONE"}
SYMBOLIC, BIGRAM = PluginSettings("symbolic"), PluginSettings("decision", mode="bigram")
WRITERS = 16


async def surprises(service: Service, caller: Caller, *seen: Observation) -> list[float]:
    return [one.surprise for one in await service.observe([(caller, each) for each in seen])]


async def state(service: Service, caller: Caller) -> PluginState:
    plugin = await service.read_mind.plugin(caller)
    assert plugin is not None
    return plugin.state


async def test_without_a_plugin_nothing_surprises_and_nothing_is_written(
    service: Service, cypher: Run
) -> None:
    [found] = await service.observe([(ANNA, FLOOD)])
    assert (found.surprise, found.system, found.attached) == (0.0, "SYSTEM_1", False)
    mind = await service.read_mind(ANNA)
    assert (mind.arousal, mind.system, mind.kind) == (0.0, "SYSTEM_1", None)
    assert await service.read_mind.plugin(ANNA) is None
    await service.reset_plugin(ANNA)
    assert cypher("MATCH (n) WHERE NOT n:Schema AND NOT n:Lease RETURN count(*) AS n") == [{"n": 0}]


async def test_the_boiling_frog_in_the_graph(service: Service) -> None:
    await service.attach_plugin(ANNA, SYMBOLIC)
    woken = FLOOD | {"NEIGHBOR": "ELEVATING"}
    assert await surprises(service, ANNA, FLOOD, FLOOD) == [1.0, 0.5]
    assert await surprises(service, ANNA, FLOOD, FLOOD, woken) == pytest.approx([1 / 3, 0.25, 1.0])
    assert (await service.read_mind(ANNA)).system == "SYSTEM_2"


async def test_a_restart_and_a_replica_know_what_was_learned(
    service: Service, connection: Connection
) -> None:
    await service.attach_plugin(ANNA, BIGRAM)
    await surprises(service, ANNA, {"action": "wait"}, {"action": "insure"}, {"action": "wait"})
    before = await service.read_mind.plugin(ANNA)
    async with open_database(connection) as other:
        found = await PluginStore(other).attached([ANNA.home])
    assert found == {ANNA.home: before}
    assert before is not None
    assert before.state.pairs == {("wait", "insure"): 1, ("insure", "wait"): 1}
    assert before.state.previous == "wait"


async def test_sixteen_writers_of_two_replicas_lose_nothing(
    service: Service, connection: Connection
) -> None:
    await service.attach_plugin(ANNA, SYMBOLIC)
    await service.attach_plugin(BERT, SYMBOLIC)
    async with open_database(connection) as database:
        stores = (service.stores.plugins, PluginStore(database))

        async def write(number: int) -> None:
            scopes = [ANNA.home, BERT.home][:: 1 if number % 2 else -1]
            seen = [FLOOD, CALM if number % 4 else FLOOD]
            for _ in range(5):
                await stores[number % 2].learn(
                    scopes,
                    datetime.now(UTC),
                    lambda plugins: sense_all(plugins, scopes, seen, 100),
                )

        await asyncio.gather(*(write(number) for number in range(WRITERS)))
    for caller in (ANNA, BERT):
        learned = await state(service, caller)
        assert learned.observations == 5 * WRITERS
        assert sum(learned.counts.values()) == 5 * WRITERS


async def test_what_comes_first_decides_among_observers_at_once(service: Service) -> None:
    await service.attach_plugin(ANNA, SYMBOLIC)
    found = await asyncio.gather(*(surprises(service, ANNA, FLOOD) for _ in range(WRITERS)))
    wanted = [1 - n / (n + 1) for n in range(WRITERS)]
    assert sorted((one for [one] in found), reverse=True) == pytest.approx(wanted)


async def test_attached_again_it_goes_on_and_with_other_settings_begins_anew(
    service: Service, cypher: Run
) -> None:
    begun = [await service.attach_plugin(ANNA, SYMBOLIC) for _ in range(2)]
    assert [new for _, new in begun] == [True, False]
    await surprises(service, ANNA, FLOOD)
    kept, new = await service.attach_plugin(ANNA, SYMBOLIC)
    assert (kept.state.observations, new) == (1, False)
    fresh, new = await service.attach_plugin(ANNA, BIGRAM)
    assert (fresh.state, new) == (PluginState(), True)
    assert len(cypher("MATCH (p:SurprisePlugin) RETURN p")) == 1


async def test_many_who_attach_at_once_make_one(service: Service, cypher: Run) -> None:
    found = await asyncio.gather(*(service.attach_plugin(ANNA, SYMBOLIC) for _ in range(WRITERS)))
    assert sum(new for _, new in found) == 1
    assert len(cypher("MATCH (p:SurprisePlugin) RETURN p")) == 1


async def test_a_reset_forgets_what_was_learned_and_keeps_the_plugin(service: Service) -> None:
    await service.attach_plugin(ANNA, SYMBOLIC)
    await surprises(service, ANNA, FLOOD, FLOOD)
    await service.reset_plugin(ANNA)
    assert await state(service, ANNA) == PluginState()
    assert await surprises(service, ANNA, FLOOD) == [1.0]
    await service.attach_plugin.detach(ANNA)
    assert await service.read_mind.plugin(ANNA) is None


async def test_agents_and_tenants_learn_apart(service: Service) -> None:
    namesake = Caller("other", "anna")
    for caller in (ANNA, BERT, namesake):
        await service.attach_plugin(caller, SYMBOLIC)
    assert await surprises(service, ANNA, FLOOD, FLOOD) == [1.0, 0.5]
    assert await surprises(service, BERT, FLOOD) == [1.0]
    assert await surprises(service, namesake, FLOOD) == [1.0]
    await service.reset_plugin(namesake)
    await service.attach_plugin.detach(BERT)
    assert (await state(service, ANNA)).observations == 2
    with pytest.raises(InvalidInputError, match="agent"):
        await service.observe([(Caller("local", user_ids=("ursula",)), FLOOD)])


async def test_a_faulty_row_leaves_nothing_learned(service: Service) -> None:
    await service.attach_plugin(ANNA, PluginSettings("ema"))
    with pytest.raises(InvalidInputError) as refused:
        await service.observe([(ANNA, {"depth": 1.0}), (ANNA, {"depth": "deep"})])
    assert refused.value.field == "rows.1.observation.depth"
    assert await state(service, ANNA) == PluginState()


async def test_the_limit_of_keys_is_a_setting(service: Service, cypher: Run) -> None:
    await service.change_strata_config(ANNA, {"surprise_keys": 10})
    try:
        await service.attach_plugin(ANNA, SYMBOLIC)
        await surprises(service, ANNA, *({"n": str(n)} for n in range(50)))
        learned = await state(service, ANNA)
        assert (learned.observations, len(learned.counts), len(learned.latest)) == (50, 10, 20)
        [row] = cypher("MATCH (p:SurprisePlugin) RETURN p.state AS state")
        assert len(json.loads(row["state"])["counts"]) == 10
    finally:
        await service.change_strata_config.reset(ANNA)


async def test_what_identifies_people_is_not_stored(service: Service, cypher: Run) -> None:
    await service.attach_plugin(ANNA, PluginSettings("decision"))
    await surprises(service, ANNA, {"action": "write to ada@example.org"})
    assert not naming(cypher, "ada@example.org")
    with pytest.raises(InvalidInputError, match="identifies a person"):
        await service.attach_plugin(ANNA, PluginSettings("ema", scales={"ada@example.org": 1.0}))


async def test_an_erased_agent_takes_its_plugin_along(service: Service, cypher: Run) -> None:
    zoe = Caller("local", WHO)
    for caller in (zoe, ANNA):
        await service.attach_plugin(caller, PluginSettings("decision"))
        await surprises(service, caller, {"action": f"the {SECRET} plan"})
    erasure = await service.erase.owner(zoe)
    assert (erasure.state, erasure.counts["SurprisePlugin"]) == ("done", 1)
    assert naming(cypher, WHO) == []
    assert (await state(service, ANNA)).observations == 1
    assert not (await service.observe([(zoe, {"action": "wait"})]))[0].attached
