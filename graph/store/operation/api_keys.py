"""API keys in the graph: only their hashes, so that an analyst sees which tenants have some."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime

from cypher import QUERIES
from graph.database.driver import Database


async def save_api_keys(database: Database, keys: Sequence[tuple[str, str]], now: datetime) -> None:
    """Note (tenant, key) pairs by the keys' SHA-256."""
    rows = [
        {"tenant": tenant, "hash": hashlib.sha256(key.encode()).hexdigest()} for tenant, key in keys
    ]
    await database.write_one(QUERIES["operation.save_api_keys"], {"rows": rows, "now": now})
