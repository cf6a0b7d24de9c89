"""What is removed takes along what was learned of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from graph.kernel.scope import Caller
from service.bootstrap import Service
from tests.conftest import Run
from tests.store.reading import lease_of
from tests.store.teaching import give, reporting, stored

COUNTS = (
    "RETURN COUNT { MATCH (w:Reward) } AS rewards, COUNT { MATCH (e:Estimate) } AS estimates, "
    "COUNT { MATCH (c:Credit) } AS credits"
)


async def test_a_memory_takes_its_estimates_its_credits_and_its_reasons_along(
    service: Service, cypher: Run, anna: Caller
) -> None:
    gone, kept = await stored(service, 2)
    report = reporting(service, contextual_utility=True)
    for task, uids in (("alone", [gone]), ("both", [gone, kept])):
        await give(service, anna, task, uids, contexts=["tag:x"])
        await report(anna, task, "success")
    await service.inject_reward(anna, gone, 1.0, "something private")
    await service.inject_reward(anna, kept, 1.0, "of the other")
    cypher(
        "MATCH (w:Reward) WITH w LIMIT 1 UNWIND [$gone, $kept] AS uid "
        "CREATE (:Credit {uid: uid, memory_uid: uid, reward_uid: w.uid})",
        gone=gone,
        kept=kept,
    )
    await service.delete_memory(anna, gone)
    assert cypher(COUNTS) == [{"rewards": 2, "estimates": 1, "credits": 1}]
    assert cypher("MATCH (w:Reward) WHERE w.reason IS NOT NULL RETURN w.reason AS r") == [
        {"r": "of the other"}
    ]
    await service.delete_memory(anna, kept)
    assert cypher(COUNTS) == [{"rewards": 0, "estimates": 0, "credits": 0}]


async def test_reasons_go_with_the_entries_they_are_of(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    first = await service.inject_reward(anna, uid, 1.0, "something private")
    report = reporting(service, q_history_limit=1)
    for place in range(11):
        await give(service, anna, f"t{place}", [uid])
        await report(anna, f"t{place}", "success")
    [row] = cypher("MATCH (w:Reward {uid: $u}) RETURN w.reason AS r", u=first.reward_uid)
    assert row["r"] is None


async def test_a_task_that_expires_takes_its_spent_rewards_along(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    report = reporting(service, q_history_limit=1)
    for place in range(12):
        await give(service, anna, f"t{place}", [uid])
        await report(anna, f"t{place}", "success")
    assert cypher("MATCH (w:Reward) RETURN count(w) AS n") == [{"n": 12}]
    later = datetime.now(UTC) + timedelta(days=2)
    assert await service.recall.tasks.expire(later, 100, await lease_of(service)) == 12
    assert cypher("MATCH (w:Reward) RETURN count(w) AS n") == [{"n": 1}]
