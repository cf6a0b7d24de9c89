"""The one way in which memories leave the graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cypher import QUERIES
from graph.store.attempts import abandoned, attempted, count_attempts
from graph.store.sessions import lock_sessions, note_ends, refresh_context
from graph.store.terms import forget_mentions, lock_memories
from graph.store.versions import renew_versions

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from graph.store.driver import Transaction


@dataclass(frozen=True, slots=True)
class Removed:
    """What went; ``abandoned`` are problems and strategies that went with the last of their episodes."""

    uids: frozenset[str]
    abandoned: Mapping[str, str] = field(default_factory=dict[str, str])


async def remove_memories(
    transaction: Transaction, revisions: Mapping[str, int | None], now: datetime
) -> Removed:
    """Remove memories with all that hangs on them and their copies, and join their sessions again.

    A memory that was given with its revision and is at another one by now stays. What episodes hung
    on is counted anew, or goes with the last of them.
    """
    uids = sorted(revisions)
    located = await transaction.run(QUERIES["memory.locate_memories"], {"uids": uids})
    named = {(row["scope"], row["session_id"]) for row in located if row["session_id"]}
    sessions = await lock_sessions(transaction, named, now)
    targets = await attempted(transaction, uids)
    await lock_memories(transaction, sorted({*uids, *targets}), now)
    locked = await transaction.run(QUERIES["memory.locate_memories"], {"uids": uids})
    meant = [row["uid"] for row in locked if revisions[row["uid"]] in (None, row["revision"])]
    left = await abandoned(transaction, meant, targets)
    copies = await transaction.run(QUERIES["sharing.find_copies"], {"uids": [*meant, *left]})
    going = sorted({*meant, *left, *(row["uid"] for row in copies)})
    await forget_mentions(transaction, going, now)
    deleted, left_before, left_after = await _delete(transaction, going)
    await count_attempts(transaction, targets - deleted)
    if left_before and left_after:
        await transaction.run(QUERIES["session.join_onward"], {"uids": sorted(left_before)})
    await refresh_context(transaction, left_before | left_after)
    await note_ends(transaction, sessions)
    await renew_versions(transaction, (row["scope"] for row in [*located, *copies]))
    return Removed(frozenset(deleted & set(meant)), left)


async def _delete(transaction: Transaction, uids: list[str]) -> tuple[set[str], set[str], set[str]]:
    await transaction.run(QUERIES["memory.unlink_memories"], {"uids": uids})
    await transaction.run(QUERIES["memory.forget_utility"], {"uids": uids})
    [row] = await transaction.run(QUERIES["memory.delete_memories"], {"uids": uids})
    return set(row["deleted"]), set(row["befores"]), set(row["afters"])
