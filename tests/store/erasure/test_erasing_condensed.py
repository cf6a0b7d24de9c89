"""Erasing around real consolidations: places in sessions come back, clusters go, and the session still reads in order."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from service.bootstrap import Service
from tests.conftest import Run
from tests.store.erasing import naming, state_of
from tests.store.reading import linked

pytestmark = pytest.mark.usefixtures("in_pairs")

HOME = "local/agent/anna"
SAID = [
    "Ada Lovelace asked for the quarterly report of the Turin office on Monday.",
    "The quarterly report of the Turin office was sent to Ada Lovelace on Tuesday.",
    "Ada Lovelace read the quarterly report of the Turin office on Wednesday.",
    "Ada Lovelace praised the quarterly report of the Turin office on Thursday.",
]


async def condensed_session(service: Service, cypher: Run) -> tuple[list[str], list[str]]:
    """Remember a session and condense it; return its memories, and what they were condensed to."""
    rows = [
        NewMemory(HOME, text, session_id="s", agent_id="anna", stratum="episodic") for text in SAID
    ]
    saved = await service.remember(rows)
    await linked(service)
    await service.consolidate(Caller("local", "anna"), dry_run=False, everything=True)
    made = cypher("MATCH (m:Memory)-[:PROMOTED_FROM]->() RETURN DISTINCT m.uid AS uid")
    return [answer.uid or "" for answer in saved], [row["uid"] for row in made]


def chain(cypher: Run) -> list[str]:
    """Return the texts of the session in its order, as its edges say."""
    rows = cypher(
        "MATCH (m:Memory {session_id: 's'}) WHERE m.sequence IS NOT NULL AND NOT (:Memory)-[:NEXT]->(m) "
        "MATCH path = (m)-[:NEXT*0..]->(last) WHERE NOT (last)-[:NEXT]->() "
        "RETURN [each IN nodes(path) | each.text] AS texts"
    )
    assert len(rows) == 1, rows
    return rows[0]["texts"]


async def test_the_sources_of_what_goes_stand_in_their_session_again(
    service: Service, cypher: Run, anna: Caller
) -> None:
    uids, made = await condensed_session(service, cypher)
    assert made
    deleting = replace(
        service.delete_memory, erase=replace(service.erase, most=timedelta(minutes=5))
    )
    erasure = await deleting(anna, uids[1])
    assert erasure.counts["derived"] == 1
    assert chain(cypher)[0] == SAID[0]
    assert (state_of(cypher, uids[0]), state_of(cypher, uids[1])) == ("active", None)
    assert naming(cypher, SAID[1]) == []
    left = cypher("MATCH (c:Cluster) UNWIND c.sources AS uid RETURN collect(uid) AS uids")
    assert uids[1] not in left[0]["uids"]


async def test_a_session_goes_with_what_left_its_places(
    service: Service, cypher: Run, anna: Caller
) -> None:
    await condensed_session(service, cypher)
    erase = replace(service.erase, most=timedelta(minutes=5))
    await erase.session(anna, "s")
    assert cypher("MATCH (m:Memory) RETURN m.text") == []
    assert cypher("MATCH (s:Session) RETURN s") == []


async def test_nothing_of_a_consolidation_names_an_erased_agent(
    service: Service, cypher: Run, anna: Caller
) -> None:
    await condensed_session(service, cypher)
    await replace(service.erase, most=timedelta(minutes=5)).owner(anna)
    assert naming(cypher, "anna", "Turin") == []
