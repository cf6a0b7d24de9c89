"""Recalls that walk over what the background found: off unless they have a weight."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from graph.model.recall.candidates import Explanation, RecallAnswer
from service.bootstrap import Service
from service.use_cases.recall.recall import Recall, RecallRequest
from tests.conftest import Remembers, Run
from tests.store.reading import linked, settled, uids

HOME = "local/agent/anna"
ASKED = "Which orchestra plays in Vienna?"


def walking(service: Service, *, similar: float = 0.0, mentions: float = 0.0) -> Recall:
    weights = replace(service.recall.weights, similar_weight=similar, mentions_weight=mentions)
    limits = replace(service.recall.defaults.limits, vector=2, lexical=2)
    return replace(
        service.recall, weights=weights, defaults=replace(service.recall.defaults, limits=limits)
    )


async def ask(recall: Recall, caller: Caller, **options: Any) -> RecallAnswer:
    return await recall(RecallRequest(caller, text=ASKED, k=2, explain=True, **options))


def seen(answer: RecallAnswer) -> set[str]:
    return {miss.uid for miss in answer.near_misses} | set(uids(answer))


@pytest.fixture
async def story(service: Service, cypher: Run) -> dict[str, str]:
    """A seed that the question finds, what shares its name, and others nearer to the question."""
    texts = {
        "seed": "The orchestra that plays in Vienna is led by Clara Zeller.",
        "rival": "An orchestra from Vienna plays here.",
        "named": "In May Clara Zeller bought a tractor.",
        "apart": "In June somebody bought a harvester.",
    }
    saved = await service.remember([NewMemory(HOME, text) for text in texts.values()])
    await linked(service)
    await settled(cypher)
    return {name: answer.uid or "" for name, answer in zip(texts, saved, strict=True)}


async def test_by_default_only_the_typed_edges_are_walked(
    service: Service, anna: Caller, story: dict[str, str]
) -> None:
    answer = await ask(walking(service), anna)
    assert seen(answer) == {story["seed"], story["rival"]}


async def test_a_shared_name_leads_to_what_the_question_does_not_say(
    service: Service, cypher: Run, anna: Caller, story: dict[str, str]
) -> None:
    cypher("MATCH (m:Memory {uid: $uid})-[r:MENTIONS]->() DELETE r", uid=story["rival"])
    answer = await ask(walking(service, mentions=20.0), anna)
    assert story["named"] in uids(answer)
    assert story["apart"] not in seen(answer)
    [found] = [result for result in answer.results if result.memory.uid == story["named"]]
    assert isinstance(found.explanation, Explanation)
    assert found.explanation.path[-1] == f"{story['seed']} MENTIONS→←MENTIONS"
    assert found.explanation.components["neighbours"] > 0


async def test_without_hops_no_term_is_walked(
    service: Service, anna: Caller, story: dict[str, str]
) -> None:
    answer = await ask(walking(service, mentions=1.0), anna, hops=0)
    assert story["named"] not in seen(answer)


async def test_a_term_that_too_many_mention_is_passed_over(
    service: Service, cypher: Run, anna: Caller, story: dict[str, str]
) -> None:
    cypher("MATCH (t:Term {name: 'clara zeller'}) SET t.document_frequency = 21")
    answer = await ask(walking(service, mentions=1.0), anna)
    assert story["named"] not in seen(answer)


async def test_over_terms_only_so_many_memories_are_reached_the_rarest_term_first(
    service: Service, cypher: Run, anna: Caller
) -> None:
    await service.remember(
        [
            NewMemory(
                HOME, "The orchestra that plays in Vienna knows Clara Zeller and Otto Brandt."
            ),
            NewMemory(HOME, "An orchestra from Vienna plays here."),
            *(NewMemory(HOME, f"In town Clara Zeller bought tractor {i}.") for i in range(6)),
            NewMemory(HOME, "In town Otto Brandt sold a plough."),
        ]
    )
    await linked(service)
    await settled(cypher)
    recall = walking(service, mentions=1.0)
    few = replace(recall.defaults.walk, mentioning=1)
    recall = replace(recall, defaults=replace(recall.defaults, walk=few))
    answer = await ask(recall, anna)
    assert answer.candidates == 3
    assert "In town Otto Brandt sold a plough." in {miss.text for miss in answer.near_misses}


async def test_what_the_background_found_similar_is_walked_on_request(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    await remember(anna, "The orchestra that plays in Vienna rehearses on Monday.")
    await remember(anna, "An orchestra from Vienna plays here.")
    far = await remember(anna, "The tractor is red.")
    await settled(cypher)
    await linked(service)
    cypher(
        "MATCH (a:Memory), (b:Memory {uid: $far}) WHERE a.text CONTAINS 'rehearses' "
        "CREATE (a)-[:SIMILAR_TO {similarity: 0.9}]->(b)",
        far=far,
    )
    assert far not in seen(await ask(walking(service), anna))
    assert far in seen(await ask(walking(service, similar=1.0), anna))
    cypher("MATCH ()-[r:SIMILAR_TO]->({uid: $far}) REMOVE r.similarity", far=far)
    assert far in seen(await ask(walking(service), anna))
