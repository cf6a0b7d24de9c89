"""Erasures as nodes; a finished one no longer names its subject."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any

from cypher import QUERIES
from graph.database.driver import Rows
from graph.database.rows import from_row
from graph.model.erasure.receipts import Erasure, Subject

ERASURE = "erasure"  # the kind of these runs


async def read_erasure(ask: Callable[..., Awaitable[Rows]], uid: str) -> Erasure | None:
    return one_erasure(
        await ask(QUERIES["database.read_runs"].choose("one"), {"uid": uid, "kind": ERASURE})
    )


def one_erasure(rows: Rows) -> Erasure | None:
    """Read the erasure among the rows of a run; None if there is none, or it is another kind of run."""
    run = rows[0]["run"] if rows else None
    return to_erasure(run) if run is not None and run["kind"] == ERASURE else None


def subject_key(subject: Subject) -> str:
    return "\n".join((subject.kind, subject.scope, subject.name))


def told(counts: Mapping[str, int]) -> str:
    return json.dumps({name: n for name, n in sorted(counts.items()) if n})


def receipt_properties(
    uid: str, subject: Subject, now: datetime, meant: Mapping[str, int]
) -> dict[str, Any]:
    named = {"meant": list(meant), "revisions": list(meant.values())} if meant else {}
    return {
        **named,
        "uid": uid,
        "kind": ERASURE,
        "tenant": subject.tenant,
        "of": subject.kind,
        "by": "hand",
        "state": "running",
        "stage": "hide",
        "after": "",
        "started_at": now,
        "digest": subject.digest(uid),
        "counts": "{}",
        "hidden": 0,
        "subject": subject_key(subject),
        "owner": subject.scope,
        "name": subject.name,
    }


def to_erasure(row: Mapping[str, Any]) -> Erasure:
    subject = Subject(row["of"], row["owner"], row["name"]) if row.get("subject") else None
    return from_row(Erasure, row, kind=row["of"], subject=subject)
