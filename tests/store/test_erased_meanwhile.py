"""What was planned of memories that an erasure hides before it is written: nothing quotes them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graph.model import Subject
from graph.scope import Caller
from service.bootstrap import Service
from tests.conftest import Run
from tests.doors.test_erasing_meets import begun, ended
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
