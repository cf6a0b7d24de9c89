"""Without learning the order is that of similarity, whatever any Q says; and nothing is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from graph.kernel.scope import Caller
from graph.model.memories.memory import Link, NewMemory
from graph.model.recall.candidates import RecallAnswer
from service.bootstrap import Service
from service.use_cases.recall.recall import RecallRequest
from tests.conftest import Run
from tests.store.reading import settled, uids
from tests.store.teaching import HOME, give

ASKED = "Where does the ferry to the island leave?"
WORDS = ("ferry", "island", "leave", "harbour", "noon", "ticket", "storm", "crew")
UTILITY = (
    "MATCH (n) WHERE n:Task OR n:Reward OR n:Credit OR n:Estimate OR n:Event "
    "RETURN labels(n)[0] AS label, count(n) AS n"
)
TOUCHED = (
    "MATCH (m:Memory) RETURN m.uid AS uid, m.q_value AS q, m.q_count AS n, m.q_left AS l, "
    "m.last_reward_at AS at, m.success_count AS s ORDER BY uid"
)


@pytest.fixture
async def odd(service: Service, cypher: Run) -> list[str]:
    """Linked memories of odd Qs that outcomes have taught."""
    uids: list[str] = []
    for place in range(16):
        link = [Link("USED", uids[-1]), Link("REQUIRES", uids[place // 2])] if uids else []
        text = f"The {WORDS[place % 8]} and the {WORDS[(place * 3 + 1) % 8]}, note {place}"
        kind = "strategy" if place % 5 == 0 else "episode"
        [saved] = await service.remember(
            [NewMemory(HOME, text, kind=kind, session_id="s", sequence=place, links=tuple(link))]
        )
        uids.append(saved.uid or "")
    await settled(cypher)
    return uids


def make_odd(cypher: Run, uids: Sequence[str]) -> None:
    for place, uid in enumerate(uids):
        cypher(
            "MATCH (m:Memory {uid: $uid}) SET m.q_value = $q, m.q_count = 30, m.q_left = 0.05",
            uid=uid,
            q=(place * 7 % 16) / 15,
        )


async def ask(service: Service, caller: Caller, **options: Any) -> RecallAnswer:
    return await service.recall(RecallRequest(caller, text=ASKED, k=16, **options))


def same(answer: RecallAnswer, before: RecallAnswer) -> bool:
    """Say whether two answers agree in order and in numbers, but for what a second of decay changes."""
    relevance = [result.relevance for result in answer.results]
    known = [result.relevance for result in before.results]
    return uids(answer) == uids(before) and relevance == pytest.approx(known, abs=1e-5)


@pytest.mark.parametrize("hops", [0, 1, 2])
async def test_disabled_and_at_weight_0_the_order_is_the_same_whatever_q_says(
    service: Service, cypher: Run, anna: Caller, odd: list[str], hops: int
) -> None:
    before = await ask(service, anna, hops=hops, utility_weight=0.0)
    make_odd(cypher, odd)
    assert same(await ask(service, anna, hops=hops, utility_weight=0.0), before)
    learned = await ask(service, anna, hops=hops, utility_weight=0.8)
    assert uids(learned) != uids(before)
    try:
        await service.change_config(anna, {"utility_learning": False})
        for weight in (None, 0.8, 1.0):
            disabled = await ask(service, anna, hops=hops, utility_weight=weight)
            assert same(disabled, before)
            assert disabled.utility_weight == 0.0
    finally:
        await service.change_config.reset(anna)
    relevance = [result.relevance for result in before.results]
    assert relevance == sorted(relevance, reverse=True)


async def test_disabled_nothing_is_written(
    service: Service, cypher: Run, anna: Caller, odd: list[str]
) -> None:
    make_odd(cypher, odd)
    await give(service, anna, "t", odd[:3])
    try:
        await service.change_config(anna, {"utility_learning": False})
        await service.events.flush()
        held, memories = cypher(UTILITY), cypher(TOUCHED)
        await ask(service, anna, task_id="another")
        outcome = await service.report_outcome(anna, "t", "success")
        assert not outcome.applied
        await service.events.flush()
        assert (cypher(UTILITY), cypher(TOUCHED)) == (held, memories)
    finally:
        await service.change_config.reset(anna)


async def test_tracking_can_be_off_alone(
    service: Service, cypher: Run, anna: Caller, odd: list[str]
) -> None:
    try:
        await service.change_config(anna, {"track_memory_usage": False})
        answer = await ask(service, anna, task_id="t")
        assert answer.results
        assert cypher("MATCH (t:Task) RETURN t") == []
    finally:
        await service.change_config.reset(anna)
    await ask(service, anna, task_id="t")
    [row] = cypher("MATCH (:Task {task_id: 't'})-[r:RETRIEVED]->() RETURN count(r) AS n")
    assert row["n"] == 16
