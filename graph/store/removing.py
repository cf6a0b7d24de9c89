"""The one way in which memories leave the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cypher import QUERIES
from graph.store.sessions import lock_sessions, note_ends, refresh_context
from graph.store.terms import forget_mentions, lock_memories
from graph.store.versions import renew_versions

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from graph.store.driver import Transaction


async def remove_memories(
    transaction: Transaction, revisions: Mapping[str, int | None], now: datetime
) -> int:
    """Remove memories with all that hangs on them, and join their sessions again.

    A memory that was given with its revision and is at another one by now stays.
    """
    uids = sorted(revisions)
    located = await transaction.run(QUERIES["memory.locate_memories"], {"uids": uids})
    named = {(row["scope"], row["session_id"]) for row in located if row["session_id"]}
    sessions = await lock_sessions(transaction, named, now)
    await lock_memories(transaction, uids, now)
    locked = await transaction.run(QUERIES["memory.locate_memories"], {"uids": uids})
    meant = [row["uid"] for row in locked if revisions[row["uid"]] in (None, row["revision"])]
    await forget_mentions(transaction, meant, now)
    deleted, left_before, left_after = await _delete(transaction, meant)
    if left_before and left_after:
        await transaction.run(QUERIES["session.join_onward"], {"uids": sorted(left_before)})
    await refresh_context(transaction, left_before | left_after)
    await note_ends(transaction, sessions)
    await renew_versions(transaction, (row["scope"] for row in located))
    return deleted


async def _delete(transaction: Transaction, uids: list[str]) -> tuple[int, set[str], set[str]]:
    await transaction.run(QUERIES["memory.unlink_memories"], {"uids": uids})
    await transaction.run(QUERIES["memory.forget_utility"], {"uids": uids})
    [row] = await transaction.run(QUERIES["memory.delete_memories"], {"uids": uids})
    return len(row["deleted"]), set(row["befores"]), set(row["afters"])
