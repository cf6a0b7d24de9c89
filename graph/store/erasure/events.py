"""Removal of events by an erasure: those of its subject, and those of others that name its memories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cypher import QUERIES
from graph.database.driver import Rows, Transaction
from graph.database.uids import before
from graph.kernel.events import NAMING_EVENTS
from graph.model.erasure.receipts import Subject

APART = 300_000  # milliseconds by which clocks may differ
_NUMBERED = 2_000  # events in one transaction
_READ = 10_000  # the same where none is locked
_BEGINNING = 10  # length of the time in a uid; earlier releases stored a number instead


@dataclass(frozen=True, slots=True)
class FoundEvents:
    """Page of events to remove, each with whether it has no number yet; ``more``: there may be others."""

    events: Mapping[str, bool]
    after: str
    more: bool

    @property
    def unnumbered(self) -> bool:
        """Return whether an event has no number yet, so that the tenant's clock must be locked."""
        return any(self.events.values())


async def find_events(
    transaction: Transaction, run: str, subject: Subject, after: str, limit: int
) -> FoundEvents:
    """Find events of a subject, and events of others after a uid that name memories marked by its erasure."""
    owned: Rows = []
    if subject.owner:
        named = {"tenant": subject.tenant, "owner": subject.owner, "agent": subject.agent}
        owned = await transaction.run(
            QUERIES["erasure.find_owned_events"], {**named, "limit": limit}
        )
    # the position of an earlier release is no uid: start again
    if len(after) < _BEGINNING:
        first = QUERIES["erasure.find_marked"].choose("first")
        [row] = await transaction.run(first, {"run": run})
        # events of the first memory cannot be older, apart from clock differences
        after = before(row["uid"] or run, APART)
    [row] = await transaction.run(
        QUERIES["erasure.find_events"],
        {
            "tenant": subject.tenant,
            "names": NAMING_EVENTS,
            "after": after,
            "limit": _READ,
            "run": run,
        },
    )
    events = {each["uid"]: each["waiting"] for each in owned} | dict(row["named"])
    # a full page of the owner's events may not be the last
    more = row["last"] is not None or len(owned) >= limit
    return FoundEvents(events, row["last"] or after, more)


async def remove_events(transaction: Transaction, tenant: str, found: FoundEvents) -> int:
    """Remove events, each with its number, so that readers see a gap; only these are locked."""
    if not found.events:
        return 0
    if found.unnumbered:
        await transaction.run(QUERIES["database.lock_nodes"].choose("events"), {"tenant": tenant})
        while await _number(transaction, tenant) == _NUMBERED:
            pass
    uids = sorted(found.events)
    [gone] = await transaction.run(
        QUERIES["database.delete_nodes"].choose("events"), {"uids": uids}
    )
    return int(gone["deleted"])


async def _number(transaction: Transaction, tenant: str) -> int:
    asked = {"tenant": tenant, "limit": _NUMBERED}
    [row] = await transaction.run(QUERIES["database.number_events"], asked)
    return int(row["numbered"])
