from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest

from graph.kernel.errors import ConflictError, NotFoundError
from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from graph.model.utility.rewards import UsedName
from service.bootstrap import Service
from tests.conftest import Run
from tests.store.reading import lease_of
from tests.store.teaching import HOME, give, histories, reporting, stored

RATE = 0.1


async def test_a_share_follows_the_rank_and_scales_the_step(service: Service, anna: Caller) -> None:
    uids = await stored(service, 3)
    await give(service, anna, "t", uids)
    outcome = await service.report_outcome(anna, "t", "success")
    moved = {reward.uid: reward for reward in outcome.rewarded}
    for rank, uid in enumerate(uids, start=1):
        assert moved[uid].share == 1 / math.log2(1 + rank)
        assert moved[uid].step == RATE * moved[uid].share
        assert moved[uid].q_after == 0.5 + moved[uid].step * 0.5


async def test_a_share_follows_the_phases_in_which_a_memory_was_given(
    service: Service, anna: Caller
) -> None:
    planned, acted, neither = await stored(service, 3)
    await give(service, anna, "t", [planned], phase="planning")
    await give(service, anna, "t", [acted], phase="action")
    await give(service, anna, "t", [acted], phase="observation")
    await give(service, anna, "t", [neither])
    outcome = await service.report_outcome(anna, "t", "failure")
    found = {reward.uid: reward.share for reward in outcome.rewarded}
    assert found[acted] == 1.0
    assert found[planned] == pytest.approx(0.3 / 0.4)
    assert found[neither] == pytest.approx(0.2 / 0.4)


async def test_what_was_given_twice_counts_at_its_best_rank_of_a_phase(
    service: Service, anna: Caller
) -> None:
    one, other = await stored(service, 2)
    await give(service, anna, "t", [other, one], phase="action")
    await give(service, anna, "t", [one], phase="action")
    outcome = await service.report_outcome(anna, "t", "success")
    assert {reward.share for reward in outcome.rewarded} == {1.0}
    assert len(outcome.rewarded) == 2


async def test_only_what_was_used_is_rewarded(service: Service, anna: Caller) -> None:
    first, second, third = await stored(service, 3)
    await give(service, anna, "t", [first, second, third])
    used = [UsedName(third), UsedName(second, 0.5), UsedName("external:none")]
    outcome = await service.report_outcome(anna, "t", "success", used=used)
    assert {reward.uid: reward.share for reward in outcome.rewarded} == {third: 1.0, second: 0.5}
    assert outcome.ignored == 1
    assert (await service.get_memory(anna, first)).q_count == 0


async def test_what_was_used_need_not_have_been_given(service: Service, anna: Caller) -> None:
    [given_one] = await stored(service, 1)
    [named] = await service.remember([NewMemory(HOME, "known by heart", external_id="heart")])
    await give(service, anna, "t", [given_one], phase="planning")
    used = [UsedName(given_one), UsedName("external:heart")]
    outcome = await service.report_outcome(anna, "t", "success", used=used)
    found = {reward.uid: reward.share for reward in outcome.rewarded}
    assert found[given_one] == 1.0
    assert found[named.uid or ""] == pytest.approx(0.2 / 0.3)


async def test_using_nothing_rewards_nobody_and_ends_the_task(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    await give(service, anna, "t", [uid])
    outcome = await service.report_outcome(anna, "t", "success", used=[])
    assert (outcome.applied, outcome.rewarded) == (True, ())
    assert (await service.get_memory(anna, uid)).q_count == 0
    assert cypher("MATCH (t:Task) RETURN t.status AS s") == [{"s": "success"}]


async def test_what_another_owns_is_not_rewarded_by_naming_it(
    service: Service, anna: Caller, bert: Caller
) -> None:
    [foreign] = await service.remember([NewMemory("local/agent/bert", "of bert", external_id="b")])
    used = [UsedName(foreign.uid or ""), UsedName("external:b")]
    outcome = await service.report_outcome(anna, "t", "success", used=used)
    assert (outcome.rewarded, outcome.ignored) == ((), 2)
    memory = await service.get_memory(bert, foreign.uid or "")
    assert (memory.q_count, memory.q_value) == (0, 0.5)


async def test_an_outcome_twice_with_what_was_used_counts_once(
    service: Service, anna: Caller
) -> None:
    one, two = await stored(service, 2)
    await give(service, anna, "t", [one, two])
    names = [UsedName(one), UsedName(two, 0.25)]
    first = await service.report_outcome(anna, "t", "success", used=names)
    again = await service.report_outcome(anna, "t", "success", used=names[::-1])
    assert (first.applied, again.applied) == (True, False)
    assert again.rewarded == first.rewarded
    assert again.reward_uid == first.reward_uid
    for used in ([UsedName(one)], None, []):
        with pytest.raises(ConflictError):
            await service.report_outcome(anna, "t", "success", used=used)


async def test_a_late_outcome_needs_to_say_what_was_used(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    await give(service, anna, "t", [uid])
    later = datetime.now(UTC) + timedelta(days=2)
    assert await service.recall.tasks.expire(later, 10, await lease_of(service)) == 1
    with pytest.raises(NotFoundError):
        await service.report_outcome(anna, "t", "success")
    outcome = await service.report_outcome(anna, "t", "success", used=[UsedName(uid)])
    assert [reward.uid for reward in outcome.rewarded] == [uid]
    assert cypher("MATCH (t:Task) RETURN t.status AS s, t.expires_at IS NOT NULL AS e") == [
        {"s": "success", "e": True}
    ]


async def test_nothing_is_written_while_learning_is_off(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    await give(service, anna, "t", [uid])
    before = cypher(
        "MATCH (n) WHERE NOT n:Lease AND NOT n:Schema RETURN elementId(n) AS id, n {.*} AS n ORDER BY id"
    )
    outcome = await reporting(service, utility_learning=False)(anna, "t", "success")
    assert (outcome.applied, outcome.rewarded, outcome.reward_uid) == (False, (), None)
    assert before == cypher(
        "MATCH (n) WHERE NOT n:Lease AND NOT n:Schema RETURN elementId(n) AS id, n {.*} AS n ORDER BY id"
    )


async def test_a_task_of_before_shares_is_known_by_its_status(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    await give(service, anna, "t", [uid])
    first = await service.report_outcome(anna, "t", "success", 0.5)
    cypher("MATCH (t:Task) REMOVE t.report")
    again = await service.report_outcome(anna, "t", "success", 0.5)
    assert (again.applied, again.rewarded) == (False, first.rewarded)
    with pytest.raises(ConflictError):
        await service.report_outcome(anna, "t", "success", 0.5, [UsedName(uid)])


async def test_estimates_by_context_move_beside_q(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    report = reporting(service, contextual_utility=True)
    for place, (context, status) in enumerate(
        [("domain:billing", "success"), ("domain:travel", "failure")] * 2
    ):
        await give(service, anna, f"t{place}", [uid], contexts=[context, "tag:x"])
        await report(anna, f"t{place}", status)  # pyright: ignore[reportArgumentType] -- of two
    rows = cypher(
        "MATCH (:Memory)-[:ESTIMATED]->(e) RETURN e.context AS c, e.q_value AS q, e.q_count AS n"
    )
    found = {row["c"]: (row["q"], row["n"]) for row in rows}
    assert found["domain:billing"] == (pytest.approx(0.54875), 2)
    assert found["domain:travel"] == (pytest.approx(0.45125), 2)
    assert found["tag:x"][1] == 4
    assert len(found) == 3
    entries = histories(cypher)[uid]
    assert entries[0]["contexts"] == ["domain:billing", "tag:x"]
    assert entries[0]["context_step"] == 0.05


async def test_a_memory_keeps_so_many_estimates_and_no_more(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    report = reporting(service, contextual_utility=True)
    for task, names in (("t1", range(40)), ("t2", range(40, 80))):
        await give(service, anna, task, [uid], contexts=[f"tag:{n:02d}" for n in names])
        await report(anna, task, "success")
    rows = cypher("MATCH (:Memory)-[:ESTIMATED]->(e) RETURN e.context AS c ORDER BY c")
    assert len(rows) == 64
    assert {row["c"] for row in rows} >= {f"tag:{n:02d}" for n in range(40, 80)}
