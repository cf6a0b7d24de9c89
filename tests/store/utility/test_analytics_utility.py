"""The queries for Neo4j Browser about utility, on numbers that are known."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
import pytest_asyncio

from graph.kernel.scope import Caller
from graph.model.memories.memory import Link, NewMemory
from service.bootstrap import Service
from tests.conftest import Run
from tests.store.operation.test_analytics import Analyst, column
from tests.store.utility.test_utility_measures import QS, rewarded, taught

TODAY = f"{datetime.now(UTC):%Y-%m-%d}"
CHANNEL = Caller("local", None, ("support",))


@pytest_asyncio.fixture(loop_scope="session")
async def analyst(service: Service, cypher: Run, anna: Caller, bert: Caller) -> Analyst:
    await taught(service, cypher, anna, *QS)
    await taught(service, cypher, bert, 0.4, phase="planning", stratum="semantic")
    await taught(service, cypher, CHANNEL, 0.7, channel_id="support", kind="insight")
    return Analyst(cypher)


def test_how_q_is_distributed(analyst: Analyst) -> None:
    [row] = analyst.ask("utility_by_group", group="", scope="agent/anna")
    assert (row["memories"], row["learned"], row["least"], row["most"]) == (7, 4, 0.1, 1.0)
    assert (row["mean"], row["median"]) == (0.5429, 0.5)
    assert (row["p10"], row["p25"], row["p75"], row["p90"]) == (0.22, 0.4, 0.7, 0.94)
    assert analyst.ask("utility_by_group", group="")[0]["memories"] == 9


def test_memories_by_q(analyst: Analyst) -> None:
    rows = analyst.ask("utility_histogram", scope="agent/anna", bins=10)
    assert [(row["low"], row["memories"]) for row in rows] == [
        (0.1, 1), (0.3, 1), (0.5, 3), (0.9, 2),
    ]  # fmt: skip
    assert [len(row["bar"]) for row in rows] == [14, 14, 40, 27]
    assert rows[-1]["high"] == 1.0


def test_q_by_a_property(analyst: Analyst) -> None:
    asked: dict[str, list[tuple[str, int, int]]] = {
        "agent_id": [("anna", 7, 4), ("", 1, 1), ("bert", 1, 1)],
        "channel_id": [("", 8, 5), ("support", 1, 1)],
        "phase": [("", 8, 5), ("planning", 1, 1)],
        "stratum": [("long_term", 8, 5), ("semantic", 1, 1)],
        "kind": [("observation", 8, 5), ("insight", 1, 1)],
    }
    for group, expected in asked.items():
        rows = analyst.ask("utility_by_group", group=group)
        assert [(row["name"], row["memories"], row["learned"]) for row in rows] == expected
        assert sum(column(rows, "rewards")) == 18
        [bert] = analyst.ask("utility_by_group", group=group, scope="agent/bert")
        assert (bert["mean"], bert["least"], bert["most"]) == (0.4, 0.4, 0.4)
        assert bert["deviation"] == 0.0


async def histories(service: Service, cypher: Run, anna: Caller) -> None:
    still, moving, young = await taught(service, cypher, anna, 0.5, 0.5, 0.5)
    home = anna.writable()
    rewarded(cypher, still, [0.5, 0.1, *([0.85, 0.8] * 5)], scope=home, days_ago=2)
    rewarded(cypher, moving, [0.5 + 0.03 * step for step in range(12)], scope=home)
    rewarded(cypher, young, [0.5, 0.55], scope=home)


async def test_what_has_come_to_rest(service: Service, cypher: Run, anna: Caller) -> None:
    await histories(service, cypher, anna)
    rows = Analyst(cypher).ask("utility_convergence", scope="agent/anna")
    assert [(row["rewards"], row["at_rest"]) for row in rows] == [
        (11, False),
        (11, True),
        (1, None),
    ]
    assert column(rows, "spread") == [0.27, 0.05, 0.0]
    assert Analyst(cypher).ask("utility_convergence", scope="agent/bert") == []


async def test_rewards_by_day(service: Service, cypher: Run, anna: Caller) -> None:
    await histories(service, cypher, anna)
    first, last = Analyst(cypher).ask("utility_trend")
    assert (first["rewards"], first["memories"]) == (11, 1)
    assert first["gained"] == 0.3
    assert (last["day"], last["rewards"], last["memories"]) == (TODAY, 12, 2)
    assert last["mean_reward"] == 1.0
    assert last["moved_each"] == pytest.approx((11 * 0.03 + 0.05) / 12, abs=1e-4)
    assert len(Analyst(cypher).ask("utility_trend", days=1)) == 1


async def test_rewards_of_each_sort(service: Service, cypher: Run, anna: Caller) -> None:
    await histories(service, cypher, anna)
    cypher(
        "MATCH (w:Reward) WHERE w.recorded_at < datetime() - duration('P1D') SET w.kind = 'manual'"
    )
    cypher("MATCH (w:Reward {kind: 'manual'}) WITH w LIMIT 3 SET w.reverted_at = datetime()")
    outcomes, manual = Analyst(cypher).ask("rewards_by_kind")
    assert (outcomes["kind"], outcomes["said"], outcomes["rewards"]) == ("outcome", "success", 12)
    assert outcomes["gained"] == pytest.approx(0.38)
    assert (manual["kind"], manual["rewards"], manual["reverted"]) == ("manual", 11, 3)
    assert len(Analyst(cypher).ask("rewards_by_kind", days=1)) == 1


async def test_what_is_least_sure(service: Service, cypher: Run, anna: Caller) -> None:
    _, twice = await taught(service, cypher, anna, 0.9, 0.8)
    await taught(service, cypher, anna, 0.5)
    cypher("MATCH (m:Memory) WHERE m.q_value <> 0.9 SET m.access_count = 2")
    rows = Analyst(cypher).ask("utility_uncertain")
    assert [(row["q_value"], row["evidence"]) for row in rows] == [(0.5, 0.0), (0.8, 0.271)]
    assert (rows[1]["uid"], rows[1]["variance"], rows[1]["recalled"]) == (twice, 0.04, 2)


async def test_utility_in_contexts(service: Service, cypher: Run, anna: Caller) -> None:
    [uid] = await taught(service, cypher, anna, 0.6)
    cypher(
        "MATCH (m:Memory {uid: $uid}) UNWIND [['phase:planning', 0.9], ['tag:red', 0.55]] AS row "
        "CREATE (m)-[:ESTIMATED]->(:Estimate {uid: row[0], memory_uid: $uid, context: row[0], "
        "scope: m.scope, tenant: 'local', q_value: row[1], q_count: 4})",
        uid=uid,
    )
    planning, red = Analyst(cypher).ask("utility_in_contexts", scope="agent/anna")
    assert (planning["context"], planning["here"], planning["at_large"]) == (
        "phase:planning", 0.9, 0.6,
    )  # fmt: skip
    assert (planning["difference"], planning["rewards_here"]) == (0.3, 4)
    assert red["difference"] == -0.05
    assert Analyst(cypher).ask("utility_in_contexts", scope="agent/bert") == []


async def test_what_came_to_strategies(service: Service, cypher: Run, anna: Caller) -> None:
    [strategy] = await taught(service, cypher, anna, 0.5, kind="strategy", external_id="s")
    await taught(service, cypher, anna, 0.5, kind="concept")
    link = (Link("USED", "external:s"),)
    for number in range(2):
        await service.remember([NewMemory(anna.writable(), f"tried {number}", links=link)])
    rewarded(cypher, strategy, [0.5, 0.55, 0.575], scope=anna.writable())
    cypher("MATCH ()-[moved:REWARDED {seq: 2}]->() SET moved.via = 'USED'")
    cypher("CREATE (:Credit {uid: 'c', memory_uid: $uid, reward_uid: 'r'})", uid=strategy)
    rows = Analyst(cypher).ask("credit_of_strategies", scope="agent/anna")
    assert column(rows, "kind") == ["strategy", "concept"]
    told: dict[str, Any] = rows[0]
    assert (told["used_by"], told["directly"], told["by_use"], told["waiting"]) == (2, 1, 1, 1)
    assert (told["gained_by_use"], told["q_value"]) == (0.025, 0.575)
    assert rows[1]["by_use"] == 0


async def test_who_set_what(service: Service, cypher: Run, anna: Caller, bert: Caller) -> None:
    await service.change_config(anna, {"learning_rate": 0.2})
    await service.change_config(bert, {"learning_rate": None})
    newest, oldest = Analyst(cypher).ask("config_changes")
    assert (newest["actor"], newest["old"], newest["new"]) == ("agent/bert", "0.2", "null")
    assert (oldest["name"], oldest["old"], oldest["new"]) == ("learning_rate", "0.1", "0.2")
    assert (oldest["door"], oldest["tenant"]) == ("http", "local")
    [own] = Analyst(cypher).ask("config_changes", scope="agent/anna")
    assert own == oldest


async def test_the_newest_events(service: Service, cypher: Run, anna: Caller) -> None:
    await service.change_config(anna, {"learning_rate": 0.2})
    [row] = [
        row
        for row in Analyst(cypher).ask("events_latest")
        if row["name"] == "memory:utility_config_updated"
    ]
    assert (row["agent"], row["scope"]) == ("anna", "local/shared")
    assert "learning_rate" in row["data"]
    assert Analyst(cypher).ask("events_latest", scope="agent/nobody") == []
