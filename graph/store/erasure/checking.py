"""Consistency checks of the graph, page by page, and repairs under locks.

A check reads without locks, so concurrent writes may look like flaws; a repair reads again under locks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, cast

from cypher import QUERIES, Query
from graph.database.driver import Transaction
from graph.database.keys import STATE_KEYS
from graph.database.locks import lock_all, renew_versions
from graph.database.store import Store, in_transaction
from graph.kernel.scope import tenant_of
from graph.kernel.values import BEGINNING
from graph.model.erasure.checking import CheckKey, CheckPage, FlawKind
from graph.store.episodes.attempts import attempted
from graph.store.knowledge.store import lock_base
from graph.store.memories.owners import owner_row
from graph.store.memories.removing import remove_memories
from graph.store.memories.saving import SessionKey
from graph.store.memories.sessions import (
    lock_sessions,
    lock_sessions_of,
    move_tails,
    note_ends,
    refresh_context,
)
from graph.store.memories.superseding import settle

_ORPHANS = (
    "versions", "estimates", "credits", "transitions", "surprises", "rewards", "visits", "steps", "patches",
)  # fmt: skip
_TAUGHT = (
    "tools", "tool_contexts", "tool_errors", "tool_parameters", "learned_patterns", "insights",
)  # fmt: skip
_MENDED = {
    "Tool": "tools", "ToolContext": "contexts", "ToolError": "errors", "ToolParameter": "parameters",
    "MemoryPattern": "patterns", "LearnedInsight": "insights",
}  # fmt: skip
_REMOVED = {
    "ToolContext": "part_contexts", "ToolError": "part_errors", "ToolParameter": "part_parameters",
}  # fmt: skip
_WALKS: Mapping[str, Query] = {
    **{sort: QUERIES["erasure.check_orphans"].choose(sort) for sort in _ORPHANS},
    "memories": QUERIES["erasure.check_memories"],
    "sessions": QUERIES["erasure.check_sessions"],
    "terms": QUERIES["erasure.check_terms"],
    **{sort: QUERIES["erasure.check_knowledge"].choose(sort) for sort in _TAUGHT},
}
_BY_NAME = {"sessions", "terms", *_TAUGHT}
# an import writes memories before their edges
_ARRIVING = timedelta(hours=1)  # during which edges of imported memories may follow


class GraphChecks(Store):
    """Store of graph checks, in pages, and of repairs."""

    walks: Sequence[str] = tuple(_WALKS)

    async def page(
        self, walk: str, after: CheckKey | None, limit: int, dimension: int
    ) -> CheckPage:
        """Check the next nodes of a walk, and vectors for ``dimension`` numbers."""
        asked: dict[str, Any] = {"limit": limit}
        # nodes without a uid are identified by scope and name
        if walk in _BY_NAME:
            asked["scope"], asked["name"] = after or ("", "")
        else:
            asked["after"] = after[0] if after else ""
        if walk == "memories":
            asked |= {"dimension": dimension, "open": BEGINNING}
        [row] = await self._database.read(_WALKS[walk], asked)
        found: dict[FlawKind, tuple[CheckKey, ...]] = {
            cast("FlawKind", kind): tuple(_key(value) for value in values)
            for kind, values in row.items()
            if kind not in {"last", "seen"} and values
        }
        last = row["last"]
        return CheckPage(None if last is None else _key(last), int(row["seen"]), found)

    @in_transaction
    async def mend(
        self, transaction: Transaction, kind: FlawKind, keys: Sequence[CheckKey], now: datetime
    ) -> int:
        """Repair flaws that still exist; return how many. Missing vectors it cannot repair."""
        ordered = sorted(keys)
        if kind in _ORPHANS:
            return await _delete_orphans(transaction, kind, [key[0] for key in ordered])
        if kind in {"parts", "counts", "bases"}:
            return await _repair_knowledge(transaction, kind, ordered)
        if kind == "sessions":
            return await _repair_sessions(transaction, ordered, now)
        if kind == "terms":
            return await _count_terms(transaction, ordered, now)
        return await _repair_memories(transaction, kind, [key[0] for key in ordered], now)

    async def texts(self, uids: Sequence[str]) -> Sequence[tuple[str, str]]:
        """Return uid and text of memories, by uid."""
        rows = await self._database.read(QUERIES["erasure.read_texts"], {"uids": list(uids)})
        return [(row["uid"], row["text"] or "") for row in rows]


def _key(value: str | Sequence[str]) -> CheckKey:
    return (value,) if isinstance(value, str) else tuple(value)


async def _delete_orphans(transaction: Transaction, kind: str, uids: Sequence[str]) -> int:
    meant: dict[str, list[str]] = {name: [] for name in _ORPHANS} | {kind: list(uids)}
    [row] = await transaction.run(QUERIES["erasure.delete_orphans"], meant)
    return int(row["deleted"])


async def _repair_knowledge(
    transaction: Transaction, kind: FlawKind, keys: Sequence[CheckKey]
) -> int:
    """Repair knowledge under the locks of its scopes; missing bases are created."""
    if kind == "bases":
        for [scope] in keys:
            await lock_base(transaction, scope)
        return len(keys)
    # sorted: concurrent repairs cannot deadlock
    for scope in sorted({scope for _, scope, _ in keys}):
        await lock_base(transaction, scope)
    rows: dict[str, list[dict[str, str]]] = defaultdict(list)
    for label, scope, key in keys:
        rows[(_MENDED if kind == "counts" else _REMOVED)[label]].append(
            {"scope": scope, "key": key}
        )
    mended = 0
    for choice, some in sorted(rows.items()):
        query = QUERIES["erasure.mend_knowledge"].choose(choice)
        [row] = await transaction.run(query, {"rows": some})
        mended += int(row["mended"])
    return mended


async def _repair_sessions(
    transaction: Transaction, keys: Sequence[CheckKey], now: datetime
) -> int:
    """Recompute the ends of sessions; positions are never reused."""
    named = await lock_sessions(transaction, [(scope, name) for scope, name in keys], now)
    await note_ends(transaction, named)
    return len(keys)


async def _count_terms(transaction: Transaction, keys: Sequence[CheckKey], now: datetime) -> int:
    rows = [
        {"scope": scope, "name": name, "display": name, "tenant": tenant_of(scope)}
        for scope, name in keys
    ]
    await transaction.run(
        QUERIES["database.lock_nodes"].choose("terms"), {"rows": rows, "now": now}
    )
    [row] = await transaction.run(QUERIES["memories.count_mentions"].choose("anew"), {"rows": rows})
    return int(row["counted"])


async def _repair_memories(
    transaction: Transaction, kind: FlawKind, uids: list[str], now: datetime
) -> int:
    if kind in {"copies", "marked"}:
        return await _remove(transaction, kind, uids, now)
    if kind == "homeless":
        located = await transaction.run(
            QUERIES["memories.locate_memories"].without("ties"), {"uids": uids}
        )
        owners = [owner_row(scope, ()) for scope in sorted({row["scope"] for row in located})]
        await transaction.run(QUERIES["memories.save_scopes"], {"rows": owners, "now": now})
        return len(uids)
    if kind == "degrees":
        await lock_all(transaction, uids)
        [row] = await transaction.run(QUERIES["memories.count_links"], {"uids": uids})
        return int(row["counted"])
    if kind == "validity":
        await lock_all(transaction, uids)
        await settle(transaction, uids)
        return len(uids)
    return await _bring_back(transaction, uids, now)


async def _lock(
    transaction: Transaction, uids: Sequence[str], now: datetime
) -> Sequence[SessionKey]:
    """Lock the sessions of memories, then these and their neighbours; none counts as recent."""
    sessions = await lock_sessions_of(transaction, uids, now)
    await lock_all(transaction, {*uids, *await attempted(transaction, uids)})
    return sessions


async def _remove(
    transaction: Transaction, kind: FlawKind, uids: Sequence[str], now: datetime
) -> int:
    await _lock(transaction, uids, now)
    asked = {"uids": list(uids), "marked": kind == "marked", "before": now - _ARRIVING}
    # under the locks: concurrent writes may be complete by now
    lost = await transaction.run(QUERIES["erasure.find_lost"], asked)
    revisions: dict[str, int | None] = {row["uid"]: None for row in lost}
    if not revisions:
        return 0
    # by an erasure, so that partly removed memories leave no trace
    return len((await remove_memories(transaction, revisions, now, erasing=True)).uids)


async def _bring_back(transaction: Transaction, uids: Sequence[str], now: datetime) -> int:
    sessions = await _lock(transaction, uids, now)
    asked = {"uids": list(uids), "before": now - _ARRIVING, **STATE_KEYS}
    rows = await transaction.run(QUERIES["erasure.bring_back_lost"], asked)
    chained = [row["uid"] for row in rows if row["chained"]]
    if chained:
        [row] = await transaction.run(QUERIES["memories.insert_in_sessions"], {"uids": chained})
        await move_tails(transaction, sessions)
        # neighbours in a session share context
        await refresh_context(transaction, row["touched"])
    await renew_versions(transaction, (row["scope"] for row in rows))
    return len(rows)
