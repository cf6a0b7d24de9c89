"""Statements for the planner: values of their parameters, and checks of their plans."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from datetime import UTC, datetime
from importlib import resources
from itertools import combinations, product
from typing import Any

import neo4j
import numpy as np
import pytest
from neo4j.vector import Vector

from cypher import QUERIES, Query, Slot
from graph.model.episodes.attempts import EpisodeFilters, Names
from graph.model.episodes.retrieval import AttemptQuery
from graph.model.recall.candidates import CandidateQuery, Filters, PoolLimits
from graph.store.episodes import retrieval
from graph.store.recall import candidates
from tests.statements import STATEMENTS

QUERY_TYPES = {"read": {"r"}, "write": {"rw", "w"}, "schema": {"s"}}
SCANS = re.compile(r"AllNodesScan|NodeByLabelScan|AllRelationshipsScan|RelationshipTypeScan")
# Statements that may scan a whole label, and why.
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
    """Return a value for each parameter, by the types in the header."""
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
    """Return the statement as written, and without some of its parts."""
    derived: set[str] = set()
    for count in range(len(query.parts) + 1):
        for parts in combinations(query.parts, count):
            without = query.without(*parts)
            if without.text not in derived:
                derived.add(without.text)
                yield "-".join((query.name, *parts)), without


NOW = datetime(2026, 3, 1, tzinfo=UTC)
NO_VECTOR = np.zeros(384, dtype=np.float32)
BOTH = (False, True)


def asked_for(hops: int) -> dict[str, Any]:
    """Return the fields of every pool query."""
    return {
        "scopes": ("local/shared",),
        "embedding": NO_VECTOR,
        "slot": "a",
        "terms": (),
        "now": NOW,
        "hops": hops,
    }


def recalls() -> Generator[Query]:
    """Return the statement of each kind of recall."""
    filters = (Filters(), Filters(kinds=("insight",)), Filters(tags_any=("pet",)))
    for sought, hops, memorable, embeddings in product(filters, (0, 1), (0, 9), BOTH):
        query = CandidateQuery(
            **asked_for(hops),
            filters=sought,
            limits=PoolLimits(),
            memorable=memorable,
            embeddings=embeddings,
        )
        asked = candidates.statement(query)
        yield asked
        if "vectors" in asked.parts:
            yield asked.without("vectors")


def retrievals() -> Generator[Query]:
    """Return the statement of each kind of retrieval of episodes."""
    filters = (
        EpisodeFilters(),
        EpisodeFilters(model=Names.of("x")),
        EpisodeFilters(tags_any=("exam",)),
    )
    for sought, nearby, walks, concepts in product(filters, BOTH, BOTH, BOTH):
        query = AttemptQuery(
            **asked_for(1), filters=sought, nearby=nearby, walks=walks, concepts=concepts
        )
        asked = retrieval.statement(query)
        yield asked
        yield retrieval.without_search(asked)


# Statements of which the store leaves out several parts together.
SENT = {
    "recall.recall_candidates": {query.text for query in recalls()},
    "episodes.retrieve_episodes": {query.text for query in retrievals()},
}


def cases(named: Iterable[str]) -> list[Any]:
    """Return a case for each slot of each variant of some statements.

    All slots but the first are slow, and so are unused variants.
    """
    return [
        pytest.param(
            variant,
            slot,
            id=f"{name}-{slot}",
            marks=[] if slot == "a" and is_sent(statement, variant) else [pytest.mark.slow],
        )
        for statement in named
        for name, variant in variants(STATEMENTS[statement])
        for slot in STATEMENTS[statement].slots or ("a",)
    ]


def is_sent(statement: str, variant: Query) -> bool:
    """Return whether the store uses a variant, or the statement as written."""
    whole = variant.text == STATEMENTS[statement].text
    return whole or statement not in SENT or variant.text in SENT[statement]


def check_plan(planner: neo4j.Session, query: Query, slot: Slot) -> None:
    """Let the real server plan a statement: no warning, the declared mode, no full scan."""
    text = query.for_slot(slot) if query.slots else query.text
    summary = planner.run(f"EXPLAIN {text}", samples(query)).consume()
    assert notes(summary) == []
    assert summary.query_type in QUERY_TYPES[query.mode]
    plan: dict[str, Any] | None = summary.plan  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] -- a bare dict in the driver
    assert plan is not None
    scans = [step["operatorType"] for step in steps(plan) if SCANS.match(step["operatorType"])]
    assert not scans or query.name in MAY_SCAN, f"{query.name} walks over everything: {scans}"
