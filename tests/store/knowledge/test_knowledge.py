"""Lessons of executions, in the graph: counts, patterns, errors, races, scopes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from graph.database.driver import Connection, open_database
from graph.kernel.errors import NotFoundError
from graph.kernel.scope import Caller
from graph.model.knowledge.executions import ExecutionReport, MemoryType
from graph.store.knowledge.store import KnowledgeStore
from service.bootstrap import Service
from service.use_cases.knowledge.observe import ObserveExecutions
from service.use_cases.knowledge.preferences import Place
from service.use_cases.knowledge.query import KnowledgeAnswer, KnowledgeQuery, NewInsight
from tests.conftest import Run
from tests.store.erasing import naming
from tests.store.knowing import AT, CONTEXT, ran, shipped, step

ANNA, BERT = Caller("local", "anna"), Caller("local", "bert")
ALL: tuple[MemoryType, ...] = ("patterns", "tool_memory", "insights", "preferences")
WRITERS = 16
COUNTED = """
MATCH (t:Tool {scope: 'local/agent/anna'})
RETURN t.tool AS tool, t.uses AS uses, t.successes AS successes, t.duration_mean AS mean
ORDER BY tool
"""


async def asked(
    service: Service, caller: Caller, query: str, context: str = CONTEXT, **fields: Any
) -> KnowledgeAnswer:
    return await service.query_knowledge(caller, KnowledgeQuery(query, ALL, context, **fields))


async def test_one_report_becomes_tools_contexts_errors_parameters_and_patterns(
    service: Service, cypher: Run
) -> None:
    [found] = await service.observe_executions(ANNA, [shipped("t1")])
    assert found.patterns is not None
    assert len(found.patterns) == 4
    assert cypher(COUNTED) == [
        {"tool": "create_shipment", "uses": 2, "successes": 1, "mean": 100.0},
        {"tool": "list_facilities", "uses": 1, "successes": 1, "mean": 100.0},
    ]
    edges = "MATCH (:Tool {tool: 'create_shipment'})-[r]->(n) RETURN type(r) AS type, count(*) AS n ORDER BY type"
    assert cypher(edges) == [
        {"type": "FAILED_WITH", "n": 1}, {"type": "TAKES", "n": 2}, {"type": "USED_IN", "n": 1},
    ]  # fmt: skip
    patterns = cypher(
        "MATCH (p:MemoryPattern) RETURN p.pattern_type AS type, p.pattern AS pattern ORDER BY type"
    )
    assert [row["pattern"] for row in patterns] == [
        "create_shipment: units imperial are not supported",
        "list_facilities → create_shipment",
        "create_*_for_facility_*",
        "list_facilities → create_shipment",
    ]


async def test_a_task_counts_once_in_its_scope(service: Service, cypher: Run) -> None:
    first = await service.observe_executions(ANNA, [shipped("t1"), shipped("t1"), shipped("t2")])
    again = await service.observe_executions(ANNA, [shipped("t2", ok=False), shipped("t3")])
    assert [one.patterns is None for one in (*first, *again)] == [False, True, False, True, False]
    await service.observe_executions(BERT, [shipped("t1")])
    rows = cypher(COUNTED)
    assert [row["uses"] for row in rows] == [6, 3]
    assert cypher("MATCH (k:KnowledgeBase) RETURN k.scope AS s, k.executions AS n ORDER BY s") == [
        {"s": "local/agent/anna", "n": 3}, {"s": "local/agent/bert", "n": 1},
    ]  # fmt: skip


async def test_a_late_report_of_long_ago_is_learned_from(service: Service) -> None:
    await service.observe_executions(ANNA, [shipped("t1")])
    await service.learn.run("insights", ANNA.home, None)
    later = service.clock.now() + timedelta(days=400)
    assert await service.learn.store.due("insights", later) is None
    ago = service.clock.now() - timedelta(days=90)
    await service.observe_executions(ANNA, [replace(shipped("t2"), occurred_at=ago)])
    assert await service.learn.store.due("insights", later) == ANNA.home


async def test_sixteen_writers_of_two_replicas_lose_nothing(
    service: Service, connection: Connection, cypher: Run
) -> None:
    async with open_database(connection) as database:
        other = ObserveExecutions(
            KnowledgeStore(database), clock=service.clock, identifiers=service.identifiers, guard=service.guard, keep=timedelta(days=1)
        )  # fmt: skip

        async def write(number: int) -> None:
            observe = (service.observe_executions, other)[number % 2]
            for turn in range(4):
                rows = [shipped(f"t{number}-{turn}-{i}") for i in range(3)]
                await observe(ANNA, [*rows, shipped(f"shared-{turn}")])

        await asyncio.gather(*(write(number) for number in range(WRITERS)))
    tasks = WRITERS * 4 * 3 + 4
    assert [row["uses"] for row in cypher(COUNTED)] == [2 * tasks, tasks]
    [base] = cypher(
        "MATCH (k:KnowledgeBase) RETURN k.executions AS e, k.steps AS s, k.failed_steps AS f"
    )
    assert base == {"e": tasks, "s": 3 * tasks, "f": tasks}
    [pattern] = cypher(
        "MATCH (p:MemoryPattern {pattern_type: 'query_pattern'}) RETURN p.uses AS uses"
    )
    assert pattern["uses"] == tasks


async def test_what_is_known_of_a_tool_names_errors_solutions_and_values(service: Service) -> None:
    await service.observe_executions(
        ANNA, [shipped(f"t{i}", ("HAN", "SGN")[i % 2]) for i in range(10)]
    )
    answer = await asked(service, ANNA, "Create a shipment for facility DAD")
    assert answer.patterns[0].found.pattern == "create_*_for_facility_*"
    assert answer.patterns[0].found.uses == 10
    assert answer.patterns[0].found.steps == ["list_facilities", "create_shipment"]
    memory = next(
        each.found for each in answer.tools if each.found.counts.tool == "create_shipment"
    )
    [error] = memory.errors
    assert (error.share, error.solutions) == (0.5, ("create_shipment with another units",))
    units = memory.parameters[0]
    assert (units.parameter, units.optimal_value) == ("units", "metric")
    assert units.importance > 0.9
    assert memory.parameters[1].importance == 0.0
    told = [each.message for each in memory.recommendations]
    assert told[0] == "units=imperial failed in 10 of 10 calls; units=metric works best"
    assert 95 < memory.percentile(0.95) < 106


async def test_a_check_warns_of_what_failed_and_names_what_worked(service: Service) -> None:
    await service.observe_executions(ANNA, [shipped(f"t{i}") for i in range(8)])
    bad = await service.check_tool_call(
        ANNA, step("create_shipment", facility="HAN", units="imperial"), (), {}
    )
    assert bad.verdict == "stop"
    assert (
        bad.warnings[0].message
        == "units=imperial failed in 8 of 8 calls; what worked: units=metric"
    )
    good = await service.check_tool_call(
        ANNA, step("create_shipment", facility="HAN", units="metric"), (), {}
    )
    assert (good.verdict, good.warnings) == ("ok", ())
    await service.learn(ANNA, ("tools",), None)
    for units, verdict in (("imperial", "stop"), ("metric", "ok")):
        call = step("create_shipment", facility="HAN", units=units)
        found = await service.check_tool_call(ANNA, call, (step("list_facilities"),), {})
        assert found.verdict == verdict
    stranger = await service.check_tool_call(
        BERT, step("create_shipment", units="imperial"), (), {}
    )
    assert (stranger.verdict, stranger.risk) == ("ok", 0.0)
    assert [each.tried for each in stranger.warnings] == [0]


async def test_nobody_sees_what_others_learned(service: Service) -> None:
    await service.observe_executions(ANNA, [shipped("t1")])
    answer = await asked(service, BERT, "Create a shipment for facility HAN")
    assert (answer.patterns, answer.tools, answer.insights) == ((), (), ())
    with pytest.raises(NotFoundError):
        await service.get_pattern(BERT, "query_pattern", "create_*_for_facility_*")
    assert await service.recommend_tool(BERT, CONTEXT, "create", (), 5, None) == ()
    assert await service.predict_next_tool(BERT, _situation(), 3) == ([], 0)
    assert (await service.analyse_knowledge(BERT)).executions == 0
    elsewhere = await asked(service, Caller("acme", "anna"), "Create a shipment for facility HAN")
    assert elsewhere.patterns == ()
    found, _ = await service.get_pattern(
        ANNA, "query_pattern", "Create a shipment for facility SGN"
    )
    assert found.pattern == "create_*_for_facility_*"


def _situation() -> Any:
    from graph.knowledge.foresight import Situation

    return Situation()


async def test_what_is_shared_counts_beside_ones_own(service: Service) -> None:
    await service.observe_executions(ANNA, [shipped("t1")], "shared")
    await service.observe_executions(BERT, [shipped("t1")])
    answer = await asked(service, BERT, "Create a shipment for facility HAN")
    tools = {each.found.counts.tool: each.found for each in answer.tools}
    assert tools["create_shipment"].counts.uses == 4
    assert tools["create_shipment"].counts.duration_mean == 100.0


async def test_personal_data_is_masked_before_it_is_counted(service: Service, cypher: Run) -> None:
    report = ran(
        "t1",
        step("send_mail", "no such box ada.lovelace@example.com", to="ada.lovelace@example.com"),
        query="Write to ada.lovelace@example.com",
    )
    await service.observe_executions(ANNA, [report])
    assert naming(cypher, "lovelace") == []


async def test_tools_are_recommended_by_success_here_and_explored_by_a_seed(
    service: Service,
) -> None:
    rows: list[ExecutionReport] = []
    for i in range(20):
        rows.append(ran(f"a{i}", step("create_draft", "" if i % 2 else "refused")))
        rows.append(ran(f"b{i}", step("create_order")))
    await service.observe_executions(ANNA, rows)
    found = await service.recommend_tool(
        ANNA, CONTEXT, "create an order", ("create_draft", "create_order", "new_tool"), 5, None
    )
    assert [each.tool for each in found] == ["create_order", "create_draft", "new_tool"]
    assert found[0].low < found[0].success_rate < found[0].high
    assert (found[2].low, found[2].high, found[2].why) == (0.0, 1.0, "not called yet")
    drawn = [
        await service.recommend_tool(ANNA, CONTEXT, "", ("create_draft", "new_tool"), 1, seed)
        for seed in range(40)
    ]
    assert {one[0].tool for one in drawn} == {"create_draft", "new_tool"}
    again = await service.recommend_tool(ANNA, CONTEXT, "", ("create_draft", "new_tool"), 1, 7)
    assert again == drawn[7]


async def test_a_tool_is_found_by_the_meaning_of_the_action(service: Service) -> None:
    steps = [step("send_email", "refused"), step("list_facilities"), step("create_shipment")]
    await service.observe_executions(ANNA, [ran(f"t{i}", *steps) for i in range(4)])
    [mail] = await service.recommend_tool(ANNA, CONTEXT, "write to the customer", (), 5, None)
    [parcel] = await service.recommend_tool(ANNA, CONTEXT, "dispatch the parcels", (), 5, None)
    assert (mail.tool, parcel.tool) == ("send_email", "create_shipment")
    [sent] = await service.recommend_tool(ANNA, CONTEXT, "send the invoice", (), 5, None)
    assert sent.tool == "send_email"


async def test_used_patterns_and_insights_are_counted(service: Service, cypher: Run) -> None:
    [first] = await service.observe_executions(ANNA, [shipped("t1")])
    assert first.patterns
    await service.observe_executions(ANNA, [ran("t2", step("x"), used=first.patterns[:1])])
    [row] = cypher("MATCH (p:MemoryPattern) WHERE p.reused > 0 RETURN p.reused AS reused")
    assert row["reused"] == 1
    success = await service.analyse_knowledge(ANNA)
    assert (success.executions, success.reuse_rate) == (2, 0.5)


async def test_what_was_not_used_for_long_expires(service: Service, cypher: Run) -> None:
    await service.observe_executions(ANNA, [shipped("t1")])
    lease = await service.leases.acquire("worker", "test", 15)
    assert lease is not None
    store = service.stores.knowledge
    assert await store.expire(AT, AT - timedelta(days=1), 1000, lease) == 0
    later = service.clock.now() + timedelta(days=400)
    assert await store.expire(later, later - timedelta(days=90), 1000, lease) > 0
    left = cypher("MATCH (n) WHERE n.scope = 'local/agent/anna' RETURN DISTINCT labels(n) AS l")
    assert left == [{"l": ["KnowledgeBase"]}]
    await service.leases.release(lease)


async def test_an_erased_user_goes_from_what_agents_learned_of_them(
    service: Service, cypher: Run
) -> None:
    ada, bob = (Caller("local", "anna", (), (name,)) for name in ("ada", "bob"))
    secret = ran("t-secret", step("order", "no quixotic room", item="quixotic"), query="a quixotic wish",
                 goal="quixotic")  # fmt: skip
    await service.observe_executions(ada, [secret])
    await service.observe_executions(bob, [ran("t-other", step("order", item="lamp"))])
    await service.store_insight(ada, NewInsight("quixotic orders are best", "rule"))
    await service.set_preference(ada, ("parameter", "item", "quixotic"), Place(), 1.0, None)
    assert naming(cypher, "quixotic")
    await service.erase.owner(Caller("local", user_ids=("ada",)))
    assert naming(cypher, "quixotic") == []
    [left] = cypher("MATCH (e:Execution) RETURN e.task_id AS task")
    assert left == {"task": "t-other"}
    [tool] = cypher("MATCH (t:Tool) RETURN t.uses AS uses")
    assert tool == {"uses": 2}
