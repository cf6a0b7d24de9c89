"""One memory is worth something else in another context, where that is wanted."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Any
from unittest.mock import patch

import pytest
import pytest_asyncio

from graph.kernel.scope import Caller
from graph.kernel.values import Status
from graph.model.memories.memory import NewMemory
from graph.model.recall.candidates import Context, Explanation, RecallAnswer
from graph.model.utility.rewards import UsedName
from graph.store.utility.estimates import EstimateStore
from service.bootstrap import Service
from service.use_cases.recall.recall import RecallRequest
from tests.conftest import Run
from tests.store.reading import settled
from tests.store.teaching import HOME

ASKED = "How is it brewed best?"
TEXTS = ("It is brewed best with boiling water.", "It is brewed best with cool water.")


@pytest_asyncio.fixture(loop_scope="session")
async def contextual(service: Service) -> AsyncGenerator[Service]:
    """The service, with contextual utility on."""
    caller = Caller("local", "anna")
    await service.change_config(caller, {"contextual_utility": True})
    yield service
    await service.change_config.reset(caller)


@pytest.fixture
async def ways(service: Service, cypher: Run) -> tuple[str, str]:
    boiling, cool = await service.remember([NewMemory(HOME, text) for text in TEXTS])
    await settled(cypher)
    return boiling.uid or "", cool.uid or ""


async def ask(service: Service, caller: Caller, domain: str | None, **options: Any) -> RecallAnswer:
    request = RecallRequest(
        caller, text=ASKED, k=2, utility_weight=1.0, explain=True,
        context=Context(domain) if domain else None, **options,
    )  # fmt: skip
    return await service.recall(request)


def utilities(answer: RecallAnswer) -> dict[str, float]:
    found: dict[str, float] = {}
    for result in answer.results:
        assert isinstance(result.explanation, Explanation)
        found[result.memory.uid] = result.explanation.components["utility"]
    return found


async def teach(
    service: Service, caller: Caller, lessons: Sequence[tuple[str, str, Status]], rounds: int = 12
) -> None:
    """Have tasks be given one memory each in a domain, and end, by turns."""
    for place in range(rounds):
        for way, domain, status in lessons:
            task = f"{way}-{domain}-{place}"
            await ask(service, caller, domain, task_id=task)
            await service.report_outcome(caller, task, status, used=[UsedName(way)])


async def test_the_same_memory_leads_in_one_context_and_not_in_another(
    contextual: Service, anna: Caller, ways: tuple[str, str]
) -> None:
    boiling, cool = ways
    lessons: list[tuple[str, str, Status]] = [
        (boiling, "black tea", "success"),
        (boiling, "green tea", "failure"),
        (cool, "black tea", "failure"),
        (cool, "green tea", "success"),
    ]
    await teach(contextual, anna, lessons)
    black = await ask(contextual, anna, "black tea")
    green = await ask(contextual, anna, "green tea")
    assert [r.memory.uid for r in black.results] == [boiling, cool]
    assert [r.memory.uid for r in green.results] == [cool, boiling]
    assert utilities(black)[boiling] > 0.7 > 0.3 > utilities(black)[cool]
    elsewhere = utilities(await ask(contextual, anna, "coffee"))
    assert elsewhere == utilities(await ask(contextual, anna, None))
    assert all(0.35 < value < 0.65 for value in elsewhere.values())


async def test_a_context_is_drawn_to_what_is_known_at_large(
    contextual: Service, cypher: Run, anna: Caller, ways: tuple[str, str]
) -> None:
    boiling, cool = ways
    for place in range(20):
        await ask(contextual, anna, None, task_id=f"t{place}")
        await contextual.report_outcome(anna, f"t{place}", "success", used=[UsedName(boiling)])
    await ask(contextual, anna, "green tea", task_id="one")
    await contextual.report_outcome(anna, "one", "failure", used=[UsedName(boiling)])
    rows = cypher("MATCH (m)-[:ESTIMATED]->(e:Estimate) RETURN m.uid AS uid, e.context AS context")
    assert rows == [{"uid": boiling, "context": "domain:green tea"}]
    at_large = utilities(await ask(contextual, anna, None))[boiling]
    here = utilities(await ask(contextual, anna, "green tea"))[boiling]
    assert 0.5 < here < at_large
    assert utilities(await ask(contextual, anna, "green tea"))[cool] == 0.5


async def test_nothing_more_is_read_or_kept_unless_it_is_wanted(
    service: Service, cypher: Run, anna: Caller, ways: tuple[str, str]
) -> None:
    with patch.object(EstimateStore, "of", side_effect=AssertionError("was asked")):
        await ask(service, anna, "green tea", task_id="t")
    await service.report_outcome(anna, "t", "success")
    assert cypher("MATCH (e:Estimate) RETURN e") == []
    assert cypher("MATCH ()-[r:RETRIEVED]->() WHERE r.contexts IS NOT NULL RETURN r") == []


async def test_at_weight_0_and_without_a_context_none_is_looked_up(
    contextual: Service, anna: Caller, ways: tuple[str, str]
) -> None:
    with patch.object(EstimateStore, "of", side_effect=AssertionError("was asked")):
        await ask(contextual, anna, None)
        request = RecallRequest(anna, text=ASKED, utility_weight=0.0, context=Context("green tea"))
        await contextual.recall(request)


async def test_estimates_of_scopes_that_are_not_read_stay_unread(
    contextual: Service, cypher: Run, anna: Caller, ways: tuple[str, str]
) -> None:
    boiling, _ = ways
    await teach(contextual, anna, [(boiling, "green tea", "failure")], rounds=1)
    read = EstimateStore(contextual.database)
    assert set(await read.of(ways, [HOME], ["domain:green tea"])) == {boiling}
    assert await read.of(ways, ["local/agent/bert"], ["domain:green tea"]) == {}
    assert await read.of(ways, [HOME], ["domain:black tea"]) == {}
