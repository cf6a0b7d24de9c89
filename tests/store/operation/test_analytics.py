"""The queries for Neo4j Browser, run on a small store whose answers are known."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from cypher import QUERIES
from graph.kernel.scope import Caller
from graph.kernel.values import KINDS
from graph.model.memories.memory import Link, NewMemory
from graph.model.recall.candidates import Filters
from graph.store.operation.browser import all_presets, browser_style, saved_queries
from service.bootstrap import Service
from service.use_cases.recall.recall import RecallRequest
from tests.conftest import Run
from tests.store.reading import settled

ANNA, BERT = Caller("local", "anna"), Caller("local", "bert")
SAVED = {query.name: query for query in saved_queries()}
OTHERS = (
    "Task", "Reward", "Session", "Version", "Cycle", "CyclePhase", "CycleStep", "Patch",
)  # fmt: skip
SPRING = datetime(2026, 4, 1, tzinfo=UTC)


class Analyst:
    """Asks a saved query with its presets, as Browser would, and what is changed of them."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def ask(self, name: str, **changed: object) -> list[dict[str, Any]]:
        presets = ", ".join(f"{key}: {value}" for key, value in SAVED[name].presets.items())
        parameters: dict[str, Any] = self._run(f"RETURN {{{presets}}} AS presets")[0]["presets"]
        assert changed.keys() <= parameters.keys()
        return self._run(QUERIES[f"analytics.{name}"].text, **(parameters | changed))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def analyst(shared_service: Service, cypher: Run) -> AsyncGenerator[Analyst]:
    cypher("MATCH (n) WHERE NOT n:Schema AND NOT n:Lease DETACH DELETE n")
    for row in (*_annas(), *_linked()):
        await shared_service.remember([row])
    await shared_service.remember([NewMemory(BERT.writable(), "Rain again.", tags=("weather",))])
    await settled(cypher)
    await _task(shared_service, "first", "ship on friday", "failure")
    await _task(shared_service, "second", "ship on monday", "success")
    await shared_service.recall(RecallRequest(BERT, text="rain", task_id="open", phase="planning"))
    await shared_service.accesses.flush()
    yield Analyst(cypher)
    cypher("MATCH (n) WHERE NOT n:Schema AND NOT n:Lease DETACH DELETE n")


def _annas() -> list[NewMemory]:
    home, soon = ANNA.writable(), datetime.now(UTC) + timedelta(days=3)
    turns = [
        NewMemory(home, text, external_id=f"turn-{place}", session_id="talk", speaker=speaker,
                  occurred_at=SPRING + timedelta(minutes=place))
        for place, (speaker, text) in enumerate(
            [("Ada", "When do we ship?"), ("Bob", "On Friday."), ("Ada", "Fine.")]
        )
    ]  # fmt: skip
    return [
        *turns,
        NewMemory(home, "ship on friday", kind="strategy", external_id="friday", tags=("deploy",)),
        NewMemory(home, "ship on monday", kind="strategy", external_id="monday", tags=("deploy",)),
        NewMemory(home, "A release broke.", kind="problem", external_id="broke", importance=5),
        NewMemory(home, "Coffee is out.", external_id="coffee", expires_at=soon),
        NewMemory(home, " coffee is OUT. ", external_id="coffee-again"),
        NewMemory(home, "The office is on floor 2.", kind="concept", external_id="office"),
        NewMemory(home, "The office is on floor 3.", kind="concept", external_id="office"),
    ]


def _linked() -> list[NewMemory]:
    home = ANNA.writable()
    return [
        NewMemory(home, "Rolled back by hand.", kind="episode", external_id="by-hand",
                  links=(Link("ATTEMPTED", "external:broke"),)),
        NewMemory(home, "Rolled back by script.", kind="episode", external_id="by-script",
                  links=(Link("SOLVED", "external:broke"), Link("USED", "external:monday"))),
        NewMemory(home, "Scripts beat hands.", kind="insight", external_id="lesson",
                  links=(Link("DERIVED_FROM", "external:by-script"),
                         Link("SIMILAR_TO", "external:by-hand"))),
    ]  # fmt: skip


async def _task(service: Service, name: str, text: str, status: Any) -> None:
    filters = Filters(kinds=("strategy",))
    answer = await service.recall(
        RecallRequest(ANNA, text=text, k=1, task_id=name, filters=filters)
    )
    assert [result.memory.text for result in answer.results] == [text]
    await service.report_outcome(ANNA, name, status)


def column(rows: list[dict[str, Any]], name: str) -> list[Any]:
    return [row[name] for row in rows]


def test_overview_counts_labels_and_relationships(analyst: Analyst) -> None:
    rows = {(row["sort"], row["name"]): row["count"] for row in analyst.ask("overview")}
    assert rows["label", "Memory"] == 13
    assert rows["label", "Strategy"] == 2
    assert rows["label", "Task"] == 3
    assert rows["relationship", "NEXT"] == 2
    assert rows["relationship", "REWARDED"] == 2
    own = {
        (row["sort"], row["name"]): row["count"]
        for row in analyst.ask("overview", scope="agent/bert")
    }
    assert own["label", "Memory"] == 1
    assert ("label", "Strategy") not in own


def test_scopes_are_listed_with_what_they_own(analyst: Analyst) -> None:
    rows = analyst.ask("memories_by_group")
    assert column(rows, "scope") == column(rows, "name")
    assert column(rows, "name") == ["local/agent/anna", "local/agent/bert"]
    assert column(rows, "memories") == [12, 1]
    assert column(rows, "sessions") == [1, 0]
    assert column(rows, "learned") == [2, 0]


def test_what_an_agent_knows_by_kind(analyst: Analyst) -> None:
    rows = {row["kind"]: row for row in analyst.ask("known_by_kind", scope="agent/anna")}
    assert rows["observation"]["memories"] == 5
    assert rows["strategy"]["most_useful"] == ["ship on monday", "ship on friday"]
    assert rows["problem"]["mean_importance"] == 5
    assert rows["strategy"]["mean_q"] == 0.5


def test_what_an_agent_knows_as_a_graph(analyst: Analyst) -> None:
    rows = analyst.ask("known_as_graph", scope="agent/anna")
    assert len({row["m"]["uid"] for row in rows}) == 12
    assert sum(row["o"] is not None for row in rows) == 7
    assert rows[0]["m"]["text"] in {"ship on monday", "ship on friday"}
    assert len(analyst.ask("known_as_graph", scope="agent/bert")) == 1


def test_what_was_recalled_for_a_task_and_why(analyst: Analyst) -> None:
    [row] = analyst.ask("recalled_for_task", task_id="first")
    assert (row["rank"], row["text"], row["status"], row["reward"]) == (
        1, "ship on friday", "failure", -1.0,
    )  # fmt: skip
    assert (row["q_before"], row["q_after"]) == (0.5, 0.45)
    [newest] = analyst.ask("recalled_for_task")
    assert (newest["task_id"], newest["phase"], newest["status"]) == ("open", "planning", None)
    [anna] = analyst.ask("recalled_for_task", scope="agent/anna")
    assert anna["task_id"] == "second"


def test_a_task_as_a_graph(analyst: Analyst) -> None:
    [row] = analyst.ask("task_as_graph", task_id="second")
    assert row["m"]["text"] == "ship on monday"
    assert row["w"]["status"] == "success"
    assert len(analyst.ask("task_as_graph")) == 3
    assert analyst.ask("task_as_graph", scope="agent/bert")[0]["w"] is None


def test_tasks_and_their_outcomes(analyst: Analyst) -> None:
    rows = analyst.ask("tasks_and_outcomes")
    assert column(rows, "task_id") == ["open", "second", "first"]
    assert column(rows, "status") == [None, "success", "failure"]
    assert column(rows, "given") == [1, 1, 1]


def test_the_most_and_the_least_useful(analyst: Analyst) -> None:
    [best] = analyst.ask("what_helped")
    assert (best["text"], best["q_value"], best["successes"]) == ("ship on monday", 0.55, 1)
    [worst] = analyst.ask("what_helped", misled=True)
    assert (worst["text"], worst["q_value"], worst["failures"]) == ("ship on friday", 0.45, 1)
    assert analyst.ask("what_helped", scope="agent/bert") == []


def test_how_a_utility_came_to_be(analyst: Analyst) -> None:
    [row] = analyst.ask("utility_history", memory="friday")
    assert (row["seq"], row["task_id"], row["q_before"], row["q_after"], row["step"]) == (
        1, "first", 0.5, 0.45, 0.1,
    )  # fmt: skip
    assert (row["kind"], row["status"], row["target"], row["via"]) == (
        "outcome", "failure", 0.0, "direct",
    )  # fmt: skip
    assert row["reverted"] is False
    assert analyst.ask("utility_history", memory="coffee") == []


def test_the_neighbourhood_of_a_memory(analyst: Analyst) -> None:
    rows = analyst.ask("neighbourhood", memory="broke")
    ends = {row["path"][-1]["text"] for row in rows}
    assert ends == {
        "Rolled back by hand.", "Rolled back by script.", "Scripts beat hands.", "ship on monday",
    }  # fmt: skip
    [alone] = analyst.ask("neighbourhood", memory="coffee")
    assert (alone["m"]["external_id"], alone["path"]) == ("coffee", None)
    assert analyst.ask("neighbourhood")[0]["m"]["external_id"] == "by-script"


def test_sessions_as_chains(analyst: Analyst) -> None:
    rows = analyst.ask("sessions_as_chains")
    assert [row["m"]["sequence"] for row in rows] == [0, 1, 2]
    assert [row["after"] and row["after"]["sequence"] for row in rows] == [1, 2, None]
    assert analyst.ask("sessions_as_chains", session_id="other") == []


def test_a_session_to_read(analyst: Analyst) -> None:
    rows = analyst.ask("session_text")
    assert [(row["speaker"], row["text"]) for row in rows] == [
        ("Ada", "When do we ship?"), ("Bob", "On Friday."), ("Ada", "Fine."),
    ]  # fmt: skip


def test_who_speaks_where(analyst: Analyst) -> None:
    rows = analyst.ask("memories_by_group", memories_by="speaker")
    assert [(row["name"], row["memories"], row["sessions"]) for row in rows] == [
        ("Ada", 2, 1), ("Bob", 1, 1),
    ]  # fmt: skip
    assert column(rows, "scope") == ["local/agent/anna"] * 2
    assert rows[0]["last"] - rows[0]["first"] == timedelta(minutes=2)
    assert analyst.ask("memories_by_group", memories_by="speaker", scope="agent/bert") == []


def test_growth_per_day_and_kind(analyst: Analyst) -> None:
    rows = analyst.ask("growth")
    assert sum(column(rows, "memories")) == 13
    assert rows[0]["kind"] == "observation"
    assert analyst.ask("growth", scope="agent/bert")[0]["of_the_day"] == 1


def test_the_same_text_twice(analyst: Analyst) -> None:
    [row] = analyst.ask("same_text")
    assert (row["copies"], row["text"], row["kinds"]) == (2, "Coffee is out.", ["observation"])
    assert len(set(row["uids"])) == 2


def test_similar_pairs(analyst: Analyst) -> None:
    [row] = analyst.ask("similar_pairs")
    assert {row["one"]["external_id"], row["other"]["external_id"]} == {"lesson", "by-hand"}


def test_hubs_come_by_their_links(analyst: Analyst) -> None:
    rows = analyst.ask("hubs", limit=2)
    assert len(rows) == 2
    assert rows[0]["text"] == "Rolled back by script."
    assert (rows[0]["links"], rows[0]["in_graph"]) == (3, 3)


def test_problems_and_what_was_tried(analyst: Analyst) -> None:
    [row] = analyst.ask("problems_and_attempts")
    assert (row["solved"], row["failed"]) == (1, 1)
    assert row["what_worked"] == ["Rolled back by script."]
    assert row["what_did_not"] == ["Rolled back by hand."]


def test_where_knowledge_comes_from(analyst: Analyst) -> None:
    [row] = analyst.ask("evidence")
    assert [row["path"][0]["external_id"], row["path"][-1]["external_id"]] == [
        "lesson", "by-script",
    ]  # fmt: skip


def test_what_nobody_asked_for(analyst: Analyst) -> None:
    texts = column(analyst.ask("use_of_memories", never=True), "text")
    assert len(texts) == 10
    assert not {"ship on friday", "ship on monday", "Rain again."} & set(texts)
    assert analyst.ask("use_of_memories", never=True, older_than_days=1) == []


def test_what_is_asked_for_most(analyst: Analyst) -> None:
    rows = analyst.ask("use_of_memories")
    assert sorted(column(rows, "text")) == ["Rain again.", "ship on friday", "ship on monday"]
    assert set(column(rows, "recalled")) == {1}


def test_what_replaced_what(analyst: Analyst) -> None:
    assert analyst.ask("what_replaced_what") == []


def test_what_expires_soon(analyst: Analyst) -> None:
    [row] = analyst.ask("expiring_soon")
    assert (row["text"], row["expired"]) == ("Coffee is out.", False)
    assert analyst.ask("expiring_soon", days=1) == []


def test_what_a_memory_held_before(analyst: Analyst) -> None:
    rows = analyst.ask("versions_of_a_memory")
    assert column(rows, "text") == ["The office is on floor 3.", "The office is on floor 2."]
    assert rows[0]["replaced_at"] is None
    assert analyst.ask("versions_of_a_memory", memory="coffee") == []


def test_tags_and_what_outcomes_say_of_them(analyst: Analyst) -> None:
    rows = analyst.ask("memories_by_group", memories_by="tag")
    assert [(row["name"], row["memories"], row["learned"], row["mean_q"]) for row in rows] == [
        ("deploy", 2, 2, 0.5), ("weather", 1, 0, 0.5),
    ]  # fmt: skip


def test_how_effective_reasoning_was(analyst: Analyst, cypher: Run) -> None:
    call = (
        '{"tool":"prices","status":"%s","arguments":{"tool":"x"},"result":null,"latency_ms":null}'
    )
    calls = f"[{call % 'success'},{call % 'failure'}]"
    cypher(
        "CREATE (c:Cycle {uid: 'c', scope: 'local/agent/anna'})-[:HAS_PHASE]->(:CyclePhase {uid: 'p'}) "
        "CREATE (:Patch {uid: 'q'})-[:PATCHES]->(c) WITH c "
        "UNWIND [['a', 'success', 'solver', $calls], ['b', 'failure', 'verifier', '[]'], "
        "['c', 'undecided', 'solver', null]] AS row "
        "CREATE (c)-[:HAS_STEP]->(:CycleStep {uid: row[0], scope: c.scope, at: datetime(), phase: 'action', "
        "outcome: row[1], mode: row[2], calls: row[3], confidence: 0.5})",
        calls=calls,
    )
    try:
        rows = {(row["by"], row["name"]): row for row in analyst.ask("cycles_effectiveness")}
        assert rows.keys() == {
            ("mode", "solver"), ("mode", "verifier"), ("phase", "action"), ("tool", "prices"),
        }  # fmt: skip
        counts = {name: (row["reported"], row["success_rate"]) for (_, name), row in rows.items()}
        assert counts == {
            "solver": (2, 1.0), "verifier": (1, 0.0), "action": (3, 0.5), "prices": (2, 0.5),
        }  # fmt: skip
        assert analyst.ask("cycles_effectiveness", scope="agent/bert") == []
        assert len(analyst.ask("cycles_as_graph")) == 5
        assert analyst.ask("cycles_as_graph", scope="agent/bert") == []
    finally:
        cypher("MATCH (n:Cycle|CyclePhase|CycleStep|Patch) DETACH DELETE n")


def test_every_saved_query_is_tried() -> None:
    here = Path(__file__)
    files = [here, *here.parents[1].rglob("test_analytics_*.py")]
    source = "".join(file.read_text(encoding="utf-8") for file in files)
    assert [name for name in SAVED if f'.ask("{name}"' not in source] == []


@pytest.mark.parametrize("name", SAVED)
def test_a_saved_query_sets_its_parameters_and_has_a_title(name: str) -> None:
    query = QUERIES[f"analytics.{name}"]
    assert SAVED[name].presets.keys() == query.params
    assert query.mode == "read"
    assert SAVED[name].title == query.summary
    assert "scope" in query.params


def test_one_command_sets_the_parameters_of_all() -> None:
    presets = [pair for query in SAVED.values() for pair in query.presets.items()]
    assert len(dict(presets)) == len(set(presets)), "two files preset one name differently"
    command = all_presets(tuple(SAVED.values()))
    assert command.startswith(":params {")
    assert all(f"{name}: {value}" in command for name, value in presets)


def test_the_style_colours_every_kind() -> None:
    style = browser_style()
    for label in (*(kind.capitalize() for kind in KINDS), *OTHERS):
        assert f"node.{label} {{" in style
