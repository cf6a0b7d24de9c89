"""Versions of scopes: each write that can change a recall draws a new one.

By them the worker knows whose concepts to rate again. It is the last thing a transaction does, in the order of
the scopes: sessions, memories and terms are locked before, so no two writers wait for each other in a ring.
Under the lock of a scope nothing that belongs to it is still being written, on which erasures rely.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cypher import QUERIES
from graph.database.driver import Transaction


async def renew_versions(transaction: Transaction, scopes: Iterable[str]) -> dict[str, str]:
    """Give another version to those scopes that are in the graph; return it."""
    names = sorted(set(scopes))
    if not names:
        return {}
    rows = await transaction.run(QUERIES["database.renew_versions"], {"scopes": names})
    return {row["scope"]: row["version"] for row in rows}


async def renew_versions_of(transaction: Transaction, uids: Sequence[str]) -> None:
    """Give another version to the scopes of memories that are there still."""
    rows = await transaction.run(
        QUERIES["memories.locate_memories"].without("ties"), {"uids": list(uids)}
    )
    await renew_versions(transaction, (row["scope"] for row in rows))
