"""Undoable runs over many memories: one node each, locked before it is read."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from cypher import QUERIES
from graph.database.driver import Database, Rows, Transaction
from graph.database.leases import fence_if, run_fenced
from graph.database.locks import lock_scopes
from graph.database.rows import from_row, to_row
from graph.database.store import Store
from graph.kernel.errors import ConflictError
from graph.kernel.runs import Run
from graph.kernel.scope import tenant_of
from graph.model.memories.links import Lease

_KEPT = 200  # per scope and kind
_IDLE = timedelta(seconds=30)  # after which nobody waits for a run by a request


_Kind = TypeVar("_Kind", bound=Run)


@dataclass(frozen=True, slots=True)
class Runs(Generic[_Kind]):
    """Runs of one kind; old ones in a state of ``over`` are removed.

    ``counts`` are the names of a run's counts, each a property of its node.
    """

    kind: str
    record: type[_Kind]
    over: tuple[str, ...]
    counts: tuple[str, ...] = ()
    working: tuple[str, ...] = ("running",)

    def read(self, row: Mapping[str, Any]) -> _Kind:
        """Read a run from its node."""
        if not self.counts:
            return from_row(self.record, row)
        return from_row(self.record, row, counts={n: row[n] for n in self.counts if row.get(n)})

    def written(self, run: _Kind) -> dict[str, Any]:
        """Return the properties of a run's node."""
        counted = getattr(run, "counts", {})
        return {**to_row(run, "counts"), **dict.fromkeys(self.counts, 0), **counted}

    async def begin(self, database: Database, run: _Kind, lease: Lease | None) -> _Kind:
        """Create a run, or return the active one in its scope."""

        async def work(transaction: Transaction) -> _Kind:
            await fence_if(transaction, lease)
            # under the lock of the scope, so that concurrent requests begin one run
            await lock_scopes(transaction, [run.scope])
            working = await self.latest(transaction.run, [run.scope], 1, states=self.working)
            if working:
                return working[0]
            await self.note(transaction, run)
            return run

        return await database.write(work)

    async def note(self, transaction: Transaction, run: _Kind) -> None:
        """Create a run in a scope that this transaction has locked; the oldest ended runs are removed."""
        named = {"tenant": tenant_of(run.scope), "kind": self.kind}
        await transaction.run(
            QUERIES["database.trim_runs"].choose("oldest"),
            {
                "scope": run.scope,
                "kind": self.kind,
                "over": list(self.over),
                "kept": _KEPT,
                "now": run.started_at,
            },
        )
        saved = {**named, **self.written(run)}
        await transaction.run(QUERIES["database.create_nodes"].choose("runs"), {"rows": [saved]})

    async def replace_quiet(self, transaction: Transaction, run: _Kind) -> None:
        """Store a run without changes in an existing scope, in place of the previous one."""
        named = {"scope": run.scope, "kind": self.kind}
        await transaction.run(QUERIES["database.trim_runs"].choose("quiet"), named)
        # an erased scope has no node, and no run may create it again
        if await lock_scopes(transaction, [run.scope]):
            told = {"tenant": tenant_of(run.scope), "quiet": True}
            saved = {**named, **told, **self.written(run)}
            await transaction.run(
                QUERIES["database.create_nodes"].choose("runs"), {"rows": [saved]}
            )

    async def locked(
        self, transaction: Transaction, uid: str, lease: Lease | None, *states: str
    ) -> _Kind | None:
        """Lock a run and read it; None if it is in none of the states, if any are given."""
        # fenced, locked, then read: a value read before the lock may be outdated
        await fence_if(transaction, lease)
        await transaction.run(
            QUERIES["database.change_run"].choose("locked"), {"uid": uid, "waited": lease is None}
        )
        rows = await transaction.run(
            QUERIES["database.read_runs"].choose("one"), {"uid": uid, "kind": self.kind}
        )
        run = self.read(rows[0]["run"]) if rows else None
        return run if run is not None and (not states or run.state in states) else None

    async def change(
        self,
        transaction: Transaction,
        uid: str,
        state: str,
        added: Mapping[str, int] | None = None,
        finished_at: datetime | None = None,
    ) -> None:
        """Change the state of a locked run, and add to its counts."""
        ended = {} if finished_at is None else {"finished_at": finished_at}
        await transaction.run(
            QUERIES["database.change_run"].choose("changed"),
            {"uid": uid, "values": {"state": state, **ended}, "added": dict(added or {})},
        )

    async def latest(
        self,
        ask: Callable[..., Awaitable[Rows]],
        scopes: Sequence[str],
        limit: int,
        uid: str | None = None,
        states: Sequence[str] = (),
    ) -> tuple[_Kind, ...]:
        """Return the latest runs of scopes, or one by its uid."""
        if uid is None:
            query = QUERIES["database.read_runs"].choose("latest")
            asked = {"scopes": list(scopes), "states": list(states), "limit": limit}
        else:
            query, asked = QUERIES["database.read_runs"].choose("one"), {"uid": uid}
        rows = await ask(query, {"kind": self.kind, **asked})
        found = (self.read(row["run"]) for row in rows)
        # runs of other scopes are not found
        return tuple(run for run in found if run.scope in scopes)

    async def begin_undo(
        self,
        database: Database,
        scopes: Sequence[str],
        uid: str,
        check: Callable[[Transaction, _Kind], Awaitable[None]],
    ) -> _Kind | None:
        """Start the undo of a run of these scopes, unless ``check`` raises; None if there is no such run."""

        async def work(transaction: Transaction) -> _Kind | None:
            run = await self.locked(transaction, uid, None)
            if run is None or run.scope not in scopes:
                return None
            # repeated: the active undo continues
            if run.state not in {"undoing", "undone"}:
                await check(transaction, run)
                await self.change(transaction, uid, "undoing")
            return run

        return await database.write(work)

    async def unfinished(self, database: Database, now: datetime) -> _Kind | None:
        """Return an unfinished run."""
        rows = await database.read(
            QUERIES["database.unfinished_run"],
            {"kind": self.kind, "now": now, "idle_since": now - _IDLE},
        )
        return self.read(rows[0]["run"]) if rows else None


class KeptRuns(Store, Generic[_Kind]):
    """Base of stores with runs of one kind."""

    def __init__(self, database: Database, kind: Runs[_Kind]) -> None:
        super().__init__(database)
        self._kept = kind

    async def begin(self, run: _Kind, lease: Lease | None) -> _Kind:
        """See ``RunStore.begin``."""
        return await self._kept.begin(self._database, run, lease)

    async def runs(
        self, scopes: Sequence[str], limit: int, uid: str | None = None
    ) -> tuple[_Kind, ...]:
        """See ``RunStore.runs``."""
        return await self._kept.latest(self._database.read, scopes, limit, uid)

    async def unfinished(self, now: datetime) -> _Kind | None:
        """See ``RunStore.unfinished``."""
        return await self._kept.unfinished(self._database, now)

    async def put_off(self, run_uid: str, until: datetime, lease: Lease) -> None:
        """See ``RunStore.put_off``."""
        await put_off(self._database, run_uid, until, lease)


async def put_off(database: Database, uid: str, until: datetime, lease: Lease) -> None:
    """Postpone a run: until then it is not found as unfinished."""
    query = QUERIES["database.change_run"].choose("changed").without("added")
    await run_fenced(database, lease, query, {"uid": uid, "values": {"put_off_until": until}})


def check_time(undo_until: datetime, now: datetime) -> None:
    """Raise a conflict if the period for undo is over, with its end."""
    if undo_until <= now:
        ended = undo_until.isoformat(timespec="seconds")
        raise ConflictError(f"this run could be undone until {ended}")
