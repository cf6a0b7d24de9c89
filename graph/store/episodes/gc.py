"""Garbage collection of episodes in Neo4j: hidden by a run, restored, or deleted for good.

Every step locks its run, then memories by uid, reads them again, and renews the scope last. So requests, the worker and
other replicas may work on one run, and an interrupted step is repeated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import QUERIES
from graph.database.driver import Database, Rows, Transaction
from graph.database.keys import STATE_KEYS
from graph.database.leases import run_fenced
from graph.database.locks import lock_all, renew_versions
from graph.database.rows import from_row
from graph.database.runs import KeptRuns, Runs
from graph.database.store import in_transaction
from graph.kernel.errors import ConflictError
from graph.model.episodes.gc import (
    COLLECT_REASONS,
    Collectable,
    CollectionPlan,
    CollectionRun,
    CollectionState,
    CollectionTerms,
)
from graph.model.memories.links import Lease
from graph.store.memories.removing import remove_memories
from graph.store.sharing.copies import end_copies


class CollectionStore(KeptRuns[CollectionRun]):
    """Store of garbage collection runs."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, _RUNS)

    async def plan(self, scope: str, terms: CollectionTerms, limit: int) -> CollectionPlan:
        """Return the first ``limit`` collectable memories of a scope, by uid."""
        query = QUERIES["episodes.find_collectable"]
        [row] = await self._database.read(query, _asked(scope, terms, limit))
        counts = {reason: int(row[reason]) for reason in COLLECT_REASONS if row[reason]}
        return CollectionPlan(tuple(from_row(Collectable, item) for item in row["items"]), counts)

    @in_transaction
    async def collect(
        self,
        transaction: Transaction,
        run_uid: str,
        terms: CollectionTerms,
        now: datetime,
        limit: int,
        lease: Lease | None,
    ) -> int | None:
        """Hide some collectable memories; return how many; 0 ends the run, None: it had ended."""
        # the run first: concurrent workers take turns
        run = await _RUNS.locked(transaction, run_uid, lease, "running")
        if run is None:
            return None
        # read again: memories of the plan may have been used since
        rows = await _still_collectable(transaction, _asked(run.scope, terms, limit))
        if not rows:
            await _RUNS.change(transaction, run_uid, "done", finished_at=now)
            return 0
        await transaction.run(
            QUERIES["episodes.mark_collected"].choose("hidden"),
            {"rows": rows, "run": run_uid, "now": now, **STATE_KEYS},
        )
        await end_copies(transaction, [row["uid"] for row in rows], now)
        reasons: dict[str, int] = Counter(row["reason"] for row in rows)
        await _RUNS.change(transaction, run_uid, "running", {"collected": len(rows), **reasons})
        await renew_versions(transaction, [run.scope])
        return len(rows)

    async def begin_undo(
        self, scopes: Sequence[str], run_uid: str, now: datetime, *, skip_changed: bool = False
    ) -> CollectionRun | None:
        """See ``RunStore.begin_undo``."""

        async def check(transaction: Transaction, run: CollectionRun) -> None:
            # after the grace period the purge may have begun
            if run.state == "purged" or run.purge_at <= now:
                raise ConflictError(
                    f"the grace of this run was over at {run.purge_at.isoformat()}: "
                    "what it collected is gone for good"
                )
            query = QUERIES["episodes.find_collected"].choose("count")
            [row] = await transaction.run(query, {"run": run_uid})
            # hidden by the run, but neither restored nor unchanged
            lost = run.collected - run.restored - int(row["intact"])
            if lost and not skip_changed:
                raise ConflictError(
                    f"{lost} of the {run.collected} memories of this run were changed or removed "
                    "since; with skip_changed the others come back"
                )

        return await _RUNS.begin_undo(self._database, scopes, run_uid, check)

    @in_transaction
    async def restore(
        self, transaction: Transaction, run_uid: str, now: datetime, limit: int, lease: Lease | None
    ) -> int | None:
        """See ``RunStore.restore``."""
        run = await _RUNS.locked(transaction, run_uid, lease, "undoing")
        if run is None:
            return None
        uids = [row["uid"] for row in await _hidden(transaction, run_uid, limit)]
        if not uids:
            await _end(transaction, run_uid, "undone", now)
            return 0
        await transaction.run(
            QUERIES["episodes.mark_collected"].choose("shown"), {"uids": uids, **STATE_KEYS}
        )
        await _RUNS.change(transaction, run_uid, "undoing", {"restored": len(uids)})
        await renew_versions(transaction, [run.scope])
        return len(uids)

    @in_transaction
    async def purge(
        self, transaction: Transaction, run_uid: str, now: datetime, limit: int, lease: Lease
    ) -> int | None:
        """Delete some hidden memories; return how many; 0 ends the run, None: it had ended."""
        run = await _RUNS.locked(transaction, run_uid, lease, "done")
        # checked under the lock: an undo may have begun
        if run is None or run.purge_at > now:
            return None
        found = await transaction.run(
            QUERIES["episodes.find_collected"].choose("rows"),
            {"run": run_uid, "limit": limit},
        )
        if not found:
            await _end(transaction, run_uid, "purged", now)
            return 0
        revisions: dict[str, int | None] = {row["uid"]: row["revision"] for row in found}
        removed = len((await remove_memories(transaction, revisions, now)).uids)
        await _RUNS.change(transaction, run_uid, "done", {"purged": removed})
        # not `removed`: a page whose memories others removed is not the last
        return len(found)

    async def due(self, before: datetime) -> str | None:
        """Return a scope with episodes that was not checked since a time."""
        rows = await self._database.read(
            QUERIES["database.find_due_scopes"].choose("collect"), {"before": before}
        )
        return rows[0]["scope"] if rows else None

    async def note_looked(self, scope: str, now: datetime, lease: Lease) -> None:
        """Record that a scope was checked."""
        await run_fenced(
            self._database,
            lease,
            QUERIES["database.note_look"].choose("collected"),
            {"scope": scope, "now": now},
        )

    async def hidden_by(self, run_uid: str, limit: int) -> tuple[Collectable, ...]:
        """Return what a run has hidden and not restored."""
        rows = await self._database.read(
            QUERIES["episodes.find_collected"].choose("rows"), {"run": run_uid, "limit": limit}
        )
        return tuple(from_row(Collectable, row) for row in rows)


async def _still_collectable(
    transaction: Transaction, asked: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Find collectable memories and lock them with those kept instead; return those still collectable."""
    query = QUERIES["episodes.find_collectable"]
    [found] = await transaction.run(query, asked)
    # the kept ones are locked too: they must not be removed by others
    locked = {uid for item in found["items"] for uid in (item["uid"], item["kept"]) if uid}
    if not locked:
        return []
    await lock_all(transaction, locked)
    [again] = await transaction.run(query, asked)
    return [
        {"uid": item["uid"], "reason": item["reason"]}
        for item in again["items"]
        # not locked: found only by the second query
        if item["uid"] in locked and (item["kept"] is None or item["kept"] in locked)
    ]


async def _hidden(transaction: Transaction, run_uid: str, limit: int) -> Rows:
    """Lock some memories that a run has hidden; return the unchanged ones."""
    query, asked = (
        QUERIES["episodes.find_collected"].choose("rows"),
        {"run": run_uid, "limit": limit},
    )
    uids = [row["uid"] for row in await transaction.run(query, asked)]
    await lock_all(transaction, uids)
    locked = set(uids)
    return [row for row in await transaction.run(query, asked) if row["uid"] in locked]


async def _end(
    transaction: Transaction, run_uid: str, state: CollectionState, now: datetime
) -> None:
    # without memories an ended run can be trimmed
    await transaction.run(QUERIES["episodes.mark_collected"].choose("freed"), {"run": run_uid})
    await _RUNS.change(transaction, run_uid, state, finished_at=now)


def _asked(scope: str, terms: CollectionTerms, limit: int) -> dict[str, Any]:
    return {
        "scope": scope,
        "settled_before": terms.settled_before,
        "unused_before": terms.unused_before,
        "confidence": terms.confidence,
        "q_low": terms.q_low,
        "q_default": terms.q_default,
        "limit": limit,
    }


_RUNS = Runs("collect", CollectionRun, ("undone", "purged"), COLLECT_REASONS)
