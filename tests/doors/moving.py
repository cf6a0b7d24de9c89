"""Exports and imports over HTTP, and comparable dumps of a graph."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import httpx

from tests.conftest import Run

NDJSON = {"Content-Type": "application/x-ndjson"}
WIPE = "MATCH (n) WHERE NOT n:Schema AND NOT n:Lease AND NOT n:Tenant DETACH DELETE n"
# Running state, which an export omits.
_RUNNING = "n:Schema OR n:Lease OR n:Tenant OR n:Event OR n:EventClock OR n:UtilityConfig OR n:ConfigChange OR n:Run"
# Written to take locks, or about the last write.
MOMENTARY = {
    "changed_at",
    "linked_at",
    "unlinked_since",
    "reported_at",
    "asked_at",
    "version",
    "solved_waiting",
}

Line = dict[str, Any]


async def exported(client: httpx.AsyncClient, **query: Any) -> list[Line]:
    """Export the whole tenant, unless given other options."""
    answer = await client.get("/v1/export", params=query or {"scope": "tenant", "vectors": True})
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.content.splitlines()]


def of(lines: Iterable[Line], kind: str) -> list[Line]:
    return [line for line in lines if line["type"] == kind]


def content(lines: Iterable[Line]) -> list[str]:
    """Return the export of a graph in normal order."""
    frame = {"header", "position"}
    kept = [line for line in lines if line["type"] not in frame]
    return sorted(
        json.dumps({**line, "speakers": sorted(line.get("speakers", []))}, sort_keys=True)
        for line in kept
    )


def written(lines: Iterable[Line | str | bytes]) -> bytes:
    """Return lines as bytes; text and bytes are unchanged."""
    raw = [
        line
        if isinstance(line, bytes)
        else (line if isinstance(line, str) else json.dumps(line)).encode()
        for line in lines
    ]
    return b"".join(line + b"\n" for line in raw)


async def imported(
    client: httpx.AsyncClient,
    lines: Iterable[Line | str | bytes] | bytes,
    headers: Mapping[str, str] | None = None,
    **query: Any,
) -> list[Line]:
    """Import; returns the lines of the answer."""
    body = lines if isinstance(lines, bytes) else written(lines)
    answer = await client.post(
        "/v1/import", content=body, params=query, headers={**NDJSON, **(headers or {})}
    )
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.content.splitlines()]


def everything(cypher: Run) -> list[str]:
    """Return every node and edge with all properties, without transient ones."""
    nodes = cypher(
        f"MATCH (n) WHERE NOT ({_RUNNING}) RETURN labels(n) AS labels, properties(n) AS properties"
    )
    edges = cypher(
        "MATCH (a)-[r]->(b) RETURN type(r) AS type, properties(r) AS properties, "
        "coalesce(a.uid, a.task_id, a.scope) AS a, coalesce(b.uid, b.task_id, b.scope) AS b"
    )
    return sorted(_shown(row) for row in [*nodes, *edges])


def _shown(row: Mapping[str, Any]) -> str:
    kept = {name: value for name, value in row["properties"].items() if name not in MOMENTARY}
    for count in ("link_count", "attempts", "successes"):
        if kept.get(count) == 0:
            del kept[count]  # none left, or never any
    for names in kept.keys() & {"keys", "speakers"}:
        kept[names] = sorted(kept[names])
    rest = {name: sorted(value) if name == "labels" else value for name, value in row.items()}
    return json.dumps({**rest, "properties": kept}, sort_keys=True, default=str)
