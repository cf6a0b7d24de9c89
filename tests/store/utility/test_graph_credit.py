"""What a reward owes to the strategies and concepts behind it, and how the background pays."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from graph.kernel.errors import LeaseLostError
from graph.kernel.scope import Caller
from graph.kernel.values import Status
from graph.model.memories.memory import Link, NewMemory
from graph.model.recall.candidates import Explanation
from graph.model.utility.config import UtilityConfig
from graph.store.utility.credits import CreditStore
from service.bootstrap import Service
from service.use_cases.recall.recall import RecallRequest
from service.use_cases.utility.credit import ApplyCredits
from tests.conftest import Run
from tests.fixed_configs import FixedConfigs
from tests.store.reading import job_of, lease_of, settled
from tests.store.teaching import HOME, check_history, give, histories, reporting, tracks

WAITING = "MATCH (c:Credit) RETURN c {.*} AS credit ORDER BY c.uid"
STRATEGY = "MATCH (m:Memory {external_id: $name}) RETURN m {.*} AS memory"


@pytest.fixture
async def episodes(service: Service) -> list[str]:
    """Four episodes: three used the same strategy, one of them a concept too, and one nothing."""
    await service.remember(
        [
            NewMemory(HOME, "Ask first.", kind="strategy", external_id="ask"),
            NewMemory(HOME, "Tides.", kind="concept", external_id="tides"),
        ]
    )
    ask, tides = (Link("USED", f"external:{name}") for name in ("ask", "tides"))
    links: tuple[tuple[Link, ...], ...] = ((ask,), (ask, tides), (ask,), ())
    rows = [
        NewMemory(HOME, f"episode {i} by the harbour", kind="episode", links=each)
        for i, each in enumerate(links)
    ]
    return [answer.uid or "" for answer in await service.remember(rows)]


async def fold(service: Service) -> int:
    job = job_of(service, "fold_credits")
    return await job.step(datetime.now(UTC), await lease_of(service))


def folding(service: Service, batch: int = 500, **config: Any) -> ApplyCredits:
    known = job_of(service, "fold_credits")
    return ApplyCredits(
        CreditStore(service.database, service.configs),
        FixedConfigs(UtilityConfig(**config)),
        service.recall.identifiers,
        batch=batch,
        pause=known.pause,
    )


def memory_of(cypher: Run, name: str) -> dict[str, Any]:
    [row] = cypher(STRATEGY, name=name)
    return row["memory"]


def waiting(cypher: Run) -> list[dict[str, Any]]:
    return [row["credit"] for row in cypher(WAITING)]


async def succeed(service: Service, caller: Caller, task: str, uids: Sequence[str]) -> None:
    await give(service, caller, task, uids)
    await service.report_outcome(caller, task, "success")


async def test_a_credit_waits_and_is_paid_once(
    service: Service, cypher: Run, anna: Caller, episodes: list[str]
) -> None:
    await succeed(service, anna, "t", [episodes[3], episodes[1]])
    shares = [credit["share"] for credit in waiting(cypher)]
    assert shares == pytest.approx([0.5 / 1.5849625] * 2)  # half of what rank 2 is worth
    for name in ("ask", "tides"):
        assert memory_of(cypher, name)["q_count"] == 0
        assert "last_reward_at" not in memory_of(cypher, name)
    assert await fold(service) == 2
    assert waiting(cypher) == []
    for name in ("ask", "tides"):
        memory = memory_of(cypher, name)
        [entry] = histories(cypher)[memory["uid"]]
        assert memory["q_value"] == pytest.approx(0.5 + 0.1 * entry["share"] * 0.5)
        assert memory["q_left"] == pytest.approx(1 - 0.1 * entry["share"])
        assert (memory["q_count"], memory["q_seq"]) == (1, 1)
        assert (memory["success_count"], memory["failure_count"]) == (0, 0)
        assert memory["last_reward_at"] is not None
        assert (entry["via"], entry["kind"], entry["target"]) == ("USED", "outcome", 1.0)
        check_history([entry], tracks(cypher)[memory["uid"]])
    assert await fold(service) == 0
    assert memory_of(cypher, "ask")["q_count"] == 1


async def test_the_scope_gets_another_version_and_listeners_are_told(
    service: Service, cypher: Run, anna: Caller, episodes: list[str]
) -> None:
    await succeed(service, anna, "t", episodes[:1])
    version = "MATCH (s:Scope {scope: $scope}) RETURN s.version AS version"
    before = cypher(version, scope=HOME)
    cypher("MATCH (e:Event) DELETE e")
    await fold(service)
    assert cypher(version, scope=HOME) != before
    [row] = cypher("MATCH (e:Event) RETURN e {.name, .scope, .data} AS event")
    assert (row["event"]["name"], row["event"]["scope"]) == ("memory:qvalue_updated", HOME)
    assert '"source":"credit"' in row["event"]["data"]


async def test_a_strategy_that_was_given_itself_gets_no_credit_beside(
    service: Service, cypher: Run, anna: Caller, episodes: list[str]
) -> None:
    await succeed(service, anna, "t", [memory_of(cypher, "ask")["uid"], episodes[0]])
    assert waiting(cypher) == []


async def test_without_damping_nothing_is_passed_on(
    service: Service, cypher: Run, anna: Caller, episodes: list[str]
) -> None:
    await give(service, anna, "t", episodes)
    await reporting(service, credit_damping=0.0)(anna, "t", "success")
    assert waiting(cypher) == []


@pytest.mark.parametrize(
    "change",
    [
        "MATCH (w:Reward) SET w.reverted_at = datetime()",
        "MATCH (w:Reward) DETACH DELETE w",
        "MATCH (m:Memory {external_id: 'ask'}) DETACH DELETE m",
        "MATCH (m:Memory {external_id: 'ask'}) SET m.scope = 'local/agent/bert'",
    ],
    ids=["reverted", "reward gone", "strategy gone", "of another scope"],
)
async def test_a_credit_that_holds_no_more_is_dropped(
    service: Service, cypher: Run, anna: Caller, episodes: list[str], change: str
) -> None:
    await succeed(service, anna, "t", episodes[:1])
    cypher(change)
    assert await fold(service) == 1
    assert waiting(cypher) == []
    assert cypher("MATCH (m:Memory {external_id: 'ask'}) WHERE m.q_count > 0 RETURN m") == []
    assert cypher("MATCH (:Reward)-[r:REWARDED {via: 'USED'}]->() RETURN r") == []


async def test_many_outcomes_at_once_never_wait_for_their_strategy(
    service: Service, cypher: Run, anna: Caller, episodes: list[str]
) -> None:
    """It is not touched before the background comes, which then pays all in one transaction."""
    for place in range(200):
        await give(service, anna, f"t{place}", [episodes[place % 3]])
    many = asyncio.Semaphore(16)

    async def report(place: int) -> None:
        async with many:
            await service.report_outcome(anna, f"t{place}", ("success", "failure")[place % 2])

    await asyncio.gather(*(report(place) for place in range(200)))
    untouched = memory_of(cypher, "ask")
    assert untouched["q_count"] == 0
    assert "last_reward_at" not in untouched
    assert len([c for c in waiting(cypher) if c["memory_uid"] == untouched["uid"]]) == 200
    while await fold(service):
        pass
    memory = memory_of(cypher, "ask")
    assert (memory["q_count"], memory["q_seq"]) == (200, 200)
    entries = histories(cypher)[memory["uid"]]
    assert 100 <= len(entries) <= 125
    assert memory["q_base_seq"] == entries[0]["seq"] - 1
    assert entries[-1]["q_after"] == memory["q_value"]


async def test_a_batch_may_hold_more_than_a_history(
    service: Service, cypher: Run, anna: Caller, episodes: list[str]
) -> None:
    for place in range(40):
        await succeed(service, anna, f"t{place}", [episodes[0]])
    job, lease = folding(service, q_history_limit=3), await lease_of(service)
    steps = [await job.step(datetime.now(UTC), lease) for _ in range(15)]
    assert sum(steps) == 40
    assert max(steps) <= 3
    memory = memory_of(cypher, "ask")
    assert (memory["q_count"], memory["q_seq"]) == (40, 40)
    assert len(histories(cypher)[memory["uid"]]) <= 3 + 10 + 3


async def test_only_who_holds_the_lease_pays(
    service: Service, cypher: Run, anna: Caller, episodes: list[str]
) -> None:
    await succeed(service, anna, "t", episodes[:1])
    new = await lease_of(service)
    old = replace(new, token=new.token - 1)
    job = job_of(service, "fold_credits")
    with pytest.raises(LeaseLostError):
        await job.step(datetime.now(UTC), old)
    assert len(waiting(cypher)) == 1
    paid = await asyncio.gather(*(job.step(datetime.now(UTC), new) for _ in range(4)))
    assert sum(paid) == 1
    assert memory_of(cypher, "ask")["q_count"] == 1


async def test_what_a_context_taught_reaches_the_strategy_in_that_context(
    service: Service, cypher: Run, anna: Caller, episodes: list[str]
) -> None:
    await give(service, anna, "t", episodes[:1], contexts=["domain:tea", "phase:planning"])
    await reporting(service, contextual_utility=True)(anna, "t", "success")
    assert waiting(cypher)[0]["contexts"] == ["domain:tea", "phase:planning"]
    lease = await lease_of(service)
    assert await folding(service, contextual_utility=True).step(datetime.now(UTC), lease) == 1
    uid = memory_of(cypher, "ask")["uid"]
    rows = cypher(
        "MATCH (:Memory {uid: $uid})-[:ESTIMATED]->(e) RETURN e {.*} AS e ORDER BY e.context",
        uid=uid,
    )
    assert [row["e"]["context"] for row in rows] == ["domain:tea", "phase:planning"]
    for row in rows:
        assert row["e"]["q_value"] == pytest.approx(0.5 + 0.05 * 0.5 * 0.5)
        assert (row["e"]["q_count"], row["e"]["scope"]) == (1, HOME)
    [entry] = histories(cypher)[uid]
    assert entry["contexts"] == ["domain:tea", "phase:planning"]


async def test_an_attempt_without_rewards_profits_from_those_of_others(
    service: Service, cypher: Run, anna: Caller
) -> None:
    """Three attempts by each of two strategies; one of each was tried, the rest only stored."""
    await service.remember(
        [NewMemory(HOME, f"way {n}", kind="strategy", external_id=n) for n in ("good", "bad")]
    )
    for place in range(3):
        for name in ("bad", "good"):
            link = Link("USED", f"external:{name}")
            text = f"Carry the crate to the harbour, attempt {place}."
            await service.remember(
                [NewMemory(HOME, text, kind="episode", external_id=f"{name}{place}",
                           occurred_at=datetime(2026, 1, 1 + place, tzinfo=UTC), links=(link,))]
            )  # fmt: skip
    await settled(cypher)
    ends: dict[str, Status] = {"good": "success", "bad": "failure"}
    for place in range(10):
        for name, status in ends.items():
            uid = memory_of(cypher, f"{name}0")["uid"]
            await give(service, anna, f"{name}{place}", [uid])
            await service.report_outcome(anna, f"{name}{place}", status)
    await fold(service)
    answer = await service.recall(
        RecallRequest(anna, text="Carry the crate to the harbour", k=6, explain=True)
    )
    found = [r for r in answer.results if r.memory.kind == "episode"]
    assert found[0].memory.external_id == "good0"
    worth: dict[str, float] = {}
    for result in found:
        assert isinstance(result.explanation, Explanation)
        worth[result.memory.external_id or ""] = result.explanation.components["utility"]
    assert min(worth[f"good{i}"] for i in (1, 2)) > 0.55
    assert max(worth[f"bad{i}"] for i in (1, 2) if f"bad{i}" in worth) < 0.45
