"""Strata of a tenant in the gates, in room, in decay, in consolidation and in the outer loop."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from math import exp

import pytest
import pytest_asyncio

from graph.kernel.errors import ConflictError, InvalidInputError
from graph.kernel.scope import Caller
from graph.model.memories.memory import Link, NewMemory
from graph.model.recall.candidates import Filters
from graph.model.strata.gates import GateRun
from service.bootstrap import Service
from service.use_cases.kernel.runs import UndoRun
from service.use_cases.recall.recall import RecallRequest
from service.use_cases.strata.gates import RunGates
from tests.conftest import Recalls, Run
from tests.standing_clock import At
from tests.store.strata.test_gates import keep, standing

HOME = "local/agent/anna"
ANNA = Caller("local", agent_id="anna")
DAILY = "daily after short_term capacity=3 retention_hours=48 decay=0.2 every=1"


@pytest_asyncio.fixture(autouse=True, loop_scope="session")
async def daily(service: Service, cypher: Run) -> AsyncGenerator[None]:
    await service.change_strata_config(ANNA, {"own_strata": DAILY})
    yield
    cypher("MATCH (m:Memory) DETACH DELETE m")
    await service.change_strata_config.reset(ANNA)


async def test_memories_rise_into_an_own_stratum_and_out_of_it(
    service: Service, cypher: Run, run_gates: RunGates, undo: UndoRun[GateRun], clock: At
) -> None:
    [uid] = await keep(service, "short_term", 5)
    clock.time += timedelta(hours=6, minutes=1)
    first = (await run_gates(ANNA, dry_run=False)).run
    assert first is not None
    assert first.strata == ("working", "short_term", "daily", "episodic", "long_term", "semantic")
    assert standing(cypher)[uid] == ("daily", "active")
    clock.time += timedelta(minutes=5)
    assert (await run_gates(ANNA)).plan.total == 0  # it has not dwelt there long enough
    cypher("MATCH (m:Memory) SET m.w0 = 1.0, m.w_at = m.w_at + duration('PT12H')")
    clock.time += timedelta(hours=6)
    second = (await run_gates(ANNA, dry_run=False)).run
    assert second is not None
    assert standing(cypher)[uid] == ("episodic", "active")
    back = await undo(ANNA, second.uid)
    assert (back.state, back.restored) == ("undone", 1)
    assert standing(cypher)[uid] == ("daily", "active")


async def test_the_time_of_an_own_stratum_ends(
    service: Service, cypher: Run, run_gates: RunGates, clock: At
) -> None:
    low, middle = await keep(service, "daily", 1, 4)
    clock.time += timedelta(hours=47)
    assert (await run_gates(ANNA)).plan.total == 0
    clock.time += timedelta(hours=2)
    await run_gates(ANNA, dry_run=False)
    assert standing(cypher) == {low: ("daily", "archived"), middle: ("episodic", "active")}


async def test_a_full_own_stratum_gives_up_the_lowest_scores(service: Service, cypher: Run) -> None:
    first = await keep(service, "daily", 1, 3, 4)
    [new] = await keep(service, "daily", 2, name="new")
    gone = {uid for uid, (_, state) in standing(cypher).items() if state == "archived"}
    assert gone == {first[0]}
    assert standing(cypher)[new] == ("daily", "active")
    told = cypher("MATCH (t:Transition) RETURN t.reason AS reason, t.from_stratum AS stratum")
    assert told == [{"reason": "over_capacity", "stratum": "daily"}]


async def test_the_decay_of_an_own_stratum_holds_at_an_anchor(
    service: Service, cypher: Run
) -> None:
    [uid] = await keep(service, "daily", 2)
    cypher("MATCH (m:Memory) SET m.w_at = m.w_at - duration('P10D'), m.q_value = 0.0")
    fading = service.configs.fading_of("local")
    assert (fading["daily"].decay, fading["daily"].spared) == (0.2, fading["short_term"].spared)
    await service.remember.store.count_accesses({uid: 1}, datetime.now(UTC))
    [row] = cypher("MATCH (m:Memory) RETURN m.w0 AS left")
    assert row["left"] == pytest.approx(exp(-0.2 * 10 / 3), abs=1e-3)


async def test_a_recall_fades_as_the_own_stratum_says(service: Service, cypher: Run) -> None:
    """Share of its relevance that a faded memory passes on to its neighbour."""
    [uid] = await keep(service, "daily", 2, name="fact")
    cypher("MATCH (m:Memory) SET m.w_at = m.w_at - duration('P10D')")
    links = (Link("USED", uid),)
    [far] = await service.remember([NewMemory(HOME, "zebra crossing", links=links)])

    async def passed_on() -> float:
        request = RecallRequest(ANNA, text="daily fact 0", k=5, hops=1, explain=True)
        [result] = [r for r in (await service.recall(request)).results if r.memory.uid == far.uid]
        assert result.explanation is not None
        return result.explanation.components["neighbours"]

    usual = await passed_on()
    await service.change_strata_config(ANNA, {"own_strata": DAILY.replace("0.2", "100")})
    assert usual > 0.01
    assert await passed_on() < 1e-6


async def test_a_filter_finds_an_own_stratum_and_no_filter_leaves_it_out(
    service: Service, recall: Recalls
) -> None:
    [uid] = await keep(service, "daily", 3, name="bicycle")
    await keep(service, "episodic", 3, name="bicycle")
    named = await recall(ANNA, "bicycle", filters=Filters(strata=("daily",)))
    assert [result.memory.uid for result in named.results] == [uid]
    for filters in (Filters(), Filters(importance_min=2)):  # the second writes all filters out
        assert len((await recall(ANNA, "bicycle", expect=2, filters=filters)).results) == 2
        assert len((await service.list_memories(ANNA, filters)).items) == 2
        counted = await service.count_memories(ANNA, filters, by="stratum")
        assert counted.groups == {"daily": 1, "episodic": 1}


async def test_an_undo_waits_for_the_stratum_that_its_run_looked_at(
    service: Service, cypher: Run, run_gates: RunGates, undo: UndoRun[GateRun], clock: At
) -> None:
    [uid] = await keep(service, "daily", 5)
    clock.time += timedelta(hours=6, minutes=1)
    run = (await run_gates(ANNA, dry_run=False)).run
    assert run is not None
    assert standing(cypher)[uid] == ("episodic", "active")
    await service.change_strata_config(ANNA, {"own_strata": None})
    with pytest.raises(ConflictError, match="add daily again first"):
        await undo(ANNA, run.uid)
    await service.change_strata_config(ANNA, {"own_strata": "daily after working"})
    assert (await undo(ANNA, run.uid)).state == "undone"
    assert standing(cypher)[uid] == ("daily", "active")


async def test_a_stratum_that_holds_memories_is_not_taken_away(
    service: Service, cypher: Run
) -> None:
    active, archived = await keep(service, "daily", 3, 3)
    cypher("MATCH (m:Memory {uid: $uid}) SET m.state = 'archived'", uid=archived)
    for taken in (
        service.change_strata_config(ANNA, {"own_strata": "weekly after working"}),
        service.change_strata_config(ANNA, {"own_strata": None}),
        service.change_strata_config.reset(ANNA),
    ):
        with pytest.raises(ConflictError, match=r"daily \(2\)"):
            await taken
    assert "daily" in service.configs.strata_of("local").order
    await service.change_strata_config(ANNA, {"own_strata": "daily after episodic decay=0.07"})
    assert service.configs.strata_of("local").order.index("daily") == 3
    cypher("MATCH (m:Memory) WHERE m.uid IN $uids DETACH DELETE m", uids=[active, archived])
    await service.change_strata_config(ANNA, {"own_strata": None})
    assert "daily" not in service.configs.strata_of("local").order


async def test_memories_are_moved_by_hand_along_the_order(service: Service, cypher: Run) -> None:
    [uid] = await keep(service, "short_term", 3)
    up = await service.move_memories(ANNA, [uid], "promote")
    assert [(m.from_stratum, m.to_stratum) for m in up.moves] == [("short_term", "daily")]
    named = await service.move_memories(ANNA, [uid], None, "working")
    assert [(m.action, m.to_stratum) for m in named.moves] == [("demote", "working")]
    await service.move_memories(ANNA, [uid], None, "daily")
    assert standing(cypher)[uid] == ("daily", "active")
    lost = await service.move_memories(ANNA, [uid], None, "attic")
    assert [refused.why for refused in lost.refused] == [
        "it is in daily, and attic is not above that"
    ]


@pytest.mark.usefixtures("in_pairs")
async def test_a_consolidation_condenses_through_an_own_stratum(
    service: Service, cypher: Run
) -> None:
    said = "Ada lives in Turin, and she is allergic to nuts. {} is what she said about it in March."
    rows = [
        NewMemory(
            HOME,
            said.format(word),
            agent_id="anna",
            speaker="Ada",
            session_id="monday",
            stratum="short_term",
            occurred_at=datetime(2026, 3, 2, 9, minute, tzinfo=UTC),
        )
        for minute, word in enumerate(("This", "That"))
    ]
    await service.remember(rows)
    for stratum, above in (("short_term", "daily"), ("daily", "episodic")):
        done = await service.consolidate(ANNA, strata=[stratum], everything=True, dry_run=False)
        assert done.run is not None
        assert done.run.state == "done"
        assert [(c.from_stratum, c.to_stratum) for c in done.plan.clusters] == [(stratum, above)]
    places = list(standing(cypher).values())
    assert (places.count(("short_term", "archived")), places.count(("daily", "active"))) == (2, 1)
    with pytest.raises(InvalidInputError, match="nothing lies above semantic"):
        await service.consolidate(ANNA, strata=["semantic"])


async def test_analytics_count_own_strata_in_their_place(service: Service) -> None:
    await keep(service, "daily", 3, 3)
    found = await service.analyse_strata(ANNA)
    held = [(each.stratum, each.active) for each in found.population]
    assert held[1:4] == [("short_term", 0), ("daily", 2), ("episodic", 0)]
    assert [each.stratum for each in found.decay] == [stratum for stratum, _ in held]
    assert found.days[-1].active == tuple(active for _, active in held)
