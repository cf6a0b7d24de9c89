"""The one way in which memories leave the graph."""

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

LINKS = ATTEMPT_EDGES | {"SIMILAR_TO", "REQUIRES", "DERIVED_FROM"}  # what `link_count` counts


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
    """Remove memories with all that hangs on them and their copies, and join their sessions again.

    A memory that was given with its revision and is at another one by now stays, as does one that is no
    longer active in the stratum that ``strata`` has for it, and one that goes ``along`` with one that stays. What episodes hung
    on is counted anew, or goes with the last of them. What is erased goes from the reasons of rewards too
    that other memories keep. With ``sparing`` what others were made of stays, for an erasure to remove.
    """
    uids = sorted(revisions)
    located = await transaction.run(QUERIES["memories.locate_memories"], {"uids": uids})
    named = {(row["scope"], row["session_id"]) for row in located if row["session_id"]}
    sessions = await lock_sessions(transaction, named, now)
    targets = await attempted(transaction, uids) if _ties(located) & ATTEMPT_EDGES else set[str]()
    await lock_memories(transaction, sorted({*uids, *targets}), now)
    # once more under the locks: revisions and ties are those of now
    locked = await transaction.run(QUERIES["memories.locate_memories"], {"uids": uids})
    meant = [
        row["uid"]
        for row in locked
        if revisions[row["uid"]] in (None, row["revision"])
        and (strata is None or row["active_in"] == strata.get(row["uid"]))
    ]
    kept = set(uids) - set(meant)
    meant = [uid for uid in meant if along is None or along.get(uid) not in kept]
    quoted = await _quoted(transaction, meant) if sparing else frozenset[str]()
    meant = [uid for uid in meant if uid not in quoted]
    left = await abandoned(transaction, meant, targets)
    ties = _ties(locked)
    shared = left or ties & {"PUBLISHED_FROM", "DERIVED_FROM"}
    copies = await _resting_on(transaction, [*meant, *left]) if shared else []
    going = sorted({*meant, *left, *(row["uid"] for row in copies)})
    if len(going) > len(meant):
        ties |= _ties(await transaction.run(QUERIES["memories.locate_memories"], {"uids": going}))
    counts = {"Term": await forget_mentions(transaction, going, now) if "MENTIONS" in ties else 0}
    if erasing:
        counts |= await _forget_quotes(transaction, going, ties)
    # before they go: afterwards nobody knows what they replaced
    replaced = await replaced_by(transaction, going, wished=erasing) if "SUPERSEDES" in ties else []
    if ties & LINKS:
        await transaction.run(QUERIES["memories.unlink_memories"], {"uids": going})
    deleted, left_before, left_after = await _delete(transaction, going, counts)
    await settle(transaction, replaced)
    await count_attempts(transaction, targets - deleted)
    # with nothing on one side there is no gap to close
    if left_before and left_after:
        await transaction.run(QUERIES["memories.join_onward"], {"uids": sorted(left_before)})
    await refresh_context(transaction, left_before | left_after)
    counts["Session"] = await note_ends(transaction, sessions)
    await renew_versions(transaction, (row["scope"] for row in [*located, *copies]))
    return Removed(frozenset(deleted & set(meant)), left, counts, len(copies), quoted)


async def _forget_quotes(
    transaction: Transaction, going: Sequence[str], ties: Collection[str]
) -> Mapping[str, int]:
    """Take what is erased out of the reasons of rewards, and the patches that rest on it; count these."""
    query = QUERIES["erasure.forget_quotes"]
    if "REWARDED" in ties:
        await transaction.run(query.choose("reasons"), {"uids": going})
    if not {"RESTS_ON", "REPAIRS"} & set(ties):
        return {}
    [gone] = await transaction.run(query.choose("patches"), {"uids": going})
    return gone


async def remove_wished(
    transaction: Transaction, revisions: Mapping[str, int], now: datetime
) -> Removed:
    """Remove what somebody wants gone; what others were made of is left to an erasure, which removes those too."""
    return await remove_memories(transaction, revisions, now, erasing=True, sparing=True)


def _ties(located: Rows) -> set[str]:
    """Return the types of the relationships that memories have: where there are none of a kind, nobody looks for it."""
    return {kind for row in located for kind in row["ties"]}


async def _quoted(transaction: Transaction, uids: Sequence[str]) -> frozenset[str]:
    rows = await transaction.run(QUERIES["memories.find_quoted"], {"uids": list(uids)})
    return frozenset(row["uid"] for row in rows)


async def _resting_on(transaction: Transaction, uids: Sequence[str]) -> Rows:
    """Find what is shared of memories and goes with them: copies, patterns and agreements that too few hold then."""
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
