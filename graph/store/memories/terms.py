"""Terms with exact counts of the memories that mention each.

Writers lock the memories first, by uid, then the terms, by scope and name, so that mentions are counted once and
without deadlocks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import QUERIES
from graph.database.driver import Transaction
from graph.kernel.scope import tenant_of

TermKey = tuple[str, str]
Mention = tuple[str, str, str]


async def lock_memories(transaction: Transaction, uids: Sequence[str], now: datetime) -> None:
    """Lock memories until the transaction ends."""
    await transaction.run(
        QUERIES["memories.lock_memories"].choose("linked"), {"uids": sorted(uids), "now": now}
    )


async def forget_mentions(transaction: Transaction, uids: Sequence[str], now: datetime) -> int:
    """Remove the mentions of memories about to be removed; return how many terms were removed."""
    await lock_memories(transaction, uids, now)
    rows = await transaction.run(QUERIES["memories.read_mentions"], {"uids": sorted(uids)})
    lost = [(row["uid"], scope, name) for row in rows for scope, name in row["mentioned"]]
    return await change_mentions(transaction, (), lost, {}, now)


async def change_mentions(
    transaction: Transaction,
    gained: Iterable[Mention],
    lost: Iterable[Mention],
    displays: Mapping[TermKey, str],
    now: datetime,
) -> int:
    """Add and remove mentions, as (uid, scope, name), of locked memories.

    Return how many unused terms were removed.
    """
    joins, parts = sorted(gained), sorted(lost)
    changes: Counter[TermKey] = Counter()
    changes.update((scope, name) for _, scope, name in joins)
    changes.subtract((scope, name) for _, scope, name in parts)
    if not changes:
        return 0
    rows = [_term_row(key, change, displays) for key, change in sorted(changes.items())]
    await transaction.run(
        QUERIES["database.lock_nodes"].choose("terms"), {"rows": rows, "now": now}
    )
    if parts:
        named = [{"uid": uid, "scope": scope, "name": name} for uid, scope, name in parts]
        await transaction.run(QUERIES["memories.delete_mentions"], {"rows": named})
    if joins:
        named = [{"from": uid, "scope": scope, "to": name} for uid, scope, name in joins]
        query = QUERIES["memories.join_memories"].choose("mentions")
        await transaction.run(query, {"rows": named})
    query = QUERIES["memories.count_mentions"].choose("changed")
    [gone] = await transaction.run(query, {"rows": rows})
    return int(gone["deleted"])


def _term_row(key: TermKey, change: int, displays: Mapping[TermKey, str]) -> dict[str, Any]:
    scope, name = key
    return {
        "scope": scope,
        "name": name,
        "display": displays.get(key, name),
        "tenant": tenant_of(scope),
        "change": change,
    }
