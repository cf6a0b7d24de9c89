"""What a memory without rewards borrows from the strategies and concepts it used."""

from __future__ import annotations

from typing import Any

import pytest

from graph.kernel.scope import Caller
from graph.model.memories.memory import Link, NewMemory
from graph.model.recall.candidates import Explanation, RecallAnswer
from service.bootstrap import Service
from service.use_cases.recall.recall import RecallRequest
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
