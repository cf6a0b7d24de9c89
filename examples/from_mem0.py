"""Turns what mem0 holds into lines that `stratagraph import` reads.

    python examples/from_mem0.py memories.json --history history.db > mem0.jsonl
    stratagraph import mem0.jsonl

`memories.json` is what `Memory.get_all()` gives, as JSON, or the points of its vector store, each with
`id` and `payload`; as a list, under `results`, or one per line. `history.db` is mem0's SQLite file; what
memories held before their updates becomes their versions.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

Row = dict[str, Any]

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
NAMESPACE = uuid.UUID("6f1d3b52-1d0c-4d5b-9a55-0d6a1f6c7e10")
OWN = {"id", "memory", "data", "hash", "created_at", "updated_at", "metadata", "expiration_date"}
WHO = {"user_id", "agent_id", "run_id", "actor_id", "role"}
INDEXED = {"text_lemmatized", "score"}


def read(file: Path) -> list[Row]:
    """Read a dump in any of its forms."""
    text = file.read_text(encoding="utf-8")
    try:
        whole: Any = json.loads(text)
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    if isinstance(whole, dict) and "results" in whole:
        whole = cast("Row", whole)["results"]
    return cast("list[Row]", whole) if isinstance(whole, list) else [whole]


def convert(
    dump: Iterable[Row], history: Iterable[Row] = (), agent: str = "mem0", salt: str = ""
) -> Iterator[Row]:
    """Yield lines: memories in the order of their times, then their versions."""
    memories = sorted(
        map(flat, dump), key=lambda row: (time(row.get("created_at")) or "", row["id"])
    )
    scopes = {str(row["id"]): scope_of(row, agent) for row in memories}
    places = Counter[tuple[str, str]]()
    for row in memories:
        yield memory(row, scopes[str(row["id"])], agent, places, salt)
    for event in history:
        scope = scopes.get(str(event["memory_id"]))
        if scope and event["event"] == "UPDATE" and event["old_memory"]:
            yield version(event, scope, salt)


def flat(row: Row) -> Row:
    """Bring a point of the vector store into the form of `get_all()`."""
    return {**row["payload"], "id": row["id"]} if "payload" in row else row


def scope_of(row: Row, agent: str) -> str:
    """A memory of a user is the user's, else the agent's."""
    return (
        f"user/{row['user_id']}" if row.get("user_id") else f"agent/{row.get('agent_id') or agent}"
    )


def memory(row: Row, scope: str, agent: str, places: Counter[tuple[str, str]], salt: str) -> Row:
    created, updated = time(row.get("created_at")), time(row.get("updated_at"))
    rest = {name: row[name] for name in row.keys() - OWN - WHO - INDEXED if row[name] is not None}
    kept = {name: row[name] for name in ("hash", "role") if row.get(name)}
    line: Row = {
        "type": "memory",
        "uid": uid(salt, scope, row["id"]),
        "external_id": f"mem0:{row['id']}",
        "scope": scope,
        "text": row.get("memory") or row.get("data"),
        "agent_id": row.get("agent_id") or agent,
        "user_id": row.get("user_id"),
        "speaker": row.get("actor_id"),
        "source_type": "mem0",
        "occurred_at": created,
        "recorded_at": updated or created,
        "expires_at": time(row.get("expiration_date")),
        "metadata": {**rest, **(row.get("metadata") or {}), "mem0": kept},
    }
    if run := row.get("run_id"):
        line |= {"session_id": run, "sequence": places[scope, run]}
        places[scope, run] += 1
    return said(line)


def version(event: Row, scope: str, salt: str) -> Row:
    at = time(event["updated_at"] or event["created_at"])
    return {
        "type": "version",
        "uid": uid(salt, scope, event["id"]),
        "memory_uid": uid(salt, scope, event["memory_id"]),
        "scope": scope,
        "replaced_at": at or datetime.now(UTC).isoformat(),
        "kind": "observation",
        "text": event["old_memory"],
    }


def said(line: Row) -> Row:
    return {name: value for name, value in line.items() if value is not None}


def uid(*names: object) -> str:
    """Make a ULID from names: the same each time, another for another owner."""
    number = uuid.uuid5(NAMESPACE, "/".join(map(str, names))).int
    return "".join(ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))


def time(value: str | None) -> str | None:
    """Write a time with its zone; mem0's are UTC where they say nothing."""
    if not value:
        return None
    at = datetime.fromisoformat(value)
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC).isoformat()


def read_history(file: Path) -> list[Row]:
    """Read the history of mem0's SQLite file, oldest first."""
    with sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True) as database:
        database.row_factory = sqlite3.Row
        rows = database.execute("SELECT * FROM history ORDER BY updated_at, created_at, rowid")
        return [dict(row) for row in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("dump", type=Path, help="JSON of get_all(), or points with payload")
    parser.add_argument("--history", type=Path, help="mem0's history.db")
    parser.add_argument("--agent", default="mem0", help="whose memories without an agent are")
    parser.add_argument("--salt", default="", help="for the same dump in another tenant")
    given = parser.parse_args()
    history = read_history(given.history) if given.history else []
    for line in convert(read(given.dump), history, given.agent, given.salt):
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
