"""Replacements of what is condensed: edges that pass on, sentences that a later note replaces, and vectors."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from service.bootstrap import Service
from service.use_cases.recall.request import RecallRequest
from tests.conftest import Run
from tests.store.reading import linked, settled

pytestmark = pytest.mark.usefixtures("in_pairs")

HOME = "local/agent/anna"
ANNA = Caller("local", agent_id="anna")
MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
EDGES = (
    "MATCH (n:Memory {state: 'active'})-[r:SUPERSEDES]->(o:Memory) "
    "RETURN n.uid AS newer, o.uid AS older, r.ends AS ends, r.decisive AS decisive, "
    "r.evidence AS evidence ORDER BY newer, older"
)


async def remember(service: Service, *texts: str, day: int, session: str) -> list[str]:
    saved = await service.remember(
        [
            NewMemory(
                HOME,
                text,
                agent_id="anna",
                session_id=session,
                stratum="episodic",
                occurred_at=MONDAY + timedelta(days=day, minutes=place),
            )
            for place, text in enumerate(texts)
        ]
    )
    return [each.uid for each in saved if each.uid]


async def condense(service: Service) -> str:
    done = await service.consolidate(ANNA, everything=True, dry_run=False)
    assert done.run is not None
    assert done.run.counts["condensed"]
    return done.run.uid


def standing_for(cypher: Run, uid: str) -> str:
    [row] = cypher(
        "MATCH (m:Memory {state: 'active'})-[:PROMOTED_FROM]->(:Memory {uid: $uid}) RETURN m.uid AS uid",
        uid=uid,
    )
    return str(row["uid"])


def join(cypher: Run, newer: str, older: str) -> None:
    cypher(
        "MATCH (n:Memory {uid: $newer}), (o:Memory {uid: $older}) "
        "CREATE (n)-[:SUPERSEDES {confidence: 0.6, evidence: 'read together', found_by: 'detected', "
        "found_at: datetime(), since: n.occurred_at, decisive: false, ends: false}]->(o)",
        newer=newer,
        older=older,
    )


async def test_what_sources_replace_and_what_replaces_them_passes_on(
    service: Service, cypher: Run
) -> None:
    old = await remember(
        service,
        "The desk of Ada costs 300 euros.",
        "Thanks! It is made of oak.",
        day=0,
        session="old",
    )
    new = await remember(
        service,
        "The desk of Ada costs 250 euros.",
        "Thanks! It comes on Friday.",
        day=1,
        session="new",
    )
    join(cypher, new[0], old[0])
    run = await condense(service)
    newer, older = standing_for(cypher, new[0]), standing_for(cypher, old[0])
    [edge] = [row for row in cypher(EDGES) if row["older"] == older]
    assert (edge["newer"], edge["ends"], edge["decisive"]) == (newer, False, False)
    await service.undo_consolidation(ANNA, run)
    [edge] = cypher(EDGES)
    assert (edge["newer"], edge["older"]) == (new[0], old[0])


async def test_a_later_note_stands_before_the_sentence_that_it_replaces(
    service: Service, cypher: Run
) -> None:
    first = await remember(
        service,
        "Hello! Lena is allergic to peanuts.",
        "Lena lives in Hamburg with her sister.",
        day=0,
        session="old",
    )
    await condense(service)
    note = standing_for(cypher, first[0])
    await settled(cypher)
    await linked(service)
    [now] = await remember(service, "Lena no longer lives in Hamburg.", day=9, session="new")
    await settled(cypher)
    await linked(service)
    [edge] = cypher(EDGES)
    assert (edge["newer"], edge["older"], edge["ends"], edge["decisive"]) == (
        now,
        note,
        False,
        False,
    )
    assert edge["evidence"].endswith("Lena lives in Hamburg with her sister.")
    answer = await service.recall(RecallRequest(ANNA, "Does Lena live in Hamburg?", k=5))
    found = [each.memory.uid for each in answer.results]
    assert found[0] == now
    assert note in found


async def test_a_condensed_memory_has_the_mean_direction_of_its_sources(
    service: Service, cypher: Run
) -> None:
    texts = (
        "Hello! Ada paints birds on Tuesday.",
        "Grace sails to Oslo in June with the old boat.",
    )
    uids = await remember(service, *texts, day=0, session="old")
    slot = service.embedders.reading.slot
    vectors = [
        np.array(row["v"], dtype=np.float32)
        for uid in uids
        for row in cypher(f"MATCH (m:Memory {{uid: $uid}}) RETURN m.embedding_{slot} AS v", uid=uid)
    ]
    await condense(service)
    note = standing_for(cypher, uids[0])
    [row] = cypher(f"MATCH (m:Memory {{uid: $uid}}) RETURN m.embedding_{slot} AS v", uid=note)
    mean = sum(len(text) * vector for text, vector in zip(texts, vectors, strict=True))
    assert isinstance(mean, np.ndarray)
    assert np.allclose(row["v"], mean / np.linalg.norm(mean), atol=1e-5)
