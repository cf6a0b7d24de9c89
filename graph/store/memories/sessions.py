"""Sessions as chains of memories: locking, joining, and updating their context."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from cypher import QUERIES
from graph.database.driver import Rows, Transaction
from graph.kernel.scope import tenant_of
from graph.store.memories.chains import CONTEXT_REACH
from graph.store.memories.saving import SavePlan, SessionKey, SessionState


async def lock_sessions(
    transaction: Transaction, keys: Iterable[SessionKey], now: datetime
) -> Sequence[SessionKey]:
    """Lock sessions in a sorted order, before any of their memories; return them in it."""
    names = sorted(set(keys))
    if names:
        await transaction.run(
            QUERIES["database.lock_nodes"].choose("sessions"),
            {
                "rows": [
                    {"scope": scope, "session_id": name, "tenant": tenant_of(scope)}
                    for scope, name in names
                ],
                "now": now,
            },
        )
    return names


async def lock_sessions_of(
    transaction: Transaction, uids: Sequence[str], now: datetime
) -> Sequence[SessionKey]:
    """Lock the sessions of memories, before these; return them."""
    query = QUERIES["memories.locate_memories"].without("ties")
    located = await transaction.run(query, {"uids": sorted(uids)})
    named = {(row["scope"], row["session_id"]) for row in located if row["session_id"]}
    return await lock_sessions(transaction, named, now)


async def session_tails(
    transaction: Transaction, keys: Sequence[SessionKey]
) -> dict[SessionKey, SessionState]:
    """Read with which memories locked sessions end: what comes with a place behind these is appended."""
    states = {key: SessionState(None, None) for key in keys}
    for row in await _tails(transaction, keys):
        key = (row["scope"], row["session_id"])
        states[key] = SessionState(row["tail_sequence"], row["tail_uid"])
    return states


async def mend_sessions(transaction: Transaction, plan: SavePlan) -> None:
    """Put what came between into its place, and write anew what the words around it are."""
    touched = set[str]()
    inserted = sorted(uid for state in plan.sessions.values() for uid in state.inserted)
    if inserted:
        rows = await transaction.run(QUERIES["memories.insert_in_sessions"], {"uids": inserted})
        touched.update(rows[0]["touched"])
        await move_tails(transaction, [key for key, at in plan.sessions.items() if at.inserted])
    replaced = [existing.uid for row, existing in plan.replaced if row.new.session_id]
    touched |= await beside(transaction, replaced)
    await refresh_context(transaction, touched)


async def beside(transaction: Transaction, uids: Sequence[str]) -> set[str]:
    """Return memories and those that stand beside them in their sessions."""
    if not uids:
        return set()
    rows = await transaction.run(QUERIES["memories.session_neighbours"], {"uids": list(uids)})
    return {row["uid"] for row in rows}


async def refresh_context(transaction: Transaction, uids: Collection[str]) -> None:
    """Write anew the text of the turn before, this one and the one after."""
    if uids:
        await transaction.run(
            QUERIES["memories.refresh_session_context"],
            {"uids": sorted(uids), "reach": CONTEXT_REACH},
        )


async def move_tails(transaction: Transaction, keys: Sequence[SessionKey]) -> Rows:
    """Write with which memories sessions end now; return the ends of those that have memories."""
    tails = await _tails(transaction, keys)
    if tails:
        await transaction.run(QUERIES["memories.update_sessions"].choose("ended"), {"rows": tails})
    return tails


async def note_ends(transaction: Transaction, keys: Sequence[SessionKey]) -> int:
    """Write where sessions end after some of their memories went; return how many went, being empty.

    A place is given once: where the last memory goes, the next stands behind where that stood.
    """
    tails = await move_tails(transaction, keys)
    empty = set(keys) - {(tail["scope"], tail["session_id"]) for tail in tails}
    if not empty:
        return 0
    rows = [{"scope": scope, "session_id": name} for scope, name in sorted(empty)]
    [gone] = await transaction.run(
        QUERIES["database.delete_nodes"].choose("sessions"), {"rows": rows}
    )
    return int(gone["deleted"])


async def _tails(transaction: Transaction, keys: Sequence[SessionKey]) -> Rows:
    if not keys:
        return []
    rows = [{"scope": scope, "session_id": name} for scope, name in keys]
    return await transaction.run(QUERIES["memories.session_tails"], {"rows": rows})
