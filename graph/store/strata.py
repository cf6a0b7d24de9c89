"""Strata in Neo4j: read in columns, moved in batches, moved back.

A batch locks its run first, then its memories by uid, and moves only those that are as they were read. So runs by
hand, the worker and other replicas may work on one run, and a batch that was cut off is done again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cypher import QUERIES
from graph.errors import ConflictError
from graph.model import STATES, STRATA, TRANSITION_ACTIONS, GateRun, StratumRows, Transition
from graph.scope import hashed_key
from graph.store.leases import fence
from graph.store.removing import remove_memories
from graph.store.versions import renew_versions

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from datetime import datetime

    from graph.model import GateState, Lease, Stratum
    from graph.store.driver import Database, Rows, Transaction

_ALL = ("running", "done", "undoing", "undone")
_KEPT_RUNS = 200  # of a scope
_KEYS = {
    **{state: hashed_key(f"state:{state}") for state in STATES},
    **{stratum: hashed_key(f"stratum:{stratum}") for stratum in STRATA},
}
_TIMES = ("started_at", "undo_until", "finished_at")
_DAY_MS = 86_400_000.0
_IN_DAYS = ("entered_at", "counted_from", "anchored_at", "grace_until")


class Neo4jStrata:
    """The ``StrataStore`` of this project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def rows(self, scope: str, stratum: Stratum) -> StratumRows:
        """See ``StrataStore.rows``."""
        [row] = await self._database.read(
            QUERIES["strata.read_stratum"], {"scope": scope, "stratum": stratum}
        )
        return StratumRows(
            uids=row["uid"],
            revisions=row["revision"],
            **{name: np.asarray(row[name], dtype=np.float64) / _DAY_MS for name in _IN_DAYS},
            initial=np.asarray(row["initial"], dtype=np.float64),
            importance=np.asarray(row["importance"], dtype=np.float64),
            accesses=np.asarray(row["accesses"], dtype=np.float64),
            utility=np.asarray(row["q_value"], dtype=np.float64),
            surprise=np.asarray(row["surprise"], dtype=np.float64),
            evidence=np.asarray(row["evidence"], dtype=np.bool_),
        )

    async def count(self, scope: str, stratum: Stratum) -> int:
        """See ``StrataStore.count``."""
        [row] = await self._database.read(
            QUERIES["strata.count_stratum"], {"scope": scope, "stratum": stratum}
        )
        return int(row["held"])

    async def begin(self, run: GateRun, lease: Lease | None) -> GateRun:
        """See ``StrataStore.begin``."""

        async def work(transaction: Transaction) -> GateRun:
            await _fenced(transaction, lease)
            await transaction.run(QUERIES["scope.lock_scopes"], {"scopes": [run.scope]})
            working = await _runs(transaction.run, [run.scope], ["running"], 1)
            if working:
                return working[0]
            tenant = run.scope.partition("/")[0]
            kept = {"scope": run.scope, "tenant": tenant, "kept": _KEPT_RUNS}
            await transaction.run(QUERIES["strata.trim_runs"], kept)
            await transaction.run(QUERIES["collect.save_run"], {"run": _properties(run, tenant)})
            return run

        return await self._database.write(work)

    async def move(
        self,
        scope: str,
        run_uid: str | None,
        moves: Sequence[Transition],
        now: datetime,
        lease: Lease | None,
    ) -> Mapping[str, int]:
        """See ``StrataStore.move``."""

        async def work(transaction: Transaction) -> Mapping[str, int]:
            if run_uid is not None and not await _locked(transaction, run_uid, lease, "running"):
                return {}
            leaving = [move for move in moves if move.action == "delete"]
            staying = [move for move in moves if move.action != "delete"]
            uids = sorted(move.memory_uid for move in staying)
            await transaction.run(QUERIES["reward.lock_memories"], {"uids": uids})
            found = await transaction.run(
                QUERIES["strata.move_memories"],
                {"rows": _moved(staying), "run": run_uid, "now": now, "keys": _KEYS},
            )
            counts: dict[str, int] = {row["action"]: row["moved"] for row in found}
            if leaving:
                revisions: dict[str, int | None] = {m.memory_uid: m.revision for m in leaving}
                gone = await remove_memories(transaction, revisions, now)
                counts["delete"] = len(gone.uids)
            if run_uid is not None:
                await _change(transaction, run_uid, "running", counts)
            await renew_versions(transaction, [scope])
            return counts

        return await self._database.write(work)

    async def finish(self, run_uid: str, looked: int, now: datetime, lease: Lease | None) -> None:
        """See ``StrataStore.finish``."""

        async def work(transaction: Transaction) -> None:
            if await _locked(transaction, run_uid, lease, "running"):
                await _change(transaction, run_uid, "done", {"looked": looked}, now)

        await self._database.write(work)

    async def begin_undo(
        self, scopes: Sequence[str], run_uid: str, now: datetime, *, skip_changed: bool = False
    ) -> GateRun | None:
        """See ``StrataStore.begin_undo``."""

        async def work(transaction: Transaction) -> GateRun | None:
            run = await _locked(transaction, run_uid, None, *_ALL)
            if run is None or run.scope not in scopes:
                return None
            if run.state in {"undoing", "undone"}:
                return run
            if run.undo_until <= now:
                ended = run.undo_until.isoformat(timespec="seconds")
                raise ConflictError(f"this run could be undone until {ended}")
            [row] = await transaction.run(QUERIES["strata.count_moves"], {"run": run_uid})
            _check_intact(run, row, skip_changed=skip_changed)
            await _change(transaction, run_uid, "undoing")
            return run

        return await self._database.write(work)

    async def move_back(
        self, run_uid: str, now: datetime, limit: int, lease: Lease | None
    ) -> int | None:
        """See ``StrataStore.move_back``."""

        async def work(transaction: Transaction) -> int | None:
            run = await _locked(transaction, run_uid, lease, "undoing")
            if run is None:
                return None
            found = await transaction.run(
                QUERIES["strata.find_moves"], {"run": run_uid, "limit": limit}
            )
            if not found:
                await _change(transaction, run_uid, "undone", finished_at=now)
                return 0
            moves = [row["transition"] for row in found]
            uids = [move["memory_uid"] for move in moves]
            await transaction.run(QUERIES["reward.lock_memories"], {"uids": uids})
            [row] = await transaction.run(
                QUERIES["strata.move_back"],
                {"transitions": [move["uid"] for move in moves], "now": now, "keys": _KEYS},
            )
            await _change(transaction, run_uid, "undoing", {"restored": row["restored"]})
            await renew_versions(transaction, [run.scope])
            return len(found)

        return await self._database.write(work)

    async def unfinished(self) -> GateRun | None:
        """See ``StrataStore.unfinished``."""
        rows = await self._database.read(QUERIES["strata.unfinished_run"], {})
        return _run(rows[0]["run"]) if rows else None

    async def due(
        self, now: datetime, seconds: float, own: Mapping[str, float]
    ) -> tuple[str, int] | None:
        """See ``StrataStore.due``."""
        rows = await self._database.read(
            QUERIES["strata.due_scope"],
            {"now": now, "seconds": seconds, "own": dict(own)},
        )
        return (rows[0]["scope"], int(rows[0]["runs"])) if rows else None

    async def note_gated(self, scope: str, now: datetime, lease: Lease) -> None:
        """See ``StrataStore.note_gated``."""

        async def work(transaction: Transaction) -> None:
            await fence(transaction, lease)
            await transaction.run(QUERIES["strata.note_gated"], {"scope": scope, "now": now})

        await self._database.write(work)

    async def forget(self, before: datetime, limit: int, lease: Lease) -> int:
        """See ``StrataStore.forget``."""

        async def work(transaction: Transaction) -> int:
            await fence(transaction, lease)
            [row] = await transaction.run(
                QUERIES["strata.forget_moves"], {"before": before, "limit": limit}
            )
            return int(row["forgotten"])

        return await self._database.write(work)

    async def runs(
        self, scopes: Sequence[str], limit: int, uid: str | None = None
    ) -> tuple[GateRun, ...]:
        """See ``StrataStore.runs``."""
        return await _runs(self._database.read, scopes, _ALL, limit, uid)

    async def moves(self, run_uid: str, limit: int) -> tuple[Transition, ...]:
        """See ``StrataStore.moves``."""
        rows = await self._database.read(
            QUERIES["strata.find_moves"], {"run": run_uid, "limit": limit}
        )
        names = Transition.__dataclass_fields__.keys()
        return tuple(
            Transition(
                **{name: row["transition"][name] for name in names & row["transition"].keys()}
            )
            for row in rows
        )


def _check_intact(run: GateRun, row: Mapping[str, Any], *, skip_changed: bool) -> None:
    lost = row["moves"] - row["intact"] + run.counts.get("delete", 0)
    if not lost or skip_changed:
        return
    if row["later"]:
        raise ConflictError(
            f"run {row['later']} moved some of the same memories since: undo that one first"
        )
    raise ConflictError(
        f"{lost} of what this run moved were changed, moved or deleted since; with skip_changed the "
        "others go back"
    )


async def _fenced(transaction: Transaction, lease: Lease | None) -> None:
    if lease is not None:
        await fence(transaction, lease)


async def _locked(
    transaction: Transaction, run_uid: str, lease: Lease | None, *states: GateState
) -> GateRun | None:
    """Lock a run and read it; None if it is in none of these states."""
    await _fenced(transaction, lease)
    await transaction.run(QUERIES["collect.lock_run"], {"uid": run_uid})
    rows = await transaction.run(QUERIES["strata.read_run"], {"uid": run_uid})
    run = _run(rows[0]["run"]) if rows else None
    return run if run is not None and run.state in states else None


async def _change(
    transaction: Transaction,
    run_uid: str,
    state: GateState,
    added: Mapping[str, int] | None = None,
    finished_at: datetime | None = None,
) -> None:
    counts = dict.fromkeys(("looked", "restored", *TRANSITION_ACTIONS), 0) | dict(added or {})
    await transaction.run(
        QUERIES["strata.change_run"],
        {"uid": run_uid, "state": state, "finished_at": finished_at, **counts},
    )


async def _runs(
    ask: Callable[..., Awaitable[Rows]],
    scopes: Sequence[str],
    states: Sequence[str],
    limit: int,
    uid: str | None = None,
) -> tuple[GateRun, ...]:
    rows = await ask(
        QUERIES["strata.read_runs"],
        {
            "tenant": scopes[0].partition("/")[0] if scopes else "",
            "scopes": list(scopes),
            "uids": [] if uid is None else [uid],
            "states": list(states),
            "limit": limit,
        },
    )
    return tuple(_run(row["run"]) for row in rows)


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
            "weight": move.weight,
            "score": move.score,
            "from": move.from_stratum,
            "to": move.to_stratum,
            "state": move.to_state,
            "flagged": move.flagged,
        }
        for move in sorted(moves, key=lambda move: move.memory_uid)
    ]


def _properties(run: GateRun, tenant: str) -> dict[str, Any]:
    return {
        "uid": run.uid,
        "kind": "gates",
        "tenant": tenant,
        "scope": run.scope,
        "by": run.by,
        "state": run.state,
        "started_at": run.started_at,
        "undo_until": run.undo_until,
        "strata": list(run.strata),
        "looked": 0,
        "restored": 0,
        **dict.fromkeys(TRANSITION_ACTIONS, 0),
    }


def _run(row: Mapping[str, Any]) -> GateRun:
    names = GateRun.__dataclass_fields__.keys() & row.keys()
    values: dict[str, Any] = {name: row[name] for name in names}
    for name in _TIMES:
        if values.get(name) is not None:
            values[name] = values[name].to_native()
    values["strata"] = cast("tuple[Stratum, ...]", tuple(row["strata"]))
    values["counts"] = {action: row[action] for action in TRANSITION_ACTIONS if row[action]}
    return GateRun(**values)
