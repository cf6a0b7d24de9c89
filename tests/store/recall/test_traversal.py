"""Edges that a recall walks over: typed ones, and none that the background found."""

from __future__ import annotations

from dataclasses import replace

from graph.kernel.scope import Caller
from service.bootstrap import Service
from service.use_cases.recall.recall import RecallRequest
from tests.conftest import Remembers, Run
from tests.store.reading import linked, settled, uids


async def test_what_a_client_calls_similar_is_walked_and_what_the_background_found_is_not(
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

    async def seen() -> set[str]:
        limits = replace(service.recall.defaults.limits, vector=2, lexical=2)
        recall = replace(service.recall, defaults=replace(service.recall.defaults, limits=limits))
        asked = RecallRequest(anna, text="Which orchestra plays in Vienna?", k=2, explain=True)
        answer = await recall(asked)
        return {miss.uid for miss in answer.near_misses} | set(uids(answer))

    assert far not in await seen()
    cypher("MATCH ()-[r:SIMILAR_TO]->({uid: $far}) REMOVE r.similarity", far=far)
    assert far in await seen()
