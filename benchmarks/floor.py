"""Lower bounds: the minimum cost of any query and write in this database."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, LiteralString

import neo4j
from neo4j.vector import Vector

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import timedelta

    from graph.kernel.values import Vector as Embedding

WRITTEN = "ingest-"
"""How the names of agents begin whose memories a benchmark removes at its end."""

_BARE_SEARCH = """CYPHER 25
MATCH (m:Memory)
  SEARCH m IN (VECTOR INDEX memory_embedding_a FOR $embedding WHERE m.scope IN $scopes LIMIT 20)
  SCORE AS score
RETURN m.uid AS uid, score"""
_BARE_CREATE = """
UNWIND $rows AS row
CREATE (m:Memory)
SET m = row.properties, m += $shared
WITH m, row
CALL db.create.setNodeVectorProperty(m, 'embedding_a', row.vector)
RETURN count(*) AS created"""
_STORED_BESIDE = """
MATCH (m:Memory) WHERE m.scope = $scope
RETURN properties(m) AS properties, [label IN labels(m) WHERE label <> 'Memory'][0] AS label"""
_BARE_KINDS = """CYPHER 25
UNWIND $rows AS row
CREATE (m:Memory)
SET m = row.properties, m:$(row.label)
WITH m, row
CALL db.create.setNodeVectorProperty(m, 'embedding_a', row.vector)
RETURN count(*) AS created"""
_PROPERTIES = "MATCH (m:Memory {uid: $uid}) RETURN properties(m) AS properties"
_COUNT = "MATCH (m:Memory) RETURN count(m) AS stored"
_STATES = """
MATCH (m:Memory) WHERE m.scope = $scope
RETURN m.kind AS kind, m.state AS state, count(*) AS nodes,
       count(CASE WHEN EXISTS { (m)-[:USED]->(:Concept) } THEN 1 END) AS covered,
       sum(size(m.text) + size(coalesce(m.structured, '')) + size(coalesce(m.metadata, ''))) AS bytes"""
_REMOVE = """
MATCH (n) WHERE (n:Memory OR n:Session OR n:Scope OR n:Term) AND n.scope STARTS WITH $prefix
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 2000 ROWS"""

_FORGET = """
MATCH (n)
WHERE (n:Reward OR n:Task OR n:Credit OR n:Estimate OR n:Event) AND n.scope STARTS WITH $prefix
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 2000 ROWS"""
_UNLEARN = """
MATCH (m:Memory)
WHERE m.scope STARTS WITH $prefix
CALL (m) {
  SET m.q_value = 0.5, m.q_count = 0, m.q_m2 = 0.0, m.success_count = 0, m.failure_count = 0,
      m.initialized_from = 'default'
  REMOVE m.q_left, m.q_init, m.q_seq, m.q_base, m.q_base_left, m.q_base_m2, m.q_base_count, m.q_base_seq,
         m.q_base_at, m.last_reward_at, m.access_count
} IN TRANSACTIONS OF 5000 ROWS"""
_BARE_UPDATE = """
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})
SET m.q_value = row.q, m.q_count = row.n"""
_UIDS = "MATCH (m:Memory) WHERE m.scope = $scope AND m.kind = 'episode' RETURN m.uid AS uid ORDER BY uid"
_CREATE_BARE = """
UNWIND range(1, $memories) AS place
CALL (place) {
  CREATE (m:Memory)
  SET m.uid = 'm' + place, m.tenant = 'local', m.scope = 'local/agent/a', m.agent_id = 'a',
      m.metadata = 'note ' + place
} IN TRANSACTIONS OF 20000 ROWS"""
_REWARD_BARE = """
MATCH (m:Memory)
CALL (m) {
  CREATE (w:Reward)-[:REWARDED {seq: 1, q_before: 0.5, q_after: 0.55, reward: 1.0, target: 1.0, strength: 1.0,
    step: 0.1, share: 1.0, via: 'direct'}]->(m)
  SET m.q_value = 0.55, m.q_count = 1, m.q_left = 0.9, m.q_seq = 1, m.q_m2 = 0.025, m.success_count = 1,
      m.last_reward_at = datetime()
} IN TRANSACTIONS OF 20000 ROWS"""
_COPY = """
MATCH (m:Memory) WHERE m.scope = $scope AND NOT m.uid CONTAINS '-'
WITH m ORDER BY m.uid LIMIT $limit
CREATE (n:Memory:Observation)
SET n = m {.*, uid: m.uid + $suffix, content_hash: m.uid + $suffix, embedding_a: null}"""
_AGE = """
MATCH (m:Memory) WHERE m.scope = $scope AND m.recorded_at IS NOT NULL
CALL (m) {
  SET m.recorded_at = m.recorded_at - $by, m.w_at = m.w_at - $by
} IN TRANSACTIONS OF 5000 ROWS"""
_SETTLE = """
MATCH (m:Memory) WHERE m.unlinked_since IS NOT NULL
CALL (m) { REMOVE m.unlinked_since } IN TRANSACTIONS OF 10000 ROWS"""


async def bare_search(
    driver: neo4j.AsyncDriver, embedding: Embedding, scopes: Sequence[str]
) -> list[tuple[str, float]]:
    """Run the bare vector query with the scope filter only: 20 uids and scores."""
    vector = Vector(embedding.astype(">f4").tobytes(), "f32")
    parameters = {"embedding": vector, "scopes": list(scopes)}
    rows = await _run(driver, _BARE_SEARCH, parameters, neo4j.READ_ACCESS)
    return [(row["uid"], row["score"]) for row in rows]


async def bare_create(
    driver: neo4j.AsyncDriver,
    rows: Sequence[Mapping[str, Any]],
    vectors: Embedding,
    shared: Mapping[str, Any],
) -> None:
    """Create memories with vectors by one statement; ``shared`` are common properties."""
    packed = [
        {"properties": row, "vector": vector}
        for row, vector in zip(rows, vectors.tolist(), strict=True)
    ]
    await _run(driver, _BARE_CREATE, {"rows": packed, "shared": dict(shared)})


async def copies_of(driver: neo4j.AsyncDriver, scope: str, to: str) -> list[dict[str, Any]]:
    """Return the memories of a scope as rows of another."""
    rows = await _run(driver, _STORED_BESIDE, {"scope": scope}, neo4j.READ_ACCESS)
    copies: list[dict[str, Any]] = []
    for row in rows:
        properties = dict(row["properties"])
        vector = list(properties.pop("embedding_a"))
        name = f"{to}-{properties['uid']}"
        properties |= {"uid": name, "scope": to, "content_hash": name}
        copies.append({"properties": properties, "label": row["label"], "vector": vector})
    return copies


async def bare_kinds(driver: neo4j.AsyncDriver, rows: Sequence[Mapping[str, Any]]) -> None:
    """Create memories with the labels of their kinds and vectors by one statement, without edges."""
    await _run(driver, _BARE_KINDS, {"rows": list(rows)})


async def stored_properties(driver: neo4j.AsyncDriver, uid: str) -> dict[str, Any]:
    """Read all properties of a memory, as the driver returns them."""
    [row] = await _run(driver, _PROPERTIES, {"uid": uid}, neo4j.READ_ACCESS)
    return dict(row["properties"])


async def count_stored(driver: neo4j.AsyncDriver) -> int:
    """Count all memories."""
    [row] = await _run(driver, _COUNT, {}, neo4j.READ_ACCESS)
    return int(row["stored"])


async def count_states(driver: neo4j.AsyncDriver, scope: str) -> list[dict[str, Any]]:
    """Count memories of a scope, and approximate bytes of content, by kind and state."""
    rows = await _run(driver, _STATES, {"scope": scope}, neo4j.READ_ACCESS)
    return [dict(row) for row in rows]


async def remove_written(driver: neo4j.AsyncDriver, prefix: str = f"local/agent/{WRITTEN}") -> None:
    """Remove what a benchmark wrote into scopes with a prefix; by default what any run left."""
    await _run(driver, _REMOVE, {"prefix": prefix})


async def reset_learned(driver: neo4j.AsyncDriver, prefix: str) -> None:
    """Reset the memories of scopes with a prefix to their initial state: no rewards, tasks or accesses."""
    await _run(driver, _FORGET, {"prefix": prefix})
    await _run(driver, _UNLEARN, {"prefix": prefix})


async def bare_update(driver: neo4j.AsyncDriver, rows: Sequence[Mapping[str, Any]]) -> None:
    """Set the Q of memories by one statement: the minimum of an outcome."""
    await _run(driver, _BARE_UPDATE, {"rows": list(rows)})


async def uids_in(driver: neo4j.AsyncDriver, scope: str) -> list[str]:
    """Read the uids of all episodes of a scope."""
    rows = await _run(driver, _UIDS, {"scope": scope}, neo4j.READ_ACCESS)
    return [row["uid"] for row in rows]


async def create_bare(driver: neo4j.AsyncDriver, memories: int) -> None:
    """Create small memories without utility."""
    await _run(driver, _CREATE_BARE, {"memories": memories})


async def reward_bare(driver: neo4j.AsyncDriver) -> None:
    """Give every memory one reward of its own, with its history."""
    await _run(driver, _REWARD_BARE, {})


async def copy_memories(driver: neo4j.AsyncDriver, scope: str, suffix: str, limit: int) -> None:
    """Copy the first memories of a scope, without vectors and edges."""
    await _run(driver, _COPY, {"scope": scope, "suffix": suffix, "limit": limit})


async def age_memories(driver: neo4j.AsyncDriver, scope: str, by: timedelta) -> None:
    """Increase the age of the memories of a scope."""
    await _run(driver, _AGE, {"scope": scope, "by": by})


async def settle_links(driver: neo4j.AsyncDriver) -> None:
    """Clear the queue of memories that wait for links, as in a service that has caught up."""
    await _run(driver, _SETTLE, {})


async def _run(
    driver: neo4j.AsyncDriver,
    statement: LiteralString,
    parameters: Mapping[str, Any],
    mode: str = neo4j.WRITE_ACCESS,
) -> list[neo4j.Record]:
    open_session = driver.session  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] -- **config is untyped in the driver
    async with open_session(database="neo4j", default_access_mode=mode) as session:
        result = await session.run(statement, dict(parameters))
        return [record async for record in result]


_BARE_NODES = """
UNWIND range(1, $nodes) AS place
CREATE (n:Bare)
SET n.scope = 'local/agent/bare', n.key = $key + place, n.uses = 1, n.rate = 0.5, n.values = '{"a":[1,0]}'
RETURN count(*) AS created"""


async def bare_nodes(driver: neo4j.AsyncDriver, database: str, sizes: Sequence[int]) -> list[float]:
    """Write nodes of some properties, so many in each transaction; return the milliseconds of each."""
    spent: list[float] = []
    async with driver.session(database=database) as session:  # pyright: ignore[reportUnknownMemberType] -- **config is untyped in the driver
        for turn, nodes in enumerate(sizes):
            began = time.perf_counter()

            async def write(
                transaction: neo4j.AsyncManagedTransaction, nodes: int = nodes, turn: int = turn
            ) -> None:
                result = await transaction.run(_BARE_NODES, {"nodes": nodes, "key": f"{turn}-"})
                await result.consume()

            await session.execute_write(write)
            spent.append(1000 * (time.perf_counter() - began))
    return spent
