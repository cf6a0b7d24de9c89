"""Dumps of other memories become lines, and the lines land: run as a reader would run them."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import sys
from pathlib import Path
from typing import Any

import httpx

from tests.conftest import Connection, Run
from tests.doors.moving import WIPE, everything, imported, of
from tests.store.reading import assert_whole

EXAMPLES = Path(__file__).parents[3] / "examples"
COFFEE, TRAIN, RULE = (
    "8d0f0a52-0c1e-4c6c-9b1e-1f5b7a3d9e01",
    "8d0f0a52-0c1e-4c6c-9b1e-1f5b7a3d9e02",
    "8d0f0a52-0c1e-4c6c-9b1e-1f5b7a3d9e03",
)
MEM0: list[dict[str, Any]] = [
    {
        "id": TRAIN,
        "memory": "Takes the train at 7:40",
        "hash": "0a",
        "metadata": {"city": "Oslo"},
        "created_at": "2026-02-02T08:00:00.123456-08:00",
        "updated_at": None,
        "user_id": "ada",
        "agent_id": "planner",
        "run_id": "r1",
        "actor_id": "Ada",
        "role": "user",
    },
    {
        "id": COFFEE,
        "memory": "Drinks coffee without milk",
        "hash": "0b",
        "created_at": "2026-02-01T08:00:00",
        "updated_at": "2026-02-05T08:00:00",
        "user_id": "ada",
        "run_id": "r1",
        "expiration_date": "2031-01-01",
    },
    {
        "id": RULE,
        "memory": "Answer in one sentence",
        "agent_id": "planner",
        "categories": ["style"],
    },
]


async def lines_by(script: str, *arguments: str, **environment: str) -> list[dict[str, Any]]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(EXAMPLES / script),
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **environment},
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return [json.loads(line) for line in out.splitlines()]


def history(file: Path) -> None:
    with sqlite3.connect(file) as database:
        database.execute(
            "CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory "
            "TEXT, event TEXT, created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, "
            "actor_id TEXT, role TEXT)"
        )
        rows = [
            ("h1", COFFEE, None, "Drinks coffee", "ADD", "2026-02-01T08:00:00", None, 0),
            ("h2", COFFEE, "Drinks coffee", "Drinks coffee without milk", "UPDATE",
             "2026-02-01T08:00:00", "2026-02-05T08:00:00", 0),
            ("h3", "gone", "Was there", None, "DELETE", "2026-02-01T08:00:00", None, 1),
            ("h4", "gone", "Was", "Was there", "UPDATE", "2026-02-01T08:00:00", None, 0),
        ]  # fmt: skip
        database.executemany(
            "INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)", rows
        )
    database.close()


async def test_what_mem0_holds(client: httpx.AsyncClient, cypher: Run, tmp_path: Path) -> None:
    dump, past = tmp_path / "mem0.json", tmp_path / "history.db"
    dump.write_text(json.dumps({"results": MEM0}), encoding="utf-8")
    history(past)
    lines = await lines_by("from_mem0.py", str(dump), "--history", str(past), "--agent", "helper")
    answer = await imported(client, lines)
    assert not [line for line in answer if line["type"] in {"rejected", "skipped"}]
    assert answer[-1]["counts"]["created"] == 4
    chain = assert_whole(cypher, "local/user/ada", "r1")
    assert [turn["text"] for turn in chain] == [MEM0[1]["memory"], MEM0[0]["memory"]]
    stored = {row["m"]["external_id"]: row["m"] for row in cypher("MATCH (m:Memory) RETURN m")}
    train, rule = stored[f"mem0:{TRAIN}"], stored[f"mem0:{RULE}"]
    assert train["scope"] == "local/user/ada"
    assert (train["agent_id"], train["user_id"], train["speaker"]) == ("planner", "ada", "Ada")
    assert train["occurred_at"].iso_format() == "2026-02-02T16:00:00.123456000+00:00"
    assert json.loads(train["metadata"])["city"] == "Oslo"
    assert rule["scope"] == "local/agent/planner"
    assert json.loads(rule["metadata"])["categories"] == ["style"]
    coffee = stored[f"mem0:{COFFEE}"]
    assert coffee["agent_id"] == "helper"
    assert coffee["expires_at"].year == 2031
    [past_text] = cypher("MATCH (v:Version)-[:VERSION_OF]->(m) RETURN v.text AS t, m.uid AS uid")
    assert past_text == {"t": "Drinks coffee", "uid": coffee["uid"]}
    before = everything(cypher)
    assert (await imported(client, lines))[-1]["counts"]["unchanged"] == 4
    assert everything(cypher) == before


async def test_points_of_mem0s_vector_store(client: httpx.AsyncClient, tmp_path: Path) -> None:
    payloads: list[dict[str, Any]] = [
        {**row, **row.get("metadata", {}), "data": row["memory"], "text_lemmatized": "x"}
        for row in MEM0
    ]
    for payload in payloads:
        payload.pop("metadata", None)
        del payload["memory"]
    points = [{"id": payload.pop("id"), "payload": payload} for payload in payloads]
    one_per_line, one = tmp_path / "points.jsonl", tmp_path / "one.json"
    one_per_line.write_text("\n".join(map(json.dumps, points)), encoding="utf-8")
    one.write_text(json.dumps(MEM0), encoding="utf-8")
    lines = await lines_by("from_mem0.py", str(one_per_line))
    assert lines == await lines_by("from_mem0.py", str(one))
    salted = await lines_by("from_mem0.py", str(one), "--salt", "acme")
    assert not {line["uid"] for line in lines} & {line["uid"] for line in salted}
    answer = await imported(client, lines)
    assert answer[-1]["counts"]["created"] == 3


GRAPH = """
CREATE (e1:Episodic {uuid: 'e1', name: 'turn 1', group_id: 'ada', content: 'Ada: I moved to Oslo.',
  source: 'message', source_description: 'chat', created_at: datetime('2026-03-02T10:00:00Z'),
  valid_at: datetime('2026-03-01T10:00:00.123456789Z'), entity_edges: ['f1']})
CREATE (e0:Episodic {uuid: 'e0', name: 'turn 0', group_id: 'ada', content: 'Ada: I live in Bergen.',
  source: 'message', created_at: datetime('2026-03-02T10:00:00Z'),
  valid_at: datetime('2020-01-01T10:00:00+02:00'), entity_edges: ['f0']})
CREATE (a:Entity:Person {uuid: 'a', name: 'Ada', group_id: 'ada', summary: 'A teacher.',
  created_at: datetime('2026-03-02T10:00:00Z')})
CREATE (o:Entity:City {uuid: 'o', name: 'Oslo', group_id: 'ada', summary: '',
  created_at: datetime('2026-03-02T10:00:00Z')})
CREATE (b:Entity {uuid: 'b', name: 'Bergen', group_id: 'ada',
  created_at: datetime('2026-03-02T10:00:00Z')})
CREATE (a)-[:RELATES_TO {uuid: 'f1', name: 'LIVES_IN', group_id: 'ada', fact: 'Ada lives in Oslo',
  episodes: ['e1'], created_at: datetime('2026-03-02T10:00:00Z'),
  valid_at: datetime('2026-03-01T10:00:00Z')}]->(o)
CREATE (a)-[:RELATES_TO {uuid: 'f0', name: 'LIVES_IN', group_id: 'ada', fact: 'Ada lives in Bergen',
  episodes: ['e0'], created_at: datetime('2026-03-02T10:00:00Z'),
  valid_at: datetime('2020-01-01T10:00:00Z'), invalid_at: datetime('2026-03-01T10:00:00Z'),
  expired_at: datetime('2026-03-02T11:00:00Z')}]->(b)
CREATE (e1)-[:MENTIONS {uuid: 'm1', group_id: 'ada'}]->(a), (e1)-[:MENTIONS {uuid: 'm2'}]->(o)
"""


async def test_a_graph_of_graphiti(
    client: httpx.AsyncClient, cypher: Run, connection: Connection, tmp_path: Path
) -> None:
    cypher(GRAPH)
    lines = await lines_by(
        "from_graphiti.py",
        "--neo4j",
        connection.uri,
        NEO4J_USERNAME=connection.username,
        NEO4J_PASSWORD=connection.password,
    )
    query = (EXAMPLES / "from_graphiti.py").read_text().split('"""')[3]
    dump = tmp_path / "graphiti.json"
    dump.write_text(json.dumps(cypher(query)), encoding="utf-8")
    assert sorted(map(str, await lines_by("from_graphiti.py", str(dump)))) == sorted(
        map(str, lines)
    )
    cypher(WIPE)
    answer = await imported(client, lines)
    assert not of(answer, "rejected")
    assert answer[-1]["types"]["memory"]["created"] == 7
    assert answer[-1]["types"]["edge"]["created"] == 8
    chain = assert_whole(cypher, "local/user/ada", "ada")
    assert [turn["text"] for turn in chain] == ["Ada: I live in Bergen.", "Ada: I moved to Oslo."]
    held = cypher(
        "MATCH (m:Insight)-[:DERIVED_FROM]->(e:Observation) MATCH (m)-[:USED]->(c:Concept) "
        "RETURN m.text AS text, e.external_id AS episode, collect(c.text) AS about, "
        "m.valid_to.year AS until ORDER BY text"
    )
    assert [(row["text"], row["episode"], sorted(row["about"]), row["until"]) for row in held] == [
        ("Ada lives in Bergen", "graphiti:e0", ["Ada: A teacher.", "Bergen"], 2026),
        ("Ada lives in Oslo", "graphiti:e1", ["Ada: A teacher.", "Oslo"], 9999),
    ]
    assert (await imported(client, lines))[-1]["counts"]["unchanged"] == 15
    agents = await lines_by("from_graphiti.py", str(dump), "--owner", "agent")
    assert {line["scope"] for line in agents if "scope" in line} == {"agent/ada"}
    assert not of(await imported(client, agents), "rejected")
