"""Recall by the engines: what the question does not find, filters, scopes, and what is noted of uses."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graph.kernel.errors import InvalidInputError
from graph.kernel.scope import Caller
from graph.model.engines.config import ENGINES, Engine, EngineConfig
from graph.model.memories.memory import NewMemory
from graph.model.recall.candidates import Filters, PoolLimits
from graph.model.strata.config import StrataConfig
from service.bootstrap import Service
from service.use_cases.recall.recall import RecallRequest
from service.use_cases.strata.gates import passes_gate
from tests.conftest import Remembers, Run
from tests.store.reading import settled, texts, uids
from tests.store.recall.test_recall import FILTERS, HOME

LAWS: tuple[Engine, ...] = tuple(engine for engine in ENGINES if engine != "utility")
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
FEW = PoolLimits(vector=1, lexical=1, expanded=1)


def narrow(service: Service) -> Any:
    """Recall whose question finds one memory, so that others come by age and importance alone."""
    return replace(service.recall, defaults=replace(service.recall.defaults, limits=FEW))


async def notes(service: Service, number: int = 8) -> None:
    """Store notes of importance 3, the first of today, each a day older than the one before."""
    await service.remember(
        [
            NewMemory(HOME, f"note number {i} of the harbour", occurred_at=NOW - i * DAY)
            for i in range(number)
        ]
    )


async def test_what_is_old_and_important_is_found_whatever_is_asked(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    await notes(service)
    flood = await remember(anna, "the levee broke", importance=5, occurred_at=NOW - 10 * DAY)
    await settled(cypher)
    recall = narrow(service)
    request = RecallRequest(anna, text="harbour", k=3, now=NOW, explain=True)
    assert flood not in uids(await recall(request))
    answer = await recall(replace(request, engine="basic", k=None))
    assert len(answer.results) == 7
    assert uids(answer)[5] == flood
    assert texts(answer)[0] == "note number 0 of the harbour"
    answer = await recall(replace(request, engine="saliency"))
    assert answer.results[2].memory.uid != flood
    assert answer.engine == "saliency"
    why = answer.results[0].explanation
    assert why is not None
    assert why.components["saliency"] == pytest.approx(0.5, abs=0.001)


@pytest.mark.parametrize("engine", LAWS)
async def test_each_engine_answers_and_tells_its_parts(
    service: Service, cypher: Run, anna: Caller, engine: Engine
) -> None:
    await notes(service)
    await settled(cypher)
    request = RecallRequest(anna, text="harbour", engine=engine, k=4, now=NOW, explain=True)
    answer = await service.recall(request)
    scores = [result.score for result in answer.results]
    assert scores == sorted(scores, reverse=True)
    assert (answer.engine, len(scores), answer.utility_weight) == (engine, 4, 0.0)
    known = {
        "weighted": {"recency", "importance", "context", "relevance", "interference"},
        "saliency": {"importance", "age", "saliency"},
        "basic": {"age", "saliency", "recent"},
        "actr": {"base_level", "uses", "seconds_since_use", "seconds_since_first_use"},
        "generative": {"recency", "importance", "relevance"},
    }
    for result in answer.results:
        assert result.explanation is not None
        assert known[engine] <= set(result.explanation.components)


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("hops", [0, 1])
async def test_a_filter_holds_for_what_is_found_by_age(
    service: Service, cypher: Run, anna: Caller, name: str, hops: int
) -> None:
    passing, failing, filters = FILTERS[name]
    usual: dict[str, Any] = {"occurred_at": datetime(2025, 2, 1, tzinfo=UTC)}
    for text, fields in (("a yellow boat", passing), ("a blue boat", failing)):
        new = NewMemory(HOME, text, **{**usual, **fields})
        [saved] = await service.remember([new])
        assert saved.uid
    await settled(cypher)
    request = RecallRequest(
        anna, text="lighthouse", engine="saliency", filters=filters, hops=hops, k=9
    )
    assert texts(await service.recall(request)) == ["a yellow boat"]


async def test_what_was_ended_or_hidden_is_not_found_by_age(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    old = await remember(anna, "Lena lives in Hamburg", external_id="old", occurred_at=NOW - DAY)
    new = await remember(anna, "Lena lives in Berlin", supersedes=("external:old",))
    await remember(anna, "a secret")
    cypher("MATCH (m:Memory {text: 'a secret'}) SET m.state = 'hidden'")
    await settled(cypher)
    request = RecallRequest(anna, text="tram", engine="weighted")
    assert uids(await service.recall(request)) == [new]
    both = replace(request, filters=Filters(superseded=True), explain=True)
    assert set(uids(await service.recall(both))) == {old, new}


@pytest.mark.parametrize("engine", LAWS)
async def test_no_engine_crosses_a_scope(
    service: Service, cypher: Run, anna: Caller, bert: Caller, remember: Remembers, engine: Engine
) -> None:
    await remember(bert, "bert's diary", importance=5)
    await remember(Caller("acme", "anna"), "anna of acme", importance=5)
    mine = await remember(anna, "anna's diary")
    shared = await remember(Caller("local", user_ids=("ada",)), "ada's diary")
    await settled(cypher)
    request = RecallRequest(anna, text="diary", engine=engine, k=20)
    assert uids(await service.recall(request)) == [mine]
    both = replace(request, caller=Caller("local", "anna", user_ids=("ada",)))
    assert set(uids(await service.recall(both))) == {mine, shared}


async def test_activation_rises_with_each_recall(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    for text in ("a yellow boat", "a blue boat"):
        await remember(anna, text)
    cypher("MATCH (m:Memory) SET m.recorded_at = m.recorded_at - duration('P1D'), "
           "m.occurred_at = m.occurred_at - duration('P1D')")  # fmt: skip
    cypher(
        "MATCH (m:Memory {text: 'a blue boat'}) "
        "SET m.access_count = 4, m.last_accessed_at = datetime() - duration('PT1H')"
    )
    await settled(cypher)
    request = RecallRequest(anna, text="boat", engine="actr", explain=True)
    answer = await service.recall(request)
    assert texts(answer) == ["a blue boat", "a yellow boat"]
    first, second = (result.explanation for result in answer.results)
    assert first is not None
    assert second is not None
    assert (first.components["uses"], second.components["uses"]) == (5.0, 1.0)
    assert first.components["seconds_since_use"] == pytest.approx(3600, abs=30)
    assert second.components["seconds_since_use"] == pytest.approx(86_400, abs=30)


async def test_relevance_cuts_where_the_law_weighs_it_or_the_request_asks(
    service: Service, cypher: Run, anna: Caller
) -> None:
    await notes(service, 3)
    await settled(cypher)
    await service.change_config(anna, {"min_relevance": 0.99})
    asked = RecallRequest(anna, text="quantum chromodynamics")
    found = {
        engine: len((await service.recall(replace(asked, engine=engine))).results)
        for engine in ENGINES
    }
    assert found == {
        "utility": 0,
        "weighted": 3,
        "saliency": 3,
        "basic": 3,
        "actr": 3,
        "generative": 0,
    }
    strict = replace(asked, engine="saliency", min_relevance=0.99)
    assert not (await service.recall(strict)).results
    await service.change_config.reset(anna)


async def test_the_default_is_asked_as_before(
    service: Service, anna: Caller, remember: Remembers, monkeypatch: pytest.MonkeyPatch
) -> None:
    await remember(anna, "a yellow boat")
    asked: list[str] = []
    read = type(service.database).read

    async def spied(database: Any, query: Any, *rest: Any) -> Any:
        asked.append(query.text)
        return await read(database, query, *rest)

    monkeypatch.setattr(type(service.database), "read", spied)
    await service.recall(RecallRequest(anna, text="boat"))
    assert not [text for text in asked if "memorable" in text]
    await service.recall(RecallRequest(anna, text="boat", engine="basic"))
    assert [text for text in asked if "memorable" in text]


def test_a_setting_out_of_range_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="decay_rate"):
        EngineConfig(decay_rate=-1)


def test_the_gate_decides_once_for_each_memory() -> None:
    config = StrataConfig(consolidation_gate=0.6, consolidation_probability=0.8)
    names = [f"uid-{i}" for i in range(2_000)]
    first = [passes_gate(name, 4.0, config) for name in names]
    assert first == [passes_gate(name, 5.0, config) for name in names]
    assert sum(first) / len(first) == pytest.approx(0.8, abs=0.03)
    other = replace(config, consolidation_seed=1)
    assert first != [passes_gate(name, 4.0, other) for name in names]
    assert not any(passes_gate(name, 3.0, config) for name in names)


async def test_interference_by_embeddings_reads_the_vectors_of_candidates(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    old = await remember(anna, "The physician was late.", occurred_at=NOW - 2 * DAY)
    await remember(anna, "A doctor came too late.", occurred_at=NOW - DAY)
    await settled(cypher)
    lost: dict[str, float] = {}
    for by in ("words", "embeddings"):
        params = {"ranking_mode": "weighted", "W_interference": 1.0, "interference_by": by}
        file = {"memory_config": {"type": "humancentric", "params": params}}
        await service.configure_engines.apply(anna, file)
        answer = await service.recall(RecallRequest(anna, text="late", k=2, now=NOW, explain=True))
        [found] = [each for each in answer.results if each.memory.uid == old]
        assert found.explanation is not None
        lost[by] = -found.explanation.components["interference"]
    assert 0.0 < lost["words"] < lost["embeddings"] <= 0.8


@pytest.mark.parametrize("hops", [0, 1])
async def test_what_has_replaced_a_memory_does_not_interfere_with_it(
    service: Service, cypher: Run, anna: Caller, remember: Remembers, hops: int
) -> None:
    old = await remember(
        anna, "Lena lives in Hamburg", external_id="old", occurred_at=NOW - 3 * DAY
    )
    other = await remember(anna, "Lena lives near a river", importance=2, occurred_at=NOW - 2 * DAY)
    await remember(
        anna, "Lena lives in Berlin", supersedes=("external:old",), occurred_at=NOW - DAY
    )
    cypher("MATCH (m:Memory {uid: $uid}) SET m.text = 'Lena swims'", uid=other)
    await settled(cypher)
    file = {"memory_config": {"type": "weighted", "params": {"W_interference": 1.0}}}
    await service.configure_engines.apply(anna, file)
    request = RecallRequest(
        anna, text="Lena lives", k=3, now=NOW, hops=hops, explain=True,
        filters=Filters(superseded=True),
    )  # fmt: skip
    answer = await service.recall(request)
    lost = {each.memory.uid: each.explanation for each in answer.results}
    assert all(lost.values())
    told = {uid: one.components["interference"] for uid, one in lost.items() if one}
    assert told[old] == pytest.approx(-0.4)  # by who swims (one word of two), not by Berlin
    assert told[other] == pytest.approx(-0.4)
