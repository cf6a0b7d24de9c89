"""Patterns stored as memories: created once, updated, and undone with their run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from operator import itemgetter

from cypher import QUERIES
from graph.database.driver import Rows, Transaction
from graph.database.locks import lock_all
from graph.model.consolidation.clusters import ConsolidationRun, KnownPattern, SeenPattern
from graph.store.consolidation.clusters import evidence_link, pattern_properties, to_known
from graph.store.memories.properties import new_properties
from graph.store.memories.removing import remove_memories
from graph.store.memories.vectors import create_memories
from graph.store.sharing.copies import find_visible


async def save_patterns(
    transaction: Transaction, run: ConsolidationRun, rows: Sequence[SeenPattern], first_q: float
) -> int:
    """Write the patterns of a locked run; return how many were created or updated.

    Patterns with evidence that was removed meanwhile are left to the next run.
    """
    unsaved = await _without_saved(transaction, run, rows)
    if not unsaved:
        return 0
    made = [row for row in unsaved if row.prepared is not None]
    known = {row.uid for row in unsaved if row.prepared is None}
    touched = sorted(known | {uid for row in made for uid in row.evidence})
    await lock_all(transaction, touched)
    standing = await find_visible(transaction, touched)
    made = [row for row in made if standing.issuperset(row.evidence)]
    created = [
        (row.prepared, {**new_properties(row.prepared, first_q, None), "made_by": run.uid})
        for row in made
        if row.prepared is not None
    ]
    await create_memories(transaction, created, {})
    links = [evidence_link(row.uid, uid) for row in made for uid in row.evidence]
    await transaction.run(QUERIES["memories.link_memories"], {"links": links})
    kept = [*made, *(row for row in unsaved if row.uid in standing)]
    [row] = await transaction.run(
        QUERIES["database.set_values"].choose("memories"),
        {"rows": sorted(map(pattern_properties, kept), key=itemgetter("uid"))},
    )
    return int(row["saved"])


async def known_patterns(
    ask: Callable[..., Awaitable[Rows]], scope: str
) -> Mapping[str, KnownPattern]:
    """Return the patterns of a scope by signature."""
    rows = await ask(QUERIES["consolidation.list_patterns"].choose("known"), {"scope": scope})
    return {row["external_id"]: to_known(row) for row in rows}


async def _without_saved(
    transaction: Transaction, run: ConsolidationRun, rows: Sequence[SeenPattern]
) -> list[SeenPattern]:
    """Leave out patterns that another worker of the run has saved meanwhile."""
    known = await known_patterns(transaction.run, run.scope)
    found = ((row, known.get(row.found.external_id)) for row in rows)
    return [
        row
        for row, held in found
        if held is None
        or (
            row.prepared is None
            and (held.support, held.confidence) != (row.found.support, row.found.confidence)
        )
    ]


async def forget_patterns(transaction: Transaction, run: ConsolidationRun, now: datetime) -> None:
    """Remove the patterns of a run, but those rewarded, changed or shared since."""
    named = {"scope": run.scope, "run": run.uid}
    rows = await transaction.run(QUERIES["consolidation.list_patterns"].choose("made"), named)
    if rows:
        await remove_memories(transaction, {row["uid"]: row["revision"] for row in rows}, now)
