"""Removal of memories from the graph; there is no other."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from cypher import QUERIES
from graph.database.driver import Rows, Transaction
from graph.database.locks import renew_versions
from graph.kernel.values import Stratum
from graph.model.memories.browsing import Removed
from graph.store.episodes.attempts import ATTEMPT_EDGES, abandoned, attempted, count_attempts
from graph.store.memories.sessions import lock_sessions, note_ends, refresh_context
from graph.store.memories.superseding import replaced_by, settle
from graph.store.memories.terms import forget_mentions, lock_memories

LINKS = ATTEMPT_EDGES | {"SIMILAR_TO", "REQUIRES", "DERIVED_FROM"}  # relationships in `link_count`


async def remove_memories(
    transaction: Transaction,
    revisions: Mapping[str, int | None],
    now: datetime,
    *,
    erasing: bool = False,
    sparing: bool = False,
    strata: Mapping[str, Stratum] | None = None,
    along: Mapping[str, str] | None = None,
) -> Removed:
    """Remove memories with their dependent nodes and copies, and join their sessions again.

    Memories at another than their given revision are kept, as are those no longer active in their stratum of
    ``strata``, and those that go ``along`` with a kept one. Problems, strategies and concepts of removed episodes are
    recounted, or removed with their last one. Erased texts are also removed from the reasons of remaining rewards.
    ``sparing`` keeps memories that others are derived from, for an erasure.
    """
    uids = sorted(revisions)
    located = await transaction.run(QUERIES["memories.locate_memories"], {"uids": uids})
    named = {(row["scope"], row["session_id"]) for row in located if row["session_id"]}
    sessions = await lock_sessions(transaction, named, now)
    linked = _types_of(located) & ATTEMPT_EDGES
    targets = await attempted(transaction, uids) if linked else set[str]()
    await lock_memories(transaction, sorted({*uids, *targets}), now)
    # read again under the locks
    locked = await transaction.run(QUERIES["memories.locate_memories"], {"uids": uids})
    selected = _selected(locked, revisions, strata, along)
    quoted = await _quoted(transaction, selected) if sparing else frozenset[str]()
    selected = [uid for uid in selected if uid not in quoted]
    left = await abandoned(transaction, selected, targets)
    types = _types_of(locked)
    shared = left or types & {"PUBLISHED_FROM", "DERIVED_FROM"}
    copies = await _dependent_shares(transaction, [*selected, *left]) if shared else []
    removed = sorted({*selected, *left, *(row["uid"] for row in copies)})
    if len(removed) > len(selected):
        also = await transaction.run(QUERIES["memories.locate_memories"], {"uids": removed})
        types |= _types_of(also)
    counts = {
        "Term": await forget_mentions(transaction, removed, now) if "MENTIONS" in types else 0
    }
    if erasing:
        counts |= await _forget_quotes(transaction, removed, types)
    # before removal, while the edges to replaced memories exist
    replaced = (
        await replaced_by(transaction, removed, requested=erasing) if "SUPERSEDES" in types else []
    )
    if types & LINKS:
        await transaction.run(QUERIES["memories.unlink_memories"], {"uids": removed})
    deleted, left_before, left_after = await _delete(transaction, removed, counts)
    await settle(transaction, replaced)
    await count_attempts(transaction, targets - deleted)
    # with an empty side there is no gap to close
    if left_before and left_after:
        await transaction.run(QUERIES["memories.join_onward"], {"uids": sorted(left_before)})
    await refresh_context(transaction, left_before | left_after)
    counts["Session"] = await note_ends(transaction, sessions)
    await renew_versions(transaction, (row["scope"] for row in [*located, *copies]))
    return Removed(frozenset(deleted & set(selected)), left, counts, len(copies), quoted)


def _selected(
    locked: Rows,
    revisions: Mapping[str, int | None],
    strata: Mapping[str, Stratum] | None,
    along: Mapping[str, str] | None,
) -> list[str]:
    unchanged = [
        row["uid"]
        for row in locked
        if revisions[row["uid"]] in (None, row["revision"])
        and (strata is None or row["active_in"] == strata.get(row["uid"]))
    ]
    kept = revisions.keys() - set(unchanged)
    return [uid for uid in unchanged if along is None or along.get(uid) not in kept]


async def _forget_quotes(
    transaction: Transaction, removed: Sequence[str], types: Collection[str]
) -> Mapping[str, int]:
    """Remove erased texts from reasons of rewards, and patches based on them; return the counts."""
    query = QUERIES["erasure.forget_quotes"]
    if "REWARDED" in types:
        await transaction.run(query.choose("reasons"), {"uids": removed})
    if not {"RESTS_ON", "REPAIRS"} & set(types):
        return {}
    [gone] = await transaction.run(query.choose("patches"), {"uids": removed})
    return gone


async def remove_requested(
    transaction: Transaction, revisions: Mapping[str, int], now: datetime
) -> Removed:
    """Remove memories on request; those that others are derived from are left to an erasure."""
    return await remove_memories(transaction, revisions, now, erasing=True, sparing=True)


def _types_of(located: Rows) -> set[str]:
    """Return the relationship types of memories, so that queries for absent types are skipped."""
    return {kind for row in located for kind in row["ties"]}


async def _quoted(transaction: Transaction, uids: Sequence[str]) -> frozenset[str]:
    rows = await transaction.run(QUERIES["memories.find_quoted"], {"uids": list(uids)})
    return frozenset(row["uid"] for row in rows)


async def _dependent_shares(transaction: Transaction, uids: Sequence[str]) -> Rows:
    """Find shared nodes to remove with memories: copies, and patterns and agreements with too few holders."""
    copies = await transaction.run(QUERIES["sharing.find_copies"], {"uids": list(uids)})
    weak = await transaction.run(
        QUERIES["sharing.find_weakened"].choose("patterns"),
        {"originals": list(uids), "gone": list(uids)},
    )
    gone = [*uids, *(row["uid"] for row in copies)]
    unheld = await transaction.run(
        QUERIES["sharing.find_weakened"].choose("agreements"), {"originals": gone, "gone": gone}
    )
    return [*copies, *weak, *unheld]


async def _delete(
    transaction: Transaction, uids: list[str], counts: dict[str, int]
) -> tuple[set[str], set[str], set[str]]:
    [told] = await transaction.run(QUERIES["memories.forget_utility"], {"uids": uids})
    [row] = await transaction.run(QUERIES["memories.delete_memories"], {"uids": uids})
    counts |= {**told, "Memory": len(row["deleted"]), "Version": row["versions"]}
    return set(row["deleted"]), set(row["befores"]), set(row["afters"])
