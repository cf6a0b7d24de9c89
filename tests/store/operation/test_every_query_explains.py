"""Every statement, planned by the real server: no warning, the mode it declares, no full scan.

Those of recall, a third of all with their parts, stand in a file of their own, for another worker.
"""

from __future__ import annotations

from typing import Any, LiteralString, cast

import neo4j
import pytest

from cypher import MIGRATIONS, Query, Slot
from tests.statements import STATEMENTS
from tests.store.explaining import MAY_SCAN, cases, check_plan, samples, steps


@pytest.mark.parametrize(
    ("query", "slot"), cases(name for name in STATEMENTS if not name.startswith("recall."))
)
@pytest.mark.usefixtures("one_of_everything")
def test_a_statement_is_planned_without_a_warning(
    planner: neo4j.Session, query: Query, slot: Slot
) -> None:
    check_plan(planner, query, slot)


@pytest.mark.parametrize(
    "name",
    [
        "memories.list_memories.session_newest",
        "memories.list_memories.session_oldest",
        "memories.list_memories.session_counted",
        "memories.measure_session",
    ],
)
@pytest.mark.usefixtures("one_of_everything")
def test_a_session_is_sought_by_its_own_index(planner: neo4j.Session, name: str) -> None:
    query = STATEMENTS[name]
    summary = planner.run(f"EXPLAIN {query.text}", samples(query)).consume()
    plan: dict[str, Any] | None = summary.plan  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] -- a bare dict in the driver
    assert plan is not None
    [reads] = [step for step in steps(plan) if "Index" in step["operatorType"]]
    assert reads["operatorType"].startswith("NodeIndexSeek")
    sought = str(reads["args"]["Details"])
    assert "Memory(scope, session_id, sequence)" in sought
    assert "session_id = $session_id" in sought


@pytest.mark.parametrize("direction", ["up", "down"])
@pytest.mark.usefixtures("one_of_everything")
def test_every_migration_is_planned(planner: neo4j.Session, direction: str) -> None:
    options = {"indexConfig": {"vector.dimensions": 3, "vector.similarity_function": "cosine"}}
    for migration in MIGRATIONS:
        for statement in getattr(migration, direction):
            explained = cast("LiteralString", f"EXPLAIN {statement}")
            summary = planner.run(explained, {"vector_options": options}).consume()
            assert summary.query_type in ("s", "w", "rw")


def test_only_statements_that_exist_may_scan() -> None:
    assert set(MAY_SCAN) <= set(STATEMENTS)
