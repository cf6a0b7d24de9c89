from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.kernel.errors import ConflictError, NotFoundError
from graph.kernel.scope import Caller
from graph.kernel.values import STATUSES, Status
from graph.model.memories.memory import NewMemory
from service.bootstrap import Service
from service.use_cases.recall.recall import RecallRequest
from tests.conftest import Remembers, Run
from tests.store.reading import lease_of, settled
from tests.store.teaching import HOME, give, reporting, stored

REWARDS: dict[Status, float] = {"success": 1.0, "failure": -1.0, "partial": 0.3, "timeout": -0.5}
RATE = 0.1


@pytest.mark.parametrize("scale", ["unit", "signed"])
@pytest.mark.parametrize("quality", [None, 0.0, 0.25, 1.0])
@pytest.mark.parametrize("status", STATUSES)
async def test_q_moves_as_the_scale_says(
    service: Service, anna: Caller, status: Status, quality: float | None, scale: str
) -> None:
    [uid] = await stored(service, 1)
    await give(service, anna, "t", [uid])
    strength = 1.0 if quality is None else quality
    outcome = await reporting(service, reward_scale=scale)(anna, "t", status, quality)
    if scale == "unit":
        expected = 0.5 + RATE * strength * ((REWARDS[status] + 1) / 2 - 0.5)
    else:
        expected = 0.5 + RATE * (REWARDS[status] * strength - 0.5)
    assert outcome.reward == REWARDS[status] * strength
    assert outcome.applied
    [moved] = outcome.rewarded
    assert (moved.uid, moved.q_before, moved.share) == (uid, 0.5, 1.0)
    assert moved.q_after == expected
    assert moved.step == RATE * (strength if scale == "unit" else 1.0)
    memory = await service.get_memory(anna, uid)
    assert (memory.q_value, memory.q_count) == (expected, 1)
    assert memory.success_count == (status == "success")
    assert memory.failure_count == (status == "failure")
    assert memory.last_reward_at is not None


async def test_q_stays_between_0_and_1(service: Service, cypher: Run, anna: Caller) -> None:
    low, high = await stored(service, 2)
    cypher("MATCH (m:Memory {uid: $u}) SET m.q_value = 0.02", u=low)
    cypher("MATCH (m:Memory {uid: $u}) SET m.q_value = 1.0", u=high)
    await give(service, anna, "bad", [low])
    await give(service, anna, "good", [high])
    report = reporting(service, reward_scale="signed")
    await report(anna, "bad", "failure")
    await report(anna, "good", "success")
    assert (await service.get_memory(anna, low)).q_value == 0.0
    assert (await service.get_memory(anna, high)).q_value == 1.0


@settings(
    max_examples=4,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    status=st.sampled_from(STATUSES),
    quality=st.floats(0, 1),
    scale=st.sampled_from(["unit", "signed"]),
)
async def test_q_comes_as_near_to_its_mean_reward_as_the_moving_average_promises(
    service: Service, anna: Caller, status: Status, quality: float, scale: str
) -> None:
    """``|Qn − u| ≤ (1 − s)^n·|0.5 − u| + 0.01``, with the target where Q may be."""
    text = f"{scale} {status} {quality}"
    [uid] = [(await service.remember([NewMemory(HOME, text)]))[0].uid or ""]
    unit = scale == "unit"
    aim = (REWARDS[status] + 1) / 2 if unit else max(0.0, REWARDS[status] * quality)
    step = RATE * (quality if unit else 1.0)
    report = reporting(service, reward_scale=scale)
    for n in range(1, 41):
        await give(service, anna, f"{text} {n}", [uid])
        await report(anna, f"{text} {n}", status, quality)
        if n in (1, 10, 40):
            value = (await service.get_memory(anna, uid)).q_value
            assert abs(value - aim) <= (1 - step) ** n * abs(0.5 - aim) + 0.01


async def test_an_outcome_that_is_reported_twice_counts_once(
    service: Service, cypher: Run, anna: Caller
) -> None:
    given_uids = await stored(service, 3)
    await give(service, anna, "t", given_uids)
    first = await service.report_outcome(anna, "t", "success", 0.5)
    second = await service.report_outcome(anna, "t", "success", 0.5)
    assert (first.applied, second.applied) == (True, False)
    assert second.rewarded == first.rewarded
    assert second.reward == first.reward
    assert cypher("MATCH (w:Reward) RETURN count(w) AS n") == [{"n": 1}]
    assert {(await service.get_memory(anna, uid)).q_count for uid in given_uids} == {1}


@pytest.mark.parametrize(
    ("status", "quality"), [("failure", None), ("success", 0.9), ("success", 0.0)]
)
async def test_another_outcome_than_before_is_refused(
    service: Service, anna: Caller, status: Status, quality: float | None
) -> None:
    [uid] = await stored(service, 1)
    await give(service, anna, "t", [uid])
    await service.report_outcome(anna, "t", "success")
    with pytest.raises(ConflictError):
        await service.report_outcome(anna, "t", status, quality)
    assert (await service.get_memory(anna, uid)).q_count == 1


async def test_an_unknown_task_is_not_found(service: Service, anna: Caller) -> None:
    with pytest.raises(NotFoundError, match="no such task"):
        await service.report_outcome(anna, "t", "success")


async def test_a_task_that_was_given_nothing_ends_without_reward(
    service: Service, cypher: Run, anna: Caller
) -> None:
    await service.recall(RecallRequest(anna, text="anything", task_id="t"))
    outcome = await service.report_outcome(anna, "t", "success")
    assert (outcome.applied, outcome.rewarded) == (True, ())
    assert cypher("MATCH (w:Reward) RETURN w.reward AS r") == [{"r": 1.0}]


async def test_a_memory_that_was_deleted_meanwhile_is_left_out(
    service: Service, anna: Caller
) -> None:
    gone, kept = await stored(service, 2)
    await give(service, anna, "t", [gone, kept])
    await service.delete_memory(anna, gone)
    outcome = await service.report_outcome(anna, "t", "success")
    assert [reward.uid for reward in outcome.rewarded] == [kept]


async def test_a_memory_given_twice_is_rewarded_once(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    uid = await remember(anna, "Use a newer compiler.")
    await settled(cypher)
    for phase in ("planning", "action", None):
        await service.recall(
            RecallRequest(anna, text="compiler", task_id="t", phase=phase)  # pyright: ignore[reportArgumentType] -- two phases and none
        )
    outcome = await service.report_outcome(anna, "t", "success")
    assert [reward.uid for reward in outcome.rewarded] == [uid]


async def test_a_reward_says_what_it_did(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    uid = await remember(anna, "Use a newer compiler.")
    await give(service, anna, "t", [uid])
    outcome = await service.report_outcome(anna, "t", "partial", 0.5)
    [row] = cypher("MATCH (w:Reward)-[r:REWARDED]->(m:Memory) RETURN w, r {.*} AS r, m.uid AS uid")
    reward: dict[str, Any] = row["w"]
    assert {key: reward[key] for key in reward if key not in {"uid", "recorded_at"}} == {
        "tenant": "local",
        "scope": HOME,
        "kind": "outcome",
        "scale": "unit",
        "task_id": "t",
        "status": "partial",
        "reward": 0.15,
        "quality": 0.5,
    }
    assert row["r"] == {
        "seq": 1,
        "q_before": 0.5,
        "q_after": 0.5 + RATE * 0.5 * (0.65 - 0.5),
        "reward": 0.15,
        "target": 0.65,
        "strength": 0.5,
        "step": RATE * 0.5,
        "share": 1.0,
        "via": "direct",
    }
    assert row["uid"] == uid
    assert outcome.reward_uid == reward["uid"]
    [task] = cypher("MATCH (t:Task) RETURN t.status AS s, t.quality AS q, t.ended_at AS at")
    assert (task["s"], task["q"]) == ("partial", 0.5)
    assert task["at"] is not None


async def test_only_the_one_who_asked_can_report(
    service: Service, anna: Caller, bert: Caller
) -> None:
    [uid] = await stored(service, 1)
    await give(service, anna, "t", [uid])
    with pytest.raises(NotFoundError):
        await service.report_outcome(bert, "t", "failure")
    assert (await service.get_memory(anna, uid)).q_count == 0


async def test_what_the_caller_no_longer_reads_is_not_rewarded(
    service: Service, cypher: Run
) -> None:
    wide = Caller("local", "anna", ("dev",))
    [mine] = await stored(service, 1)
    [saved] = await service.remember([NewMemory(wide.writable("channel"), "of the channel")])
    await give(service, wide, "t", [mine, saved.uid or ""])
    outcome = await service.report_outcome(Caller("local", "anna"), "t", "success")
    assert [reward.uid for reward in outcome.rewarded] == [mine]


async def test_expired_tasks_are_removed_and_others_stay(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    for i in range(5):
        await give(service, anna, f"t{i}", [uid])
    tasks, lease = service.recall.tasks, await lease_of(service)
    assert await tasks.expire(datetime.now(UTC), 100, lease) == 0
    cypher("MATCH (t:Task) WHERE t.task_id <> 't4' SET t.expires_at = datetime('2020-01-01')")
    assert await tasks.expire(datetime.now(UTC), 3, lease) == 3
    assert await tasks.expire(datetime.now(UTC), 3, lease) == 1
    assert cypher("MATCH (t:Task) RETURN t.task_id AS id") == [{"id": "t4"}]
    with pytest.raises(NotFoundError):
        await service.report_outcome(anna, "t0", "success")
    assert (await service.report_outcome(anna, "t4", "success")).applied


async def test_what_was_learned_outlives_the_task(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    await give(service, anna, "t", [uid])
    await service.report_outcome(anna, "t", "success")
    lease = await lease_of(service)
    await service.recall.tasks.expire(datetime.now(UTC) + timedelta(days=2), 10, lease)
    assert cypher("MATCH (t:Task) RETURN t") == []
    assert cypher("MATCH (:Reward)-[:REWARDED]->(:Memory) RETURN count(*) AS n") == [{"n": 1}]
    assert (await service.get_memory(anna, uid)).q_value == 0.55


async def test_a_learned_memory_outranks_its_like_in_the_next_recall(
    service: Service, cypher: Run, anna: Caller
) -> None:
    saved = await service.remember([NewMemory(HOME, f"compile with option {i}") for i in range(8)])
    await settled(cypher)
    request = RecallRequest(anna, text="compile with which option", k=8)
    last = (await service.recall(request)).results[-1].memory.uid
    for i in range(6):
        await give(service, anna, f"t{i}", [last])
        await service.report_outcome(anna, f"t{i}", "success")
    answer = await service.recall(request)
    assert answer.results[0].memory.uid == last
    assert len(answer.results) == len(saved)
