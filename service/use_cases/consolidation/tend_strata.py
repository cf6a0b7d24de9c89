"""Maintenance of strata: consolidation, then the gates."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from graph.kernel.scope import tenant_of
from graph.model.consolidation.clusters import ConsolidationRun
from graph.model.memories.links import Lease
from graph.model.strata.config import StrataConfig
from graph.model.strata.gates import GateRun
from graph.ports.telemetry import UNWATCHED, Telemetry
from graph.ports.utility import all_strata_configs
from graph.ports.world import Identifiers
from graph.scoring.strata import due
from graph.store.strata.store import StrataStore
from service.use_cases.consolidation.consolidate import Consolidation
from service.use_cases.consolidation.consolidate import new_run as consolidation_run
from service.use_cases.kernel.runs import PUT_OFF, going_on
from service.use_cases.strata.gates import (
    Decided,
    Gates,
    MakeRoom,
    carry_out,
    new_run,
    plan_of,
    policy_of,
)

_BATCH = 1000  # memories in one transaction
_PURGED = 50  # clusters whose sources go in one
_LOOKED_AT_ONCE = 20  # scopes without moves that one step examines


class TendStrata:
    """Consolidate each scope regularly, run its gates, and resume interrupted runs."""

    name = "strata"
    pause = timedelta(seconds=10)

    def __init__(
        self,
        store: StrataStore,
        gates: Gates,
        identifiers: Identifiers,
        consolidation: Consolidation | None = None,
        telemetry: Telemetry = UNWATCHED,
    ) -> None:
        self._store = store
        self._gates = gates
        self._consolidation = consolidation
        self._configs = gates.configs
        self._identifiers = identifiers
        self._room = MakeRoom(store, gates, telemetry=telemetry)

    async def step(self, now: datetime, lease: Lease) -> int:
        """See ``Job.step``."""
        if self._consolidation is not None:
            at_work = self._consolidation
            # before the gates, which would move memories of a plan
            condensing = await at_work.store.unfinished(now)
            if condensing is not None:
                async with going_on(at_work.store, condensing.uid, now, lease):
                    return await self._go_on_condensing(at_work, condensing, now, lease)
        run = await self._store.unfinished(now)
        if run is not None:
            async with going_on(self._store, run.uid, now, lease):
                return await self._go_on(run, now, lease)
        return await self._look(now, lease) or await self._forget(now, lease)

    async def _go_on_condensing(
        self, consolidation: Consolidation, run: ConsolidationRun, now: datetime, lease: Lease
    ) -> int:
        """Continue a consolidation; then run the gates on the rest of its strata."""
        # switched off meanwhile: the run waits
        if run.state in {"planning", "running"} and self._is_off(run.scope):
            await consolidation.store.put_off(run.uid, now + PUT_OFF, lease)
            return 1
        if run.state == "done":
            return await consolidation.store.purge(run.uid, now, _PURGED, lease) or 1
        more = await consolidation.step(run, now, lease)
        # a manual run only condenses; after the worker's own run the gates follow
        if not more and run.state == "running" and run.by == "worker":
            decided = await self._gates.of(run.scope, run.strata, now)
            await self._pass(run.scope, decided, now, lease)
        return 1

    async def _go_on(self, run: GateRun, now: datetime, lease: Lease) -> int:
        if run.state == "undoing":
            return await self._store.restore(run.uid, now, _BATCH, lease) or 1
        if self._is_off(run.scope):
            await self._store.put_off(run.uid, now + PUT_OFF, lease)
            return 1
        decided = await self._gates.of(run.scope, run.strata, now)
        await carry_out(self._room, run, decided, now, lease)
        return 1

    def _is_off(self, scope: str) -> bool:
        """Return whether the strata of a scope are switched off."""
        return not self._configs.strata_of(tenant_of(scope)).strata

    async def _look(self, now: datetime, lease: Lease) -> int:
        usual, others = self._configs.strata_of(""), self._configs.strata_by_tenant
        own = {tenant: _seconds(config) for tenant, config in others.items()}
        for looked in range(_LOOKED_AT_ONCE):
            waiting = await self._store.due(now, _seconds(usual), own)
            if waiting is None:
                return looked
            scope, runs = waiting
            await self._store.note_gated(scope, now, lease)
            config = self._configs.strata_of(tenant_of(scope))
            strata = due(runs, {stratum: policy_of(config, stratum) for stratum in config.order})
            decided = await self._gates.of(scope, strata, now)
            begun = await self._begin_condensing(scope, decided, now, lease)
            moved = begun or await self._pass(scope, decided, now, lease)
            await self._store.count_look(scope, lease)
            if moved:
                return 1
        return _LOOKED_AT_ONCE

    async def _begin_condensing(
        self, scope: str, decided: Decided, now: datetime, lease: Lease
    ) -> bool:
        """Plan the consolidation of promoted memories; the gates wait until it is done."""
        at_work = self._consolidation
        config = self._configs.strata_of(tenant_of(scope))
        if at_work is None or not config.consolidation:
            return False
        run = consolidation_run(scope, "worker", tuple(decided), now, config, self._identifiers)
        planned = await at_work.clusters(run, now, decided)
        regular = "episodic" in decided  # patterns are slow to detect, and need many sessions
        pattern_changes = regular and await at_work.patterns.find_changes(scope)
        if (
            planned[0]
            or pattern_changes
            or (regular and await at_work.agreements.find_changes(scope, now))
        ):
            await at_work.begin(run, planned, lease)
            return True
        return False

    async def _pass(self, scope: str, decided: Decided, now: datetime, lease: Lease) -> bool:
        """Run the gates of a scope; return whether anything moves."""
        config = self._configs.strata_of(tenant_of(scope))
        run = new_run(scope, "worker", tuple(decided), now, config, self._identifiers)
        plan = plan_of(decided, 0)
        if not plan.total:
            # without moves no run is stored: most checks find nothing
            await self._store.report_quiet(replace(run, looked=plan.looked), now, lease)
            return False
        run = await self._store.begin(run, lease)
        await carry_out(self._room, run, decided, now, lease)
        return True

    async def _forget(self, now: datetime, lease: Lease) -> int:
        # one period for all tenants: the longest
        longest = max(config.undo_days for config in all_strata_configs(self._configs))
        before = now - timedelta(days=longest)
        forgotten = await self._store.forget(before, now, _BATCH, lease)
        if forgotten or self._consolidation is None:
            return forgotten
        return await self._consolidation.store.forget(now, _BATCH, lease)


def _seconds(config: StrataConfig) -> float:
    """Return the interval of the checks of a scope; negative for never."""
    return config.retention_check_seconds if config.strata else -1.0
