"""The queries for Neo4j Browser about what the worker found: terms and similar memories."""

from __future__ import annotations

import pytest_asyncio

from graph.kernel.scope import Caller
from service.bootstrap import Service
from tests.conftest import Remembers, Run
from tests.store.operation.test_analytics import Analyst, column
from tests.store.reading import linked


@pytest_asyncio.fixture(loop_scope="session")
async def analyst(service: Service, cypher: Run, anna: Caller, remember: Remembers) -> Analyst:
    await remember(anna, "Ada Lovelace rides a red bicycle", external_id="rides")
    await remember(anna, "The red bicycle belongs to Ada Lovelace", external_id="owns")
    await remember(anna, "Quarterly revenue fell by four percent", external_id="revenue")
    await remember(Caller("local", "bert"), "Ada Lovelace wrote a letter", external_id="letter")
    await linked(service)
    return Analyst(cypher)


async def test_what_is_spoken_of(analyst: Analyst) -> None:
    rows = analyst.ask("terms", scope="agent/anna")
    counts = {row["term"]: row["memories"] for row in rows}
    assert counts["Ada Lovelace"] == 2
    assert rows[0]["memories"] == max(counts.values())
    assert {row["mean_q"] for row in rows} == {0.5}
    own = {row["term"]: row["memories"] for row in analyst.ask("terms", scope="agent/bert")}
    assert own["Ada Lovelace"] == 1


async def test_what_a_memory_shares_with_others(analyst: Analyst) -> None:
    rows = analyst.ask("terms_as_graph", memory="rides")
    shared = {row["t"]["display"] for row in rows if row["o"] and row["o"]["external_id"] == "owns"}
    assert "Ada Lovelace" in shared
    assert {row["m"]["external_id"] for row in rows} == {"rides"}
    assert not [row for row in rows if row["o"] and row["o"]["external_id"] == "letter"]


async def test_what_else_speaks_of_the_same(analyst: Analyst) -> None:
    [row] = analyst.ask("related_by_terms", memory="rides")
    assert row["text"] == "The red bicycle belongs to Ada Lovelace"
    assert "Ada Lovelace" in row["terms"]
    assert row["shared"] == len(row["terms"])
    assert analyst.ask("related_by_terms", memory="revenue") == []


async def test_near_duplicates_come_by_their_similarity(analyst: Analyst) -> None:
    [row] = analyst.ask("similar_pairs")
    assert {row["one"]["external_id"], row["other"]["external_id"]} == {"rides", "owns"}
    assert column([row], "near")
