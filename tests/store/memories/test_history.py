from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graph.kernel.errors import HistoryTrimmedError, NotFoundError
from graph.kernel.scope import Caller
from graph.model.utility.rewards import Track
from service.bootstrap import Service
from tests.conftest import Run
from tests.store.teaching import check_history, give, histories, reporting, stored, tracks

LIMIT = 5  # kept entries; a history is cut once it has ten more


async def teach(service: Service, anna: Caller, uid: str, count: int, **config: Any) -> None:
    report = reporting(service, q_history_limit=LIMIT, **config)
    for place in range(count):
        task = f"{uid} {place} {datetime.now(UTC).isoformat()}"
        await give(service, anna, task, [uid], contexts=["tag:x"])
        await report(anna, task, "failure" if place % 3 == 0 else "success", 0.7)


def base_of(cypher: Run) -> dict[str, Any]:
    [row] = cypher("MATCH (m:Memory) RETURN m {.*, embedding_a: null} AS m")
    return row["m"]


async def test_a_history_is_cut_behind_a_checkpoint_from_which_it_replays(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    await teach(service, anna, uid, LIMIT + 10)
    assert len(histories(cypher)[uid]) == LIMIT + 10
    await teach(service, anna, uid, 1)
    kept, base = histories(cypher)[uid], base_of(cypher)
    assert [entry["seq"] for entry in kept] == list(range(12, 17))
    assert base["q_base_seq"] == 11
    start = Track(base["q_base"], base["q_base_count"], base["q_base_left"], base["q_base_m2"])
    check_history(kept, tracks(cypher)[uid], start)
    assert start.count == 11
    await teach(service, anna, uid, 11)
    base = base_of(cypher)
    start = Track(base["q_base"], base["q_base_count"], base["q_base_left"], base["q_base_m2"])
    check_history(histories(cypher)[uid], tracks(cypher)[uid], start)
    assert start.count == 22


async def test_estimates_are_folded_with_their_memory(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    await teach(service, anna, uid, LIMIT + 11, contextual_utility=True)
    [history] = await service.report_outcome.rewards.histories(anna.readable, [uid])
    assert history.bases["tag:x"].count == 11
    value = history.bases["tag:x"].value
    for entry in history.entries:
        value += entry.context_step * (entry.target - value)
    assert value == pytest.approx(history.tracks["tag:x"].value, abs=1e-12)


async def test_rewards_that_no_history_holds_go_once_their_task_is_gone(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    await teach(service, anna, uid, LIMIT + 10)
    cypher("MATCH (t:Task) DETACH DELETE t")
    await teach(service, anna, uid, 1)
    assert cypher("MATCH (w:Reward) RETURN count(w) AS n") == [{"n": LIMIT}]


async def test_rewards_whose_task_is_there_stay_and_keep_it_from_counting_twice(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    await teach(service, anna, uid, LIMIT + 11)
    assert cypher("MATCH (w:Reward) RETURN count(w) AS n") == [{"n": LIMIT + 11}]


async def test_q_as_of_a_time_is_what_was_in_force(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    born = datetime.now(UTC)
    await teach(service, anna, uid, 4)
    entries = histories(cypher)[uid]
    show = service.show_utility
    assert (await show(anna, uid, at=born - timedelta(days=1))).q_at == 0.5
    for before, after in itertools.pairwise(entries):
        middle = before["at"].to_native() + (after["at"].to_native() - before["at"].to_native()) / 2
        assert (await show(anna, uid, at=middle)).q_at == before["q_after"]
    now = await show(anna, uid, at=datetime.now(UTC))
    assert now.q_at == now.general.track.value == entries[-1]["q_after"]


async def test_q_as_of_a_time_before_the_checkpoint_is_refused(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    await teach(service, anna, uid, LIMIT + 11)
    base = base_of(cypher)
    at = base["q_base_at"].to_native()
    found = await service.show_utility(anna, uid, at=at)
    assert found.q_at == base["q_base"]
    with pytest.raises(HistoryTrimmedError):
        await service.show_utility(anna, uid, at=at - timedelta(milliseconds=1))


async def test_utility_is_shown_with_its_newest_entries(service: Service, anna: Caller) -> None:
    [uid] = await stored(service, 1)
    fresh = await service.show_utility(anna, uid)
    assert (fresh.general.utility, fresh.general.evidence, fresh.entries) == (0.5, 0.0, ())
    await teach(service, anna, uid, 3)
    found = await service.show_utility(anna, uid, limit=2)
    assert [entry.seq for entry in found.entries] == [2, 3]
    assert found.general.track.count == 3
    assert 0 < found.general.evidence < 3
    assert found.q_at is None


async def test_the_utility_of_another_is_not_found(
    service: Service, anna: Caller, bert: Caller
) -> None:
    [uid] = await stored(service, 1)
    with pytest.raises(NotFoundError):
        await service.show_utility(bert, uid)


async def test_a_memory_that_came_without_its_earlier_history_goes_on(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    await teach(service, anna, uid, 4)
    cypher("MATCH (:Reward)-[r:REWARDED]->() WHERE r.seq <= 2 DELETE r")
    third = histories(cypher)[uid][0]
    reward = (await service.show_utility(anna, uid)).entries[-1].reward_uid
    before = tracks(cypher)[uid]
    await service.revert_reward(anna, reward)
    after = tracks(cypher)[uid]
    assert after.value == pytest.approx(third["q_after"])
    assert after.count == before.count - 1
    await teach(service, anna, uid, LIMIT + 10)
    base = base_of(cypher)
    start = Track(base["q_base"], base["q_base_count"], base["q_base_left"], base["q_base_m2"])
    now = tracks(cypher)[uid]
    assert (
        start.count + len([e for e in histories(cypher)[uid] if e["kind"] != "revert"]) == now.count
    )


async def test_a_memory_that_came_without_any_history_begins_one(
    service: Service, cypher: Run, anna: Caller
) -> None:
    [uid] = await stored(service, 1)
    cypher("MATCH (m:Memory) SET m.q_value = 0.8, m.q_count = 40, m.q_left = 0.1, m.q_m2 = 0.05")
    await teach(service, anna, uid, 1)
    base = base_of(cypher)
    assert (base["q_base"], base["q_base_count"], base.get("q_base_at")) == (0.8, 40, None)
    start = Track(base["q_base"], base["q_base_count"], base["q_base_left"], base["q_base_m2"])
    check_history(histories(cypher)[uid], tracks(cypher)[uid], start)
    shown = await service.show_utility(anna, uid, at=datetime(2020, 1, 1, tzinfo=UTC))
    assert shown.q_at == 0.8
    await service.revert_reward(anna, shown.entries[0].reward_uid)
    assert tracks(cypher)[uid] == start
