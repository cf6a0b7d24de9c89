"""Counts of the nodes that an erasure will remove."""

from __future__ import annotations

from cypher import QUERIES, Query
from graph.database.driver import Transaction
from graph.model.erasure.receipts import Subject


async def found(transaction: Transaction, subject: Subject, limit: int, run: str = "") -> list[str]:
    """Find some memories of a subject that are not marked: fewer than the limit, if these are all."""
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
    # a single memory has nothing beside it
    return subject.kind != "memory" and await is_owned(transaction, subject, node=True)


async def is_owned(
    transaction: Transaction, subject: Subject, *, node: bool = False, after: str = ""
) -> bool:
    """Say whether a subject has anything beside its memories; of its rewards, those whose uid is behind one."""
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
