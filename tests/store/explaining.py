"""Statements as the planner is asked for them: values for their parameters, and what is held against their plans."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from datetime import UTC, datetime
from importlib import resources
from itertools import combinations
from typing import Any

import neo4j
import pytest
from neo4j.vector import Vector

from cypher import QUERIES, Query, Slot
from tests.statements import STATEMENTS

QUERY_TYPES = {"read": {"r"}, "write": {"rw", "w"}, "schema": {"s"}}
SCANS = re.compile(r"AllNodesScan|NodeByLabelScan|AllRelationshipsScan|RelationshipTypeScan")
# A statement that may walk over a whole label, and why it may.
MAY_SCAN: dict[str, str] = {
    name: "asked by a person now and then, over all scopes on wish"
    for name in QUERIES
    if name.startswith("analytics.")
} | {
    "operation.count_memories.lacking": "once at the end of a re-embedding, which walks over all anyway",
    "operation.count_memories.all": "once per re-embedding, for the progress bar",
}

SAMPLES: dict[str, Any] = {
    "STRING": "x",
    "INTEGER": 1,
    "FLOAT": 0.5,
    "BOOLEAN": True,
    "MAP": {},
    "ZONED": datetime(2025, 1, 1, tzinfo=UTC),
    "VECTOR": Vector([0.05] * 384, "f32"),
}
LISTS: dict[str, Any] = {
    "LIST<STRING>": ["x", "y"],
    "LIST<FLOAT>": [0.05] * 384,
    "LIST<INTEGER>": [1, 2],
    "LIST<MAP>": [{}],
}


def samples(query: Query) -> dict[str, Any]:
    """Read a value for each parameter from the types in its header."""
    folder, name = query.name.split(".")[:2]
    source = resources.files("cypher").joinpath(folder, f"{name}.cypher").read_text("utf-8")
    header = " ".join(source.partition("// returns:")[0].replace("\n//", " ").split())
    types = dict(re.findall(r"\b([a-z_]+) (LIST<[A-Z]+>|[A-Z]+)", re.sub(r"\{[^}]*\}", "", header)))
    values = {name: {**SAMPLES, **LISTS}[types[name]] for name in query.params}
    assert values.keys() == query.params
    return values


def steps(plan: dict[str, Any]) -> Generator[dict[str, Any]]:
    yield plan
    for child in plan.get("children", ()):
        yield from steps(child)


def notes(summary: neo4j.ResultSummary) -> list[str]:
    return [
        f"{status.gql_status} {status.status_description}"
        for status in summary.gql_status_objects
        if status.is_notification
    ]


def variants(query: Query) -> Generator[tuple[str, Query]]:
    """The statement as it is written, and as it is derived without some of its parts."""
    derived: set[str] = set()
    for count in range(len(query.parts) + 1):
        for parts in combinations(query.parts, count):
            without = query.without(*parts)
            if without.text not in derived:
                derived.add(without.text)
                yield "-".join((query.name, *parts)), without


def cases(named: Iterable[str]) -> list[Any]:
    """Return a case for each slot of each variant of some statements; all slots but the first are slow."""
    return [
        pytest.param(
            variant, slot, id=f"{name}-{slot}", marks=[pytest.mark.slow] if slot != "a" else []
        )
        for statement in named
        for name, variant in variants(STATEMENTS[statement])
        for slot in STATEMENTS[statement].slots or ("a",)
    ]


def check_plan(planner: neo4j.Session, query: Query, slot: Slot) -> None:
    """Have the real server plan a statement: no warning, the mode it declares, no full scan."""
    text = query.for_slot(slot) if query.slots else query.text
    summary = planner.run(f"EXPLAIN {text}", samples(query)).consume()
    assert notes(summary) == []
    assert summary.query_type in QUERY_TYPES[query.mode]
    plan: dict[str, Any] | None = summary.plan  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] -- a bare dict in the driver
    assert plan is not None
    scans = [step["operatorType"] for step in steps(plan) if SCANS.match(step["operatorType"])]
    assert not scans or query.name in MAY_SCAN, f"{query.name} walks over everything: {scans}"
