"""Every statement of recall, planned by the real server: no warning, the mode it declares, no full scan."""

from __future__ import annotations

import neo4j
import pytest

from cypher import Query, Slot
from tests.statements import STATEMENTS
from tests.store.explaining import cases, check_plan


@pytest.mark.parametrize(
    ("query", "slot"), cases(name for name in STATEMENTS if name.startswith("recall."))
)
@pytest.mark.usefixtures("one_of_everything")
def test_a_statement_is_planned_without_a_warning(
    planner: neo4j.Session, query: Query, slot: Slot
) -> None:
    check_plan(planner, query, slot)
