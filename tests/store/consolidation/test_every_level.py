"""Dry run, provenance, undo, erasure and death of the process, on the way into each stratum and through all of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graph.kernel.scope import Caller
from graph.kernel.values import STRATA, Stratum
from graph.model.consolidation.clusters import ConsolidationRun
from graph.model.memories.memory import NewMemory
from graph.store.consolidation.store import ConsolidationStore
from service.bootstrap import Service
from tests.conftest import Run
from tests.store.consolidation.test_consolidating import CutOffError, dying, picture

pytestmark = pytest.mark.usefixtures("in_pairs")

HOME = "local/agent/anna"
MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
SAID = [
    "Hello! What a pretty harbour! Who feeds the cat? Ada lives in Turin with her son Paul, and she is allergic to nuts.",
    "Ada's sister is called Ida. Ida plays the cello on Sundays. I'll feed the cat tomorrow.",
    "Ada does not drink coffee after five in the afternoon. I'll water the plants tomorrow.",
    "Thanks! The server rack must not be tilted more than 15 degrees.",
]
RISING = STRATA[:-1]


async def tell(service: Service, cypher: Run, stratum: Stratum) -> list[str]:
    rows = [
        NewMemory(
            HOME,
            text,
            agent_id="anna",
            speaker="Ada",
            session_id="monday",
            stratum=stratum,
            occurred_at=MONDAY + timedelta(minutes=place),
        )
        for place, text in enumerate(SAID)
    ]
    uids = [each.uid for each in await service.remember(rows) if each.uid]
    # What was put into long_term at once stays there; these are to have risen into it.
    cypher("MATCH (m:Memory {stratum: 'long_term'}) SET m.stratum_since = m.recorded_at")
    return uids


async def consolidated(service: Service, anna: Caller, stratum: Stratum) -> ConsolidationRun:
    done = await service.consolidate(anna, strata=[stratum], everything=True, dry_run=False)
    run = done.run
    while (
        run is not None and run.state == "running"
    ):  # a loaded machine outlasts what a request waits
        await service.consolidate.consolidation.step(run, datetime.now(UTC), None)
        [run] = await service.list_consolidations(anna, 1)
    assert run is not None
    assert run.counts["condensed"] > 0
    return run


@pytest.mark.parametrize("stratum", RISING)
async def test_a_try_changes_nothing_and_an_undo_brings_all_back(
    service: Service, anna: Caller, cypher: Run, stratum: Stratum
) -> None:
    await tell(service, cypher, stratum)
    before = picture(cypher)
    tried = await service.consolidate(anna, strata=[stratum], everything=True)
    assert tried.plan.total == 2
    assert picture(cypher) == before
    run = await consolidated(service, anna, stratum)
    assert picture(cypher) != before
    assert (await service.undo_consolidation(anna, run.uid)).state == "undone"
    assert picture(cypher) == before


@pytest.mark.parametrize("stratum", RISING)
async def test_each_one_leads_to_its_sources_and_goes_with_any_of_them(
    service: Service, anna: Caller, cypher: Run, stratum: Stratum
) -> None:
    uids = await tell(service, cypher, stratum)
    await consolidated(service, anna, stratum)
    made = cypher(
        "MATCH (m:Memory {state: 'active'})-[r:PROMOTED_FROM]->(s:Memory) "
        "WITH m, s ORDER BY r.position RETURN m.uid AS uid, m.stratum AS stratum, collect(s.uid) AS sources"
    )
    above = STRATA[STRATA.index(stratum) + 1]
    assert {row["stratum"] for row in made} == {above}
    assert sorted(uid for row in made for uid in row["sources"]) == sorted(uids)
    erase = replace(service.erase, most=timedelta(minutes=5))
    await replace(service.delete_memory, erase=erase)(anna, uids[0])
    [gone] = [row["uid"] for row in made if uids[0] in row["sources"]]
    left = cypher("MATCH (m:Memory) RETURN collect(m.uid) AS uids")[0]["uids"]
    assert not {gone, uids[0]} & set(left)
    assert uids[1] in left


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("calls", [1, 2, 4])
@pytest.mark.parametrize("stratum", RISING)
async def test_what_a_killed_process_left_is_finished_and_can_be_undone(
    service: Service, anna: Caller, cypher: Run, stratum: Stratum, calls: int, after: bool
) -> None:
    await tell(service, cypher, stratum)
    before = picture(cypher)
    at_work = service.consolidate.consolidation
    assert isinstance(at_work.store, ConsolidationStore)
    dead = replace(at_work, store=dying(at_work.store, calls, after=after))
    with pytest.raises(CutOffError):
        await replace(service.consolidate, consolidation=dead)(
            anna, strata=[stratum], everything=True, dry_run=False
        )
    later = datetime.now(UTC) + timedelta(minutes=1)
    while (run := await at_work.store.unfinished(later)) is not None:
        await at_work.step(run, later, None)
    texts = cypher(
        "MATCH (m:Memory {state: 'active'}) RETURN count(m) AS n, count(DISTINCT m.text) AS texts"
    )
    assert texts[0]["n"] == texts[0]["texts"]
    [run] = await service.list_consolidations(anna, 1) or [None]
    if run is not None:
        assert run.state == "done"
        await service.undo_consolidation(anna, run.uid)
    assert picture(cypher) == before


async def test_a_memory_that_rose_through_all_strata_comes_all_the_way_back(
    service: Service, anna: Caller, cypher: Run
) -> None:
    uids = await tell(service, cypher, "working")
    pictures = [picture(cypher)]
    runs: list[str] = []
    for stratum in RISING:
        runs.append((await consolidated(service, anna, stratum)).uid)
        pictures.append(picture(cypher))
    [row] = cypher(
        "MATCH (m:Memory {state: 'active', stratum: 'semantic'})-[:PROMOTED_FROM*1..]->(s:Memory) "
        "RETURN collect(DISTINCT s.uid) AS uids"
    )
    assert set(row["uids"]) & set(uids)
    for run, was in zip(reversed(runs), reversed(pictures[:-1]), strict=True):
        await service.undo_consolidation(anna, run)
        assert picture(cypher) == was
