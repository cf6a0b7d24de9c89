"""Leases in Neo4j, by the database's clock, with a fencing token that grows with each holder.

A lease is locked by a write that reads nothing, and read in the next statement: a value read before the lock may be
outdated.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from typing import Any, ClassVar

from cypher import QUERIES, Query
from graph.database.driver import Database, Rows, Transaction
from graph.database.store import Store, in_transaction
from graph.kernel.errors import DatabaseError, LeaseLostError
from graph.model.memories.links import Lease

_LOCK = QUERIES["database.lock_nodes"].choose("lease")
_POLL_SECONDS = 0.2


class LeaseStore(Store):
    """Store of leases that expire by the database's clock."""

    @in_transaction
    async def acquire(
        self, transaction: Transaction, name: str, holder: str, seconds: int
    ) -> Lease | None:
        """Acquire or renew a lease; None while another holds it.

        A renewal keeps the token; after another holder, or after expiry, the token is higher.
        """
        await transaction.run(_LOCK, {"name": name})
        rows = await transaction.run(
            QUERIES["database.acquire_lease"],
            {"name": name, "holder": holder, "seconds": seconds},
        )
        return Lease(name, holder, int(rows[0]["token"])) if rows else None

    @in_transaction
    async def release(self, transaction: Transaction, lease: Lease) -> None:
        """Release a lease, unless another holder has taken it."""
        await transaction.run(_LOCK, {"name": lease.name})
        await transaction.run(
            QUERIES["database.release_lease"],
            {"name": lease.name, "holder": lease.holder, "token": lease.token},
        )


@asynccontextmanager
async def held(
    database: Database, name: str, seconds: int, patience: float, refused: Exception
) -> AsyncGenerator[None]:
    """Hold a lease for a block; the lease of a killed holder expires.

    Waits up to ``patience`` seconds for it, then raises the given error.
    """
    leases, holder = LeaseStore(database), uuid.uuid4().hex
    deadline = asyncio.get_running_loop().time() + patience
    while not (lease := await leases.acquire(name, holder, seconds)):
        if asyncio.get_running_loop().time() > deadline:
            raise refused
        await asyncio.sleep(_POLL_SECONDS)
    renewing = asyncio.create_task(_renew(leases, lease, seconds))
    try:
        yield
    finally:
        renewing.cancel()
        await asyncio.gather(renewing, return_exceptions=True)
        await leases.release(lease)


async def _renew(leases: LeaseStore, lease: Lease, seconds: int) -> None:
    """Renew a lease periodically during a long statement; a failed renewal is repeated at the next interval."""
    while True:
        # a quarter of its life: a renewal or two may fail before it expires
        await asyncio.sleep(seconds / 4)
        with suppress(DatabaseError):
            await leases.acquire(lease.name, lease.holder, seconds)


async def fence(transaction: Transaction, lease: Lease) -> None:
    """Prevent others from taking the lease until this transaction ends.

    Raises
    ------
    LeaseLostError
        If another has taken it.
    """
    # the next holder waits for this transaction, or has made it fail (ADR 13)
    await transaction.run(_LOCK, {"name": lease.name})
    rows = await transaction.run(QUERIES["database.lease_token"], {"name": lease.name})
    if not rows or rows[0]["token"] != lease.token:
        raise LeaseLostError


async def fence_if(transaction: Transaction, lease: Lease | None) -> None:
    """Fence writes of the worker; requests of clients have no lease."""
    if lease is not None:
        await fence(transaction, lease)


async def run_fenced(
    database: Database, lease: Lease, query: Query, parameters: Mapping[str, Any]
) -> Rows:
    """Run one writing statement, fenced by a lease.

    Raises
    ------
    LeaseLostError
        If another holds the lease by now; then nothing is written.
    """

    async def work(transaction: Transaction) -> Rows:
        await fence(transaction, lease)
        return await transaction.run(query, parameters)

    return await database.write(work)


async def count_fenced(database: Database, lease: Lease, query: Query, **parameters: Any) -> int:
    """Run one writing statement, fenced by a lease; return its single number.

    Raises
    ------
    LeaseLostError
        If another holds the lease by now; then nothing is written.
    """
    [row] = await run_fenced(database, lease, query, parameters)
    [number] = row.values()
    return int(number)


class ExpiringStore(Store):
    """Base of stores whose nodes expire; one statement removes expired ones."""

    expiring: ClassVar[Query]

    async def expire(self, now: datetime, limit: int, lease: Lease) -> int:
        """Remove up to ``limit`` expired nodes of each kind; return how many.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now; then nothing is removed.
        """
        return await count_fenced(self._database, lease, self.expiring, now=now, limit=limit)
