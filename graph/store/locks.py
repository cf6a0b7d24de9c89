"""Locks on memories that leave no trace on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cypher import QUERIES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from graph.store.driver import Transaction


async def lock_all(transaction: Transaction, uids: Iterable[str]) -> None:
    """Lock memories until the transaction ends, in the order of their uids."""
    await transaction.run(QUERIES["reward.lock_memories"], {"uids": sorted(set(uids))})
