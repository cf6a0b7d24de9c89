"""Strata in Neo4j: read in columns, moved in batches, moved back.

A batch locks its run first, then its memories by uid, and moves those that are unchanged. So requests, the worker and
other replicas may work on one run, and an interrupted batch is repeated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np

from cypher import QUERIES
from graph.database.driver import Database, Transaction
from graph.database.fading import fading_of
from graph.database.keys import STATE_KEYS
from graph.database.leases import count_fenced, fence, fence_if, run_fenced
from graph.database.locks import lock_all, renew_versions
from graph.database.rows import from_row
from graph.database.runs import KeptRuns, Runs, check_time
from graph.database.store import in_transaction
from graph.kernel.errors import ConflictError
from graph.kernel.scope import hashed_key, tenant_of
from graph.kernel.values import Floats, Stratum
from graph.model.memories.links import Lease
from graph.model.strata.gates import TRANSITION_ACTIONS, GateRun, StratumRows, Transition
from graph.ports.utility import StrataConfigs
from graph.store.memories.removing import remove_memories
from graph.store.sharing.copies import end_copies

_DAY_MS = 86_400_000.0


class StrataStore(KeptRuns[GateRun]):
    """Store of strata and of the runs that move memories."""

    def __init__(self, database: Database, configs: StrataConfigs) -> None:
        super().__init__(database, _RUNS)
        self._configs = configs

    async def rows(self, scope: str, stratum: Stratum, *, put: bool = False) -> StratumRows:
        """Read the active memories of a stratum; with ``put`` only those stored in ``long_term`` directly."""
        [row] = await self._database.read(
            QUERIES["strata.read_memories"].choose("stratum"),
            {"scope": scope, "stratum": stratum, "put": put},
        )
        return stratum_rows(row)

    async def count(self, scope: str, stratum: Stratum, *, put: bool = False) -> int:
        """Count the memories that ``rows`` reads."""
        [row] = await self._database.read(
            QUERIES["strata.read_memories"].choose("count"),
            {"scope": scope, "stratum": stratum, "put": put},
        )
        return int(row["held"])

    @in_transaction
    async def move(
        self,
        transaction: Transaction,
        scope: str,
        run_uid: str,
        moves: Sequence[Transition],
        now: datetime,
        lease: Lease | None,
    ) -> Mapping[str, int]:
        """Move unchanged memories, and return how many by action; nothing if the run has ended."""
        if not await _RUNS.locked(transaction, run_uid, lease, "running"):
            return {}
        counts = await self._move(transaction, scope, run_uid, moves, now)
        await _RUNS.change(transaction, run_uid, "running", counts)
        await renew_versions(transaction, [scope])
        return counts

    async def _move(
        self,
        transaction: Transaction,
        scope: str,
        run_uid: str,
        moves: Sequence[Transition],
        now: datetime,
    ) -> dict[str, int]:
        leaving = [move for move in moves if move.action == "delete"]
        staying = [move for move in moves if move.action != "delete"]
        uids = sorted(move.memory_uid for move in staying)
        await lock_all(transaction, uids)
        found = await transaction.run(
            QUERIES["strata.move_memories"],
            {"rows": _moved(staying), "run": run_uid, "now": now, **self._moving(scope, staying)},
        )
        counts: dict[str, int] = {row["action"]: row["moved"] for row in found}
        leave = [move.memory_uid for move in staying if move.to_state != "active"]
        await end_copies(transaction, leave, now)
        if leaving:
            counts["delete"] = await self._delete(transaction, leaving, now)
        return counts

    async def _delete(
        self, transaction: Transaction, leaving: Sequence[Transition], now: datetime
    ) -> int:
        """Delete memories, and the sources that they still represent."""
        revisions: dict[str, int | None] = {m.memory_uid: m.revision for m in leaving}
        strata: dict[str, Stratum] = {m.memory_uid: m.from_stratum for m in leaving}
        rows = await transaction.run(QUERIES["strata.archived_sources"], {"uids": sorted(strata)})
        along = {row["uid"]: row["made"] for row in rows if row["uid"] not in strata}
        every = revisions | dict.fromkeys(along)
        gone = await remove_memories(transaction, every, now, strata=strata, along=along)
        # deleted sources count with their condensed memory
        return len(gone.uids - along.keys())

    @in_transaction
    async def move_at_once(
        self,
        transaction: Transaction,
        run: GateRun,
        moves: Sequence[Transition],
        now: datetime,
        lease: Lease | None,
    ) -> GateRun:
        """Create a run with its moves, and return it; changed memories are left.

        The number of examined memories defaults to that of the moves.
        """
        await fence_if(transaction, lease)
        counts = await self._move(transaction, run.scope, run.uid, moves, now)
        looked = run.looked or len(moves)
        done = replace(run, counts=counts, looked=looked, state="done", finished_at=now)
        await renew_versions(transaction, [run.scope])
        await _RUNS.note(transaction, done)
        return done

    @in_transaction
    async def finish(
        self,
        transaction: Transaction,
        run_uid: str,
        looked: int,
        now: datetime,
        lease: Lease | None,
    ) -> None:
        """Mark a run as done, with its number of examined memories."""
        if await _RUNS.locked(transaction, run_uid, lease, "running"):
            await _RUNS.change(transaction, run_uid, "done", {"looked": looked}, now)

    async def begin_undo(
        self, scopes: Sequence[str], run_uid: str, now: datetime, *, skip_changed: bool = False
    ) -> GateRun | None:
        """See ``RunStore.begin_undo``."""

        async def check(transaction: Transaction, run: GateRun) -> None:
            check_time(run.undo_until, now)
            self._check_strata(run)
            [row] = await transaction.run(
                QUERIES["strata.find_moves"].choose("count"), {"run": run_uid}
            )
            _check_intact(run, row, skip_changed=skip_changed)

        return await _RUNS.begin_undo(self._database, scopes, run_uid, check)

    def _check_strata(self, run: GateRun) -> None:
        order = self._configs.strata_of(tenant_of(run.scope)).order
        gone = ", ".join(stratum for stratum in run.strata if stratum not in order)
        if gone:
            raise ConflictError(
                f"this run looked at a stratum that is not there any more: add {gone} again first"
            )

    @in_transaction
    async def restore(
        self, transaction: Transaction, run_uid: str, now: datetime, limit: int, lease: Lease | None
    ) -> int | None:
        """See ``RunStore.restore``."""
        run = await _RUNS.locked(transaction, run_uid, lease, "undoing")
        if run is None:
            return None
        found = await transaction.run(
            QUERIES["strata.find_moves"].choose("rows"), {"run": run_uid, "limit": limit}
        )
        if not found:
            await _RUNS.change(transaction, run_uid, "undone", finished_at=now)
            return 0
        moves = [from_row(Transition, row["transition"]) for row in found]
        uids = [move.memory_uid for move in moves]
        await lock_all(transaction, uids)
        [row] = await transaction.run(
            QUERIES["strata.move_back"],
            {
                "transitions": [move.uid for move in moves],
                "now": now,
                **self._moving(run.scope, moves),
            },
        )
        await _RUNS.change(transaction, run_uid, "undoing", {"restored": row["restored"]})
        await renew_versions(transaction, [run.scope])
        return len(found)

    def _moving(self, scope: str, moves: Sequence[Transition]) -> dict[str, Any]:
        names = {name for move in moves for name in (move.from_stratum, move.to_stratum)}
        keys = {name: hashed_key(f"stratum:{name}") for name in names}
        fading = fading_of(self._configs, tenant_of(scope))
        return {"keys": {**STATE_KEYS, **keys}, "fading": fading}

    async def due(
        self, now: datetime, seconds: float, own: Mapping[str, float]
    ) -> tuple[str, int] | None:
        """Return a scope whose gates are due, and how often they were applied before.

        ``seconds`` is the interval, ``own`` those of tenants with settings of their own; below 0: never.
        """
        rows = await self._database.read(
            QUERIES["database.find_due_scopes"].choose("gates"),
            {"now": now, "seconds": seconds, "own": dict(own)},
        )
        return (rows[0]["scope"], int(rows[0]["runs"])) if rows else None

    async def note_gated(self, scope: str, now: datetime, lease: Lease) -> None:
        """Record that the gates of a scope are being applied, which starts the interval."""
        await run_fenced(
            self._database,
            lease,
            QUERIES["database.note_look"].choose("gated"),
            {"scope": scope, "now": now},
        )

    async def count_look(self, scope: str, lease: Lease) -> None:
        """Count a completed application of the gates; an interrupted one is repeated with the same strata."""
        await run_fenced(
            self._database, lease, QUERIES["database.note_look"].choose("counted"), {"scope": scope}
        )

    @in_transaction
    async def report_quiet(
        self, transaction: Transaction, run: GateRun, now: datetime, lease: Lease
    ) -> None:
        """Store a run without moves, in place of the previous one in its scope."""
        done = replace(run, state="done", finished_at=now)
        await fence(transaction, lease)
        await _RUNS.replace_quiet(transaction, done)

    async def forget(self, before: datetime, now: datetime, limit: int, lease: Lease) -> int:
        """Delete older moves that no undo can need; return how many."""
        query = QUERIES["strata.forget_moves"]
        return await count_fenced(self._database, lease, query, before=before, now=now, limit=limit)

    async def moves(self, run_uid: str, limit: int) -> tuple[Transition, ...]:
        """Return the first moves of a run that are not undone."""
        rows = await self._database.read(
            QUERIES["strata.find_moves"].choose("rows"), {"run": run_uid, "limit": limit}
        )
        return tuple(from_row(Transition, row["transition"]) for row in rows)


def stratum_rows(row: Mapping[str, Any]) -> StratumRows:
    """Convert the memories of one stratum from a statement, which returns times in milliseconds."""
    return StratumRows(
        **fading_columns(row),
        uids=row["uid"],
        revisions=row["revision"],
        entered_at=in_days(row["entered_at"]),
        counted_from=in_days(row["counted_from"]),
        surprise=np.asarray(row["surprise"], dtype=np.float64),
        evidence=np.asarray(row["evidence"], dtype=np.bool_),
        asked=np.asarray(row["asked"], dtype=np.bool_),
    )


def fading_columns(row: Mapping[str, Any]) -> dict[str, Floats]:
    """Convert the weight components of memories to ``FadingColumns``."""
    return {
        "anchored_at": in_days(row["anchored_at"]),
        "grace_until": in_days(row["grace_until"]),
        "initial": np.asarray(row["initial"], dtype=np.float64),
        "importance": np.asarray(row["importance"], dtype=np.float64),
        "accesses": np.asarray(row["accesses"], dtype=np.float64),
        "utility": np.asarray(row["q_value"], dtype=np.float64),
    }


def in_days(milliseconds: Sequence[float]) -> Floats:
    """Convert times in milliseconds since 1970 to days."""
    return np.asarray(milliseconds, dtype=np.float64) / _DAY_MS


def _check_intact(run: GateRun, row: Mapping[str, Any], *, skip_changed: bool) -> None:
    # deleted memories cannot be restored
    lost = row["moves"] - row["intact"] + run.counts.get("delete", 0)
    if not lost or skip_changed:
        return
    if row["later"]:
        raise ConflictError(
            f"run {row['later']} moved or condensed some of the same memories since: undo that one first"
        )
    raise ConflictError(
        f"{lost} of what this run moved were changed, moved or deleted since; with skip_changed the "
        "others go back"
    )


def _moved(moves: Sequence[Transition]) -> list[dict[str, Any]]:
    return [
        {
            "uid": move.memory_uid,
            "revision": move.revision,
            "transition": move.uid,
            "action": move.action,
            "reason": move.reason,
            "measured": move.measured,
            "limit": move.limit,
            "score": move.score,
            "from": move.from_stratum,
            "to": move.to_stratum,
            "state": move.to_state,
            "flagged": move.flagged,
        }
        for move in sorted(moves, key=lambda move: move.memory_uid)
    ]


_RUNS = Runs("gates", GateRun, ("undone", "done"), TRANSITION_ACTIONS)
