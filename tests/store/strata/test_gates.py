"""What the gates move, why, what comes back, and what a run that was cut off leaves."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graph.kernel.errors import ConflictError, LeaseLostError, NotFoundError
from graph.kernel.scope import Caller
from graph.kernel.values import STRATA, Stratum
from graph.model.memories.links import Lease
from graph.model.memories.memory import Link, NewMemory
from graph.model.recall.candidates import Filters
from graph.model.strata.gates import GateRun
from graph.store.strata.store import StrataStore
from service.bootstrap import Service
from service.use_cases.consolidation.tend_strata import TendStrata
from service.use_cases.kernel.runs import UndoRun
from service.use_cases.strata.gates import Gates, RunGates, new_run
from tests.conftest import Run
from tests.standing_clock import At

HOME = "local/agent/anna"
ANNA = Caller("local", agent_id="anna")
DAY = timedelta(days=1)


class Swept(StrataStore):
    """Strata in which an erasure sweeps a run away just when it is done."""

    cypher: Run

    async def finish(self, run_uid: str, looked: int, now: datetime, lease: Lease | None) -> None:
        await super().finish(run_uid, looked, now, lease)
        await asyncio.to_thread(self.cypher, "MATCH (r:Run {uid: $uid}) DELETE r", uid=run_uid)


async def keep(
    service: Service, stratum: Stratum, *importances: int, name: str = "thing"
) -> list[str]:
    """Remember one memory for each importance."""
    rows = [
        NewMemory(HOME, f"{stratum} {name} {i}", stratum=stratum, importance=importance)
        for i, importance in enumerate(importances)
    ]
    return [answer.uid or "" for answer in await service.remember(rows)]


def standing(cypher: Run) -> dict[str, tuple[str, str]]:
    rows = cypher("MATCH (m:Memory) RETURN m.uid AS uid, m.stratum AS stratum, m.state AS state")
    return {row["uid"]: (row["stratum"], row["state"]) for row in rows}


def everything(cypher: Run) -> Any:
    return cypher("MATCH (m:Memory) RETURN properties(m) AS p ORDER BY m.uid")


async def test_each_move_has_its_reason_and_an_undo_brings_all_back(
    service: Service, cypher: Run, run_gates: RunGates, undo: UndoRun[GateRun], clock: At
) -> None:
    low, high = await keep(service, "working", 1, 5)
    [lasting] = await keep(service, "long_term", 1)
    clock.time += timedelta(minutes=11)
    tried = await run_gates(ANNA)
    assert [(m.memory_uid, m.action, m.reason) for m in tried.plan.moves] == [
        (high, "promote", "score_reached")
    ]
    assert (tried.run, tried.plan.looked) == (None, 2)
    clock.time += timedelta(minutes=20)
    before = everything(cypher)
    done = await run_gates(ANNA, dry_run=False)
    assert done.run is not None
    assert (done.run.state, done.run.counts, done.run.looked) == (
        "done",
        {"promote": 1, "archive": 1},
        2,
    )
    assert standing(cypher) == {
        high: ("short_term", "active"),
        low: ("working", "archived"),
        lasting: ("long_term", "active"),
    }
    found = await service.recall.store.get([HOME], high)
    assert found is not None
    assert found.stratum == "short_term"
    back = await undo(ANNA, done.run.uid)
    assert (back.state, back.restored) == ("undone", 2)
    assert everything(cypher) == before
    assert await undo(ANNA, done.run.uid) == back


async def test_a_run_that_was_swept_away_meanwhile_is_not_found(
    service: Service, cypher: Run, gates: Gates, clock: At
) -> None:
    await keep(service, "working", 5)
    clock.time += timedelta(minutes=11)
    strata = Swept(service.database, service.configs)
    strata.cypher = cypher
    run_gates = RunGates(strata, gates, clock=clock, identifiers=service.remember.identifiers)
    with pytest.raises(NotFoundError):
        await run_gates(ANNA, dry_run=False)


async def test_what_moved_is_recalled_where_it_is_and_what_left_is_not(
    service: Service, run_gates: RunGates, clock: At
) -> None:
    await keep(service, "working", 1, 5)
    clock.time += timedelta(minutes=31)
    await run_gates(ANNA, dry_run=False)
    wanted_of: tuple[tuple[Stratum, int], ...] = (("working", 0), ("short_term", 1))
    for stratum, wanted in wanted_of:
        page = await service.list_memories(ANNA, Filters(strata=(stratum,)))
        assert len(page.items) == wanted


async def test_a_run_over_a_later_run_or_a_change_is_not_undone(
    service: Service, cypher: Run, run_gates: RunGates, undo: UndoRun[GateRun], clock: At
) -> None:
    [uid] = await keep(service, "working", 5)
    clock.time += timedelta(minutes=11)
    first = (await run_gates(ANNA, dry_run=False)).run
    clock.time += timedelta(hours=7)
    second = (await run_gates(ANNA, dry_run=False)).run
    assert first is not None
    assert second is not None
    assert standing(cypher)[uid] == ("episodic", "active")
    with pytest.raises(ConflictError, match=second.uid):
        await undo(ANNA, first.uid)
    await undo(ANNA, second.uid)
    assert standing(cypher)[uid] == ("short_term", "active")
    cypher("MATCH (m:Memory) SET m.revision = 2")
    with pytest.raises(ConflictError, match="skip_changed"):
        await undo(ANNA, first.uid)
    back = await undo(ANNA, first.uid, skip_changed=True)
    assert (back.state, back.restored) == ("undone", 0)
    with pytest.raises(NotFoundError):
        await undo(Caller("local", agent_id="bert"), first.uid)


async def test_an_undo_has_its_time(
    service: Service, run_gates: RunGates, undo: UndoRun[GateRun], clock: At
) -> None:
    await keep(service, "working", 5)
    clock.time += timedelta(minutes=11)
    done = (await run_gates(ANNA, dry_run=False)).run
    assert done is not None
    clock.time += 31 * DAY
    with pytest.raises(ConflictError, match="until"):
        await undo(ANNA, done.uid)


async def test_what_is_expired_may_be_deleted_for_good(
    service: Service, cypher: Run, run_gates: RunGates, undo: UndoRun[GateRun], clock: At
) -> None:
    await service.change_strata_config(ANNA, {"expired": "delete"})
    try:
        await keep(service, "working", 1, 1)
        clock.time += DAY
        done = (await run_gates(ANNA, dry_run=False)).run
        assert done is not None
        assert done.counts == {"delete": 2}
        assert standing(cypher) == {}
        with pytest.raises(ConflictError, match="2 of what"):
            await undo(ANNA, done.uid)
    finally:
        await service.change_strata_config.reset(ANNA)


async def test_the_lightest_make_room_at_once_and_evidence_goes_last(
    service: Service, cypher: Run
) -> None:
    await service.change_strata_config(ANNA, {"working_capacity": 3})
    try:
        first = await keep(service, "working", 1, 1, 1)
        links = tuple(Link("DERIVED_FROM", uid) for uid in first[:2])
        await service.remember([NewMemory(HOME, "a rule", kind="concept", links=links)])
        assert {state for _, state in standing(cypher).values()} == {"active"}
        [new] = await keep(service, "working", 1, name="new")
        assert standing(cypher)[first[2]] == ("working", "archived")
        assert standing(cypher)[new] == ("working", "active")
        moved = "MATCH (t:Transition {memory_uid: $uid}) RETURN t.reason AS reason"
        assert cypher(moved, uid=first[2]) == [{"reason": "over_capacity"}]
        await service.change_strata_config(ANNA, {"working_capacity": 1})
        [newer] = await keep(service, "working", 1, name="newer")
        held = [uid for uid, at in standing(cypher).items() if at == ("working", "active")]
        assert len(held) == 1
        assert set(held) < set(first[:2])  # what a rule rests on outlasts what is newer
        flagged = cypher("MATCH (t:Transition {flagged: true}) RETURN t.memory_uid AS uid")
        assert {row["uid"] for row in flagged} == set(first[:2]) - set(held)
        assert standing(cypher)[newer] == ("working", "archived")
    finally:
        await service.change_strata_config.reset(ANNA)


async def test_switched_off_nothing_moves(
    service: Service, cypher: Run, run_gates: RunGates, gates: Gates, strata: StrataStore, clock: At
) -> None:
    await service.change_strata_config(ANNA, {"strata": False, "working_capacity": 1})
    try:
        await keep(service, "working", 1, 1)
        clock.time += DAY
        with pytest.raises(ConflictError, match="switched off"):
            await run_gates(ANNA)
        lease = await leased(service)
        assert await regularly(service, strata, gates).step(clock.time, lease) == 0
        assert {at for at in standing(cypher).values()} == {("working", "active")}
    finally:
        cypher("MATCH (l:Lease {name: 'worker'}) DELETE l")
        await service.change_strata_config.reset(ANNA)


def regularly(service: Service, strata: StrataStore, gates: Gates) -> TendStrata:
    return TendStrata(strata, gates, service.remember.identifiers)


async def leased(service: Service) -> Lease:
    lease = await service.leases.acquire("worker", "test", 60)
    assert lease is not None
    return lease


async def test_the_worker_looks_at_each_scope_once_an_hour(
    service: Service, cypher: Run, strata: StrataStore, gates: Gates, clock: At
) -> None:
    job = regularly(service, strata, gates)
    lease = await leased(service)
    await keep(service, "working", 1)
    try:
        assert await job.step(clock.time, lease) == 1  # the scope, with nothing to move
        [quiet] = await strata.runs([HOME], 5)
        assert (quiet.by, quiet.state, quiet.looked, quiet.counts) == ("worker", "done", 1, {})
        assert await job.step(clock.time, lease) == 0
        clock.time += timedelta(minutes=59)
        assert await job.step(clock.time, lease) == 0
        clock.time += timedelta(minutes=2)
        assert await job.step(clock.time, lease) == 1
        run, _ = await strata.runs([HOME], 5)
        assert (run.by, run.state, run.counts) == ("worker", "done", {"archive": 1})
        assert run.strata == ("working",)  # the others come every third, tenth, fiftieth time
        clock.time += 40 * DAY
        while await job.step(clock.time, lease):
            pass
        assert cypher("MATCH (t:Transition) RETURN count(t) AS n") == [{"n": 0}]
        latest, *others = await strata.runs([HOME], 5)
        assert (latest.finished_at, latest.counts) == (clock.time, {})
        assert others == [run]  # of the looks that moved nothing, the last one is told
    finally:
        cypher("MATCH (l:Lease {name: 'worker'}) DELETE l")


async def test_a_look_that_was_cut_off_is_made_again_with_the_same_strata(
    service: Service, cypher: Run, strata: StrataStore, gates: Gates, clock: At
) -> None:
    await keep(service, "semantic", 3)
    cypher("MATCH (s:Scope {scope: $scope}) SET s.gate_runs = 50", scope=HOME)
    cut = regularly(service, Dying(service.database, service.configs), gates)
    lease = await leased(service)
    try:
        with pytest.raises(RuntimeError, match="cut off"):
            await cut.step(clock.time, lease)
        clock.time += timedelta(hours=1)
        assert await regularly(service, strata, gates).step(clock.time, lease) == 1
        [quiet] = await strata.runs([HOME], 5)
        assert "semantic" in quiet.strata
        clock.time += timedelta(hours=1)
        assert await regularly(service, strata, gates).step(clock.time, lease) == 1
        [quiet] = await strata.runs([HOME], 5)
        assert "semantic" not in quiet.strata
    finally:
        cypher("MATCH (l:Lease {name: 'worker'}) DELETE l")


class Overtaken(StrataStore):
    """Strata of a worker that loses its lease right after a run of the gates."""

    cypher: Run

    async def finish(self, run_uid: str, looked: int, now: datetime, lease: Lease | None) -> None:
        await super().finish(run_uid, looked, now, lease)
        taken = "MATCH (l:Lease {name: 'worker'}) SET l.token = l.token + 1"
        await asyncio.to_thread(self.cypher, taken)


async def test_a_worker_without_its_lease_makes_no_room(
    service: Service, cypher: Run, gates: Gates, clock: At
) -> None:
    strata = Overtaken(service.database, service.configs)
    strata.cypher = cypher
    await service.change_strata_config(ANNA, {"short_term_capacity": 2})
    try:
        await keep(service, "short_term", 1, 4)
        await keep(service, "working", 5)
        clock.time += timedelta(minutes=11)
        lease = await leased(service)
        with pytest.raises(LeaseLostError):
            await regularly(service, strata, gates).step(clock.time, lease)
        places = list(standing(cypher).values())
        assert places == [("short_term", "active")] * 3  # one too many: the next worker sees to it
        assert [run.by for run in await strata.runs([HOME], 5)] == ["worker"]
    finally:
        cypher("MATCH (l:Lease {name: 'worker'}) DELETE l")
        await service.change_strata_config.reset(ANNA)


class Dying(StrataStore):
    """Dies between the look and what comes of it."""

    async def report_quiet(self, run: GateRun, now: datetime, lease: Lease) -> None:
        raise RuntimeError("cut off")


async def test_what_rises_into_a_full_stratum_displaces_the_lightest_there(
    service: Service, cypher: Run, run_gates: RunGates, clock: At
) -> None:
    await service.change_strata_config(ANNA, {"short_term_capacity": 2})
    try:
        light, heavy = await keep(service, "short_term", 1, 4)
        [proven] = await keep(service, "working", 5)
        clock.time += timedelta(minutes=11)
        done = await run_gates(ANNA, dry_run=False)
        assert done.run is not None
        assert done.run.counts == {"promote": 1}
        stand = standing(cypher)
        assert (stand[proven], stand[heavy]) == (("short_term", "active"), ("short_term", "active"))
        assert stand[light] == ("short_term", "archived")
    finally:
        await service.change_strata_config.reset(ANNA)


async def test_what_is_put_into_a_full_stratum_by_an_edit_displaces_the_lightest_there(
    service: Service, cypher: Run
) -> None:
    await service.change_strata_config(ANNA, {"working_capacity": 1})
    try:
        [light] = await keep(service, "working", 1)
        [lasting] = await keep(service, "long_term", 5)
        await service.amend_memory(ANNA, lasting, {"stratum": "working"})
        assert standing(cypher) == {
            lasting: ("working", "active"),
            light: ("working", "archived"),
        }
    finally:
        await service.change_strata_config.reset(ANNA)


async def test_a_run_that_was_cut_off_is_ended_by_whoever_works_next(
    service: Service, cypher: Run, strata: StrataStore, gates: Gates, clock: At
) -> None:
    await keep(service, "working", *([1] * 6))
    clock.time += DAY
    config = service.configs.strata_of("local")
    run = new_run(HOME, "hand", STRATA, clock.time, config, service.remember.identifiers)
    assert await strata.begin(run, None) == run
    moves, _ = await gates.decide(HOME, "working", clock.time)
    assert await strata.move(HOME, run.uid, moves[:2], clock.time, None) == {"archive": 2}
    other = new_run(HOME, "hand", STRATA, clock.time, config, service.remember.identifiers)
    assert (await strata.begin(other, None)).uid == run.uid  # one run at a time in a scope
    lease = await leased(service)
    try:
        await regularly(service, strata, gates).step(clock.time, lease)
        [ended] = await strata.runs([HOME], 1)
        assert (ended.uid, ended.state, ended.counts) == (run.uid, "done", {"archive": 6})
        cypher("MATCH (l:Lease {name: 'worker'}) SET l.token = l.token + 1")
        with pytest.raises(LeaseLostError):
            await strata.note_gated(HOME, clock.time, lease)
    finally:
        cypher("MATCH (l:Lease {name: 'worker'}) DELETE l")


async def test_two_runs_at_once_move_each_memory_once(
    service: Service, cypher: Run, run_gates: RunGates, clock: At
) -> None:
    await keep(service, "working", *([1] * 20))
    clock.time += DAY
    await asyncio.gather(*(run_gates(ANNA, dry_run=False) for _ in range(4)))
    assert cypher("MATCH (t:Transition) RETURN count(t) AS n") == [{"n": 20}]
    rows: list[dict[str, Any]] = cypher("MATCH (r:Run {kind: 'gates'}) RETURN sum(r.archive) AS n")
    assert rows == [{"n": 20}]


async def test_a_deleted_memory_leaves_no_move_behind(
    service: Service, cypher: Run, run_gates: RunGates, clock: At
) -> None:
    [uid] = await keep(service, "working", 5)
    clock.time += timedelta(minutes=11)
    await run_gates(ANNA, dry_run=False)
    await service.delete_memory(ANNA, uid)
    assert cypher("MATCH (t:Transition) RETURN count(t) AS n") == [{"n": 0}]


def test_a_run_says_what_it_is() -> None:
    now = datetime(2026, 5, 1, tzinfo=UTC)
    run = GateRun("a", HOME, "hand", "running", now, now, ("working",))
    assert (run.looked, run.restored, run.counts) == (0, 0, {})
