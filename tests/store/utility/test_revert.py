from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from graph.kernel.errors import ConflictError, HistoryTrimmedError, NotFoundError
from graph.kernel.scope import Caller
from graph.kernel.values import Status
from graph.model.memories.memory import NewMemory
from graph.model.utility.rewards import UsedName
from service.bootstrap import Service
from tests.conftest import Run
from tests.store.teaching import HOME, check_history, give, histories, reporting, stored, tracks

_WORTH = (
    "MATCH (m:Memory {uid: $uid}) RETURN [m.q_value, m.q_count, m.q_left, m.q_m2, m.success_count, "
    "m.failure_count, m.last_reward_at] AS w"
)


def worth(cypher: Run, uid: str) -> list[Any]:
    return cypher(_WORTH, uid=uid)[0]["w"]


def _often(status: Status, times: int) -> list[Status]:
    return [status] * times


async def taught(
    service: Service, anna: Caller, uids: list[str], *statuses: Status, **config: Any
) -> list[str]:
    """Report outcomes one after the other; return their rewards."""
    report, rewards = reporting(service, **config), list[str]()
    for status in statuses:
        task = f"t{len(rewards)}"
        await give(service, anna, task, uids)
        rewards.append((await report(anna, task, status, 0.9)).reward_uid or "")
    return rewards


async def test_taking_back_the_last_reward_restores_everything(
    service: Service, cypher: Run, anna: Caller
) -> None:
    uids = await stored(service, 3)
    await taught(service, anna, uids, "success", "failure")
    before = [worth(cypher, uid) for uid in uids]
    await give(service, anna, "last", uids)
    outcome = await service.report_outcome(anna, "last", "success")
    done = await service.revert_reward(anna, outcome.reward_uid or "", "a mistake")
    assert done.applied
    assert [moved.uid for moved in done.restored] == sorted(uids)
    assert [worth(cypher, uid) for uid in uids] == before
    for uid in uids:
        entries = histories(cypher)[uid]
        check_history(entries, tracks(cypher)[uid])
        assert [entry["kind"] for entry in entries] == ["outcome"] * 3 + ["revert"]
    [note] = cypher("MATCH (w:Reward {kind: 'revert'}) RETURN w.reason AS r, w.reverts AS of")
    assert note == {"r": "a mistake", "of": outcome.reward_uid}


async def test_a_memory_that_had_one_reward_is_as_at_its_birth_again(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    [reward] = await taught(service, anna, [uid], "failure")
    await service.revert_reward(anna, reward)
    assert worth(cypher, uid) == [0.5, 0, 1.0, 0.0, 0, 0, None]


@pytest.mark.parametrize("scale", ["unit", "signed"])
@pytest.mark.parametrize("place", [0, 2, 5])
async def test_taking_back_one_in_the_middle_is_as_if_it_had_never_been(
    service: Service, cypher: Run, anna: Caller, scale: str, place: int
) -> None:
    # On the signed scale Q lies at 0 for a while: subtracting what a reward moved would be wrong.
    statuses: list[Status] = [*_often("failure", 4), "success", "failure", "success"]
    uid, twin = await stored(service, 2)
    rewards = await taught(service, anna, [uid], *statuses, reward_scale=scale, learning_rate=0.4)
    await service.revert_reward(anna, rewards[place])
    cypher("MATCH (t:Task) DETACH DELETE t")
    del statuses[place]
    await taught(service, anna, [twin], *statuses, reward_scale=scale, learning_rate=0.4)
    assert worth(cypher, uid)[:6] == worth(cypher, twin)[:6]
    check_history(histories(cypher)[uid], tracks(cypher)[uid])


async def test_a_task_can_be_reported_anew(service: Service, cypher: Run, anna: Caller) -> None:
    [uid] = await stored(service, 1)
    await give(service, anna, "t", [uid])
    wrong = await service.report_outcome(anna, "t", "failure")
    with pytest.raises(ConflictError):
        await service.report_outcome(anna, "t", "success")
    await service.revert_reward(anna, wrong.reward_uid or "")
    right = await service.report_outcome(anna, "t", "success")
    assert (right.applied, right.rewarded[0].q_before, right.rewarded[0].q_after) == (
        True,
        0.5,
        0.55,
    )
    again = await service.report_outcome(anna, "t", "success")
    assert (again.applied, again.reward_uid) == (False, right.reward_uid)
    check_history(histories(cypher)[uid], tracks(cypher)[uid])


async def test_taking_back_twice_counts_once(service: Service, cypher: Run, anna: Caller) -> None:
    [uid] = await stored(service, 1)
    first, second = await taught(service, anna, [uid], "success", "success")
    done = await asyncio.gather(*(service.revert_reward(anna, second) for _ in range(4)))
    assert sorted(each.applied for each in done) == [False, False, False, True]
    assert worth(cypher, uid)[1] == 1
    await service.revert_reward(anna, first)
    assert worth(cypher, uid)[:4] == [0.5, 0, 1.0, 0.0]


async def test_two_at_once_of_one_memory_both_count(
    service: Service, cypher: Run, anna: Caller
) -> None:
    uids = await stored(service, 5)
    rewards = await taught(service, anna, uids, *_often("success", 4))
    await asyncio.gather(*(service.revert_reward(anna, reward) for reward in rewards[:2]))
    for uid in uids:
        assert worth(cypher, uid)[1] == 2
        check_history(histories(cypher)[uid], tracks(cypher)[uid])


async def test_a_revert_is_not_taken_back(service: Service, anna: Caller) -> None:
    [uid] = await stored(service, 1)
    [reward] = await taught(service, anna, [uid], "success")
    done = await service.revert_reward(anna, reward)
    with pytest.raises(ConflictError, match="itself a revert"):
        await service.revert_reward(anna, done.revert_uid or "")


async def test_what_lies_behind_the_checkpoint_stays_and_nothing_changes(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    rewards = await taught(service, anna, [uid], *_often("success", 16), q_history_limit=5)
    before = worth(cypher, uid)
    with pytest.raises(HistoryTrimmedError):
        await service.revert_reward(anna, rewards[3])
    assert worth(cypher, uid) == before
    assert cypher("MATCH (w:Reward {kind: 'revert'}) RETURN count(w) AS n") == [{"n": 0}]
    assert (await service.revert_reward(anna, rewards[-5])).applied
    assert worth(cypher, uid)[1] == 15


async def test_a_reward_partly_behind_a_checkpoint_is_left_whole(
    service: Service, cypher: Run, anna: Caller
) -> None:
    often, once = await stored(service, 2)
    await give(service, anna, "both", [often, once])
    outcome = await service.report_outcome(anna, "both", "success")
    await taught(service, anna, [often], *_often("failure", 16), q_history_limit=5)
    before = worth(cypher, once)
    with pytest.raises(HistoryTrimmedError):
        await service.revert_reward(anna, outcome.reward_uid or "")
    assert worth(cypher, once) == before


async def test_a_memory_deleted_meanwhile_does_not_hold_up_the_others(
    service: Service, cypher: Run, anna: Caller
) -> None:
    gone, kept = await stored(service, 2)
    [reward] = await taught(service, anna, [gone, kept], "failure")
    await service.delete_memory(anna, gone)
    done = await service.revert_reward(anna, reward)
    assert [moved.uid for moved in done.restored] == [kept]
    assert worth(cypher, kept)[:2] == [0.5, 0]


async def test_only_who_made_a_reward_takes_it_back(
    service: Service, anna: Caller, bert: Caller
) -> None:
    [uid] = await stored(service, 1)
    [reward] = await taught(service, anna, [uid], "success")
    for stranger in (bert, Caller("acme", "anna")):
        with pytest.raises(NotFoundError):
            await service.revert_reward(stranger, reward)
    with pytest.raises(NotFoundError):
        await service.revert_reward(anna, "none")
    assert (await service.get_memory(anna, uid)).q_count == 1


async def test_what_the_caller_does_not_name_is_not_moved_behind_its_back(
    service: Service, cypher: Run, anna: Caller
) -> None:
    wide = replace(anna, channel_ids=("dev",))
    [saved] = await service.remember([NewMemory(wide.writable("channel"), "of the channel")])
    uid = saved.uid or ""
    await give(service, wide, "t", [uid])
    outcome = await service.report_outcome(wide, "t", "failure")
    with pytest.raises(ConflictError, match="does not read"):
        await service.revert_reward(anna, outcome.reward_uid or "")
    assert worth(cypher, uid)[1] == 1
    assert (await service.revert_reward(wide, outcome.reward_uid or "")).applied
    assert worth(cypher, uid)[1] == 0


async def test_estimates_go_back_too(service: Service, cypher: Run, anna: Caller) -> None:
    [uid] = await stored(service, 1)
    report = reporting(service, contextual_utility=True)
    rewards: list[str] = []
    estimates = "MATCH (e:Estimate) RETURN e.context AS c, e.q_value AS q, e.q_count AS n, e.q_left AS l ORDER BY c"
    seen = [cypher(estimates)]
    for place, contexts in enumerate((["a:1"], ["a:1", "b:2"], ["b:2"])):
        await give(service, anna, f"t{place}", [uid], contexts=contexts)
        rewards.append((await report(anna, f"t{place}", "success")).reward_uid or "")
        seen.append(cypher(estimates))
    await service.revert_reward(anna, rewards[2])
    assert cypher(estimates) == seen[2]
    await service.revert_reward(anna, rewards[1])
    [first, other] = cypher(estimates)
    assert [first] == seen[1]
    assert (other["q"], other["n"], other["l"]) == (0.5, 0, 1.0)


async def test_signals_and_rewards_by_hand_are_taken_back_too(
    service: Service, cypher: Run, anna: Caller
) -> None:
    uid, other = await stored(service, 2)
    await give(service, anna, "t", [uid, other])
    before = worth(cypher, uid)
    given = await service.inject_reward(anna, uid, -1.0, "wrong")
    outcome = await service.report_outcome(anna, "t", "success", used=[UsedName(uid)])
    await service.revert_reward(anna, given.reward_uid or "")
    assert (
        await service.report_outcome(anna, "t", "success", used=[UsedName(uid)])
    ).applied is False
    await service.revert_reward(anna, outcome.reward_uid or "")
    assert worth(cypher, uid)[:6] == [0.5, 0, 1.0, 0.0, 0, 0]
    assert before[:2] == [0.5, 0]
    assert HOME in cypher("MATCH (w:Reward) RETURN collect(DISTINCT w.scope) AS s")[0]["s"]
