"""What a memory without rewards borrows from the strategies and concepts it used."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio

from graph.model import Explanation, Link, NewMemory, RecallAnswer
from graph.ports import Embedder
from graph.scope import Caller
from service.bootstrap import Connection, Service, open_service
from service.settings import Settings
from service.use_cases.recall import RecallRequest
from tests.conftest import Run
from tests.store.reading import linked, settled

HOME = "local/agent/anna"
ASKED = "How do I bring the parcel to the customer?"
TEXTS = {
    "first": "Bring the parcel to the customer by bicycle.",
    "second": "Bring the parcel to the customer by tram.",
    "third": "Bring the parcel to the customer by boat.",
}
TEACH = "MATCH (m:Memory {external_id: $name}) SET m.q_value = $q, m.q_left = $left, m.q_count = 10"


@pytest_asyncio.fixture(loop_scope="session")
async def holding(
    service: Service, connection: Connection, embedder: Embedder
) -> AsyncGenerator[Service]:
    """A second service on the same graph, which holds hot scopes."""
    settings = Settings(
        neo4j_uri=connection.uri,
        flush_seconds=3600,
        worker=False,
        hot_scopes=True,
        min_relevance=0.0,
    )
    async with open_service(settings, connection, embedder) as second:
        yield second


@pytest.fixture
async def attempts(service: Service, cypher: Run) -> None:
    """Three attempts, the last by a strategy that always helped, the first by one that never did."""
    await service.remember(
        [
            NewMemory(HOME, "Ride along the canal.", kind="strategy", external_id="canal"),
            NewMemory(HOME, "Wait for the flood.", kind="concept", external_id="flood"),
        ]
    )
    used = {"first": "canal", "third": "flood"}
    for name, text in TEXTS.items():
        links = (Link("USED", f"external:{used[name]}"),) if name in used else ()
        await service.remember(
            [NewMemory(HOME, text, kind="episode", external_id=name, links=links)]
        )
    await linked(service)
    await settled(cypher)
    cypher(TEACH, name="canal", q=0.05, left=0.1)
    cypher(TEACH, name="flood", q=0.95, left=0.1)


async def ask(service: Service, caller: Caller, **options: Any) -> RecallAnswer:
    request = RecallRequest(caller, text=ASKED, k=5, utility_weight=1.0, explain=True, **options)
    return await service.recall(request)


def worth_of(answer: RecallAnswer) -> dict[str, float]:
    found: dict[str, float] = {}
    for result in answer.results:
        assert isinstance(result.explanation, Explanation)
        found[result.memory.external_id or ""] = result.explanation.components["utility"]
    return found


async def test_what_a_strategy_and_a_concept_are_worth_ranks_what_used_them(
    service: Service, anna: Caller, attempts: None
) -> None:
    answer = await ask(service, anna)
    known = worth_of(answer)
    assert [name for name in known if name in TEXTS] == ["third", "second", "first"]
    lent = 9 / (9 + 10)  # nine rewards' worth of evidence beside a prior of ten
    assert known["third"] == pytest.approx(0.5 + 0.5 * lent, abs=1e-6)
    assert known["first"] == pytest.approx(0.5 - 0.5 * lent, abs=1e-6)
    assert known["second"] == 0.5


async def test_without_hops_nothing_is_borrowed(
    service: Service, anna: Caller, attempts: None
) -> None:
    known = worth_of(await ask(service, anna, hops=0))
    assert {known.get(name, 0.5) for name in TEXTS} == {0.5}
    assert set(known) & set(TEXTS)


@pytest.mark.parametrize(
    "change", ["o.scope = 'local/agent/bert'", "o.state = 'archived'", "o.kind = 'insight'"]
)
async def test_only_an_active_strategy_or_concept_of_the_same_scope_lends(
    service: Service, cypher: Run, anna: Caller, attempts: None, change: str
) -> None:
    """An edge into another scope is not there by any way in; were it there, it would lend nothing."""
    cypher(f"MATCH (o:Memory {{external_id: 'flood'}}) SET {change}")
    assert worth_of(await ask(service, anna))["third"] == 0.5


async def test_what_is_held_lends_as_what_is_read(
    service: Service, holding: Service, cypher: Run, anna: Caller, attempts: None
) -> None:
    cypher(
        "MATCH (m:Memory {external_id: 'second'}) SET m.q_value = 0.7, m.q_left = 0.5, m.q_m2 = 0.2"
    )
    read = await ask(service, anna)
    hot = holding.hot_scopes
    assert hot is not None
    for _ in range(12):
        held = await ask(holding, anna)
        await hot.settled()
        if HOME in hot.scopes:
            break
    held = await ask(holding, anna)
    assert HOME in hot.scopes
    assert [r.memory.uid for r in held.results] == [r.memory.uid for r in read.results]
    for one, other in zip(held.results, read.results, strict=True):
        assert isinstance(one.explanation, Explanation)
        assert isinstance(other.explanation, Explanation)
        assert one.explanation.components == pytest.approx(other.explanation.components, abs=2e-5)
