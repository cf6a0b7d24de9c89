"""Versions of scopes: whoever writes what a recall could answer gives its scope another one.

It is the last thing a transaction does, in the order of the scopes: sessions, memories and terms are
locked before, so no two writers wait for each other in a ring.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cypher import QUERIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from graph.store.driver import Transaction

NEVER = (None, None)  # the version of a scope that is not in the graph

Version = tuple[str | None, str | None]
"""What a scope says, and how often it was recalled."""


async def lock_scopes(transaction: Transaction, scopes: Iterable[str]) -> None:
    """Lock scopes in the order in which every writer does."""
    await transaction.run(QUERIES["scope.lock_scopes"], {"scopes": sorted(set(scopes))})


async def renew_versions(transaction: Transaction, scopes: Iterable[str]) -> dict[str, str]:
    """Give another version to those scopes that are in the graph; return it."""
    names = sorted(set(scopes))
    if not names:
        return {}
    rows = await transaction.run(QUERIES["scope.renew_versions"], {"scopes": names})
    return {row["scope"]: row["version"] for row in rows}


async def renew_versions_of(transaction: Transaction, uids: Sequence[str]) -> None:
    """Give another version to the scopes of memories that are there still."""
    rows = await transaction.run(QUERIES["memory.locate_memories"], {"uids": list(uids)})
    await renew_versions(transaction, (row["scope"] for row in rows))


async def renew_counted(transaction: Transaction, scopes: Iterable[str]) -> dict[str, str]:
    """Note that memories of scopes were counted; return what says so from now on."""
    names = sorted(set(scopes))
    rows = await transaction.run(QUERIES["scope.renew_counted"], {"scopes": names})
    return {row["scope"]: row["counted"] for row in rows}


async def locked_versions(
    transaction: Transaction, scopes: Iterable[str]
) -> tuple[str, dict[str, Version]]:
    """Lock scopes, and return the slot that is read and their versions.

    While the locks are held, nothing that belongs to these versions is still being written.
    """
    names = sorted(set(scopes))
    await transaction.run(QUERIES["scope.lock_scopes"], {"scopes": names})
    [row] = await transaction.run(QUERIES["scope.scope_versions"], {"scopes": names})
    return row["slot"], versions_by_scope(row)


def versions_by_scope(row: Mapping[str, Any]) -> dict[str, Version]:
    """Read the column ``versions``; a scope that is not in the graph is not in it."""
    return {scope: (version, counted) for scope, version, counted in row["versions"]}
