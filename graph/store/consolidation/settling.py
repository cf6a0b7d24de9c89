"""Exchange of sources and condensed memories in recall and sessions, and its undo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cypher import QUERIES
from graph.database.driver import Rows, Transaction
from graph.database.keys import STATE_KEYS
from graph.database.locks import lock_all
from graph.model.consolidation.clusters import Condensing, SourceStanding
from graph.store.consolidation.clusters import to_standing
from graph.store.memories.removing import remove_memories
from graph.store.memories.sessions import beside, refresh_context


@dataclass(frozen=True, slots=True)
class Intact:
    """A cluster that is unchanged since it was planned; its sources are locked."""

    sources: Sequence[SourceStanding]
    estimated: bool
    """A source was rewarded in a context."""
    replacing: bool
    """A source replaces a memory, or is replaced by one."""


def is_chained(row: Condensing) -> bool:
    """Return whether its sources, and so the condensed memory, are in a session."""
    return row.sequence is not None


def session_of(row: Condensing) -> tuple[str, str]:
    """Return scope and session of the condensed memory."""
    return row.prepared.new.scope, row.prepared.new.session_id or ""


async def lock_intact(transaction: Transaction, rows: Sequence[Condensing]) -> dict[str, Intact]:
    """Lock the sources; return the clusters that are unchanged since they were planned."""
    uids = sorted({uid for row in rows for uid in row.cluster.sources})
    await lock_all(transaction, uids)
    found = await transaction.run(
        QUERIES["consolidation.intact_clusters"], {"uids": [row.cluster.uid for row in rows]}
    )
    return {
        row["uid"]: Intact(
            list(map(to_standing, row["sources"])), row["estimated"], row["replacing"]
        )
        for row in found
    }


async def take_place(
    transaction: Transaction, run_uid: str, done: Sequence[Condensing], intact: Mapping[str, Intact]
) -> None:
    """Archive the sources, and put each condensed memory in the place of its first source."""
    rows = [_settled(row) for row in done]
    [settled] = await transaction.run(
        QUERIES["consolidation.settle_clusters"],
        {"rows": rows, "run": run_uid, **STATE_KEYS},
    )
    # skipped if no source has any, which is usual (ADR 65)
    if estimated := [row for row in rows if intact[row["cluster"]].estimated]:
        await transaction.run(QUERIES["consolidation.inherit_estimates"], {"rows": estimated})
    if replacing := [row for row in rows if intact[row["cluster"]].replacing]:
        await transaction.run(QUERIES["consolidation.inherit_supersessions"], {"rows": replacing})
    if chained := [row for row in done if is_chained(row)]:
        gone = {uid for row in done for uid in row.cluster.sources}
        await _place_in_sessions(transaction, chained, set(settled["befores"]) - gone)
        # Context texts of neighbours contain archived words; an erasure must not leave these.
        await refresh_context(transaction, gone)


async def _place_in_sessions(
    transaction: Transaction, chained: Sequence[Condensing], befores: set[str]
) -> None:
    """Put condensed memories into their sessions, and join the neighbours of their sources."""
    places = [{"uid": row.prepared.uid, "values": {"sequence": row.sequence}} for row in chained]
    await transaction.run(QUERIES["database.set_values"].choose("memories"), {"rows": places})
    uids = [row.prepared.uid for row in chained]
    [joined] = await transaction.run(QUERIES["memories.insert_in_sessions"], {"uids": uids})
    if befores:
        await transaction.run(QUERIES["memories.join_onward"], {"uids": sorted(befores)})
    await refresh_context(transaction, {*joined["touched"], *befores})


async def bring_back(transaction: Transaction, rows: Rows, now: datetime) -> None:
    """Restore the sources to their places, and remove the condensed memories."""
    if not rows:
        return
    condensed = [row["condensed"] for row in rows]
    sources = [uid for row in rows for uid in row["sources"]]
    [restored] = await transaction.run(
        QUERIES["consolidation.restore_sources"],
        {"condensed": condensed, "sources": sources, **STATE_KEYS},
    )
    chained = restored["chained"]
    if chained:
        await transaction.run(QUERIES["memories.insert_in_sessions"], {"uids": chained})
    # last: restoring follows edges of the removed memories
    await remove_memories(transaction, dict.fromkeys(condensed), now)
    await refresh_context(transaction, await beside(transaction, chained))
    await mark(transaction, [row["uid"] for row in rows], "condensed", "undone")


async def mark(transaction: Transaction, uids: Sequence[str], was: str, state: str) -> None:
    """Set the state of clusters that are in one of the states ``was``, separated by spaces."""
    if uids:
        marked = {"uids": sorted(uids), "was": was.split(), "state": state}
        await transaction.run(QUERIES["consolidation.mark_clusters"], marked)


def _settled(row: Condensing) -> dict[str, Any]:
    return {
        "cluster": row.cluster.uid,
        "condensed": row.prepared.uid,
        "sources": list(row.cluster.sources),
        "chained": is_chained(row),
        "chars_before": row.cluster.chars_before,
        "chars_after": row.cluster.chars_after,
    }
