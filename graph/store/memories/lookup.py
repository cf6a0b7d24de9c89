"""Lookup of stored memories that new rows name or duplicate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cypher import QUERIES
from graph.database.driver import Transaction
from graph.database.names import one_name
from graph.model.memories.memory import PreparedMemory
from graph.store.memories.saving import Existing, SessionKey, SessionState, link_names

Row = dict[str, Any]


async def look_up(
    transaction: Transaction, rows: Sequence[PreparedMemory], sessions: Sequence[SessionKey]
) -> tuple[dict[int, Existing], dict[SessionKey, SessionState]]:
    """Return the stored memories that rows name, by position, and the ends of locked sessions."""
    named: list[Row] = []
    unnamed: list[Row] = []
    for place, row in enumerate(rows):
        at = {"place": place, "scope": row.new.scope}
        if row.new.external_id is None:
            unnamed.append({**at, "content_hash": row.content_hash})
        else:
            named.append({**at, "external_id": row.new.external_id})
    return await _find_saved(transaction, named, unnamed, sessions)


async def find_twin(transaction: Transaction, scope: str, content_hash: str) -> str | None:
    """Return the uid of a memory of this scope with the same content."""
    row = {"place": 0, "scope": scope, "content_hash": content_hash}
    found, _ = await _find_saved(transaction, [], [row], [])
    return found[0].uid if found else None


async def _find_saved(
    transaction: Transaction,
    named: list[Row],
    unnamed: list[Row],
    sessions: Sequence[SessionKey],
) -> tuple[dict[int, Existing], dict[SessionKey, SessionState]]:
    asked = [{"scope": scope, "session_id": name} for scope, name in sessions]
    [found] = await transaction.run(
        QUERIES["memories.find_saved"], {"named": named, "unnamed": unnamed, "sessions": asked}
    )
    existing = {
        place: Existing(*values, occurred_at=at and at.to_native())
        for place, *values, at in found["saved"]
    }
    ends = {(scope, name): SessionState(*end) for scope, name, *end in found["ends"]}
    return existing, ends


async def taken_places(transaction: Transaction, rows: Sequence[PreparedMemory]) -> frozenset[int]:
    """Return the rows whose place in a session is taken by another memory."""
    asked = [
        (place, row.new)
        for place, row in enumerate(rows)
        if row.new.session_id is not None and row.new.sequence is not None
    ]
    if not asked:
        return frozenset()
    found = await transaction.run(
        QUERIES["memories.find_taken_sequences"],
        {
            "rows": [
                {"scope": new.scope, "session_id": new.session_id, "sequence": new.sequence}
                for _, new in asked
            ],
            "kept": True,
        },
    )
    taken: list[int] = [row["place"] for row in found]
    return frozenset(asked[i][0] for i in taken)


async def link_targets(
    transaction: Transaction, rows: Sequence[PreparedMemory]
) -> dict[tuple[str, str], str]:
    """Return the uids of the targets of links, by scope and name."""
    names = link_names(rows)
    if not names:
        return {}
    found = await transaction.run(
        QUERIES["memories.find_named"].choose("links"),
        {"names": [{"scope": scope, **one_name(name)} for scope, name in names]},
    )
    return {names[row["place"]]: row["uid"] for row in found}
