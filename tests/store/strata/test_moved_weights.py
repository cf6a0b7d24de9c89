"""What happens to a memory between a look, its move and the move back is not lost, nor the past priced anew."""

from __future__ import annotations

from datetime import timedelta

import pytest

from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from graph.store.strata.store import StrataStore
from service.bootstrap import Service
from service.use_cases.kernel.runs import UndoRun
from service.use_cases.strata.gates import (
    MOVED_AT_ONCE,
    UNKNOWN_GATE_RUN,
    Gates,
    MakeRoom,
    RunGates,
    carry_out,
    new_run,
)
from tests.conftest import Run
from tests.standing_clock import At
from tests.store.reading import linked, settled
from tests.store.strata.test_anchoring import anchored, old
from tests.store.strata.test_gates import standing
from tests.store.teaching import give

HOME = "local/agent/anna"
ANNA = Caller("local", agent_id="anna")


async def rising(service: Service, cypher: Run) -> str:
    """Store a memory that the gates raise from episodic to long_term."""
    uid = await old(service, cypher, importance=5)
    cypher("MATCH (m:Memory) SET m.recorded_at = m.recorded_at - duration('P10D'), m.w0 = 1.0")
    return uid


async def test_what_a_success_raised_between_look_and_move_stays_raised(
    service: Service, cypher: Run, strata: StrataStore, gates: Gates, clock: At
) -> None:
    uid = await rising(service, cypher)
    clock.time += timedelta(minutes=1)
    decided = await gates.of(HOME, ("episodic",), clock.time)
    assert [move.action for move in decided["episodic"][0]] == ["promote"]
    await service.inject_reward(ANNA, uid, 1.0, "it helped")
    raised = anchored(cypher, uid)
    assert raised.initial > 1.2
    config = service.configs.strata_of("local")
    run = new_run(HOME, "hand", ("episodic",), clock.time, config, service.remember.identifiers)
    run = await strata.begin(run, None)
    await carry_out(MakeRoom(strata, gates), run, decided, clock.time, None)
    assert standing(cypher)[uid] == ("long_term", "active")
    moved = anchored(cypher, uid)
    assert moved.left(moved.at) == pytest.approx(raised.left(moved.at), abs=1e-9)
    back = await UndoRun(strata, clock=clock, at_once=MOVED_AT_ONCE, unknown=UNKNOWN_GATE_RUN)(
        ANNA, run.uid
    )
    assert back.restored == 1
    assert anchored(cypher, uid) == raised


async def test_undone_an_untouched_move_leaves_the_weight_as_it_was(
    service: Service, cypher: Run, run_gates: RunGates, strata: StrataStore, clock: At
) -> None:
    uid = await rising(service, cypher)
    before = anchored(cypher, uid)
    done = (await run_gates(ANNA, dry_run=False)).run
    assert done is not None
    clock.time += timedelta(days=20)
    await UndoRun(strata, clock=clock, at_once=MOVED_AT_ONCE, unknown=UNKNOWN_GATE_RUN)(
        ANNA, done.uid
    )
    assert anchored(cypher, uid) == before


async def test_what_happened_between_a_move_and_its_undo_keeps_its_price(
    service: Service, cypher: Run, run_gates: RunGates, strata: StrataStore, clock: At
) -> None:
    uid = await rising(service, cypher)
    done = (await run_gates(ANNA, dry_run=False)).run
    assert done is not None
    clock.time += timedelta(days=5)
    await service.remember.store.count_accesses({uid: 9}, clock.time)
    between = anchored(cypher, uid)  # as long_term fades
    clock.time += timedelta(days=15)
    await UndoRun(strata, clock=clock, at_once=MOVED_AT_ONCE, unknown=UNKNOWN_GATE_RUN)(
        ANNA, done.uid
    )
    after = anchored(cypher, uid)  # as episodic fades
    assert after.rate > between.rate
    assert after.left(after.at) == pytest.approx(between.left(after.at), abs=1e-9)
    assert after.at - between.at == pytest.approx(15, abs=1e-6)


async def test_what_a_memory_takes_over_from_what_resembles_it_leaves_its_past_alone(
    service: Service, cypher: Run, anna: Caller
) -> None:
    known, alike = "The night ferry leaves at nine.", "The night ferry leaves at ten."
    [saved] = await service.remember([NewMemory(HOME, known)])
    for place in range(10):
        await give(service, anna, f"t{place}", [saved.uid or ""])
        await service.report_outcome(anna, f"t{place}", "success")
    await linked(service)
    await settled(cypher)
    [new] = await service.remember([NewMemory(HOME, alike, stratum="episodic")])
    uid = new.uid or ""
    cypher(
        "MATCH (m:Memory {uid: $uid}) SET m.w_at = m.w_at - duration('P10D'), m.w0 = 0.9", uid=uid
    )
    before = anchored(cypher, uid)
    await settled(cypher)
    await linked(service)
    after = anchored(cypher, uid)
    assert after.rate < before.rate
    assert after.at - before.at == pytest.approx(10, abs=0.01)
    assert after.left(after.at) == pytest.approx(before.left(after.at), abs=1e-9)
