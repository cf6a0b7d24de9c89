"""The floor: the least that any answer from this database costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import neo4j

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.model import Vector

_BARE_SEARCH = """CYPHER 25
MATCH (m:Memory)
  SEARCH m IN (VECTOR INDEX memory_embedding_a FOR $embedding WHERE m.scope IN $scopes LIMIT 20)
  SCORE AS score
RETURN m.uid AS uid, score"""


async def bare_search(
    driver: neo4j.AsyncDriver, database: str, embedding: Vector, scopes: Sequence[str]
) -> list[tuple[str, float]]:
    """Run the bare vector query with the scope filter alone: 20 uids and scores."""
    parameters = {"embedding": embedding.tolist(), "scopes": list(scopes)}
    open_session = driver.session  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] -- **config is untyped in the driver
    async with open_session(database=database, default_access_mode=neo4j.READ_ACCESS) as session:
        result = await session.run(_BARE_SEARCH, parameters)
        return [(record["uid"], record["score"]) async for record in result]
