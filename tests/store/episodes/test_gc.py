"""Episodes that help nobody: which go and why, how they come back, and when they are gone."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from graph.kernel.errors import ConflictError, LeaseLostError, NotFoundError
from graph.kernel.scope import Caller
from graph.model.episodes.gc import CollectionRun
from graph.model.memories.links import Lease
from graph.model.memories.memory import Link, NewMemory
from graph.model.recall.candidates import Filters
from graph.store.episodes.gc import CollectionStore
from service.bootstrap import Service
from service.use_cases.episodes.gc import (
    COLLECTED_AT_ONCE,
    UNKNOWN_COLLECTION,
    CollectEpisodes,
    CollectionRules,
    CollectRegularly,
)
from service.use_cases.kernel.runs import UndoRun
from tests.conftest import Recalls, Run
from tests.standing_clock import At

HOME = "local/agent/anna"
DAY = timedelta(days=1)
EPISODES = Filters(kinds=("episode",))
RULES = CollectionRules(
    least_age=7 * DAY, unused=90 * DAY, grace=30 * DAY, pause=DAY, confidence=0.2, q_low=0.3
)


def attempt(
    name: str, *, problem: str = "p", answer: str = "4", correct: bool = True, **fields: Any
) -> NewMemory:
    confidence: float = fields.pop("confidence", 0.9)
    structured = {
        "episode_id": name,
        "input": {"problem": "What is 2 + 2?", "problem_id": problem},
        "trace": [{"step": 1, "action": "2 + 2", "observation": "4"}],
        "output": {"answer": answer, "correct": correct, "confidence": confidence},
    }
    fields = {"structured": structured, "content_type": "structured", **fields}
    return NewMemory(
        HOME, "What is 2 + 2?", kind="episode", external_id=name, correct=correct, **fields
    )


async def store(service: Service, *rows: NewMemory) -> dict[str, str]:
    saved = await service.remember(rows)
    assert [answer.error for answer in saved] == [None] * len(rows)
    return {
        row.external_id or "": answer.uid or "" for row, answer in zip(rows, saved, strict=True)
    }


def everything(cypher: Run) -> list[str]:
    """Return all nodes and edges, without what is written to take locks."""
    taken = {"asked_at", "version"}
    nodes = cypher(
        "MATCH (n) WHERE NOT n:Lease RETURN labels(n) AS labels, properties(n) AS properties"
    )
    edges = cypher("MATCH (a)-[r]->(b) RETURN coalesce(a.uid, '') AS a, type(r) AS type, "
                   "coalesce(b.uid, '') AS b, properties(r) AS properties")  # fmt: skip
    kept = [
        {
            **row,
            "properties": {k: v for k, v in sorted(row["properties"].items()) if k not in taken},
        }
        for row in [*nodes, *edges]
    ]
    return sorted(json.dumps(row, default=str, sort_keys=True) for row in kept)


def versions(cypher: Run) -> list[dict[str, Any]]:
    return cypher("MATCH (s:Scope) RETURN s.scope AS scope, s.version AS version ORDER BY scope")


@pytest.fixture
def collections(service: Service) -> CollectionStore:
    return CollectionStore(service.database)


@pytest.fixture
def later(now: datetime) -> At:
    return At(now + 100 * DAY)


@pytest.fixture
def collect(service: Service, collections: CollectionStore, later: At) -> CollectEpisodes:
    return CollectEpisodes(
        collections, RULES, service.configs, clock=later, identifiers=service.remember.identifiers
    )


@pytest.fixture
def undo(collections: CollectionStore, later: At) -> UndoRun[CollectionRun]:
    return UndoRun(collections, clock=later, at_once=COLLECTED_AT_ONCE, unknown=UNKNOWN_COLLECTION)


def worker(service: Service, store: CollectionStore, *, active: bool = True) -> CollectRegularly:
    return CollectRegularly(
        store, RULES, service.configs, service.remember.identifiers, active=active, pause=DAY
    )


async def leased(service: Service, holder: str = "one") -> Lease:
    lease = await service.leases.acquire("worker", holder, 60)
    assert lease is not None
    return lease


async def settle(job: CollectRegularly, now: datetime, lease: Lease) -> None:
    while await job.step(now, lease):
        pass


async def test_each_that_goes_has_its_reason_and_the_best_stays(
    service: Service, cypher: Run, collect: CollectEpisodes, anna: Caller
) -> None:
    uids = await store(
        service,
        attempt("best"),
        attempt("same"),
        attempt("other-answer", answer="5", correct=False),
        attempt("other-problem", problem="q"),
        attempt("unsure", problem="r", correct=False, confidence=0.1),
        attempt("unsure-but-right", problem="s", confidence=0.1),
        attempt("failing", problem="t"),
        attempt("young", problem="u"),
    )
    cypher("MATCH (m:Memory) SET m.retrieval_count = 1, m.access_count = 1")
    cypher("MATCH (m:Memory {external_id: 'best'}) SET m.q_value = 0.8")
    cypher("MATCH (m:Memory {external_id: 'failing'}) SET m.q_value = 0.1, m.failure_count = 3")
    found = await collect(anna)
    assert {item.uid: (item.reason, item.kept) for item in found.plan.items} == {
        uids["same"]: ("duplicate", uids["best"]),
        uids["unsure"]: ("low_confidence", None),
        uids["failing"]: ("never_useful", None),
    }
    assert found.plan.counts == {"duplicate": 1, "low_confidence": 1, "never_useful": 1}
    assert found.run is None
    cypher("MATCH (m:Memory {external_id: 'young'}) SET m.retrieval_count = 0")
    assert (await collect(anna)).plan.counts["never_useful"] == 2  # a hundred days unrecalled


async def test_what_is_pinned_young_helpful_or_behind_a_concept_never_goes(
    service: Service, cypher: Run, collect: CollectEpisodes, anna: Caller, later: At
) -> None:
    await store(
        service,
        *(attempt(name, confidence=0.1, correct=False) for name in "abcd"),
        NewMemory(
            HOME,
            "adding: two numbers make one",
            kind="concept",
            links=(Link("DERIVED_FROM", "external:a"),),
        ),
    )
    cypher("MATCH (m:Memory {external_id: 'b'}) SET m.importance = 5")
    cypher("MATCH (m:Memory {external_id: 'c'}) SET m.success_count = 1")
    found = await collect(anna)
    [only] = found.plan.items
    assert cypher("MATCH (m:Memory {uid: $u}) RETURN m.external_id AS name", u=only.uid) == [
        {"name": "d"}
    ]
    later.time -= 94 * DAY
    assert (await collect(anna)).plan.total == 0
    observed = await service.remember([NewMemory(HOME, "a note nobody reads", kind="observation")])
    later.time += 900 * DAY
    assert observed[0].uid not in {item.uid for item in (await collect(anna)).plan.items}


async def test_a_dry_run_writes_nothing_at_all(
    service: Service, cypher: Run, collect: CollectEpisodes, anna: Caller
) -> None:
    await store(service, *(attempt(name) for name in "abc"))
    before, versions_before = everything(cypher), versions(cypher)
    assert (await collect(anna)).plan.total == 3  # never recalled, all of them
    assert (everything(cypher), versions(cypher)) == (before, versions_before)


async def test_what_went_is_not_recalled_and_comes_back_exactly(
    service: Service,
    cypher: Run,
    collect: CollectEpisodes,
    undo: UndoRun[CollectionRun],
    recall: Recalls,
    anna: Caller,
) -> None:
    await store(service, attempt("a"), attempt("b"), attempt("c", problem="q"))
    cypher("MATCH (m:Memory) SET m.retrieval_count = 1")
    before, version = everything(cypher), versions(cypher)
    done = await collect(anna, dry_run=False)
    assert done.run is not None
    assert (done.run.state, done.run.collected, done.run.counts) == ("done", 1, {"duplicate": 1})
    assert versions(cypher) != version  # what others hold of the scope is stale now
    [hidden] = cypher(
        "MATCH (m:Memory {state: 'hidden'}) RETURN m.uid AS uid, m.collected_by AS by"
    )
    assert hidden["by"] == done.run.uid
    answer = await recall(anna, "What is 2 + 2?", expect=2, filters=EPISODES)
    assert hidden["uid"] not in {result.memory.uid for result in answer.results}
    assert len(answer.results) == 2
    back = await undo(anna, done.run.uid)
    assert (back.state, back.restored) == ("undone", 1)
    cypher("MATCH (r:Run) DELETE r")
    assert everything(cypher) == before
    assert len((await recall(anna, "What is 2 + 2?", expect=3, filters=EPISODES)).results) == 3


async def test_an_undo_twice_is_one_and_of_a_stranger_none(
    service: Service,
    collect: CollectEpisodes,
    undo: UndoRun[CollectionRun],
    anna: Caller,
    bert: Caller,
) -> None:
    await store(service, attempt("a"), attempt("b"))
    done = await collect(anna, dry_run=False)
    assert done.run is not None
    with pytest.raises(NotFoundError):
        await undo(bert, done.run.uid)
    with pytest.raises(NotFoundError):
        await undo(anna, "01JZ8M5Q0V7Y3T2N4R6W8X9ABC")
    first, second = await undo(anna, done.run.uid), await undo(anna, done.run.uid)
    assert first == second


async def test_an_undo_over_a_change_is_refused_and_changes_nothing(
    service: Service,
    cypher: Run,
    collect: CollectEpisodes,
    undo: UndoRun[CollectionRun],
    anna: Caller,
) -> None:
    uids = await store(service, attempt("a"), attempt("b"))
    done = await collect(anna, dry_run=False)
    assert done.run is not None
    assert done.run.collected == 2
    await store(service, attempt("a", importance=4))
    before = everything(cypher)
    with pytest.raises(ConflictError, match="1 of the 2"):
        await undo(anna, done.run.uid)
    assert everything(cypher) == before
    back = await undo(anna, done.run.uid, skip_changed=True)
    assert (back.state, back.restored) == ("undone", 1)
    rows = cypher("MATCH (m:Episode) RETURN m.uid AS uid, m.state AS state, m.collected_by AS by")
    assert sorted((row["uid"], row["state"], row["by"]) for row in rows) == sorted(
        (uid, "active", None) for uid in uids.values()
    )


async def test_after_its_grace_what_went_is_removed_in_batches_and_cannot_come_back(
    service: Service,
    cypher: Run,
    collections: CollectionStore,
    collect: CollectEpisodes,
    undo: UndoRun[CollectionRun],
    anna: Caller,
    later: At,
) -> None:
    await store(service, *(attempt(name) for name in "abcde"))
    done = await collect(anna, dry_run=False)
    assert done.run is not None
    await store(service, attempt("e", importance=4))  # said anew, and so no longer the run's
    job, lease = worker(service, collections, active=False), await leased(service)
    await settle(job, later.now() + 29 * DAY, lease)
    assert cypher("MATCH (e:Episode) RETURN count(e) AS n") == [{"n": 5}]
    assert await collections.purge(done.run.uid, later.now() + 31 * DAY, 2, lease) == 2
    await settle(job, later.now() + 31 * DAY, lease)
    assert cypher("MATCH (e:Episode) RETURN e.external_id AS name") == [{"name": "e"}]
    [run] = await collections.runs([HOME], 1)
    assert (run.state, run.purged) == ("purged", 4)
    assert cypher("MATCH (m:Memory) WHERE m.collected_by IS NOT NULL RETURN m") == []
    later.time += 31 * DAY
    with pytest.raises(ConflictError, match="grace"):
        await undo(anna, done.run.uid)


async def test_the_worker_looks_at_each_scope_once_in_its_pause(
    service: Service, cypher: Run, collections: CollectionStore, later: At
) -> None:
    await store(service, attempt("a"), attempt("b"))
    await service.remember([replace(attempt("z"), scope="local/agent/zoe")])
    job, lease = worker(service, collections), await leased(service)
    await settle(job, later.now(), lease)
    runs = cypher("MATCH (r:Run) RETURN r.scope AS scope, r.by AS by, r.state AS state, "
                  "r.collected AS n ORDER BY scope")  # fmt: skip
    assert runs == [
        {"scope": HOME, "by": "worker", "state": "done", "n": 2},
        {"scope": "local/agent/zoe", "by": "worker", "state": "done", "n": 1},
    ]
    await service.remember([attempt("c", problem="q")])
    await settle(job, later.now() + DAY / 2, lease)
    assert cypher("MATCH (r:Run) RETURN count(r) AS n") == [{"n": 2}]
    assert await worker(service, collections, active=False).step(later.now() + 2 * DAY, lease) == 0


async def test_who_lost_the_lease_hides_nothing(
    service: Service, cypher: Run, collections: CollectionStore, later: At
) -> None:
    await store(service, attempt("a"), attempt("b"))
    lease = await leased(service)
    await service.leases.release(lease)
    await leased(service, "another")
    job = worker(service, collections)
    before = everything(cypher)
    with pytest.raises(LeaseLostError):
        await job.step(later.now(), lease)
    assert everything(cypher) == before
    cypher("MATCH (l:Lease {name: 'worker'}) DELETE l")


async def test_a_run_that_was_cut_off_is_ended_by_whoever_works_next(
    service: Service,
    cypher: Run,
    collections: CollectionStore,
    undo: UndoRun[CollectionRun],
    anna: Caller,
    later: At,
) -> None:
    await store(service, *(attempt(name, problem=name) for name in "abcdef"))
    uid = service.remember.identifiers.new_uid(later.now())
    now = later.now()
    run = CollectionRun(uid, HOME, "hand", "running", now, now + 30 * DAY)
    await collections.begin(run, None)
    terms = RULES.terms(now, 0.5)
    assert await collections.collect(uid, terms, now, 2, None) == 2
    again = await collections.begin(replace(run, uid="another"), None)
    assert again.uid == uid  # one run at a time in a scope
    await settle(worker(service, collections, active=False), now, await leased(service))
    [ended] = await collections.runs([HOME], 1)
    assert (ended.state, ended.collected) == ("done", 6)
    assert await collections.begin_undo(anna.readable, uid, now) is not None
    assert await collections.restore(uid, now, 2, None) == 2
    await settle(worker(service, collections, active=False), now, await leased(service))
    [undone] = await collections.runs([HOME], 1)
    assert (undone.state, undone.restored) == ("undone", 6)
    assert cypher("MATCH (e:Episode {state: 'active'}) RETURN count(e) AS n") == [{"n": 6}]


async def test_two_at_once_hide_each_once_and_leave_one_of_equals(
    service: Service, cypher: Run, collections: CollectionStore, anna: Caller, later: At
) -> None:
    await store(service, *(attempt(f"{name}{i}", problem=name) for name in "abc" for i in range(8)))
    cypher("MATCH (m:Memory) SET m.retrieval_count = 1")
    many = [
        CollectEpisodes(
            CollectionStore(service.database), RULES, service.configs, clock=later,
            identifiers=service.remember.identifiers,
        )(anna, dry_run=False)
        for _ in range(4)
    ]  # fmt: skip
    await asyncio.gather(*many)
    runs = await collections.runs([HOME], 10)
    assert sum(run.collected for run in runs) == 21
    rows = cypher("MATCH (e:Episode {state: 'active'}) RETURN e.problem_id AS p ORDER BY p")
    assert [row["p"] for row in rows] == ["a", "b", "c"]


async def test_equal_attempts_that_all_have_flaws_do_not_keep_each_other(
    service: Service, cypher: Run, collect: CollectEpisodes, anna: Caller
) -> None:
    await store(service, attempt("old"), attempt("older"), attempt("used"))
    cypher("MATCH (m:Memory {external_id: 'used'}) SET m.retrieval_count = 1, m.q_value = 0.4")
    done = await collect(anna, dry_run=False)
    assert done.run is not None
    rows = cypher("MATCH (e:Episode {state: 'active'}) RETURN e.external_id AS name")
    assert rows == [{"name": "used"}]  # worth less, but nothing is wrong with it
