"""Cycles in Neo4j: each change locks its cycle before reading it.

Locks are taken on the cycle, then on memories by uid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import QUERIES
from graph.database.driver import Transaction
from graph.database.leases import ExpiringStore
from graph.database.rows import from_row, to_row
from graph.database.store import in_transaction
from graph.database.vectors import to_stored
from graph.kernel.embedding import SlotVector
from graph.kernel.scope import tenant_of
from graph.model.cycles.cycle import (
    Change,
    Cycle,
    CycleQuery,
    CycleStory,
    Decide,
    GivenMemory,
    PhaseVisit,
    SimilarAttempts,
    Step,
)

_LAST = "~"  # greater than every uid


class CycleStore(ExpiringStore):
    """Store of cycles; each change is one transaction under the lock of its cycle."""

    expiring = QUERIES["cycles.expire_cycles"]

    async def open(self, cycle: Cycle) -> tuple[Cycle, bool]:
        """Store a cycle, or return the one with its name in its scope; the flag says whether it is new."""
        [row] = await self._database.write_one(
            QUERIES["cycles.open_cycle"],
            {"scope": cycle.scope, "cycle_id": cycle.cycle_id, "values": _properties(cycle)},
        )
        stored = from_row(Cycle, row["cycle"])
        return stored, stored.uid == cycle.uid

    async def find(self, scopes: Sequence[str], name: str) -> Cycle | None:
        """Find a cycle by its name, else by its uid."""
        rows = await self._database.read(
            QUERIES["cycles.read_cycle"], {"scopes": list(scopes), "name": name}
        )
        return from_row(Cycle, rows[0]["cycle"]) if rows else None

    async def story(self, scopes: Sequence[str], cycle: Cycle) -> CycleStory:
        """Read the visits and steps of a cycle, with the given memories that these scopes may see."""
        rows = await self._database.read(
            QUERIES["cycles.read_story"], {"uid": cycle.uid, "scopes": list(scopes)}
        )
        if not rows:
            return CycleStory(cycle)
        visits = tuple(_visit(row, row["given"]) for row in rows[0]["visits"])
        return CycleStory(cycle, visits, tuple(from_row(Step, row) for row in rows[0]["steps"]))

    async def list(self, query: CycleQuery) -> Sequence[Cycle]:
        """Read cycles, newest first."""
        rows = await self._database.read(
            QUERIES["cycles.list_cycles"].choose("newest"),
            {
                "scopes": [*query.scopes],
                "states": [*query.states],
                "before": query.before or _LAST,
                "limit": query.limit,
            },
        )
        return [from_row(Cycle, row["cycle"]) for row in rows]

    @in_transaction
    async def change(
        self,
        transaction: Transaction,
        cycle: Cycle,
        key: str,
        scopes: Sequence[str],
        decide: Decide,
    ) -> tuple[Change, bool]:
        """Change a locked cycle once per key; false if the key is known.

        ``scopes`` limit the memories that can be linked to it. If ``decide`` raises, nothing is written.
        """
        await transaction.run(QUERIES["database.lock_nodes"].choose("cycle"), {"uid": cycle.uid})
        [stored] = await transaction.run(
            QUERIES["cycles.read_cycle"], {"scopes": [cycle.scope], "name": cycle.uid}
        )
        before = from_row(Cycle, stored["cycle"])
        done = await _done(transaction, before, key, scopes)
        if done is not None:
            return done, False
        change = decide(before)
        await _save(transaction, change, scopes)
        # idempotent: a repeated call finds it completed
        if before.state == "open" and change.cycle.state == "completed":
            await _count(transaction, change.cycle)
        return change, True

    async def visit(self, cycle: Cycle, key: str, scopes: Sequence[str]) -> PhaseVisit | None:
        """Read the visit with a key."""
        rows = await self._database.read(
            QUERIES["cycles.find_done"].choose("visit"),
            {"uid": cycle.uid, "key": key, "scopes": list(scopes)},
        )
        return _visit(rows[0]["done"], rows[0]["given"]) if rows else None

    async def step(self, cycle: Cycle, key: str) -> Step | None:
        """Read the step with a key."""
        rows = await self._database.read(
            QUERIES["cycles.find_done"].choose("step"), {"uid": cycle.uid, "key": key, "scopes": []}
        )
        return from_row(Step, rows[0]["done"]) if rows else None

    async def similar(
        self, scopes: Sequence[str], vector: SlotVector, now: datetime, nearest: int
    ) -> SimilarAttempts:
        """Find judged attempts at problems similar to a goal."""
        rows = await self._database.search(
            QUERIES["recall.measure_nearest"].choose("judged"),
            {
                "embedding": to_stored(vector.vector),
                "dimension": int(vector.vector.size),
                "scopes": list(scopes),
                "now": now,
                "nearest": nearest,
            },
            vector.slot,
        )
        return SimilarAttempts(
            tuple(float(row["cosine"]) for row in rows),
            tuple(bool(row["correct"]) for row in rows),
            tuple(tuple(row["actions"]) for row in rows),
        )

    async def weights(self, scope: str) -> Sequence[float] | None:
        """Read the learned confidence weights of a scope; None if there are none."""
        rows = await self._database.read(
            QUERIES["cycles.read_learning"].choose("scope"), {"scope": scope}
        )
        return rows[0]["learning"].get("weights") if rows else None

    async def stale(self, before: datetime, limit: int) -> Sequence[tuple[str, str]]:
        """Return uid and scope of open cycles without activity since a time."""
        rows = await self._database.read(
            QUERIES["cycles.list_cycles"].choose("stale"),
            {"untouched_since": before, "limit": limit},
        )
        return [(row["cycle"]["uid"], row["cycle"]["scope"]) for row in rows]


async def _done(
    transaction: Transaction, cycle: Cycle, key: str, scopes: Sequence[str]
) -> Change | None:
    asked = {"uid": cycle.uid, "key": key, "scopes": list(scopes)}
    for choice in ("visit", "step"):
        rows = await transaction.run(QUERIES["cycles.find_done"].choose(choice), asked)
        if rows and choice == "visit":
            return Change(cycle, visit=_visit(rows[0]["done"], rows[0]["given"]))
        if rows:
            return Change(cycle, step=from_row(Step, rows[0]["done"]))
    return None


async def _save(transaction: Transaction, change: Change, scopes: Sequence[str]) -> None:
    cycle, visit, step = change.cycle, change.visit, change.step
    choice = "visit" if visit else "step" if step else "cycle"
    saved: dict[str, Any] = {"uid": cycle.uid, "values": _properties(cycle)}
    node = visit or step
    if node is not None:
        tenant = tenant_of(cycle.scope)
        names = {"cycle_uid": cycle.uid, "scope": cycle.scope, "tenant": tenant}
        saved |= {"node": {**to_row(node, "given"), **names}, "scopes": list(scopes)}
    if visit is not None:
        rows = [each._asdict() for each in sorted(visit.given)]
        saved["given"] = [{k: v for k, v in row.items() if k != "used"} for row in rows]
    if step is not None:
        saved |= {"used": sorted(change.used), "note": step.note_uid or ""}
    await transaction.run(QUERIES["cycles.save_cycle"].choose(choice), saved)


async def _count(transaction: Transaction, cycle: Cycle) -> None:
    tenant = tenant_of(cycle.scope)
    await transaction.run(
        QUERIES["cycles.count_ended"].choose("ended"),
        {"scope": cycle.scope, "tenant": tenant, "ended": 1},
    )


def _properties(cycle: Cycle) -> dict[str, Any]:
    return to_row(cycle) | {"tenant": tenant_of(cycle.scope)}


def _visit(row: Mapping[str, Any], given: Sequence[Sequence[Any]]) -> PhaseVisit:
    return from_row(PhaseVisit, row, given=tuple(GivenMemory(*each) for each in given))
