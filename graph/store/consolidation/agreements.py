"""Agreements of a channel as memories: created once, updated, and undone with their run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any

import numpy as np

from cypher import QUERIES
from graph.database.driver import Transaction
from graph.database.locks import lock_all
from graph.model.consolidation.agreements import AgreementNews, Gathered, KnownAgreement, Statement
from graph.model.consolidation.clusters import ConsolidationRun
from graph.model.sharing.agreements import Saying, Vote
from graph.store.consolidation.clusters import evidence_link
from graph.store.memories.properties import new_properties
from graph.store.memories.removing import remove_memories
from graph.store.memories.vectors import create_memories


async def save_agreements(
    transaction: Transaction,
    run: ConsolidationRun,
    news: AgreementNews,
    first_q: float,
    now: datetime,
) -> Mapping[str, int]:
    """Write the agreements and disputes of a locked run; return its counts.

    Changes of statements, or of agreements of another run, since the comparison are left to the next run.
    """
    known = {row.uid for row in news.gathered if row.uid is not None and row.prepared is None}
    touched = {uid for row in news.gathered for uid in row.statements}
    touched |= {end.uid for row in news.disputes for end in (row.one, row.other)}
    # read again under the locks: statements may have changed since they were compared
    await lock_all(transaction, sorted(touched | known))
    query = QUERIES["memories.locate_memories"].without("ties")
    found = await transaction.run(query, {"uids": sorted(touched | known)})
    standing = {row["uid"]: row["revision"] for row in found if row["active_in"] and row["stands"]}
    intact = {uid for uid in touched if standing.get(uid) == news.revisions.get(uid)}
    there = await transaction.run(
        QUERIES["consolidation.list_agreements"].choose("known"), {"scope": run.scope}
    )
    meanwhile = {uid for row in there if row["uid"] not in news.known for uid in row["statements"]}
    meant = [
        row
        for row in news.gathered
        if (row.prepared is None or meanwhile.isdisjoint(row.statements))
        and (row.uid is None or row.uid in standing or row.prepared is not None)
        and (row.change == "withdrawn" or intact.issuperset(row.statements))
    ]
    await _create(transaction, run, [row for row in meant if row.prepared is not None], first_q)
    await _relink(transaction, [row for row in meant if row.change != "withdrawn"])
    gone = [row.uid for row in meant if row.change == "withdrawn" and row.uid is not None]
    if gone:
        await remove_memories(transaction, dict.fromkeys(gone), now)
    disputes = await _dispute(transaction, run, news, intact, now)
    return {
        "agreements": len(meant) - len(gone),
        "withdrawn": len(gone),
        "disagreements": disputes,
    }


async def _create(
    transaction: Transaction, run: ConsolidationRun, rows: Sequence[Gathered], first_q: float
) -> None:
    born = {"made_by": run.uid}
    created = [
        (
            row.prepared,
            {
                **new_properties(row.prepared, first_q, None),
                **born,
                "published_at": row.prepared.recorded_at,
            },
        )
        for row in rows
        if row.prepared is not None
    ]
    await create_memories(transaction, created, {})


async def _relink(transaction: Transaction, rows: Sequence[Gathered]) -> None:
    """Replace the links from agreements to their statements."""
    joined = [(row.prepared.uid if row.prepared else row.uid, row.statements) for row in rows]
    links = [evidence_link(uid, to) for uid, statements in joined if uid for to in statements]
    # sorted: concurrent writers of the same links cannot deadlock
    links.sort(key=itemgetter("from", "to"))
    await transaction.run(QUERIES["memories.link_memories"], {"links": links})
    kept = [
        {"uid": row.uid, "statements": list(row.statements)} for row in rows if not row.prepared
    ]
    [row] = await transaction.run(QUERIES["consolidation.part_statements"], {"rows": kept})
    if row["parted"]:
        ends = sorted(set(row["parted"]))
        await transaction.run(QUERIES["memories.count_links"], {"uids": ends})


async def _dispute(
    transaction: Transaction,
    run: ConsolidationRun,
    news: AgreementNews,
    intact: set[str],
    now: datetime,
) -> int:
    rows = [
        {"one": row.one.uid, "other": row.other.uid, "similarity": row.similarity}
        for row in news.disputes
        if {row.one.uid, row.other.uid} <= intact
    ]
    settled = [{"one": one, "other": other} for one, other in news.settled]
    [row] = await transaction.run(
        QUERIES["consolidation.save_disputes"],
        {"rows": rows, "settled": settled, "run": run.uid, "scope": run.scope, "now": now},
    )
    return int(row["saved"])


async def forget_agreements(transaction: Transaction, run: ConsolidationRun, now: datetime) -> None:
    """Remove agreements and disputes of a run, but those rewarded since."""
    named = {"scope": run.scope, "run": run.uid}
    rows = await transaction.run(QUERIES["consolidation.list_agreements"].choose("made"), named)
    if rows:
        await remove_memories(transaction, {row["uid"]: row["revision"] for row in rows}, now)
    await transaction.run(QUERIES["consolidation.drop_disputes"], named)


def to_statement(row: Mapping[str, Any]) -> Statement:
    """Read a statement of an agent from a row."""
    votes = tuple(
        Vote(agent, row["uid"], agrees, at.to_native()) for agent, agrees, at in row["votes"]
    )
    vector = row["vector"]
    return Statement(
        Saying(row["uid"], row["agent"], row["text"], row["at"].to_native()),
        row["revision"],
        votes,
        tuple(row["contradicts"]),
        tuple(row["gathered"]),
        None if vector is None else np.asarray(vector, dtype=np.float32),
    )


def to_known_agreement(row: Mapping[str, Any]) -> KnownAgreement:
    """Read an agreement of a channel from a row."""
    return KnownAgreement(row["uid"], row["text"], tuple(row["statements"]))
