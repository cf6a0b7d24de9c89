"""Turns a graphiti graph in Neo4j into lines that `stratagraph import` reads.

    NEO4J_PASSWORD=… python examples/from_graphiti.py --neo4j bolt://localhost:7687 > graphiti.jsonl
    stratagraph import graphiti.jsonl

In place of `--neo4j`, the JSON of the query below, exported from Neo4j Browser, can be given as a
file. Episodes become observations in a session, entities concepts, facts insights with the span of time in
which they hold. A fact is derived from its episodes and uses its two entities; an episode uses the
entities that it mentions.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, LiteralString

Row = dict[str, Any]

QUERY: LiteralString = """
MATCH (n:Episodic)
RETURN 'episode' AS kind,
       n {.uuid, .name, .group_id, .content, .source, .source_description,
          created_at: toString(n.created_at), valid_at: toString(n.valid_at)} AS row
UNION ALL
MATCH (n:Entity)
RETURN 'entity' AS kind,
       n {.uuid, .name, .group_id, .summary, labels: labels(n),
          created_at: toString(n.created_at)} AS row
UNION ALL
MATCH (a:Entity)-[e:RELATES_TO]->(b:Entity)
RETURN 'fact' AS kind,
       e {.uuid, .name, .group_id, .fact, .episodes, source: a.uuid, target: b.uuid,
          created_at: toString(e.created_at), expired_at: toString(e.expired_at),
          valid_at: toString(e.valid_at), invalid_at: toString(e.invalid_at)} AS row
UNION ALL
MATCH (p:Episodic)-[:MENTIONS]->(n:Entity)
RETURN 'mention' AS kind, {group_id: p.group_id, episode: p.uuid, entity: n.uuid} AS row
"""

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
NAMESPACE = uuid.UUID("0b2f4c1e-6e0b-4f6e-8a36-5d6f3a1f9b42")


class Converter:
    """Lines of one dump; ``owner`` is what a group is here: agent, channel or user."""

    def __init__(self, owner: str = "user", group: str = "graphiti", salt: str = "") -> None:
        self._owner = owner
        self._group = group
        self._salt = salt
        self._places = Counter[str]()

    def convert(self, dump: Iterable[Row]) -> Iterator[Row]:
        """Yield memories first, episodes in the order of their times, then edges."""
        kinds: dict[str, list[Row]] = {"episode": [], "entity": [], "fact": [], "mention": []}
        for record in dump:
            kinds[record["kind"]].append(record["row"])
        for row in sorted(
            kinds["episode"], key=lambda row: (time(row["valid_at"]) or "", row["uuid"])
        ):
            yield self._episode(row)
        yield from (self._entity(row) for row in kinds["entity"] if row["name"])
        yield from (self._fact(row) for row in kinds["fact"] if row["fact"])
        for row in kinds["fact"]:
            if row["fact"]:
                for episode in row.get("episodes") or ():
                    yield self._edge("DERIVED_FROM", row, row["uuid"], episode)
                for entity in sorted({row["source"], row["target"]}):
                    yield self._edge("USED", row, row["uuid"], entity)
        for row in kinds["mention"]:
            yield self._edge("USED", row, row["episode"], row["entity"])

    def _episode(self, row: Row) -> Row:
        scope = self._scope(row)
        place = self._places[scope]
        self._places[scope] += 1
        session = row["group_id"] or self._group
        return self._memory(
            row,
            "observation",
            text=row["content"],
            session_id=session,
            sequence=place,
            source_type=row.get("source"),
            occurred_at=time(row["valid_at"]) or time(row["created_at"]),
            metadata=said({name: row.get(name) for name in ("name", "source_description")}),
        )

    def _entity(self, row: Row) -> Row:
        text = f"{row['name']}: {row['summary']}" if row.get("summary") else row["name"]
        tags = sorted(set(row.get("labels") or ()) - {"Entity"})
        return self._memory(row, "concept", text=text, tags=tags, metadata={"name": row["name"]})

    def _fact(self, row: Row) -> Row:
        since = time(row["valid_at"])
        until = time(row["invalid_at"]) or time(row["expired_at"])
        whole = since is None or until is None or since < until
        return self._memory(
            row,
            "insight",
            text=row["fact"],
            tags=[row["name"].lower()] if row.get("name") else [],
            occurred_at=since or time(row["created_at"]),
            valid_from=since if whole else None,
            valid_to=until,
            metadata=said({name: row.get(name) for name in ("name", "expired_at")}),
        )

    def _memory(self, row: Row, kind: str, **fields: Any) -> Row:
        scope = self._scope(row)
        owner, _, name = scope.partition("/")
        return said(
            {
                "type": "memory",
                "uid": self._uid(row, row["uuid"]),
                "external_id": f"graphiti:{row['uuid']}",
                "scope": scope,
                f"{owner}_id": name,
                "kind": kind,
                "recorded_at": time(row["created_at"]),
                **fields,
            }
        )

    def _edge(self, edge: str, row: Row, start: str, end: str) -> Row:
        return {
            "type": "edge",
            "edge": edge,
            "from": self._uid(row, start),
            "to": self._uid(row, end),
        }

    def _scope(self, row: Row) -> str:
        return f"{self._owner}/{row['group_id'] or self._group}"

    def _uid(self, row: Row, name: str) -> str:
        """Make a ULID from a name: the same each time, another for another owner."""
        number = uuid.uuid5(NAMESPACE, f"{self._salt}/{self._scope(row)}/{name}").int
        return "".join(ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))


def said(values: Row) -> Row:
    return {name: value for name, value in values.items() if value not in (None, "", [])}


def time(value: str | None) -> str | None:
    """Write a time in UTC, with at most six digits of a second, as Neo4j has nine."""
    if not value:
        return None
    at = datetime.fromisoformat(value.partition("[")[0])
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC).isoformat()


def read_neo4j(uri: str, user: str, password: str, database: str = "neo4j") -> list[Row]:
    """Run the query."""
    import neo4j

    with neo4j.GraphDatabase.driver(uri, auth=(user, password)) as driver:  # pyright: ignore[reportUnknownMemberType] -- **config is untyped in the driver
        found = driver.execute_query(QUERY, database_=database, routing_="r")
    return [record.data() for record in found.records]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("dump", type=Path, nargs="?", help="JSON of the query's records")
    parser.add_argument(
        "--neo4j", help="its address; user and password in NEO4J_USERNAME, NEO4J_PASSWORD"
    )
    parser.add_argument("--owner", choices=("agent", "channel", "user"), default="user")
    parser.add_argument("--group", default="graphiti", help="the owner of what has no group")
    parser.add_argument("--salt", default="", help="for the same dump in another tenant")
    given = parser.parse_args()
    if (given.dump is None) == (given.neo4j is None):
        parser.error("name a file, or --neo4j")
    if given.neo4j:
        user = os.environ.get("NEO4J_USERNAME", "neo4j")
        dump = read_neo4j(given.neo4j, user, os.environ.get("NEO4J_PASSWORD", ""))
    else:
        dump = json.loads(given.dump.read_text(encoding="utf-8"))
    for line in Converter(given.owner, given.group, given.salt).convert(dump):
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
