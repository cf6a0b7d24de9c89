"""Outer loops in Neo4j: queries over cycles and memories, and reports stored as runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from cypher import QUERIES
from graph.database.driver import Transaction
from graph.database.leases import fence_if
from graph.database.rows import from_row
from graph.database.runs import Runs
from graph.database.store import Store, in_transaction
from graph.kernel.scope import tenant_of
from graph.kernel.values import Stratum
from graph.model.cycles.loops import EndedCycle, LoopRule, LoopRun
from graph.model.memories.links import Lease

# from the program of the source; 0.5 is stale only after 30 days without use
_HIGH, _MEDIUM, _LOW = 0.7, 0.5, 0.3  # Q of promoted, of stale and of failing memories
_STALE = timedelta(days=30)


class LoopStore(Store):
    """Store of outer loops."""

    async def ended(self, scope: str, since: datetime, limit: int) -> Sequence[EndedCycle]:
        """Read the latest cycles of a scope that ended since a time."""
        asked = {"scope": scope, "since": since, "limit": limit}
        rows = await self._database.read(QUERIES["cycles.list_cycles"].choose("ended"), asked)
        return [from_row(EndedCycle, row["cycle"]) for row in rows]

    async def related(
        self, scope: str, ended: Sequence[EndedCycle]
    ) -> Sequence[Mapping[str, str | int]]:
        """Count how often strata helped the cycles together, and by links."""
        asked = {"scope": scope, "cycles": [one.uid for one in ended]}
        return await self._database.read(QUERIES["cycles.relate_strata"], asked)

    async def rated(
        self,
        scope: str,
        now: datetime,
        limit: int,
        *,
        rising: Sequence[Stratum],
        lasting: Sequence[Stratum],
    ) -> Mapping[str, LoopRule]:
        """Find the memories that the rules of an outer loop select, each with its rule."""
        levels = {"high": _HIGH, "medium": _MEDIUM, "low": _LOW}
        asked = {"scope": scope, "before": now - _STALE, "limit": limit, **levels}
        strata = {"rising": list(rising), "lasting": list(lasting)}
        rows = await self._database.read(QUERIES["cycles.find_rated"], {**asked, **strata})
        return {row["uid"]: row["rule"] for row in rows}

    async def waiting(self, every: int) -> Sequence[tuple[str, int]]:
        """Return scopes with at least so many ended cycles since their last outer loop, and the counts."""
        rows = await self._database.read(
            QUERIES["cycles.read_learning"].choose("due"), {"every": every}
        )
        learned = (row["learning"] for row in rows)
        return [(each["scope"], int(each["waiting"])) for each in learned]

    @in_transaction
    async def note(
        self,
        transaction: Transaction,
        run: LoopRun,
        looked: int,
        weights: Sequence[float] | None,
        lease: Lease | None,
    ) -> None:
        """Store the report of a run and the learned weights of a scope; mark ``looked`` cycles as processed.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now; then nothing is written.
        """
        learned = {
            "scope": run.scope,
            "tenant": tenant_of(run.scope),
            "ended": looked,
            "weights": None if weights is None else list(weights),
            "now": run.started_at,
        }
        await fence_if(transaction, lease)
        await transaction.run(QUERIES["cycles.count_ended"].choose("looked"), learned)
        await _RUNS.note(transaction, run)

    async def runs(
        self, scopes: Sequence[str], limit: int, uid: str | None = None
    ) -> Sequence[LoopRun]:
        """Return the latest runs, or one by its uid."""
        return await _RUNS.latest(self._database.read, scopes, limit, uid)

    async def set_state(self, run_uid: str, state: str) -> None:
        """Mark a run as undone."""
        await self._database.write_one(
            QUERIES["database.change_run"].choose("changed").without("added"),
            {"uid": run_uid, "values": {"state": state}},
        )


_RUNS = Runs("loop", LoopRun, ("done", "undone"))
