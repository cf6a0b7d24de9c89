"""Stored memories get another content, and what they said before stays as a version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cypher import QUERIES
from graph.errors import ConflictError
from graph.store.lookup import find_twin
from graph.store.names import either_name
from graph.store.properties import content, to_memory
from graph.store.sessions import beside, lock_sessions, refresh_context
from graph.store.terms import lock_memories
from graph.store.vectors import check_slot, save_also, vector_row

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from graph.model import Amendment, Memory, Slot
    from graph.ports import Amend
    from graph.store.driver import Transaction

Rows = list[dict[str, Any]]


async def replace_contents(transaction: Transaction, rows: Rows, now: datetime, slot: Slot) -> None:
    """Write another content into memories, under their locks, in the order of their uids.

    Raises
    ------
    EmbedderChangedError
        If the graph was switched to another slot meanwhile.
    """
    ordered = sorted(rows, key=lambda row: row["uid"])
    uids = [row["uid"] for row in ordered]
    await lock_memories(transaction, uids, now)
    written = await transaction.run(QUERIES["memory.replace_memories"], {"rows": ordered}, slot)
    check_slot(written[0]["replaced"], ordered)


async def amend_memory(
    transaction: Transaction,
    scopes: Sequence[str],
    found: Memory,
    now: datetime,
    amend: Amend,
) -> tuple[Memory | None, Amendment | None]:
    """Lock a memory, then read it, let it be amended, and write; no memory if it went meanwhile."""
    session = [(found.scope, found.session_id)] if found.session_id else []
    await lock_sessions(transaction, session, now)
    await lock_memories(transaction, [found.uid], now)
    row = await _read(transaction, scopes, found.uid)
    if row is None:
        return None, None
    amendment = await amend(to_memory(row), row["content_hash"])
    if amendment is None:
        return to_memory(row), None
    await _refuse_twin(transaction, found, amendment)
    rows = [_replacement(found.uid, amendment)]
    await replace_contents(transaction, rows, now, amendment.slot)
    await save_also(transaction, {found.uid: amendment})
    if session:
        await refresh_context(transaction, await beside(transaction, [found.uid]))
    row = await _read(transaction, scopes, found.uid)
    return (None if row is None else to_memory(row)), amendment


def _replacement(uid: str, amendment: Amendment) -> dict[str, Any]:
    embedding = amendment.embedding
    return {
        "uid": uid,
        "version_uid": amendment.version_uid,
        "label": amendment.new.kind.capitalize(),
        "properties": content(amendment),
        **(vector_row(embedding) if embedding else {"embedder": None, "vector": None}),
    }


async def _read(transaction: Transaction, scopes: Sequence[str], uid: str) -> dict[str, Any] | None:
    rows = await transaction.run(
        QUERIES["memory.get_memory"], {"scopes": list(scopes), **either_name(uid)}
    )
    return rows[0]["memory"] if rows else None


async def _refuse_twin(transaction: Transaction, found: Memory, amendment: Amendment) -> None:
    twin = await find_twin(transaction, found.scope, amendment.content_hash)
    if twin not in (None, found.uid):
        raise ConflictError(f"the memory {twin} of this scope says the same already")
