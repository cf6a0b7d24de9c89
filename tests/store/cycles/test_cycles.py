"""Cycles in the graph: races, calls that were cut off, credit by phase, stale ones, and the machine of patches."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.kernel.errors import ConflictError
from graph.kernel.scope import Caller
from graph.model.cycles.checks import Check
from graph.model.cycles.cycle import NewStep, ToolCall
from graph.model.memories.links import Lease
from service.bootstrap import Service
from service.use_cases.cycles.complete import CycleReport
from service.use_cases.cycles.outer_loop import TendLoops
from service.use_cases.cycles.phases import TendCycles
from tests.conftest import Recalls, Remembers, Run

ANNA = Caller("local", "anna")
WRONG = Check("arithmetic", {"text": "2 * 3 = 7"})
RIGHT = Check("arithmetic", {"text": "2 * 3 = 6"})
GOAL = "Trains from Turin to Milan"


async def opened(service: Service, name: str = "c", phase: Any = "action") -> str:
    cycle, _ = await service.open_cycle(ANNA, GOAL, name)
    await service.enter_phase(ANNA, cycle.uid, phase, key="first")
    return cycle.uid


async def lease_of(service: Service) -> Lease:
    lease = await service.leases.acquire("worker", "test", 60)
    assert lease is not None
    return lease


async def test_steps_of_many_replicas_are_all_counted(service: Service) -> None:
    uid = await opened(service)
    steps = [NewStep(f"s{n}", calls=(ToolCall("t", "success"),)) for n in range(20)]
    await asyncio.gather(*(service.report_step(ANNA, uid, step) for step in [*steps, *steps]))
    story = await service.read_cycles.one(ANNA, uid)
    assert story.cycle.tools == {"t": (20, 20)}
    assert [step.position for step in story.steps] == list(range(2, 22))


async def test_one_of_two_reports_of_an_end_wins(
    service: Service, remember: Remembers, recall: Recalls
) -> None:
    await remember(ANNA, "Trains from Turin to Milan leave at noon.", stratum="working")
    await recall(ANNA, GOAL)
    uid = await opened(service)
    ends = [service.complete_cycle(ANNA, uid, CycleReport("success")) for _ in range(4)]
    done = await asyncio.gather(*ends)
    assert sum(one.new for one in done) >= 1
    memory = await service.get_memory(
        ANNA, done[0].outcome.rewarded[0].uid if done[0].outcome else ""
    )
    assert (memory.q_count, memory.q_value) == (1, pytest.approx(0.55))


async def test_an_end_that_was_cut_off_is_sent_again(
    service: Service, remember: Remembers, recall: Recalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    fact = await remember(ANNA, "Trains from Turin to Milan leave at noon.", stratum="working")
    await recall(ANNA, GOAL)
    uid = await opened(service)
    await service.report_step(
        ANNA, uid, NewStep("s", text="noted", calls=(ToolCall("t", "success"),))
    )
    store = type(service.stores.cycles)
    whole = store.change

    async def killed(*_: Any) -> Any:
        raise RuntimeError("killed")

    monkeypatch.setattr(store, "change", killed)
    with pytest.raises(RuntimeError):
        await service.complete_cycle(ANNA, uid, CycleReport("success", feedback=1.0))
    monkeypatch.setattr(store, "change", whole)
    assert (await service.read_cycles.one(ANNA, uid)).cycle.state == "open"
    before = (await service.get_memory(ANNA, fact)).q_count
    done = await service.complete_cycle(ANNA, uid, CycleReport("success", feedback=1.0))
    assert (done.cycle.state, done.new) == ("completed", True)
    assert (await service.get_memory(ANNA, fact)).q_count == before


@pytest.mark.parametrize("phase", ["observation", "reflection", "action"])
async def test_a_success_lowers_nothing_whatever_the_phase(
    service: Service, remember: Remembers, recall: Recalls, phase: str
) -> None:
    fact = await remember(ANNA, "Trains from Turin to Milan leave at noon.", stratum="working")
    await recall(ANNA, GOAL)
    uid = await opened(service, phase=phase)
    failed = tuple(ToolCall(f"t{n}", "failure") for n in range(3))
    await service.report_step(ANNA, uid, NewStep("s", calls=failed))
    await service.complete_cycle(ANNA, uid, CycleReport("success", efficiency=-1.0))
    assert (await service.get_memory(ANNA, fact)).q_value > 0.5


async def test_a_cycle_that_nobody_touches_is_abandoned_and_forgotten(
    service: Service, cypher: Run
) -> None:
    uid = await opened(service)
    job = TendCycles(service.stores.cycles, service.configs, batch=10, pause=timedelta(1))
    lease, now = await lease_of(service), datetime.now(UTC)
    assert await job.step(now, lease) == 0
    assert await job.step(now + timedelta(minutes=31), lease) == 1
    assert (await service.read_cycles.one(ANNA, uid)).cycle.state == "abandoned"
    with pytest.raises(ConflictError):
        await service.enter_phase(ANNA, uid, "action")
    assert await job.step(now + timedelta(days=91), lease) == 1
    left = cypher(
        "MATCH (n) WHERE n:Cycle OR n:CyclePhase OR n:CycleStep OR n:Patch RETURN count(*) AS n"
    )
    assert left == [{"n": 0}]


async def test_the_worker_runs_the_outer_loop_once_enough_ended(service: Service) -> None:
    job = TendLoops(service.run_loop.loop, pause=timedelta(1))
    lease = await lease_of(service)
    for number in range(5):
        assert await job.step(datetime.now(UTC), lease) == 0
        uid = await opened(service, f"c{number}")
        await service.complete_cycle(ANNA, uid, CycleReport("success"))
    assert await job.step(datetime.now(UTC), lease) == 1
    assert await job.step(datetime.now(UTC), lease) == 0
    [run] = await service.run_loop.listed(ANNA, 10)
    assert (run.by, run.report["cycles"]) == ("worker", 5)


MOVES = st.lists(
    st.sampled_from(["wrong", "right", "vague", "generate", "apply", "refute", "confirm", "wait"]),
    min_size=1, max_size=10,
)  # fmt: skip


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=MOVES)
async def test_modes_and_patches_are_the_machines_that_are_drawn(
    service: Service, moves: list[str]
) -> None:
    """Walk both machines at random beside a model of them; each example has a cycle of its own."""
    uid = await opened(service, f"machine {datetime.now(UTC).timestamp()}")
    mode, failures, patch, state = "solver", 0, "", "none"
    checks = {"wrong": WRONG, "refute": WRONG, "right": RIGHT, "confirm": RIGHT}
    for place, move in enumerate(moves):
        if move in ("wrong", "right"):
            done = await service.report_step(
                ANNA, uid, NewStep(f"s{place}", checks=(checks[move],))
            )
            failures = failures + 1 if move == "wrong" else 0
            mode = "solver" if not failures else "verifier" if failures == 1 else "repair"
            assert (done.cycle.mode, done.cycle.failures) == (mode, failures)
        elif move == "vague":
            done = await service.report_step(ANNA, uid, NewStep(f"s{place}"))
            assert (done.cycle.mode, done.step.outcome) == (mode, "undecided")
        elif move == "generate":
            patch, state = await _generated(service, uid, patch, state)
        elif move in ("apply", "refute", "confirm") and patch:
            state = await _moved(service, patch, state, move, checks)


async def _generated(service: Service, uid: str, patch: str, state: str) -> tuple[str, str]:
    try:
        made = await service.generate_patch(ANNA, uid)
    except ConflictError:
        return patch, state
    if state in ("proposed", "applied"):
        assert (made.uid, made.state) == (patch, state)
    else:
        assert made.uid != patch
        assert (made.state == "incomplete") == (not made.evidence)
    return made.uid, made.state


async def _moved(
    service: Service, patch: str, state: str, move: str, checks: dict[str, Check]
) -> str:
    follows = {
        ("proposed", "apply"): "applied",
        ("applied", "apply"): "applied",
        ("applied", "refute"): "refuted",
        ("applied", "confirm"): "verified",
        **{(end, way): end for end in ("verified", "refuted") for way in ("refute", "confirm")},
    }
    try:
        if move == "apply":
            found = await service.apply_patch(ANNA, patch)
        else:
            found = await service.verify_patch(ANNA, patch, (checks[move],))
    except ConflictError:
        assert (state, move) not in follows
        return state
    assert found.state == follows[state, move]
    assert (found.memory_uid is not None) == (found.state == "verified")
    return found.state
