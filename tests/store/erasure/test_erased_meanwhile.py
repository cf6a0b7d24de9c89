"""What was planned of memories that an erasure hides before it is written: nothing quotes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graph.kernel.scope import Caller
from graph.model.consolidation.clusters import SeenPattern
from graph.model.erasure.receipts import Subject
from graph.model.memories.links import Lease
from graph.store.consolidation.store import ConsolidationStore
from service.bootstrap import Service
from service.use_cases.consolidation.consolidate import new_run
from tests.conftest import Run
from tests.doors.erasure.test_erasing_meets import begun, ended
from tests.store.consolidation.test_consolidating import HOME, sessions_of
from tests.store.reading import settled
from tests.store.solving import EGGS, TRAINS, attempt, concepts, rows_of

HALVES = ("24/2=12", "12-3=9")


@pytest.mark.parametrize("erased", ["problem", "episode"])
@pytest.mark.parametrize("gone", [False, True], ids=["hidden", "gone"])
async def test_no_concept_is_worded_from_what_is_erased_meanwhile(
    service: Service, anna: Caller, cypher: Run, erased: str, gone: bool
) -> None:
    await attempt(service, anna, *rows_of("egg", EGGS[:5]))
    await attempt(service, anna, *rows_of("train", TRAINS[:5], actions=HALVES))
    await settled(cypher)
    maker, now = service.extract_concepts.maker, datetime.now(UTC)
    plan = await maker.plan(anna.home, now)
    assert len(plan.foundings) == 2
    quoted = next(each for each in plan.foundings if "multiply" in each.name)
    uid = quoted.problems[0] if erased == "problem" else quoted.evidence[0]
    run = await begun(service, Subject("memory", anna.home, uid))
    if gone:
        await ended(service, run)
    done = await maker.store.save(plan, None, now)
    assert (len(done.created), done.joined, done.done) == (1, 5, False)
    assert not any("multiply" in row["text"] for row in concepts(cypher))
    assert cypher("MATCH (c:Concept)--(m:Memory) WHERE m.erased_by IS NOT NULL RETURN m") == []
    await ended(service, run)
    done = await service.extract_concepts(anna)
    assert (len(done.created), done.joined, done.done) == (1, 4, True)
    [made] = [row for row in concepts(cypher) if "multiply" in row["text"]]
    assert (made["problems"], made["evidence"]) == (4, 4)


async def test_no_problem_joins_a_concept_that_is_erased_meanwhile(
    service: Service, anna: Caller, cypher: Run
) -> None:
    await attempt(service, anna, *rows_of("egg", EGGS[:5]))
    await settled(cypher)
    await service.extract_concepts(anna)
    await attempt(service, anna, *rows_of("late", EGGS[5:7]))
    await settled(cypher)
    maker, now = service.extract_concepts.maker, datetime.now(UTC)
    plan = await maker.plan(anna.home, now)
    assert len(plan.joins) == 2
    run = await begun(service, Subject("memory", anna.home, plan.joins[0][1]))
    done = await maker.store.save(plan, None, now)
    assert (done.joined, done.done) == (0, False)
    await ended(service, run)
    done = await service.extract_concepts(anna)
    assert [row["problems"] for row in concepts(cypher)] == [7]
    assert done.done


class Late(ConsolidationStore):
    """Saves patterns after an erasure has hidden one of what they rest on."""

    service: Service
    hidden: str

    async def save_patterns(
        self, run_uid: str, rows: Sequence[SeenPattern], lease: Lease | None
    ) -> int:
        self.rows = rows
        self.erasure = await begun(self.service, Subject("memory", HOME, self.hidden))
        return await super().save_patterns(run_uid, rows, lease)


async def test_no_pattern_is_saved_that_rests_on_what_is_erased_meanwhile(
    service: Service, cypher: Run
) -> None:
    await sessions_of(service, 9)
    [row] = cypher("MATCH (m:Memory {text: 'deploy in week 3'}) RETURN m.uid AS uid")
    late = Late(service.database, service.configs)
    late.service, late.hidden = service, row["uid"]
    consolidation = service.consolidate.consolidation
    config, now = consolidation.configs.strata_of("local"), datetime.now(UTC)
    new = new_run(HOME, "hand", ["long_term"], now, config, consolidation.identifiers)
    run = await consolidation.begin(new, ([], 0), None)
    saved = await replace(consolidation.patterns, store=late).save(run, now, None)
    resting = [each for each in late.rows if late.hidden in each.evidence]
    assert resting
    assert saved == len(late.rows) - len(resting)
    assert len(cypher("MATCH (p:Pattern) RETURN p")) == saved
    await ended(service, late.erasure)
    assert await consolidation.patterns.save(run, now, None) == len(resting)
    rows = cypher("MATCH (p:Pattern) WHERE p.text CONTAINS 'followed' RETURN p.support AS support")
    assert [row["support"] for row in rows] == [8]
