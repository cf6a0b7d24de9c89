"""Taking back what was, or was to be, passed on to a strategy."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

from graph.kernel.scope import Caller
from graph.kernel.values import Status
from graph.model.memories.memory import Link, NewMemory
from service.bootstrap import Service
from tests.conftest import Run
from tests.store.reading import job_of, lease_of
from tests.store.teaching import HOME, check_history, give, histories, reporting, tracks


async def story(service: Service) -> tuple[str, str]:
    """Store a strategy and an episode that used it; return their uids."""
    [way] = await service.remember(
        [NewMemory(HOME, "Ask first.", kind="strategy", external_id="w")]
    )
    [episode] = await service.remember(
        [NewMemory(HOME, "Asked, and it helped.", links=(Link("USED", "external:w"),))]
    )
    return way.uid or "", episode.uid or ""


async def fold(service: Service) -> int:
    return await job_of(service, "fold_credits").step(datetime.now(UTC), await lease_of(service))


async def taught(
    service: Service, caller: Caller, uid: str, task: str, status: Status = "success", **config: Any
) -> str:
    await give(service, caller, task, [uid])
    return (await reporting(service, **config)(caller, task, status)).reward_uid or ""


async def test_a_credit_that_waits_goes_with_its_reward(
    service: Service, cypher: Run, anna: Caller
) -> None:
    way, episode = await story(service)
    reward = await taught(service, anna, episode, "t")
    assert cypher("MATCH (c:Credit) RETURN count(c) AS n") == [{"n": 1}]
    done = await service.revert_reward(anna, reward)
    assert [moved.uid for moved in done.restored] == [episode]
    assert cypher("MATCH (c:Credit) RETURN count(c) AS n") == [{"n": 0}]
    assert await fold(service) == 0
    assert tracks(cypher)[way].count == 0


async def test_a_credit_that_was_paid_is_taken_back_too(
    service: Service, cypher: Run, anna: Caller
) -> None:
    way, episode = await story(service)
    first = await taught(service, anna, episode, "t1")
    await fold(service)
    before = tracks(cypher)[way]
    second = await taught(service, anna, episode, "t2", "failure")
    await fold(service)
    done = await service.revert_reward(anna, second)
    assert {moved.uid for moved in done.restored} == {way, episode}
    assert tracks(cypher)[way] == before
    check_history(histories(cypher)[way], before)
    await service.revert_reward(anna, first)
    assert {tracks(cypher)[uid].value for uid in (way, episode)} == {0.5}


async def test_a_strategy_whose_history_is_behind_a_checkpoint_keeps_what_it_has(
    service: Service, cypher: Run, anna: Caller
) -> None:
    way, episode = await story(service)
    first = await taught(service, anna, episode, "t")
    await fold(service)
    [other] = await service.remember(
        [NewMemory(HOME, "Asked again.", links=(Link("USED", "external:w"),))]
    )
    for place in range(20):
        await taught(service, anna, other.uid or "", f"o{place}")
    await fold(service)
    [history] = await service.report_outcome.rewards.histories(anna.readable, [way])
    base = history.entries[5].seq
    cypher(
        "MATCH (w:Reward)-[r:REWARDED]->(m:Memory {uid: $u}) WHERE r.seq <= $base "
        "SET w.folded_credits = 1, m.q_base = $q, m.q_base_seq = $base, m.q_base_left = 0.5, "
        "m.q_base_m2 = 0.0, m.q_base_count = $base DELETE r",
        u=way,
        base=base,
        q=history.entries[5].q_after,
    )
    before = tracks(cypher)[way]
    done = await service.revert_reward(anna, first)
    assert (done.applied, done.kept) == (True, 1)
    assert [moved.uid for moved in done.restored] == [episode]
    assert tracks(cypher)[way] == before


async def test_paying_and_taking_back_at_once_agree(
    service: Service, cypher: Run, anna: Caller
) -> None:
    way, episode = await story(service)
    rewards = [await taught(service, anna, episode, f"t{place}") for place in range(6)]
    await asyncio.gather(
        fold(service), *(service.revert_reward(anna, reward) for reward in rewards[::2])
    )
    await fold(service)
    for uid in (way, episode):
        check_history(histories(cypher)[uid], tracks(cypher)[uid])
        assert tracks(cypher)[uid].count == 3
    assert cypher("MATCH (c:Credit) RETURN count(c) AS n") == [{"n": 0}]
