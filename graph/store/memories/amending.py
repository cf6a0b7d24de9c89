"""Updates of stored memories; each keeps its earlier content as a version."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from cypher import QUERIES
from graph.database.driver import Transaction
from graph.database.fading import Rates
from graph.database.names import either_name
from graph.kernel.embedding import Slot
from graph.kernel.errors import ConflictError
from graph.model.memories.browsing import VERSIONED
from graph.model.memories.memory import Amend, Amendment, Memory
from graph.store.episodes.attempts import attempted, count_attempts, part_attempts
from graph.store.memories.lookup import find_twin, look_up
from graph.store.memories.properties import content, new_properties, to_memory
from graph.store.memories.sessions import beside, lock_sessions, refresh_context
from graph.store.memories.superseding import follow_changes, joined_before
from graph.store.memories.terms import lock_memories
from graph.store.memories.vectors import check_slot, create_memories, save_also, vector_row
from graph.store.sharing.copies import follow_originals

Rows = list[dict[str, Any]]


class Aging(NamedTuple):
    """Initial weight and decay of a tenant's memories."""

    first_q: float
    fading: Rates


async def replace_contents(
    transaction: Transaction, rows: Rows, now: datetime, slot: Slot, fading: Rates
) -> None:
    """Replace the content of memories, under their locks, in the order of their uids.

    A condensed memory that its update makes active again is moved to the end of its session, which must be locked.

    Raises
    ------
    EmbedderChangedError
        If the graph was switched to another slot meanwhile.
    """
    ordered = sorted(rows, key=lambda row: row["uid"])
    uids = [row["uid"] for row in ordered]
    await lock_memories(transaction, uids, now)
    joined = await joined_before(transaction, uids)
    written = await transaction.run(
        QUERIES["memories.replace_memories"],
        {"rows": ordered, "content": [*VERSIONED, "recorded_at"], "fading": fading},
        slot,
    )
    check_slot(written[0]["replaced"], ordered)
    texts = {row["uid"]: row["properties"]["text"] for row in ordered}
    await follow_changes(transaction, joined, texts)
    if revived := written[0]["revived"]:
        [row] = await transaction.run(QUERIES["memories.stand_at_session_end"], {"uids": revived})
        await transaction.run(QUERIES["memories.insert_in_sessions"], {"uids": row["placed"]})


async def amend_memory(
    transaction: Transaction,
    scopes: Sequence[str],
    found: Memory,
    now: datetime,
    amend: Amend,
    aging: Aging,
) -> tuple[Memory | None, Amendment | None]:
    """Lock a memory, read it, amend it, and write it; no memory if it was removed meanwhile."""
    session = [(found.scope, found.session_id)] if found.session_id else []
    await lock_sessions(transaction, session, now)
    # read before the locks, so that all locks are taken in one order
    old_targets = await attempted(transaction, [found.uid])
    await lock_memories(transaction, sorted({found.uid, *old_targets}), now)
    row = await _read(transaction, scopes, found.uid)
    if row is None:
        return None, None
    amendment = await amend(to_memory(row), row["content_hash"])
    if amendment is None:
        return to_memory(row), None
    # the constraint would end the transaction without naming the memory
    await _refuse_twin(transaction, found, amendment)
    rows = [_replacement(found.uid, amendment)]
    await replace_contents(transaction, rows, now, amendment.slot, aging.fading)
    await save_also(transaction, {found.uid: amendment})
    if "episode" in {row["kind"], amendment.new.kind}:
        await _relink(transaction, found.uid, amendment, old_targets, aging.first_q)
    if amendment.new.kind != row["kind"]:
        await count_attempts(transaction, [found.uid])
    # copies are updated at once, so that a correction also reaches channels (ADR 34)
    await follow_originals(transaction, [found.uid], now, amendment.slot)
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


async def _relink(
    transaction: Transaction,
    uid: str,
    amendment: Amendment,
    old_targets: set[str],
    q_default: float,
) -> None:
    """Link an episode to its new problem and strategy, and recount these and the old ones."""
    beside = amendment.beside
    there, _ = await look_up(transaction, beside, ())
    now = amendment.recorded_at
    await lock_memories(transaction, sorted(each.uid for each in there.values()), now)
    created = [
        (row, new_properties(row, q_default, None))
        for place, row in enumerate(beside)
        if place not in there
    ]
    await create_memories(transaction, created, {})
    uids = {
        f"external:{row.new.external_id}": there[place].uid if place in there else row.uid
        for place, row in enumerate(beside)
    }
    joins = sorted((uids[link.to], link.type) for link in amendment.new.links if link.to in uids)
    links = [{"from": uid, "to": to, "type": kind} for to, kind in joins]
    if links:
        await transaction.run(QUERIES["memories.link_memories"], {"links": links})
    await part_attempts(transaction, {uid: [(kind, to) for to, kind in joins]})
    await count_attempts(transaction, old_targets | {to for to, _ in joins})


async def _read(transaction: Transaction, scopes: Sequence[str], uid: str) -> dict[str, Any] | None:
    rows = await transaction.run(
        QUERIES["memories.get_memory"].choose("whole"),
        {"scopes": list(scopes), **either_name(uid)},
    )
    return rows[0]["memory"] if rows else None


async def _refuse_twin(transaction: Transaction, found: Memory, amendment: Amendment) -> None:
    twin = await find_twin(transaction, found.scope, amendment.content_hash)
    if twin not in (None, found.uid):
        raise ConflictError(f"the memory {twin} of this scope says the same already")
