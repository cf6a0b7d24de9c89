"""Secrets of tenants, created once and stored in the graph, and hashes of API keys."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from datetime import datetime

from cypher import QUERIES
from graph.database.driver import Database, Transaction
from graph.database.store import Store, in_transaction


class Neo4jSecrets(Store):
    """The ``TenantSecrets`` of a service without a configured one; ``fresh`` creates a new one."""

    def __init__(self, database: Database, fresh: Callable[[], str]) -> None:
        super().__init__(database)
        self._fresh = fresh
        self._known: dict[str, bytes] = {}

    async def secret(self, tenant: str) -> bytes:
        """See ``TenantSecrets.secret``."""
        known = self._known.get(tenant)
        if known is None:
            known = self._known[tenant] = await self._read_or_make(tenant)
        return known

    @in_transaction
    async def _read_or_make(self, transaction: Transaction, tenant: str) -> bytes:
        # Locked by a write that reads nothing: a second replica finds the secret of the first.
        await transaction.run(QUERIES["database.lock_nodes"].choose("tenant"), {"tenant": tenant})
        [row] = await transaction.run(
            QUERIES["operation.keep_secret"], {"tenant": tenant, "secret": self._fresh()}
        )
        return str(row["secret"]).encode()


async def save_api_keys(database: Database, keys: Sequence[tuple[str, str]], now: datetime) -> None:
    """Store (tenant, key) pairs with the SHA-256 of the key."""
    rows = [
        {"tenant": tenant, "hash": hashlib.sha256(key.encode()).hexdigest()} for tenant, key in keys
    ]
    await database.write_one(QUERIES["operation.save_api_keys"], {"rows": rows, "now": now})
