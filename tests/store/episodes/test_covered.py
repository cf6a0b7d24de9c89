"""What concepts cover is archived behind them, exemplars stay, and all of it can be taken back."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graph.kernel.errors import NotFoundError
from graph.kernel.scope import Caller
from graph.model.recall.candidates import Filters
from service.bootstrap import Service
from service.use_cases.episodes.tend_concepts import TendConcepts
from tests.conftest import Recalls, Run
from tests.store.episodes.test_concepts import work
from tests.store.reading import lease_of, settled
from tests.store.solving import EGGS, Tried, attempt, concepts, rows_of

OTHER_WAY = ("3*4=12", "12+2=14")


async def covered(service: Service, caller: Caller, cypher: Run) -> str:
    """Make one concept that covers twelve right attempts and four wrong ones; return its uid."""
    await attempt(service, caller, *rows_of("egg", EGGS[:10]))
    await attempt(service, caller, *rows_of("also", EGGS[:2], actions=OTHER_WAY))
    await attempt(service, caller, *rows_of("wrong", EGGS[:4], right=False))
    await settled(cypher)
    done = await service.extract_concepts(caller)
    assert done.joined == 10
    return done.created[0]


async def tended(service: Service) -> None:
    """Tend concepts where archiving is wished for, until nothing is left to do."""
    by_hand = service.archive_covered
    defaults = replace(by_hand.defaults, archive=True)
    job = TendConcepts(
        by_hand.store, by_hand.covers, defaults, pause=timedelta(seconds=1), emitter=by_hand.emitter
    )
    lease = await lease_of(service)
    while await by_hand.store.changed():
        await job.step(datetime.now(UTC), lease)
    await service.leases.release(lease)


def states(cypher: Run, label: str = "Episode") -> dict[str, set[str]]:
    rows = cypher(
        "MATCH (m:Memory) WHERE $label IN labels(m) RETURN m.external_id AS name, m.state AS state",
        label=label,
    )
    return {
        state: {row["name"] for row in rows if row["state"] == state}
        for state in {row["state"] for row in rows}
    }


async def test_each_procedure_keeps_its_exemplars_and_two_failures_stay(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await covered(service, anna, cypher)
    look = await service.archive_covered(anna, dry_run=True)
    assert (len(look.archived), look.kept, look.concepts) == (9, 7, 1)
    assert set(states(cypher)) == {"active"}
    done = await service.archive_covered(anna)
    assert done == look
    active = states(cypher)["active"]
    assert sum(name.startswith("egg") for name in active) == 3
    assert {name for name in active if name.startswith("also")} == {"also0", "also1"}
    assert sum(name.startswith("wrong") for name in active) == 2
    idle = cypher(
        "MATCH (p:Problem {state: 'active'}) "
        "WHERE NOT EXISTS { (p)--(e:Episode {state: 'active'}) } RETURN p"
    )
    assert idle == []
    assert 0 < len(states(cypher, "Problem")["archived"]) < 10


async def test_the_best_stay(service: Service, anna: Caller, cypher: Run) -> None:
    await covered(service, anna, cypher)
    cypher("MATCH (e:Episode) WHERE e.external_id IN ['egg7', 'egg8'] SET e.q_value = 0.9")
    cypher("MATCH (e:Episode {external_id: 'egg3'}) SET e.confidence = 1.0")
    await service.archive_covered(anna)
    kept = {name for name in states(cypher)["active"] if name.startswith("egg")}
    assert kept == {"egg7", "egg8", "egg3"}


async def test_what_is_archived_is_not_recalled_and_still_counts(
    service: Service, anna: Caller, cypher: Run, recall: Recalls
) -> None:
    uid = await covered(service, anna, cypher)
    await service.archive_covered(anna)
    await work(service, "tend_concepts")
    [row] = concepts(cypher)
    assert (row["attempts"], row["successes"]) == (16, 12)
    await settled(cypher)
    gone = set(row["uid"] for row in cypher("MATCH (m {state: 'archived'}) RETURN m.uid AS uid"))
    answer = await recall(anna, EGGS[0], k=50)
    assert not gone & {result.memory.uid for result in answer.results}
    both = await recall(anna, EGGS[0], k=50, filters=Filters(states=("active", "archived")))
    assert gone & {result.memory.uid for result in both.results}
    assert uid not in gone


async def test_taken_back_all_is_as_it_was_and_stays_so(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await covered(service, anna, cypher)
    look = "MATCH (m:Memory) WHERE m:Episode OR m:Problem RETURN m.uid AS uid, m.state AS state, apart AS keys"
    look = look.replace("apart", "size(m.keys)")
    before = sorted(cypher(look), key=lambda row: row["uid"])
    await service.archive_covered(anna)
    gone = sum(
        len(names) for names in (states(cypher)["archived"], states(cypher, "Problem")["archived"])
    )
    done = await service.restore_covered(anna)
    assert (done.restored, done.kept) == (gone, ())
    assert sorted(cypher(look), key=lambda row: row["uid"]) == before
    assert cypher("MATCH ()-[r:PROMOTED_FROM]->() RETURN r") == []
    await attempt(service, anna, *rows_of("later", EGGS[:12]))
    await tended(service)
    assert set(states(cypher)) == {"active"}
    assert (await service.restore_covered(anna)).restored == 0


async def test_what_was_changed_since_stays_as_it_is(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await covered(service, anna, cypher)
    done = await service.archive_covered(anna)
    changed = done.archived[0]
    await service.amend_memory(anna, changed, {"tags": ("looked at",)})
    back = await service.restore_covered(anna)
    assert back.kept == (changed,)
    [row] = cypher("MATCH (m {uid: $uid}) RETURN m.state AS state", uid=changed)
    assert row["state"] == "archived"


async def test_the_worker_archives_by_itself_once_a_concept_has_gained_enough(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await covered(service, anna, cypher)
    await work(service, "tend_concepts")
    assert set(states(cypher)) == {"active"}  # not unless it is wished for
    await attempt(service, anna, Tried("one", EGGS[0]))
    await tended(service)
    assert len(states(cypher)["archived"]) == 10
    await attempt(service, anna, *rows_of("few", EGGS[:3]))
    await tended(service)
    assert {"few0", "few1", "few2"} <= states(cypher)["active"]
    await attempt(service, anna, *rows_of("more", EGGS[3:12]))
    await tended(service)
    assert len(states(cypher)["active"]) < 12


async def test_a_problem_is_back_with_a_new_attempt(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await covered(service, anna, cypher)
    await service.archive_covered(anna)
    name = sorted(states(cypher, "Problem")["archived"])[0]
    text = name.removeprefix("problem:math:id-")
    await attempt(service, anna, Tried("new", text))
    await work(service, "tend_concepts")
    assert name in states(cypher, "Problem")["active"]


async def test_one_concept_may_be_named_and_another_kind_of_memory_may_not(
    service: Service, anna: Caller, bert: Caller, cypher: Run
) -> None:
    uid = await covered(service, anna, cypher)
    [row] = concepts(cypher)
    name = f"external:{json.loads(row['structured'])['concept_id']}"
    assert len((await service.archive_covered(anna, concept=name, dry_run=True)).archived) == 9
    for caller, wrong in ((anna, "external:egg0"), (anna, "none"), (bert, uid)):
        with pytest.raises(NotFoundError):
            await service.archive_covered(caller, concept=wrong)
        with pytest.raises(NotFoundError):
            await service.restore_covered(caller, concept=wrong)
    assert set(states(cypher)) == {"active"}


async def test_an_attempt_that_changed_under_way_stays(
    service: Service, anna: Caller, cypher: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    await covered(service, anna, cypher)
    covers = service.archive_covered.covers
    read = type(covers).crowded
    seen: list[str] = []

    async def changing(self: Any, scope: str, slack: int, concept: str | None = None) -> Any:
        found = await read(self, scope, slack, concept)
        if not seen and found is not None:
            seen.append(found.episodes[-1].uid)
            await service.amend_memory(anna, seen[0], {"tags": ("new",)})
        return found

    look = await service.archive_covered(anna, dry_run=True)
    monkeypatch.setattr(type(covers), "crowded", changing)
    await service.archive_covered(anna)
    [row] = cypher("MATCH (m {uid: $uid}) RETURN m.state AS state", uid=seen[0])
    assert seen[0] in look.archived
    assert row["state"] == "active"
