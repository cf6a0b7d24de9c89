"""Leases in Neo4j: by the database's clock, each holder with a higher token than the one before.

A lease is locked by a write that reads nothing, and read in the next statement: what a statement
reads before it has the lock may be another's past.
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
    """Leases that run on the database's clock."""

    @in_transaction
    async def acquire(
        self, transaction: Transaction, name: str, holder: str, seconds: int
    ) -> Lease | None:
        """Take a lease or renew one's own; None while another holds it.

        A renewal keeps the token; after another holder, or after it ran out, the token is higher.
        """
        await transaction.run(_LOCK, {"name": name})
        rows = await transaction.run(
            QUERIES["database.acquire_lease"],
            {"name": name, "holder": holder, "seconds": seconds},
        )
        return Lease(name, holder, int(rows[0]["token"])) if rows else None

    @in_transaction
    async def release(self, transaction: Transaction, lease: Lease) -> None:
        """Give a lease back, unless another has overtaken it."""
        await transaction.run(_LOCK, {"name": lease.name})
        await transaction.run(
            QUERIES["database.release_lease"],
            {"name": lease.name, "holder": lease.holder, "token": lease.token},
        )


@asynccontextmanager
async def held(
    database: Database, name: str, seconds: int, patience: float, refused: Exception
) -> AsyncGenerator[None]:
    """Hold a lease while a block lasts; one that a killed holder left behind ends by itself.

    Waits for it as many seconds as ``patience`` says, then raises what is given.
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
    """Keep a lease, however long a statement takes; a renewal that fails is tried again at the next."""
    while True:
        # a quarter of its life: one renewal or two may fail before it is lost
        await asyncio.sleep(seconds / 4)
        with suppress(DatabaseError):
            await leases.acquire(lease.name, lease.holder, seconds)


async def fence(transaction: Transaction, lease: Lease) -> None:
    """Keep others from taking the lease until this transaction ends.

    Raises
    ------
    LeaseLostError
        If another has taken it.
    """
    # who takes the lease over waits for this transaction, or has made it fail (ADR 13)
    await transaction.run(_LOCK, {"name": lease.name})
    rows = await transaction.run(QUERIES["database.lease_token"], {"name": lease.name})
    if not rows or rows[0]["token"] != lease.token:
        raise LeaseLostError


async def fence_if(transaction: Transaction, lease: Lease | None) -> None:
    """Fence where the worker writes; somebody's own wish needs no lease."""
    if lease is not None:
        await fence(transaction, lease)


async def run_fenced(
    database: Database, lease: Lease, query: Query, parameters: Mapping[str, Any]
) -> Rows:
    """Run one statement that writes, fenced by a lease.

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
    """Run one statement that writes, fenced by a lease; return the one number that it tells.

    Raises
    ------
    LeaseLostError
        If another holds the lease by now; then nothing is written.
    """
    [row] = await run_fenced(database, lease, query, parameters)
    [number] = row.values()
    return int(number)


class ExpiringStore(Store):
    """A store that holds nodes for a time; one statement removes those whose time is over."""

    expiring: ClassVar[Query]

    async def expire(self, now: datetime, limit: int, lease: Lease) -> int:
        """Remove up to ``limit`` of each kind of nodes whose time is over; return how many.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now; then nothing is removed.
        """
        return await count_fenced(self._database, lease, self.expiring, now=now, limit=limit)
