"""Events in Neo4j: written in the transaction they report, numbered when they are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from cypher import QUERIES
from graph.database.driver import Database, Transaction
from graph.database.leases import ExpiringStore
from graph.database.rows import from_row, to_row
from graph.database.store import in_transaction
from graph.kernel.events import Event, EventClock, EventFilter, NumberedEvent
from graph.kernel.scope import tenant_of

_NUMBERED = 2_000  # in one transaction


class EventStore(ExpiringStore):
    """Store of events, in one order for all readers, for a limited time."""

    expiring = QUERIES["database.expire_events"]

    def __init__(self, database: Database, life: timedelta | None) -> None:
        super().__init__(database)
        self._life = life

    async def save(self, events: Sequence[Event]) -> None:
        """Save events outside of a transaction that they report."""
        rows = event_rows(events, self._life)
        if rows:
            await self._database.write_one(
                QUERIES["database.create_nodes"].choose("events"), {"rows": rows}
            )

    async def clock(self, tenant: str) -> EventClock:
        """Number the tenant's events without a number; return the clock with the first and last numbers."""
        [row] = await self._database.read(QUERIES["database.event_clock"], {"tenant": tenant})
        # usually nothing needs a number, and no lock is taken
        if row["waiting"]:
            while await self._number(tenant) == _NUMBERED:
                pass
            # read after numbering: all events up to the returned number are visible (ADR 21)
            [row] = await self._database.read(QUERIES["database.event_clock"], {"tenant": tenant})
        return EventClock(int(row["last"]), row["oldest"])

    async def window(
        self, tenant: str, wanted: EventFilter, after: int, upto: int
    ) -> tuple[NumberedEvent, ...]:
        """Read the events of a filter with numbers above ``after`` up to ``upto``."""
        rows = await self._database.read(
            QUERIES["database.read_events"],
            {
                "tenant": tenant,
                "after": after,
                "upto": upto,
                "scopes": list(wanted.scopes),
                "names": list(wanted.names),
                "agent": wanted.agent_id or "",
            },
        )
        return tuple(_event(row) for row in rows)

    async def number_all(self) -> int:
        """Number the unnumbered events of every tenant; return how many."""
        rows = await self._database.read(QUERIES["database.waiting_tenants"], {})
        return sum([await self._number(row["tenant"]) for row in rows])

    @in_transaction
    async def _number(self, transaction: Transaction, tenant: str) -> int:
        # locked before it is read: concurrent readers would assign the same number twice
        await transaction.run(QUERIES["database.lock_nodes"].choose("events"), {"tenant": tenant})
        rows = await transaction.run(
            QUERIES["database.number_events"], {"tenant": tenant, "limit": _NUMBERED}
        )
        return int(rows[0]["numbered"])


def event_rows(events: Sequence[Event], life: timedelta | None) -> list[dict[str, Any]]:
    """Return events as a statement parameter (``$events LIST<MAP>``); none without a lifetime."""
    if life is None:
        return []
    return [_row(event, life) for event in events]


def _row(event: Event, life: timedelta) -> dict[str, Any]:
    tenant = tenant_of(event.scope)
    return {
        **to_row(event),
        "tenant": tenant,
        "expires_at": event.at + life,
        "waiting": tenant,
    }


def _event(row: Mapping[str, Any]) -> NumberedEvent:
    return NumberedEvent(int(row["seq"]), from_row(Event, row))
