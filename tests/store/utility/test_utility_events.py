"""What happens to utility is told with what makes it happen: all of it, once, and only to whom it concerns."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio

from graph.database.driver import Connection
from graph.kernel.events import Event, EventFilter
from graph.kernel.scope import Caller
from graph.model.memories.memory import Link, NewMemory
from graph.model.recall.candidates import Filters
from graph.ports.world import Embedder
from service.bootstrap import Service, open_service
from service.settings import Settings
from service.use_cases.utility.events import ReadEvents
from tests.conftest import Recalls, Remembers, Run
from tests.store.reading import job_of, lease_of

ANNA = Caller("local", "anna")
CHANNEL = Caller("local", channel_ids=("support",))
BOTH = Caller("local", "anna", channel_ids=("support",))
BERT = Caller("local", "bert")


async def heard(service: Service, caller: Caller = ANNA) -> list[Event]:
    await service.events.flush()
    read = ReadEvents(service.read_events.store, clock=service.clock)
    found: list[Event] = []
    after, more = 0, True
    while more:
        page = await read(caller.tenant, EventFilter(caller.readable), after)
        found += [each.event for each in page.events]
        after, more = page.after, page.more
    return found


def named(events: list[Event], name: str) -> list[dict[str, Any]]:
    return [dict(event.data) for event in events if event.name == name]


async def test_an_outcome_tells_whom_it_rewards_and_what_it_moves(
    service: Service, remember: Remembers, recall: Recalls, caplog: pytest.LogCaptureFixture
) -> None:
    uid = await remember(ANNA, "The lighthouse keeper naps at noon.")
    await recall(ANNA, "lighthouse keeper", task_id="t")
    with caplog.at_level(logging.INFO, "stratagraph.events"):
        caplog.clear()  # what the recall told, where another test left the level lower
        outcome = await service.report_outcome(ANNA, "t", "success")
    [moved] = outcome.rewarded
    events = await heard(service)
    [updated] = named(events, "memory:qvalue_updated")
    assert updated == {
        "uid": uid,
        "old": moved.q_before,
        "new": moved.q_after,
        "reward": 1.0,
        "delta": moved.q_after - moved.q_before,
        "source": "outcome",
    }
    [attributed] = named(events, "memory:reward_attributed")
    assert attributed["reward_uid"] == outcome.reward_uid
    assert (attributed["kind"], attributed["memories"], attributed["reward"]) == ("outcome", 1, 1.0)
    assert {event.agent_id for event in events} == {"anna"}
    told = {vars(record)["action"] for record in caplog.records}
    assert told == {"memory:qvalue_updated", "memory:reward_attributed"}
    assert uid not in str([vars(record) for record in caplog.records])


async def test_what_strategies_get_is_told_when_they_get_it(
    service: Service, remember: Remembers, recall: Recalls
) -> None:
    strategy = await remember(ANNA, "Ask the lighthouse keeper.", kind="strategy")
    await remember(
        ANNA, "The lighthouse keeper knew.", kind="episode", links=(Link("USED", strategy),)
    )
    question = {"task_id": "t", "k": 1, "filters": Filters(kinds=("episode",))}
    await recall(ANNA, "lighthouse keeper knew", **question)
    await service.report_outcome(ANNA, "t", "success")
    lease = await lease_of(service)
    await job_of(service, "fold_credits").step(service.clock.now(), lease)
    await service.leases.release(lease)
    events = await heard(service)
    [attributed] = named(events, "memory:reward_attributed")
    assert (attributed["memories"], attributed["credits"]) == (1, 1)
    paid = [each for each in named(events, "memory:qvalue_updated") if each["source"] == "credit"]
    assert [each["uid"] for each in paid] == [strategy]
    assert paid[0]["new"] > paid[0]["old"]


async def test_an_outcome_that_is_reported_again_is_not_told_again(
    service: Service, remember: Remembers, recall: Recalls
) -> None:
    await remember(ANNA, "The lighthouse keeper naps at noon.")
    await recall(ANNA, "lighthouse keeper", task_id="t")
    await service.report_outcome(ANNA, "t", "success")
    before = await heard(service)
    assert not (await service.report_outcome(ANNA, "t", "success")).applied
    assert await heard(service) == before


async def test_a_reward_by_hand_and_its_revert_are_told(
    service: Service, remember: Remembers
) -> None:
    uid = await remember(ANNA, "The lighthouse keeper naps at noon.")
    done = await service.inject_reward(ANNA, uid, 1.0, "it saved the day")
    assert done.reward_uid
    await service.revert_reward(ANNA, done.reward_uid)
    events = await heard(service)
    assert [each["kind"] for each in named(events, "memory:reward_attributed")] == [
        "manual",
        "revert",
    ]
    up, down = named(events, "memory:qvalue_updated")
    assert (up["source"], down["source"]) == ("manual", "revert")
    assert up["new"] > up["old"] == down["new"] == 0.5
    assert "it saved the day" not in str(events)


async def test_each_scope_hears_of_its_own_memories_alone(
    service: Service, recall: Recalls
) -> None:
    own = [NewMemory(ANNA.writable(), f"lighthouse note {n}") for n in range(2)]
    shared = [NewMemory(CHANNEL.writable(), f"lighthouse rule {n}") for n in range(3)]
    saved = await service.remember([*own, *shared])
    await recall(BOTH, "lighthouse", task_id="secret-task", k=10, expect=5)
    await service.report_outcome(BOTH, "secret-task", "success")
    in_channel = await heard(service, CHANNEL)
    assert {event.scope for event in in_channel} == {"local/channel/support"}
    [batch] = named(in_channel, "memory:qvalue_batch_updated")
    assert batch["updated"] == 3
    assert sorted(uid for uid, _, _ in batch["moves"]) == sorted(s.uid or "" for s in saved[2:])
    assert "secret-task" not in str(in_channel)
    [batch] = named(await heard(service, ANNA), "memory:qvalue_batch_updated")
    assert sorted(uid for uid, _, _ in batch["moves"]) == sorted(s.uid or "" for s in saved[:2])
    assert await heard(service, BERT) == []


async def test_a_recall_tells_what_its_task_was_given_and_that_it_was_answered(
    service: Service, remember: Remembers, recall: Recalls, cypher: Run
) -> None:
    await remember(ANNA, "The lighthouse keeper naps at noon.")
    await recall(ANNA, "lighthouse keeper")
    await service.events.flush()
    cypher("MATCH (e:Event) DELETE e")
    await recall(ANNA, "lighthouse keeper", task_id="t", phase="planning")
    written = cypher("MATCH (e:Event) RETURN e.name AS name")
    assert written == [{"name": "memory:tracked"}]  # with the retrieval; the other is gathered
    events = await heard(service)
    [given] = named(events, "memory:tracked")
    assert (given["task_id"], given["phase"]) == ("t", "planning")
    [answered] = named(events, "memory:utility_retrieval_completed")
    assert (answered["results"], answered["lambda"], answered["phase"]) == (1, 0.7, "planning")
    assert answered["candidates"] >= 1
    assert "lighthouse" not in str(events)


@pytest_asyncio.fixture(loop_scope="session")
async def silent(
    service: Service, settings: Settings, connection: Connection, embedder: Embedder
) -> AsyncGenerator[Service]:
    without = settings.model_copy(update={"events": False})
    async with open_service(without, connection, embedder) as replica:
        yield replica


async def test_where_none_are_kept_none_are_written(
    silent: Service, remember: Remembers, recall: Recalls, cypher: Run
) -> None:
    await remember(ANNA, "The lighthouse keeper naps at noon.")
    await recall(ANNA, "lighthouse keeper", task_id="t")
    await silent.events.flush()
    cypher("MATCH (e:Event) DELETE e")
    await silent.report_outcome(ANNA, "t", "success")
    await silent.change_config(ANNA, {"learning_rate": 0.2})
    await silent.change_config.reset(ANNA)
    assert await heard(silent) == []
    assert (await silent.list_config_changes("local")).items


async def test_with_learning_off_nothing_is_told_of_outcomes(
    service: Service, remember: Remembers, recall: Recalls
) -> None:
    await remember(ANNA, "The lighthouse keeper naps at noon.")
    await recall(ANNA, "lighthouse keeper", task_id="t")
    before = len(named(await heard(service), "memory:reward_attributed"))
    await service.change_config(ANNA, {"utility_learning": False})
    await service.report_outcome(ANNA, "t", "success")
    events = await heard(service)
    await service.change_config.reset(ANNA)
    assert len(named(events, "memory:reward_attributed")) == before == 0
    assert named(events, "memory:qvalue_updated") == []
