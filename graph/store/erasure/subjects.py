"""Counts of the nodes that an erasure will remove, and its receipt, which omits the subject at the end."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any

from cypher import QUERIES, Query
from graph.database.driver import Rows, Transaction
from graph.database.rows import from_row
from graph.model.erasure.receipts import Erasure, Subject


async def found(transaction: Transaction, subject: Subject, limit: int, run: str = "") -> list[str]:
    """Find unmarked memories of a subject; fewer than the limit if these are all."""
    uids: dict[str, None] = {}
    for query, parameters in _finders(subject):
        rows = await transaction.run(query, {**parameters, "limit": limit, "run": run})
        uids |= {row["uid"]: None for row in rows}
        if len(uids) >= limit:
            break
    return list(uids)


def _finders(subject: Subject) -> list[tuple[Query, dict[str, str]]]:
    named = {"tenant": subject.tenant, subject.kind: subject.name}
    owned = (QUERIES["erasure.find_memories"].choose("scope"), {"scope": subject.scope})
    match subject.kind:
        case "agent":
            return [(QUERIES["erasure.find_memories"].choose("agent"), named), owned]
        case "user":
            return [(QUERIES["erasure.find_memories"].choose("user"), named), owned]
        case "session":
            found = {"scope": subject.scope, "session_id": subject.name}
            return [(QUERIES["erasure.find_memories"].choose("session"), found)]
        case "memories":
            return [(QUERIES["erasure.find_memories"].choose("meant"), {})]
        case "memory":
            return [(QUERIES["erasure.find_memories"].choose("one"), {"uid": subject.name})]


async def is_there(transaction: Transaction, subject: Subject) -> bool:
    if await found(transaction, subject, 1):
        return True
    # a single memory has nothing else
    return subject.kind != "memory" and await is_owned(transaction, subject, node=True)


async def is_owned(
    transaction: Transaction, subject: Subject, *, node: bool = False, after: str = ""
) -> bool:
    """Return whether a subject has more than memories; only rewards after a uid are considered."""
    named = {"tenant": subject.tenant, "scope": subject.scope, "actor": subject.actor}
    [row] = await transaction.run(
        QUERIES["erasure.is_known"],
        {
            **named,
            "session_id": subject.name if subject.kind == "session" else "",
            "node": node,
            "agent": subject.agent,
            "user": subject.user,
        },
    )
    if row["known"] or not subject.owner:
        return bool(row["known"])
    [row] = await transaction.run(QUERIES["erasure.has_rewarded"], {**named, "after": after})
    return bool(row["known"])


ERASURE = "erasure"  # the kind of these runs


async def read_erasure(ask: Callable[..., Awaitable[Rows]], uid: str) -> Erasure | None:
    return one_erasure(
        await ask(QUERIES["database.read_runs"].choose("one"), {"uid": uid, "kind": ERASURE})
    )


def one_erasure(rows: Rows) -> Erasure | None:
    """Read the erasure from the rows of a run; None for no row, or another kind of run."""
    run = rows[0]["run"] if rows else None
    return to_erasure(run) if run is not None and run["kind"] == ERASURE else None


def subject_key(subject: Subject) -> str:
    return "\n".join((subject.kind, subject.scope, subject.name))


def counts_json(counts: Mapping[str, int]) -> str:
    return json.dumps({name: n for name, n in sorted(counts.items()) if n})


def receipt_properties(
    uid: str, subject: Subject, now: datetime, revisions: Mapping[str, int]
) -> dict[str, Any]:
    named = {"meant": list(revisions), "revisions": list(revisions.values())} if revisions else {}
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
