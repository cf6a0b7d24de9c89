"""Strata at large, over HTTP, by the clients, on the command line and in Neo4j Browser, on numbers that are known."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta
from math import exp
from typing import Any

import pytest
import pytest_asyncio
from typer.testing import CliRunner

from graph.kernel.scope import Caller
from graph.kernel.values import STRATA
from graph.model.memories.memory import Link, NewMemory
from graph.model.strata.analytics import Flow, Population
from service.bootstrap import Service
from service.cli import app
from service.use_cases.strata.analytics import populations
from service.use_cases.strata.surprise import EventReport
from stratagraph import AsyncClient, Client
from tests.conftest import Run
from tests.served import served
from tests.store.operation.test_analytics import Analyst

ANNA, BERT = Caller("local", "anna"), Caller("local", "bert")
BOTH = Caller("local", "anna", ("support",))
HOME, OPEN = ANNA.writable(), "local/channel/support"
TODAY = f"{datetime.now(UTC):%Y-%m-%d}"
RUNNER = CliRunner()


@pytest_asyncio.fixture(loop_scope="session")
async def filled(service: Service, cypher: Run) -> Service:
    """Three memories of anna's, moved and moved back, and one of bert's."""
    rows = [
        NewMemory(HOME, "aaaa", external_id="a", stratum="episodic"),
        NewMemory(HOME, "bb", external_id="b", stratum="episodic"),
        NewMemory(HOME, "c", external_id="c", stratum="working", importance=1),
        NewMemory(BERT.writable(), "d", stratum="semantic"),
    ]
    await service.remember(rows)
    await service.move_memories(ANNA, ["external:a"], "promote")
    back = await service.move_memories(ANNA, ["external:b"], "demote")
    assert back.run is not None
    await service.undo_gate_run(ANNA, back.run.uid)
    return service


async def analysis(service: Service, caller: Caller = ANNA) -> Any:
    return await service.analyse_strata(caller, days=3)


async def test_what_strata_hold_and_what_flowed(filled: Service, cypher: Run) -> None:
    found = await analysis(filled)
    assert [(each.active, each.archived) for each in found.population] == [
        (1, 0), (0, 0), (1, 0), (1, 0), (0, 0),
    ]  # fmt: skip
    assert [each.characters for each in found.population] == [1, 0, 2, 4, 0]
    moved = {(f.action, f.from_stratum, f.to_stratum): f.memories for f in found.flow}
    assert moved == {
        ("store", None, "episodic"): 2,
        ("store", None, "working"): 1,
        ("promote", "episodic", "long_term"): 1,
        ("demote", "episodic", "short_term"): 1,
        ("undo", "short_term", "episodic"): 1,
    }
    assert [day.active for day in found.days] == [(0,) * 5] * 3 + [(1, 0, 1, 1, 0)]
    cypher("MATCH (m:Memory {external_id: 'c'}) SET m.state = 'archived'")
    again = await analysis(filled)
    assert (again.population[0].active, again.population[0].archived) == (0, 1)


@pytest.mark.usefixtures("in_pairs")
async def test_what_was_condensed_was_held_before(service: Service, cypher: Run) -> None:
    rows = [
        NewMemory(HOME, text, stratum="episodic", session_id="s")
        for text in (
            "The old boat is sold. It was red.",
            "Bruno buys a new one in May. It is blue.",
        )
    ]
    await service.remember(rows)
    cypher("MATCH (m:Memory) SET m.recorded_at = m.recorded_at - duration({days: 1})")
    done = await service.consolidate(ANNA, everything=True, dry_run=False)
    assert done.run is not None
    found = await analysis(service)
    assert {(f.action, f.from_stratum, f.to_stratum): f.memories for f in found.flow} == {
        ("store", None, "episodic"): 2,
        ("store", None, "long_term"): 1,
        ("condense", "episodic", None): 2,
    }
    assert [day.active for day in found.days][-2:] == [(0, 0, 2, 0, 0), (0, 0, 0, 1, 0)]
    await service.undo_consolidation(ANNA, done.run.uid)
    again = await analysis(service)
    assert [day.active for day in again.days][-2:] == [(0, 0, 2, 0, 0), (0, 0, 2, 0, 0)]


def test_what_was_held_is_counted_back_from_now() -> None:
    now = [Population(stratum, 2, 0, 0) for stratum in STRATA]
    flow = [
        Flow("2026-05-03", "promote", "working", "short_term", 1),
        Flow("2026-05-03", "archive", "episodic", None, 3),
        Flow("2026-05-02", "store", None, "working", 3),
    ]
    found = populations(now, flow, date(2026, 5, 1), date(2026, 5, 3))
    assert [day.active for day in found] == [(0, 1, 5, 2, 2), (3, 1, 5, 2, 2), (2, 2, 2, 2, 2)]


async def test_how_strata_fade_by_age(filled: Service, cypher: Run) -> None:
    cypher(
        "MATCH (m:Memory {external_id: 'b'}) SET m.recorded_at = m.recorded_at - duration('P10D'), "
        "m.w_at = m.w_at - duration('P10D')"
    )
    decay = {each.stratum: each for each in (await analysis(filled)).decay}
    [age] = decay["episodic"].ages
    rate = 0.1 / 4 * (1 - 0.5 * 0.3)
    assert (age.from_day, age.to_day, age.memories) == (7.0, 14.0, 1)
    assert age.mean == pytest.approx(exp(-rate * 10), abs=1e-6)
    assert age.p10 == age.p90 == age.p50
    ahead = dict(decay["episodic"].ahead)
    assert ahead[30.0] == pytest.approx(exp(-rate * 40), abs=1e-6)
    assert (decay["semantic"].ages, decay["semantic"].ahead) == ((), ())
    assert decay["working"].ages[0].to_day == 1.0


async def test_surprises_and_consolidation_are_summed_up(filled: Service, cypher: Run) -> None:
    good, bad = {"status": "success"}, {"status": "failed"}
    await filled.report_surprise(BOTH, EventReport(bad, expected=good))
    await filled.report_surprise(ANNA, EventReport(good, "other", expected=good))
    for state, scope, at in (
        ("done", HOME, "P0D"),
        ("undone", HOME, "P0D"),
        ("done", HOME, "P9D"),
        ("done", BERT.writable(), "P0D"),
    ):
        cypher(
            "CREATE (:Run {uid: randomUUID(), kind: 'consolidation', tenant: 'local', scope: $scope, "
            "state: $state, started_at: datetime() - duration($at), clusters: 2, sources: 9, "
            "condensed: 2, chars_before: 900, chars_after: 300})",
            state=state,
            scope=scope,
            at=at,
        )
    found = await analysis(filled)
    groups = {by: [(g.name, g.events, g.surprising) for g in each] for by, each in found.surprises}
    assert groups["agent"] == [("anna", 2, 1)]
    assert groups["channel"] == [("support", 1, 1), ("", 1, 0)]
    assert groups["type"][0] == ("unexpected_error", 1, 1)
    assert found.consolidation == (2, 1, 2, 9, 2, 900, 300)
    assert (await analysis(filled, BERT)).consolidation.sources == 9


async def grown(service: Service, cypher: Run) -> None:
    """A rule in a channel that rests on anna's, which was condensed from two."""
    await service.remember(
        [NewMemory(HOME, f"source {i}", external_id=f"s{i}") for i in range(2)]
        + [NewMemory(HOME, "condensed", external_id="m")]
    )
    links = (Link("DERIVED_FROM", "external:m"),)
    await service.remember([NewMemory(HOME, "pattern", external_id="p", links=links)])
    await service.remember([NewMemory(OPEN, "published", external_id="c")])
    cypher(
        "MATCH (m:Memory {external_id: 'm'}) MATCH (s:Memory) WHERE s.external_id IN ['s0', 's1'] "
        "CREATE (m)-[:PROMOTED_FROM {run_uid: 'r'}]->(s) SET s.state = 'archived'"
    )
    cypher(
        "MATCH (c:Memory {external_id: 'c'}) MATCH (p:Memory {external_id: 'p'}) "
        "CREATE (c)-[:PUBLISHED_FROM]->(p)"
    )


async def test_a_memory_is_followed_down_to_its_sources_as_far_as_the_caller_reads(
    service: Service, cypher: Run
) -> None:
    await grown(service, cypher)
    whole = await service.show_provenance(BOTH, "external:c")
    texts = {node.uid: node.text for node in whole.nodes}
    assert [(edge.type, texts[edge.source], edge.depth) for edge in whole.edges] == [
        ("PUBLISHED_FROM", "pattern", 1),
        ("DERIVED_FROM", "condensed", 2),
        ("PROMOTED_FROM", "source 0", 3),
        ("PROMOTED_FROM", "source 1", 3),
    ]
    assert whole.edges[-1].run == "r"
    assert {node.state for node in whole.nodes if "source" in node.text} == {"archived"}
    assert (whole.withheld, whole.truncated) == (False, False)
    other = Caller("local", "bert", ("support",))
    told = await service.show_provenance(other, "external:c")
    assert (list(told.nodes), list(told.edges), told.withheld) == ([], [], True)
    some = await service.show_provenance(BOTH, "external:c", 1)
    assert (len(some.nodes), some.truncated) == (1, True)
    cypher(
        "MATCH (s:Memory {external_id: 's0'}) MATCH (p:Memory {external_id: 'p'}) "
        "CREATE (s)-[:DERIVED_FROM]->(p)"
    )
    assert len((await service.show_provenance(BOTH, "external:c")).edges) == 5  # a circle ends


async def test_doors(filled: Service, cypher: Run) -> None:
    await grown(filled, cypher)
    async with served(filled) as url:
        async with AsyncClient(url, agent_id="anna", channel_ids=["support"]) as anna:
            shown = await anna.strata_analytics(days=2)
            assert [each.stratum for each in shown.population] == list(STRATA)
            assert shown.days[-1].active["working"] == 1
            assert set(shown.surprises) == {"agent", "channel", "type"}
            assert shown.decay[0].ahead[0].mean == pytest.approx(1.0, abs=1e-3)
            assert len((await anna.provenance("external:p", limit=9)).nodes) == 3

        def in_a_thread() -> None:
            with Client(url, agent_id="bert") as bert:
                assert bert.strata_analytics().population[4].active == 1
                assert bert.provenance(bert.list_memories().items[0].uid).edges == ()

        await asyncio.to_thread(in_a_thread)
        who = ["--agent", "anna", "--channel", "support", "--url", url]
        told = await asyncio.to_thread(RUNNER.invoke, app, ["strata", "show", *who])
        assert "episodic -> long_term" in told.output
        assert "weight 1.00, in 30 days" in told.output
        told = await asyncio.to_thread(
            RUNNER.invoke, app, ["strata", "sources", "external:c", *who]
        )
        assert "    PROMOTED_FROM" in told.output


async def test_questions_for_browser(filled: Service, cypher: Run) -> None:
    await grown(filled, cypher)
    analyst = Analyst(cypher)
    rows = analyst.ask("strata_population", scope="agent/anna")
    held = {row["stratum"]: (row["active"], row["archived"], row["characters"]) for row in rows}
    assert held["episodic"] == (1, 0, 2)
    assert held["long_term"] == (3, 2, 4 + len("condensed") + len("pattern"))
    flow = analyst.ask("strata_flow", scope="agent/anna")
    assert [(r["action"], r["from"], r["to"], r["memories"], r["undone"]) for r in flow] == [
        ("demote", "episodic", "short_term", 1, 1),
        ("promote", "episodic", "long_term", 1, 0),
    ]
    assert f"{flow[0]['day']}" == TODAY
    [move] = analyst.ask("moves_of_a_memory", memory="a")
    assert (move["reason"], move["from"], move["to"]) == ("asked", "episodic", "long_term")
    [last] = analyst.ask("moves_of_a_memory")
    assert last["undone"] is not None
    drawn = analyst.ask("provenance_of_a_memory", memory="c", scope="channel/support")
    assert len(drawn) == 2
    [latest] = analyst.ask("provenance_of_a_memory", limit=1)
    assert latest["path"]


async def test_questions_for_browser_of_surprises_and_consolidation(
    filled: Service, cypher: Run
) -> None:
    good, bad = {"status": "success"}, {"status": "failed"}
    await filled.report_surprise(BOTH, EventReport(bad, expected=good, text="It failed."))
    await filled.report_surprise(ANNA, EventReport(good, "other", expected=good))
    analyst = Analyst(cypher)
    [agent] = analyst.ask("surprises_by_group", scope="agent/anna")
    assert (agent["name"], agent["events"], agent["surprising"], agent["remembered"]) == (
        "anna", 2, 1, 1,
    )  # fmt: skip
    assert [row["name"] for row in analyst.ask("surprises_by_group", group="channel_id")] == [
        "support",
        "",
    ]
    assert analyst.ask("surprises_by_group", group="type")[0]["name"] == "unexpected_error"
    cypher(
        "CREATE (:Run {uid: 'r', kind: 'consolidation', tenant: 'local', scope: $scope, state: 'done', "
        "started_at: datetime(), clusters: 2, sources: 9, condensed: 2, chars_before: 900, "
        "chars_after: 300})",
        scope=HOME,
    )
    [run] = analyst.ask("consolidation_runs", days=1)
    assert (run["sources"], run["condensed"], run["kept"]) == (9, 2, 0.3333)
    assert analyst.ask("consolidation_runs", scope="agent/bert") == []
    assert timedelta(0) <= datetime.now(UTC) - run["at"].to_native() < timedelta(minutes=1)
