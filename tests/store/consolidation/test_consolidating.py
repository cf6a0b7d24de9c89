"""What becomes one, what that inherits, what comes back, and what a run that was cut off leaves."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Self

import httpx
import pytest

from graph.condensing.groups import groups
from graph.database.driver import Connection, open_database
from graph.kernel.errors import ConflictError, LeaseLostError, NotFoundError
from graph.kernel.scope import Caller
from graph.kernel.values import Stratum
from graph.model.consolidation.clusters import Consolidated, ConsolidationRun
from graph.model.memories.links import Lease
from graph.model.memories.memory import Memory, NewMemory
from graph.ports.telemetry import Attribute, Span, Unwatched, Work
from graph.store.consolidation.store import ConsolidationStore
from service.bootstrap import Service
from service.use_cases.consolidation.condensing import inherit
from service.use_cases.consolidation.consolidate import (
    CLUSTERS_AT_ONCE,
    UNKNOWN_CONSOLIDATION,
    Consolidate,
    Consolidation,
    new_run,
)
from service.use_cases.kernel.runs import UndoRun
from tests.conftest import Run
from tests.doors.moving import WIPE, exported, imported
from tests.standing_clock import At

pytestmark = pytest.mark.usefixtures("in_pairs")

HOME = "local/agent/anna"
ANNA = Caller("local", agent_id="anna")
DAY = timedelta(days=1)
MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
TURNS = [
    ("Anna", "I moved to Lisbon in March 2021 because of the work at the harbour. Thanks!"),
    ("Ben", "How was the move? I never liked moving, and I did not help you."),
    ("Anna", "It cost 1,200 euros, and the piano did not survive it. Thanks!"),
    ("Ben", "Oh no, the piano of your aunt Clara! What did she say to it?"),
    ("Anna", "She was not angry. She gave me her old violin on 3 May. Thanks!"),
    ("Ben", "Do you play it with the group on Tuesdays?"),
]


@pytest.fixture
def consolidation(service: Service) -> Consolidation:
    return service.consolidate.consolidation


@pytest.fixture
def store(consolidation: Consolidation) -> ConsolidationStore:
    assert isinstance(consolidation.store, ConsolidationStore)
    return consolidation.store


@pytest.fixture
def consolidate(consolidation: Consolidation, clock: At) -> Consolidate:
    return Consolidate(consolidation, clock=clock)


@pytest.fixture
def undo(store: ConsolidationStore, clock: At) -> UndoRun[ConsolidationRun]:
    return UndoRun(store, clock=clock, at_once=CLUSTERS_AT_ONCE, unknown=UNKNOWN_CONSOLIDATION)


async def talk(
    service: Service, stratum: Stratum = "episodic", session: str | None = "monday"
) -> list[str]:
    saved = await service.remember(
        [
            NewMemory(
                HOME,
                text,
                agent_id="anna",
                speaker=speaker,
                session_id=session,
                stratum=stratum,
                importance=3 + place % 3,
                tags=(speaker.casefold(),),
                occurred_at=MONDAY + timedelta(minutes=place),
            )
            for place, (speaker, text) in enumerate(TURNS)
        ]
    )
    return [each.uid for each in saved if each.uid]


async def everything(consolidate: Consolidate, *strata: Stratum) -> ConsolidationRun:
    done = await consolidate(ANNA, strata=strata, everything=True, dry_run=False)
    assert done.run is not None
    return done.run


async def memory(service: Service, uid: str) -> Memory:
    found = await service.get_memory(ANNA, uid)
    return found


GRAPH = """
MATCH (m:Memory)
OPTIONAL MATCH (m)-[e]->(n)
WHERE NOT n:Cluster
WITH m, [type(e), coalesce(n.uid, n.name), properties(e)] AS edge ORDER BY edge[0], edge[1]
RETURN m.uid AS uid, labels(m) AS labels, properties(m) AS properties, collect(edge) AS edges
ORDER BY uid
"""
SESSIONS = "MATCH (s:Session) RETURN s {.*, changed_at: null} AS session ORDER BY s.session_id"


def picture(cypher: Run) -> Any:
    """All memories and edges and where sessions end, but for when a scope or session was last written."""
    rows = cypher(GRAPH)
    for row in rows:
        row["properties"]["link_count"] = row["properties"].get("link_count", 0)
    return rows, [row["session"] for row in cypher(SESSIONS)]


async def test_a_try_says_what_would_become_one_and_changes_nothing(
    service: Service, consolidate: Consolidate, cypher: Run
) -> None:
    await talk(service)
    before = picture(cypher)
    done = await consolidate(ANNA, everything=True)
    assert (done.plan.total, done.plan.sources, done.plan.looked, done.run) == (3, 6, 6, None)
    assert {len(cluster.sources) for cluster in done.plan.clusters} == {2}
    assert picture(cypher) == before
    assert cypher("MATCH (r:Run) RETURN count(r) AS n")[0]["n"] == 0


async def test_neighbours_become_one_that_keeps_the_facts(
    service: Service, consolidate: Consolidate, cypher: Run
) -> None:
    uids = await talk(service)
    run = await everything(consolidate)
    assert run.state == "done"
    assert run.counts["condensed"] == 3
    assert run.counts["sources"] == 6
    rows = cypher(
        "MATCH (m:Memory {state: 'active'}) RETURN m.text AS text, m.stratum AS stratum, m.sequence AS sequence, "
        "m.session_id AS session, m.kind AS kind ORDER BY m.sequence"
    )
    assert [(row["stratum"], row["sequence"], row["session"]) for row in rows] == [
        ("long_term", 0, "monday"),
        ("long_term", 2, "monday"),
        ("long_term", 4, "monday"),
    ]
    text = "\n".join(row["text"] for row in rows)
    for fact in ("Lisbon", "March", "2021", "1,200", "did not survive", "Clara", "not angry", "3"):
        assert fact in text
    assert len(text) < sum(len(turn) for _, turn in TURNS)
    found = await memory(service, uids[0])
    assert (found.state, found.stratum) == ("archived", "episodic")
    chain = cypher(
        "MATCH (a:Memory)-[:NEXT]->(b:Memory) RETURN a.sequence AS one, b.sequence AS two ORDER BY one"
    )
    assert [(row["one"], row["two"]) for row in chain] == [(0, 2), (2, 4)]


async def test_the_one_inherits_what_its_sources_had(
    service: Service, consolidate: Consolidate, cypher: Run
) -> None:
    uids = await talk(service)
    for uid, q, count in ((uids[0], 0.9, 3), (uids[1], 0.5, 1)):
        cypher(
            "MATCH (m:Memory {uid: $uid}) SET m.q_value = $q, m.q_count = $n, m.success_count = $n, "
            "m.access_count = 2, m.surprise = 0.3",
            uid=uid,
            q=q,
            n=count,
        )
    await everything(consolidate)
    [one] = cypher(
        "MATCH (m:Memory {state: 'active'})-[:PROMOTED_FROM]->(:Memory {uid: $uid}) "
        "RETURN m {.*} AS m",
        uid=uids[0],
    )
    one = one["m"]
    assert one["q_value"] == pytest.approx(0.8)
    assert (one["q_count"], one["success_count"], one["access_count"]) == (4, 4, 4)
    assert (one["importance"], one["surprise"]) == (4, 0.3)
    assert one["tags"] == ["anna", "ben"]
    assert one["initialized_from"] == "condensed"
    assert one["occurred_at"].to_native() == MONDAY


async def test_the_one_shares_no_state_with_its_sources(
    service: Service, consolidate: Consolidate, cypher: Run
) -> None:
    uids = await talk(service)
    await everything(consolidate)
    states = "MATCH (m:Memory) WHERE m.uid IN $uids RETURN m {.*} AS m ORDER BY m.uid"
    before = cypher(states, uids=uids)
    [row] = cypher(
        "MATCH (m:Memory {state: 'active'})-[:PROMOTED_FROM]->(:Memory {uid: $uid}) "
        "RETURN m.uid AS uid",
        uid=uids[0],
    )
    await service.stores.memories.count_accesses({row["uid"]: 3}, datetime.now(UTC))
    cypher("MATCH (m:Memory {uid: $uid}) SET m.importance = 1, m.text = 'else'", uid=row["uid"])
    assert cypher(states, uids=uids) == before
    cypher("MATCH (m:Memory) WHERE m.uid IN $uids SET m.q_value = 0.1, m.w0 = 0.2", uids=uids)
    one = await memory(service, row["uid"])
    assert (one.access_count, one.text) == (3, "else")
    assert one.q_value > 0.1


async def test_the_one_inherits_what_its_sources_are_worth_in_contexts(
    service: Service, consolidate: Consolidate, undo: UndoRun[ConsolidationRun], cypher: Run
) -> None:
    first, second, *_ = await talk(service)
    for uid, context, q, count, left in (
        (first, "phase:planning", 0.9, 3, 0.7),
        (second, "phase:planning", 0.5, 1, 0.9),
        (second, "domain:tea", 0.2, 2, 0.8),
    ):
        cypher(
            "MATCH (m:Memory {uid: $uid}) CREATE (m)-[:ESTIMATED]->(:Estimate {uid: $uid + $context, "
            "tenant: m.tenant, scope: m.scope, memory_uid: $uid, context: $context, q_value: $q, "
            "q_count: $n, q_left: $left, q_m2: 0.0, q_init: 0.5})",
            uid=uid,
            context=context,
            q=q,
            n=count,
            left=left,
        )
    before = picture(cypher)
    run = await everything(consolidate)
    [tea, planning] = cypher(
        "MATCH (:Memory {uid: $uid})<-[:PROMOTED_FROM]-(m)-[:ESTIMATED]->(e:Estimate {memory_uid: m.uid}) "
        "RETURN e {.*} AS e ORDER BY e.context",
        uid=first,
    )
    assert (tea["e"]["context"], tea["e"]["q_value"], tea["e"]["q_count"]) == (
        "domain:tea", pytest.approx(0.2), 2,
    )  # fmt: skip
    one = planning["e"]
    assert (one["q_value"], one["q_count"]) == (pytest.approx(0.8), 4)
    assert one["q_left"] == pytest.approx(0.6)
    assert one["q_m2"] == pytest.approx((3 * 0.1**2 + 0.3**2) / 4)
    assert (one["scope"], one["tenant"], one["q_base_count"]) == (HOME, "local", 4)
    await undo(ANNA, run.uid)
    assert picture(cypher) == before
    assert cypher("MATCH (e:Estimate) RETURN count(e) AS n") == [{"n": 3}]


async def test_all_evidence_is_conserved(
    service: Service, consolidate: Consolidate, cypher: Run
) -> None:
    uids = await talk(service)
    for place, uid in enumerate(uids):
        cypher("MATCH (m:Memory {uid: $uid}) SET m.q_count = $n", uid=uid, n=place)
    await everything(consolidate)
    [row] = cypher("MATCH (m:Memory {state: 'active'}) RETURN sum(m.q_count) AS n")
    assert row["n"] == sum(range(6))


async def test_an_undo_restores_the_graph_exactly(
    service: Service, consolidate: Consolidate, undo: UndoRun[ConsolidationRun], cypher: Run
) -> None:
    await talk(service)
    await service.remember([NewMemory(HOME, "A last word.", agent_id="anna", session_id="monday")])
    before = picture(cypher)
    run = await everything(consolidate)
    assert picture(cypher) != before
    done = await undo(ANNA, run.uid)
    assert (done.state, done.counts["restored"]) == ("undone", 6)
    assert picture(cypher) == before
    assert (await undo(ANNA, run.uid)).state == "undone"


async def test_a_session_grows_on_after_it_was_condensed_and_after_the_undo(
    service: Service, consolidate: Consolidate, undo: UndoRun[ConsolidationRun], cypher: Run
) -> None:
    await talk(service)
    run = await everything(consolidate)
    [saved] = await service.remember(
        [NewMemory(HOME, "What comes next.", agent_id="anna", session_id="monday")]
    )
    new = await memory(service, saved.uid or "")
    assert new.sequence == 6
    before = cypher(
        "MATCH (m:Memory)-[:NEXT]->(:Memory {uid: $uid}) RETURN m.sequence AS n", uid=new.uid
    )
    assert [row["n"] for row in before] == [4]
    await undo(ANNA, run.uid)
    chain = cypher(
        "MATCH (a:Memory)-[:NEXT]->(b:Memory) RETURN a.sequence AS one, b.sequence AS two ORDER BY one"
    )
    assert [(row["one"], row["two"]) for row in chain] == [(n, n + 1) for n in range(6)]


async def test_runs_come_back_the_last_first(
    service: Service, consolidate: Consolidate, undo: UndoRun[ConsolidationRun], cypher: Run
) -> None:
    await talk(service)
    before = picture(cypher)
    first = await everything(consolidate)
    second = await everything(consolidate, "long_term")
    assert second.counts["condensed"] == 1
    with pytest.raises(ConflictError, match=f"run {second.uid} condensed some"):
        await undo(ANNA, first.uid)
    await undo(ANNA, second.uid)
    await undo(ANNA, first.uid)
    assert picture(cypher) == before


@pytest.mark.parametrize("change", ["reward", "patch"])
async def test_an_undo_over_a_later_change_is_refused(
    service: Service,
    consolidate: Consolidate,
    undo: UndoRun[ConsolidationRun],
    cypher: Run,
    change: str,
) -> None:
    await talk(service)
    run = await everything(consolidate)
    [row] = cypher(
        "MATCH (m:Memory {state: 'active'}) RETURN m.uid AS uid ORDER BY m.sequence LIMIT 1"
    )
    if change == "reward":
        await service.inject_reward(ANNA, row["uid"], 0.8, "it helped")
    else:
        cypher("MATCH (m:Memory {uid: $uid}) SET m.revision = 2", uid=row["uid"])
    with pytest.raises(ConflictError, match=r"1 of 3 condensed memories were changed"):
        await undo(ANNA, run.uid)
    done = await undo(ANNA, run.uid, skip_changed=True)
    assert (done.state, done.counts["restored"]) == ("undone", 4)
    [row] = cypher("MATCH (c:Cluster {state: 'kept'}) RETURN count(c) AS n")
    assert row["n"] == 1


class CountedRows(Unwatched):
    """Counts the rows that each statement answers."""

    def __init__(self) -> None:
        self.rows = Counter[str]()

    def span(
        self,
        work: Work,
        name: str,
        *,
        parent: Mapping[str, str] | None = None,
        **attributes: Attribute,
    ) -> Span:
        return RowsOf(name, self.rows)


class RowsOf:
    """A span that notes the rows of one statement."""

    def __init__(self, name: str, rows: Counter[str]) -> None:
        self._name, self._rows = name, rows

    def note(self, **attributes: Attribute) -> None:
        self._rows[self._name] += int(attributes.get("rows", 0))

    def headers(self) -> Mapping[str, str]:
        return {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        pass


async def test_what_an_undo_would_lose_is_counted_in_the_database(
    service: Service, consolidate: Consolidate, connection: Connection, cypher: Run
) -> None:
    await talk(service)
    run = await everything(consolidate)
    cypher("MATCH (m:Memory {state: 'active'}) WHERE m.sequence > 1 SET m.revision = 2")
    [first] = cypher(
        "MATCH (c:Cluster {run_uid: $run}), (m:Memory {uid: c.condensed_uid, revision: 2}) "
        "RETURN m.uid AS uid ORDER BY c.position LIMIT 1",
        run=run.uid,
    )
    counted = CountedRows()
    async with open_database(connection, counted) as database:
        store = ConsolidationStore(database, service.configs)
        with pytest.raises(ConflictError, match=f"2 of 3 .* the first {first['uid']};"):
            await store.begin_undo([HOME], run.uid, datetime.now(UTC))
    assert counted.rows["consolidation.condensed_clusters"] == 1


async def test_what_was_erased_does_not_come_back(
    service: Service, consolidate: Consolidate, undo: UndoRun[ConsolidationRun], cypher: Run
) -> None:
    await talk(service)
    run = await everything(consolidate)
    [row] = cypher(
        "MATCH (m:Memory {state: 'active'}) RETURN m.uid AS uid ORDER BY m.sequence LIMIT 1"
    )
    await service.delete_memory(ANNA, row["uid"])
    done = await undo(ANNA, run.uid)
    assert (done.state, done.counts["restored"]) == ("undone", 4)
    rows = cypher("MATCH (m:Memory) RETURN m.state AS state, m.text AS text ORDER BY m.sequence")
    assert [(row["state"], row["text"]) for row in rows] == [
        ("active", text) for _, text in TURNS[2:]
    ]


async def test_what_is_over_cannot_be_undone(
    service: Service, consolidate: Consolidate, undo: UndoRun[ConsolidationRun], clock: At
) -> None:
    await talk(service)
    run = await everything(consolidate)
    clock.time += 31 * DAY
    with pytest.raises(ConflictError, match="could be undone until"):
        await undo(ANNA, run.uid)
    with pytest.raises(NotFoundError):
        await undo(Caller("local", agent_id="ben"), run.uid)


async def test_what_has_not_earned_it_stays(service: Service, consolidate: Consolidate) -> None:
    await talk(service)
    done = await consolidate(ANNA, dry_run=False)
    assert (done.plan.total, done.plan.looked, done.run) == (0, 6, None)


async def test_what_has_had_its_time_is_condensed(
    service: Service, consolidate: Consolidate, clock: At
) -> None:
    await talk(service, "working")
    clock.time += timedelta(hours=1)
    done = await consolidate(ANNA, dry_run=False)
    assert done.run is not None
    # the third would be longer with the name of who was not angry
    assert (done.run.counts["condensed"], done.plan.clusters[0].to_stratum) == (2, "short_term")


async def test_what_changed_after_the_plan_is_skipped(
    service: Service, consolidation: Consolidation, clock: At, cypher: Run
) -> None:
    uids = await talk(service)
    run = await begun(consolidation, clock)
    cypher("MATCH (m:Memory {uid: $uid}) SET m.revision = 2", uid=uids[0])
    await service.delete_memory(ANNA, uids[2])
    run = await worked_off(consolidation, run, clock)
    assert (run.counts["condensed"], run.counts["skipped"]) == (1, 2)
    [row] = cypher("MATCH (m:Memory {state: 'active'}) RETURN count(m) AS n")
    assert row["n"] == 4


async def test_what_ends_or_is_structured_or_of_another_kind_is_left_alone(
    service: Service, consolidate: Consolidate
) -> None:
    ends = datetime.now(UTC) + DAY
    await service.remember(
        [
            NewMemory(HOME, "It ends soon enough.", stratum="episodic", expires_at=ends),
            NewMemory(HOME, "A wish.", kind="preference", stratum="episodic"),
            NewMemory(
                HOME,
                "Data.",
                content_type="structured",
                structured={"a": 1},
                stratum="episodic",
            ),
        ]
    )
    done = await consolidate(ANNA, everything=True)
    assert (done.plan.total, done.plan.looked) == (0, 3)


async def begun(consolidation: Consolidation, clock: At) -> ConsolidationRun:
    config = consolidation.configs.strata_of("local")
    now = clock.now()
    run = new_run(
        HOME, "hand", ["episodic"], now, config, consolidation.identifiers, everything=True
    )
    at = await consolidation.begin(run, await consolidation.clusters(run, now), None)
    return await again(consolidation, at)


async def again(consolidation: Consolidation, run: ConsolidationRun) -> ConsolidationRun:
    [found] = await consolidation.store.runs([HOME], 1, run.uid)
    return found


async def worked_off(
    consolidation: Consolidation, run: ConsolidationRun, clock: At
) -> ConsolidationRun:
    while await consolidation.step(await again(consolidation, run), clock.now(), None):
        pass
    return await again(consolidation, run)


class CutOffError(Exception):
    """Stands for the death of the process."""


def dying(store: ConsolidationStore, calls: int, *, after: bool) -> ConsolidationStore:
    """Return a store whose process dies at its n-th write: before it, or right after it."""
    left = [calls]
    database, configs = store._database, store._configs  # pyright: ignore[reportPrivateUsage]

    class Dying:
        async def write(self, work: Any) -> Any:
            left[0] -= 1
            if left[0] == 0 and not after:
                raise CutOffError
            answer = await database.write(work)
            if left[0] == 0:
                raise CutOffError
            return answer

        def __getattr__(self, name: str) -> Any:
            return getattr(database, name)

    return ConsolidationStore(Dying(), configs)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("calls", range(1, 8))
async def test_a_run_that_was_cut_off_is_finished_by_the_next(
    service: Service,
    consolidation: Consolidation,
    store: ConsolidationStore,
    clock: At,
    cypher: Run,
    monkeypatch: pytest.MonkeyPatch,
    calls: int,
    after: bool,
) -> None:
    """Its writes: begin, plan, one for each cluster (here), finish."""
    monkeypatch.setattr("service.use_cases.consolidation.consolidate.CLUSTERS_AT_ONCE", 1)
    await talk(service)
    dead = replace(consolidation, store=dying(store, calls, after=after))
    died = False
    try:
        await worked_off(dead, await begun(dead, clock), clock)
    except CutOffError:
        died = True
    assert died == (calls <= 6)
    later = clock.now() + timedelta(minutes=1)
    found = await store.unfinished(later)
    if found is None and calls == 1 and not after:
        found = await begun(consolidation, clock)
    if found is not None:
        await worked_off(consolidation, found, clock)
    assert await store.unfinished(later) is None
    [row] = cypher(
        "MATCH (m:Memory {state: 'active'}) RETURN count(m) AS n, count(DISTINCT m.text) AS texts, "
        "sum(COUNT { (m)-[:PROMOTED_FROM]->() }) AS edges"
    )
    assert (row["n"], row["texts"], row["edges"]) == (3, 3, 6)
    [row] = cypher(
        "MATCH (r:Run {kind: 'consolidation'}) RETURN count(r) AS n, max(r.condensed) AS c"
    )
    assert (row["n"], row["c"]) == (1, 3)


@pytest.mark.parametrize("calls", range(1, 6))
async def test_an_undo_that_was_cut_off_is_finished_by_the_next(
    service: Service,
    consolidate: Consolidate,
    store: ConsolidationStore,
    clock: At,
    cypher: Run,
    monkeypatch: pytest.MonkeyPatch,
    calls: int,
) -> None:
    monkeypatch.setattr("service.use_cases.consolidation.consolidate.CLUSTERS_AT_ONCE", 1)
    await talk(service)
    before = picture(cypher)
    run = await everything(consolidate)
    with pytest.raises(CutOffError):
        await UndoRun(
            dying(store, calls, after=True), clock=clock, at_once=1, unknown=UNKNOWN_CONSOLIDATION
        )(ANNA, run.uid)
    done = await UndoRun(store, clock=clock, at_once=1, unknown=UNKNOWN_CONSOLIDATION)(
        ANNA, run.uid
    )
    assert (done.state, done.counts["restored"]) == ("undone", 6)
    assert picture(cypher) == before


async def test_a_step_that_fails_leaves_no_task_behind(
    service: Service,
    consolidation: Consolidation,
    store: ConsolidationStore,
    clock: At,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("service.use_cases.consolidation.consolidate.CLUSTERS_AT_ONCE", 1)
    await talk(service)
    run = await begun(consolidation, clock)
    dead = replace(consolidation, store=dying(store, 1, after=False))
    before = asyncio.all_tasks()
    with pytest.raises(CutOffError):
        await dead.step(run, clock.now(), None)
    assert asyncio.all_tasks() == before


async def test_a_lost_lease_writes_nothing(
    service: Service, consolidation: Consolidation, clock: At, cypher: Run
) -> None:
    await talk(service)
    run = await begun(consolidation, clock)
    before = picture(cypher)
    lost = Lease("worker", "somebody", 0)
    with pytest.raises(LeaseLostError):
        await consolidation.step(run, clock.now(), lost)
    assert picture(cypher) == before


async def test_two_at_once_work_on_one_run(
    service: Service, consolidation: Consolidation, clock: At, cypher: Run
) -> None:
    await talk(service)
    runs = await asyncio.gather(*(begun(consolidation, clock) for _ in range(3)))
    uids = {
        row["uid"] for row in cypher("MATCH (r:Run {kind: 'consolidation'}) RETURN r.uid AS uid")
    }
    assert uids == {run.uid for run in runs}
    assert len(uids) == 1
    await asyncio.gather(*(worked_off(consolidation, run, clock) for run in runs))
    [row] = cypher("MATCH (m:Memory {state: 'active'}) RETURN count(m) AS n")
    assert row["n"] == 3


async def test_a_batch_that_two_prepared_is_condensed_once_and_comes_back(
    service: Service,
    consolidation: Consolidation,
    store: ConsolidationStore,
    clock: At,
    cypher: Run,
    undo: UndoRun[ConsolidationRun],
) -> None:
    await talk(service)
    before = picture(cypher)
    run = await begun(consolidation, clock)
    rows = await store.planned(run.uid, -1, 25, clock.now(), service.embedders.reading.slot)
    config = consolidation.configs.strata_of("local")
    ready, skipped = await consolidation.condenser.prepare(rows, HOME, config, clock.now())
    begin = partial(inherit, config=config, now=clock.now())
    assert await store.condense(run.uid, ready, skipped, begin, clock.now(), None) == 3
    late = [row.cluster.uid for row in ready[:1]]
    assert await store.condense(run.uid, ready[1:], late, begin, clock.now(), None) == 0
    run = await worked_off(consolidation, run, clock)
    assert (run.counts["condensed"], run.counts.get("skipped", 0)) == (3, 0)
    assert (await undo(ANNA, run.uid)).counts["restored"] == 6
    assert picture(cypher) == before


async def test_an_outcome_between_preparing_and_writing_is_inherited(
    service: Service,
    consolidation: Consolidation,
    store: ConsolidationStore,
    clock: At,
    cypher: Run,
) -> None:
    first, *_ = await talk(service)
    run = await begun(consolidation, clock)
    rows = await store.planned(run.uid, -1, 25, clock.now(), service.embedders.reading.slot)
    config = consolidation.configs.strata_of("local")
    ready, skipped = await consolidation.condenser.prepare(rows, HOME, config, clock.now())
    await service.inject_reward(ANNA, first, 1.0, "it helped")
    [taught] = cypher("MATCH (m:Memory {uid: $uid}) RETURN m.q_value AS q, m.w0 AS w", uid=first)
    begin = partial(inherit, config=config, now=clock.now())
    await store.condense(run.uid, ready, skipped, begin, clock.now(), None)
    [row] = cypher(
        "MATCH (m:Memory)-[:PROMOTED_FROM]->({uid: $uid}) "
        "RETURN m.q_value AS q, m.q_count AS n, m.w0 AS w",
        uid=first,
    )
    assert (row["q"], row["n"]) == (taught["q"], 1)
    assert row["w"] == pytest.approx(taught["w"], rel=1e-4)
    assert taught["w"] > 1


async def test_a_plan_that_somebody_took_a_part_out_of_is_not_started(
    service: Service, consolidation: Consolidation, store: ConsolidationStore, clock: At
) -> None:
    """The worker plans a run anew that it takes for cut off, while its planner is still at it."""
    await talk(service)
    config = consolidation.configs.strata_of("local")
    new = new_run(
        HOME, "hand", ["episodic"], clock.now(), config, consolidation.identifiers, everything=True
    )
    clusters, looked = await consolidation.clusters(new, clock.now())
    run = await store.begin(new, None)
    await store.plan(run.uid, clusters[:1], None)
    await store.forget_plan(run.uid, 500, None)
    await store.plan(run.uid, clusters[1:], None, totals=(len(clusters), looked))
    assert (await again(consolidation, run)).state == "planning"
    run = await worked_off(consolidation, run, clock)
    assert (run.state, run.counts["condensed"]) == ("done", len(clusters))


async def test_what_somebody_waits_for_is_left_to_them_for_a_while(
    service: Service, consolidation: Consolidation, store: ConsolidationStore, clock: At
) -> None:
    await talk(service)
    run = await begun(consolidation, clock)
    assert await store.unfinished(clock.now()) is None
    found = await store.unfinished(clock.now() + timedelta(minutes=1))
    assert found is not None
    assert found.uid == run.uid


async def test_what_the_worker_has_taken_up_it_goes_on_with_at_once(
    service: Service,
    consolidation: Consolidation,
    store: ConsolidationStore,
    clock: At,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("service.use_cases.consolidation.consolidate.CLUSTERS_AT_ONCE", 1)
    await talk(service)
    run = await begun(consolidation, clock)
    lease = await service.leases.acquire("worker", "here", 60)
    assert lease is not None
    assert await consolidation.step(run, clock.now(), lease)
    found = await store.unfinished(clock.now())
    assert found is not None
    assert (found.uid, found.state) == (run.uid, "running")


async def test_sources_are_purged_where_the_policy_says_so(
    service: Service,
    consolidation: Consolidation,
    clock: At,
    cypher: Run,
    undo: UndoRun[ConsolidationRun],
) -> None:
    await talk(service)
    config = replace(consolidation.configs.strata_of("local"), expired="delete", undo_days=1.0)
    now = clock.now()
    run = new_run(
        HOME, "hand", ["episodic"], now, config, consolidation.identifiers, everything=True
    )
    await consolidation.begin(run, await consolidation.clusters(run, now), None)
    await worked_off(consolidation, run, clock)
    lease = await service.leases.acquire("worker", "here", 60)
    assert lease is not None
    assert await consolidation.store.unfinished(now) is None
    later = now + 2 * DAY
    assert await consolidation.store.unfinished(later) is not None
    while await consolidation.store.purge(run.uid, later, 2, lease):
        pass
    [row] = cypher("MATCH (m:Memory) RETURN count(m) AS n")
    assert row["n"] == 3
    with pytest.raises(ConflictError, match="removed for good"):
        await undo(ANNA, run.uid)


def said(done: Consolidated) -> Sequence[int]:
    return [len(cluster.sources) for cluster in done.plan.clusters]


async def test_similar_memories_of_no_session_become_one(
    service: Service, consolidate: Consolidate, cypher: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.use_cases.consolidation.condensing.groups", groups)
    texts = ["The lift of house 4 is broken.", "House 4: the lift does not work.", "I like jam."]
    saved = await service.remember(
        [NewMemory(HOME, text, agent_id="anna", stratum="episodic") for text in texts]
    )
    assert said(await consolidate(ANNA, everything=True)) == []
    cypher(
        "MATCH (a:Memory {uid: $one}), (b:Memory {uid: $two}) CREATE (a)-[:SIMILAR_TO {similarity: 0.9}]->(b)",
        one=saved[0].uid,
        two=saved[1].uid,
    )
    assert said(await consolidate(ANNA, everything=True)) == [2]


async def sessions_of(service: Service, count: int) -> None:
    rows = [
        NewMemory(
            HOME,
            f"{label} in week {week}",
            agent_id="anna",
            session_id=f"week {week}",
            tags=(label,),
            stratum="long_term",
        )
        for week in range(count)
        for label in (f"a{week}", "deploy", "rollback", f"b{week}")
    ]
    await service.remember(rows)


async def test_what_recurs_across_sessions_becomes_a_pattern(
    service: Service, consolidate: Consolidate, undo: UndoRun[ConsolidationRun], cypher: Run
) -> None:
    await sessions_of(service, 9)
    before = picture(cypher)
    tried = await consolidate(ANNA)
    assert "`deploy` is usually followed by `rollback`." in [p.text for p in tried.plan.patterns]
    assert picture(cypher) == before
    done = await consolidate(ANNA, dry_run=False)
    assert done.run is not None
    assert done.run.counts["patterns"] == len(tried.plan.patterns)
    rows = cypher(
        "MATCH (p:Memory:Pattern) RETURN p.text AS text, p.pattern_type AS type, p.support AS support, "
        "p.confidence AS confidence, p.stratum AS stratum, p.agent_id AS agent, "
        "COUNT { (p)-[:DERIVED_FROM]->(:Memory) } AS evidence"
    )
    [pattern] = [row for row in rows if "followed" in row["text"]]
    assert (pattern["type"], pattern["support"], pattern["stratum"]) == (
        "sequential",
        9,
        "semantic",
    )
    assert pattern["confidence"] == pytest.approx(10 / 11)
    assert (pattern["agent"], pattern["evidence"]) == ("anna", 18)
    assert (await consolidate(ANNA, dry_run=False)).run is None  # nothing new
    await undo(ANNA, done.run.uid)
    assert picture(cypher) == before


async def test_an_imported_pattern_is_no_news(
    service: Service, client: httpx.AsyncClient, consolidate: Consolidate, cypher: Run
) -> None:
    await sessions_of(service, 9)
    await consolidate(ANNA, dry_run=False)
    held = cypher("MATCH (p:Pattern) RETURN count(p) AS n")
    lines = await exported(client)
    cypher(WIPE)
    await imported(client, lines)
    assert (await consolidate(ANNA)).plan.patterns == ()
    assert (await consolidate(ANNA, dry_run=False)).run is None
    assert cypher("MATCH (p:Pattern) RETURN count(p) AS n") == held


async def test_texts_without_tags_recur_by_their_words(
    service: Service, consolidate: Consolidate
) -> None:
    texts = ("Build {} of the shop.", "Ran the smoke tests.", "Deployed to staging, version 1.{}")
    rows = [
        NewMemory(HOME, text.format(day), agent_id="anna", session_id=f"day {day}", stratum="long_term")
        for day in range(3)
        for text in texts
    ]  # fmt: skip
    await service.remember(rows)
    tried = await consolidate(ANNA)
    [found] = [one for one in tried.plan.patterns if one.type == "sequential"]
    assert found.items == ("build shop", "ran smoke tests", "deployed staging version")
    assert (found.support, found.confidence) == (3, 0.8)


async def test_a_known_pattern_is_told_anew_where_it_has_changed(
    service: Service, consolidate: Consolidate, cypher: Run
) -> None:
    await sessions_of(service, 9)
    await consolidate(ANNA, dry_run=False)
    await sessions_of(service, 11)
    again = await consolidate(ANNA, dry_run=False)
    assert again.run is not None
    rows = cypher("MATCH (p:Pattern) WHERE p.text CONTAINS 'followed' RETURN p.support AS support")
    assert [row["support"] for row in rows] == [11]


async def test_a_pattern_that_no_longer_holds_is_told_so(
    service: Service, consolidate: Consolidate, cypher: Run
) -> None:
    await sessions_of(service, 9)
    await consolidate(ANNA, dry_run=False)
    stand = (
        "MATCH (p:Pattern) WHERE p.text CONTAINS 'followed' "
        "RETURN p.support AS support, p.confidence AS confidence"
    )
    assert cypher(stand) == [{"support": 9, "confidence": 10 / 11}]
    await service.remember(
        [
            NewMemory(
                HOME, f"other {i} {tag}", agent_id="anna", session_id=f"other{i}", tags=(tag,)
            )
            for i in range(27)
            for tag in ("deploy", f"party{i}")
        ]
    )
    again = await consolidate(ANNA, dry_run=False)
    assert "`deploy` is usually followed by `rollback`." in [p.text for p in again.plan.patterns]
    assert cypher(stand) == [{"support": 9, "confidence": 10 / 38}]
    cypher("MATCH (m:Memory) WHERE m.session_id STARTS WITH 'week' DETACH DELETE m")
    await consolidate(ANNA, dry_run=False)
    assert cypher(stand) == [{"support": 0, "confidence": 0.0}]


async def test_a_pattern_begins_with_the_q_of_its_tenant(
    service: Service, consolidate: Consolidate, cypher: Run
) -> None:
    await service.change_config(ANNA, {"q_default": 0.3})
    try:
        await sessions_of(service, 9)
        await consolidate(ANNA, dry_run=False)
    finally:
        await service.change_config.reset(ANNA)
    rows = cypher("MATCH (p:Pattern) RETURN DISTINCT p.q_value AS q")
    assert rows == [{"q": 0.3}]


async def test_patterns_that_two_found_are_saved_once(
    service: Service, consolidation: Consolidation, clock: At, cypher: Run
) -> None:
    await sessions_of(service, 9)
    config = consolidation.configs.strata_of("local")
    new = new_run(HOME, "hand", ["long_term"], clock.now(), config, consolidation.identifiers)
    run = await consolidation.begin(new, ([], 0), None)
    finders = [consolidation.patterns.save(run, clock.now(), None) for _ in range(3)]
    saved = await asyncio.gather(*finders)
    [row] = cypher(
        "MATCH (p:Pattern) WHERE p.made_by = $run RETURN count(p) AS n, "
        "count(DISTINCT p.signature) AS signatures",
        run=run.uid,
    )
    assert sum(saved) == max(saved) == row["n"] == row["signatures"]
    assert row["n"] > 0
    assert (await again(consolidation, run)).counts["patterns"] == row["n"]
