"""A snapshot of a graph, restored as often as needed."""

from __future__ import annotations

from collections.abc import Callable

from tests.conftest import Run

_WIPE = "MATCH (n) WHERE NOT n:Schema AND NOT n:Lease DETACH DELETE n"
_NODES = """
MATCH (n) WHERE NOT n:Schema AND NOT n:Lease
RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS properties
"""
_EDGES = """
MATCH (a)-[r]->(b)
RETURN elementId(a) AS a, elementId(b) AS b, type(r) AS type, properties(r) AS properties
"""
_CREATE = """
CYPHER 25
UNWIND $nodes AS node
CREATE (n:$(node.labels))
SET n = node.properties
WITH collect(n) AS made
UNWIND $edges AS edge
WITH made[edge.a] AS a, made[edge.b] AS b, edge
CREATE (a)-[r:$(edge.type)]->(b)
SET r = edge.properties
"""


def kept(cypher: Run) -> Callable[[], None]:
    """Take a snapshot; the returned function restores it, and removes what the service wrote."""
    nodes = cypher(_NODES)
    place = {node["id"]: index for index, node in enumerate(nodes)}
    edges = [edge | {"a": place[edge["a"]], "b": place[edge["b"]]} for edge in cypher(_EDGES)]

    def give_back() -> None:
        cypher(_WIPE)
        cypher(_CREATE, nodes=nodes, edges=edges)

    return give_back
