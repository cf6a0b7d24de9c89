"""A graph as the first release left it, opened by this one."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from graph.database.driver import Connection
from graph.database.keys import folded, integer_key
from graph.kernel.embedding import EmbedderIdentity
from graph.kernel.scope import Caller, hashed_key
from graph.ports.world import Embedder
from graph.store.operation.migrate import LATEST, migrate, schema_state
from service.bootstrap import Service, open_service
from service.settings import Settings
from service.use_cases.recall.recall import RecallRequest
from tests.conftest import Run

pytestmark = pytest.mark.slow

IDENTITY = EmbedderIdentity("bge-small-en-v1.5-int8", 384)
TEXT = "The spare key hangs behind the shed."
UID = "01M7XEBE7WXSAJEC4H1DWASECT"
THEN = datetime(2026, 8, 1, 12, tzinfo=UTC)
NEVER = datetime(9999, 12, 31, tzinfo=UTC)

SAVE_MEMORY = """
CYPHER 25
CREATE (m:Memory:Observation)
SET m = $properties
WITH m
CALL db.create.setNodeVectorProperty(m, 'embedding_a', $vector)
RETURN m.uid AS uid
"""
SAVE_SCHEMA = """
MATCH (s:Schema {name: 'schema'}) DELETE s
CREATE (:Schema {name: 'schema', version: 1, embedder: 'bge-small-en-v1.5-int8', dimension: 384,
                 slot: 'a', created_at: $now, migrated_at: $now})
"""


def properties(scope: str) -> dict[str, Any]:
    """What schema 1 kept of a memory."""
    said: dict[str, Any] = {"kind": "observation", "text": TEXT, "context_text": TEXT}
    said |= {
        "folded_text": folded(TEXT),
        "content_type": "text",
        "embedder": "bge-small-en-v1.5-int8",
    }
    said |= {"stratum": "long_term", "state": "active", "importance": 3, "tags": ["home"]}
    said |= {"keys": [], "domain": "", "domain_key": integer_key(None), "phase": ""}
    said |= {"model": "", "model_key": integer_key(None), "correct": "", "content_hash": "1f"}
    times = {"occurred_at": THEN, "recorded_at": THEN, "valid_from": datetime(1, 1, 1, tzinfo=UTC)}
    times |= {"valid_to": NEVER, "expires_at": NEVER, "w_at": THEN}
    owner = {"uid": UID, "tenant": "local", "scope": scope, "scope_key": hashed_key(scope)}
    owner |= {"agent_id": "anna", "session_id": ""}
    keys = {"agent_key": integer_key("anna"), "session_key": integer_key(None)}
    learned = {"q_value": 0.8, "q_count": 3, "q_m2": 0.01, "initialized_from": "default"}
    counts = {"retrieval_count": 4, "success_count": 3, "failure_count": 0, "access_count": 5}
    return {**said, **times, **owner, **keys, **learned, **counts, "w0": 1.0}


async def test_a_graph_of_the_first_schema_is_brought_up_to_date_and_answers(
    service: Service,
    connection: Connection,
    settings: Settings,
    embedder: Embedder,
    cypher: Run,
    now: datetime,
    anna: Caller,
) -> None:
    await migrate(service.database, IDENTITY, now, target=1)
    vector = [float(number) for number in embedder.embed([TEXT])[0]]
    cypher(SAVE_MEMORY, properties=properties(anna.writable()), vector=vector)
    cypher(SAVE_SCHEMA, now=THEN)

    async with open_service(settings, connection, embedder) as opened:
        assert (await schema_state(opened.database)).version == LATEST
        assert await opened.readiness() == {}
        memory = await opened.get_memory(anna, UID)
        assert (memory.text, memory.q_value, memory.q_count) == (TEXT, 0.8, 3)
        assert memory.recorded_at == THEN
        question = RecallRequest(anna, text="Where is the spare key?")
        deadline = asyncio.get_running_loop().time() + 10
        while not (results := (await opened.recall(question)).results):
            assert asyncio.get_running_loop().time() < deadline
            await asyncio.sleep(0.05)
        assert [result.memory.uid for result in results] == [UID]
        assert results[0].similarity > 0.3
