"""Exports hold the surprise plugins of agents, and imports take nothing away from what a plugin has learned here."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from graph.model.strata.plugins import Observation, PluginSettings, SurprisePlugin
from service.bootstrap import Service
from tests.conftest import Run
from tests.doors.moving import WIPE, everything, exported, imported, of

ANNA, BERT = Caller("local", "anna"), Caller("local", "bert")
FLOOD, CALM = {"FLOOD": "HIGH"}, {"FLOOD": "NONE"}
SYMBOLIC = PluginSettings("symbolic")
TIME = "2026-05-01T09:30:00Z"
LINE: dict[str, Any] = {
    "type": "plugin", "scope": "agent/anna", "settings": {"kind": "decision"}, "attached_at": TIME,
    "state": {"observations": 3, "counts": [["wait", 2], ["write to ada@example.org", 1]]},
}  # fmt: skip


async def observe(service: Service, caller: Caller, *seen: Observation) -> list[float]:
    return [one.surprise for one in await service.observe([(caller, each) for each in seen])]


async def plugin(service: Service, caller: Caller = ANNA) -> SurprisePlugin:
    found = await service.read_mind.plugin(caller)
    assert found is not None
    return found


async def taught(service: Service) -> None:
    """Give agents one plugin of each kind, and something that it has seen."""
    kinds: list[tuple[str, PluginSettings, list[Observation]]] = [
        ("anna", SYMBOLIC, [FLOOD, FLOOD, CALM]),
        ("bert", PluginSettings("decision", mode="bigram"), [{"action": a} for a in ("wait", "buy", "wait")]),
        ("cleo", PluginSettings("ema", scales={"depth": 2.0}), [{"depth": 0.1}, {"depth": 1.7}]),
        ("dora", PluginSettings("multidimensional", weights={"depth": 3.0}), [{"depth": 2, "wind": 0.5}]),
        ("egon", SYMBOLIC, []),
    ]  # fmt: skip
    for name, settings, seen in kinds:
        caller = Caller("local", name)
        await service.attach_plugin(caller, settings)
        if seen:
            await observe(service, caller, *seen)


async def test_plugins_come_back_with_all_that_they_have_learned(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await taught(service)
    lines = await exported(client)
    names = ("anna", "bert", "cleo", "dora", "egon")
    assert [line["scope"] for line in of(lines, "plugin")] == [f"agent/{name}" for name in names]
    before = everything(cypher)
    minds = [await plugin(service, Caller("local", name)) for name in names]
    cypher(WIPE)
    answer = await imported(client, lines)
    assert not of(answer, "rejected") + of(answer, "skipped")
    assert answer[-1]["types"]["plugin"]["created"] == 5
    assert everything(cypher) == before
    assert [await plugin(service, Caller("local", name)) for name in names] == minds
    assert (await imported(client, lines))[-1]["types"]["plugin"]["unchanged"] == 5
    assert everything(cypher) == before
    assert await observe(service, ANNA, FLOOD) == [0.5]  # seen twice in three, and not anew
    assert await observe(service, BERT, {"action": "buy"}) == [0.5]  # once after this action


async def test_a_plugin_that_has_learned_something_stays_as_it_is(
    client: httpx.AsyncClient, service: Service
) -> None:
    await service.attach_plugin(ANNA, SYMBOLIC)
    await observe(service, ANNA, FLOOD, FLOOD)
    lines = await exported(client)
    await observe(service, ANNA, CALM)
    here = await plugin(service)
    assert (await imported(client, lines))[-1]["types"]["plugin"]["unchanged"] == 1
    assert await plugin(service) == here
    await service.attach_plugin(ANNA, PluginSettings("ema"))
    assert (await imported(client, lines))[-1]["types"]["plugin"]["unchanged"] == 1
    assert (await plugin(service)).settings.kind == "ema"


async def test_a_plugin_that_has_learned_nothing_takes_what_is_said(
    client: httpx.AsyncClient, service: Service
) -> None:
    await service.attach_plugin(ANNA, SYMBOLIC)
    await observe(service, ANNA, FLOOD, FLOOD)
    learned, lines = await plugin(service), await exported(client)
    await service.reset_plugin(ANNA)
    empty = await exported(client)
    counts = [(await imported(client, lines))[-1]["types"]["plugin"] for _ in range(2)]
    assert [(each["created"], each["unchanged"]) for each in counts] == [(1, 0), (0, 1)]
    assert await plugin(service) == learned
    await imported(client, empty)
    assert await plugin(service) == learned
    await service.attach_plugin.detach(ANNA)
    await imported(client, lines)
    assert await plugin(service) == learned


async def test_what_is_observed_during_an_import_is_not_lost(
    client: httpx.AsyncClient, service: Service
) -> None:
    await service.attach_plugin(ANNA, SYMBOLIC)
    await observe(service, ANNA, *[FLOOD] * 10)
    lines = await exported(client)
    await service.reset_plugin(ANNA)
    await asyncio.gather(
        *(imported(client, lines) for _ in range(8)),
        *(observe(service, ANNA, FLOOD) for _ in range(8)),
    )
    state = (await plugin(service)).state
    assert state.observations in {8, 18}  # the import came first, or found something learned
    assert sum(state.counts.values()) == state.observations


async def test_an_agent_exports_its_own_plugin_and_takes_it_to_another_name(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    for caller in (ANNA, BERT):
        await service.attach_plugin(caller, SYMBOLIC)
        await observe(service, caller, FLOOD)
    lines = await exported(client, agent_id="anna")
    assert [line["scope"] for line in of(lines, "plugin")] == ["agent/anna"]
    learned = (await plugin(service)).state
    cypher(WIPE)
    await imported(client, lines, agent_map="anna=dora")
    assert (await plugin(service, Caller("local", "dora"))).state == learned
    assert await service.read_mind.plugin(ANNA) is None


async def test_an_erased_agent_takes_an_imported_plugin_along(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await service.remember([NewMemory(ANNA.home, "The river rises.", agent_id="anna")])
    await service.attach_plugin(ANNA, SYMBOLIC)
    await observe(service, ANNA, FLOOD)
    lines = await exported(client)
    cypher(WIPE)
    await imported(client, lines)
    erasure = await service.erase.owner(ANNA)
    assert (erasure.state, erasure.counts["SurprisePlugin"]) == ("done", 1)
    assert of(await exported(client), "plugin") == []
    assert cypher("MATCH (p:SurprisePlugin) RETURN p") == []


async def test_a_line_by_hand_lands_cleaned(
    client: httpx.AsyncClient, service: Service, cypher: Run
) -> None:
    await imported(client, [LINE])
    state = (await plugin(service)).state
    assert (state.observations, state.counts["wait",]) == (3, 2)
    assert "ada@example.org" not in cypher("MATCH (p:SurprisePlugin) RETURN p.state AS s")[0]["s"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"scope": "channel/ops"}, "scope"),
        ({"settings": {"kind": "guess"}}, "settings.kind"),
        ({"settings": {"kind": "ema", "step": 2.0}}, "settings.step"),
        ({"state": {"counts": [["wait", 0]]}}, "state.counts.0.1"),
        ({"state": {"counts": [["wait", "often"]]}}, "state.counts.0.1"),
        ({"state": {"pairs": [["wait", "buy", 0]]}}, "state.pairs.0.2"),
        ({"state": {"means": {"depth": 1e12}}}, "state.means.depth"),
        ({"state": {"latest": [{"surprise": 2.0, "seen": "FLOOD:HIGH"}]}}, "state.latest.0.surprise"),
    ],
)  # fmt: skip
async def test_a_line_that_no_plugin_can_be_is_refused(
    client: httpx.AsyncClient, cypher: Run, changes: dict[str, Any], field: str
) -> None:
    answer = await imported(client, [LINE | changes])
    [refused] = of(answer, "rejected")
    assert refused["field"].startswith(field)
    assert cypher("MATCH (p:SurprisePlugin) RETURN p") == []


async def test_a_file_of_an_older_version_has_no_plugins_and_leaves_those_here(
    client: httpx.AsyncClient, service: Service
) -> None:
    await service.remember([NewMemory(ANNA.home, "The river rises.", agent_id="anna")])
    lines = [line for line in await exported(client) if line["type"] != "plugin"]
    lines[0]["version"] = "1.2"
    await service.attach_plugin(ANNA, SYMBOLIC)
    await observe(service, ANNA, FLOOD)
    answer = await imported(client, lines)
    assert (answer[-1]["counts"]["rejected"], answer[-1]["complete"]) == (0, True)
    assert (await plugin(service)).state.observations == 1
