"""Consolidation: a plan is stored first, then carried out, and can be undone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise

from graph.kernel.errors import EmbedderChangedError, InvalidInputError
from graph.kernel.scope import Caller, ScopeKind, tenant_of
from graph.kernel.values import BuiltInStratum, Stratum
from graph.model.consolidation.clusters import (
    Cluster,
    Condensing,
    Consolidated,
    ConsolidationPlan,
    ConsolidationRun,
    Outlined,
    PlannedCluster,
)
from graph.model.memories.links import Lease
from graph.model.strata.config import StrataConfig
from graph.ports.embedding import EmbeddersInUse
from graph.ports.telemetry import UNWATCHED, Telemetry
from graph.ports.utility import StrataConfigs
from graph.ports.world import Identifiers
from graph.store.consolidation.store import ConsolidationStore
from graph.store.strata.store import StrataStore
from service.use_cases.consolidation.condensing import (
    Condenser,
    cluster_memories,
    condensing_level,
    contexts,
    inherit,
)
from service.use_cases.consolidation.find_agreements import AgreementFinder
from service.use_cases.consolidation.find_patterns import PatternChanges, PatternFinder
from service.use_cases.kernel.runs import find_run
from service.use_cases.kernel.watched import TimedUseCase, watched
from service.use_cases.strata.gates import Decided, Gates, MakeRoom, active_strata

Planned = Sequence[PlannedCluster]
Prepared = tuple[Sequence[Condensing], Sequence[str]]
Batch = tuple[Planned, Prepared]

CLUSTERS_AT_ONCE = 150  # of one transaction
_TRANSACTIONS = 5  # of one step
_BATCH = 1000  # clusters written or removed, or memories restored, in one transaction
_PATIENCE = timedelta(seconds=20)  # that a request works before the worker continues
UNKNOWN_CONSOLIDATION = "no such consolidation in the scopes of this caller"


@dataclass(frozen=True, slots=True)
class Consolidation:
    """Plans and carries out consolidations in short steps; progress is kept in the graph alone."""

    store: ConsolidationStore
    strata: StrataStore
    gates: Gates
    condenser: Condenser
    configs: StrataConfigs
    embedders: EmbeddersInUse
    identifiers: Identifiers
    patterns: PatternFinder
    agreements: AgreementFinder
    telemetry: Telemetry = UNWATCHED

    async def clusters(
        self, run: ConsolidationRun, now: datetime, decided: Decided | None = None
    ) -> tuple[list[Cluster], int]:
        """Return the planned clusters, and how many memories were examined.

        ``decided`` are decisions of the gates on the strata of the run, if they were just made.
        """
        found: list[Cluster] = []
        looked = 0
        config = self.configs.strata_of(tenant_of(run.scope))
        named = [stratum for stratum in config.order[:-1] if stratum in run.strata]
        if not named:
            return found, looked
        # agreements and disputes keep the words of each agent
        compared = (await self.agreements.find_changes(run.scope, now)).compared
        for stratum in reversed(named):
            rising, held = await self._rising(run, stratum, now, decided)
            uids = [uid for uid in rising if uid not in compared]
            looked += held
            way = stratum, config.next_to(stratum, 1) or stratum
            for group in await self._groups(run.scope, uids, condensing_level(config, way[1]), now):
                found.append(self._cluster(run, len(found), way, *group, now))
        return found, looked

    async def _rising(
        self, run: ConsolidationRun, stratum: Stratum, now: datetime, decided: Decided | None
    ) -> tuple[Sequence[str], int]:
        """Return the memories that the gates promote, or all if everything is asked for."""
        if run.everything:
            rows = await self.strata.rows(run.scope, stratum)
            return rows.uids, len(rows)
        if decided is None:
            decided = await self.gates.of(run.scope, [stratum], now)
        moves, looked = decided[stratum]
        return [move.memory_uid for move in moves if move.action == "promote"], looked

    async def _groups(
        self, scope: str, uids: Sequence[str], level: BuiltInStratum, now: datetime
    ) -> Sequence[tuple[Sequence[Outlined], tuple[str, ...]]]:
        """Return the memories of each cluster, and those of its context."""
        if not uids:
            return []
        slot = self.embedders.reading.slot
        rows, pairs = await asyncio.gather(
            self.store.outline(scope, uids, now, slot), self.store.pairs(uids)
        )
        # off the event loop, which answers recalls meanwhile
        clusters = await asyncio.to_thread(cluster_memories, rows, pairs, level)
        nearby = await asyncio.to_thread(contexts, rows, clusters)
        return list(zip(clusters, nearby, strict=True))

    def _cluster(
        self,
        run: ConsolidationRun,
        position: int,
        strata: tuple[Stratum, Stratum],
        group: Sequence[Outlined],
        context: tuple[str, ...],
        now: datetime,
    ) -> Cluster:
        return Cluster(
            uid=f"{run.uid}-{position:06}",
            position=position,
            condensed_uid=self.identifiers.new_uid(now),
            from_stratum=strata[0],
            to_stratum=strata[1],
            sources=tuple(row.uid for row in group),
            revisions=tuple(row.revision for row in group),
            context=context,
        )

    async def preview(self, run: ConsolidationRun, clusters: Sequence[Cluster]) -> list[Cluster]:
        """Return clusters of a plan with the text of the rules; a language model may change it."""
        rows = await self.store.proposed(clusters, run.started_at, self.embedders.reading.slot)
        config = self.configs.strata_of(tenant_of(run.scope))
        return await self.condenser.preview(rows, config)

    async def begin(
        self,
        run: ConsolidationRun,
        planned: tuple[Sequence[Cluster], int],
        lease: Lease | None,
    ) -> ConsolidationRun:
        """Store the plan; return the run, or one that is already active in the scope."""
        begun = await self.store.begin(run, lease)
        # otherwise another run is active in the scope, and this plan is dropped
        if begun.uid == run.uid:
            await self._write_plan(run.uid, planned, lease)
        return begun

    async def _write_plan(
        self, run_uid: str, planned: tuple[Sequence[Cluster], int], lease: Lease | None
    ) -> None:
        clusters, looked = planned
        *first, last = [
            clusters[start : start + _BATCH] for start in range(0, len(clusters) or 1, _BATCH)
        ]
        for batch in first:
            await self.store.plan(run_uid, batch, lease)
        await self.store.plan(run_uid, last, lease, totals=(len(clusters), looked))

    async def step(
        self,
        run: ConsolidationRun,
        now: datetime,
        lease: Lease | None,
        pattern_changes: Awaitable[PatternChanges] | None = None,
    ) -> bool:
        """Do the next part of a run in any state; return whether there is more to do.

        ``pattern_changes`` are detected concurrently: memories that a run creates or archives do not affect them.
        """
        if run.state == "planning":
            # interrupted while planning: nothing was carried out yet, so the plan is made anew (ADR 36)
            while await self.store.forget_plan(run.uid, _BATCH, lease):
                pass
            await self._write_plan(run.uid, await self.clusters(run, now), lease)
            return True
        if run.state == "undoing":
            return bool(await self.store.restore(run.uid, now, CLUSTERS_AT_ONCE, lease))
        return await self._condense(run, now, lease, pattern_changes)

    async def _condense(
        self,
        run: ConsolidationRun,
        now: datetime,
        lease: Lease | None,
        pattern_changes: Awaitable[PatternChanges] | None,
    ) -> bool:
        written = False
        batches = self._batches(run, now)
        # pipelined: the next batch is prepared while this one is written
        following = asyncio.create_task(_next(batches))
        try:
            while batch := await following:
                following = asyncio.create_task(_next(batches))
                await self._write(run, batch, now, lease)
                written = True
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
            await batches.aclose()
        if not written:
            await self._finish(run, now, lease, pattern_changes)
        return written

    async def _batches(self, run: ConsolidationRun, now: datetime) -> AsyncGenerator[Batch]:
        """Yield prepared batches of a run, as many as one step writes."""
        at_once, batches = (
            # a language model takes seconds for a text, and a step must end within the worker's lease
            (CLUSTERS_AT_ONCE, _TRANSACTIONS) if self.condenser.language is None else (1, 1)
        )
        slot = self.embedders.reading.slot
        after = -1
        for _ in range(batches):
            rows = await self.store.planned(run.uid, after, at_once, now, slot)
            if not rows:
                return
            after = rows[-1].cluster.position
            yield rows, await self._prepare(run, rows, now)

    async def _finish(
        self,
        run: ConsolidationRun,
        now: datetime,
        lease: Lease | None,
        pattern_changes: Awaitable[PatternChanges] | None,
    ) -> None:
        # not for `agree`, which is a run of no stratum
        if run.strata:
            changes = None if pattern_changes is None else await pattern_changes
            saved = await self.patterns.save(run, now, lease, changes)
            self.telemetry.count("patterns", saved)
        await self.agreements.save(run, now, lease)
        await self.store.finish(run.uid, now, lease)
        # last: promoted memories may exceed the capacity of the stratum above
        room = MakeRoom(self.strata, self.gates, telemetry=self.telemetry)
        order = self.configs.strata_of(tenant_of(run.scope)).order
        above = (up for low, up in pairwise(order) if low in run.strata)
        await room({(run.scope, stratum) for stratum in above}, now, lease)

    async def _prepare(self, run: ConsolidationRun, batch: Planned, now: datetime) -> Prepared:
        config = self.configs.strata_of(tenant_of(run.scope))
        return await self.condenser.prepare(batch, run.scope, config, now)

    async def _write(
        self,
        run: ConsolidationRun,
        batch: Batch,
        now: datetime,
        lease: Lease | None,
    ) -> None:
        """Write a batch; it is prepared anew if the vector slot in use has changed."""
        rows, prepared = batch
        config = self.configs.strata_of(tenant_of(run.scope))
        begin = partial(inherit, config=config, now=now)
        try:
            done = await self.store.condense(run.uid, *prepared, begin, now, lease)
        # the graph was re-embedded: these vectors are of the old slot
        except EmbedderChangedError:
            await self.embedders.refresh()
            prepared = await self._prepare(run, rows, now)
            done = await self.store.condense(run.uid, *prepared, begin, now, lease)
        self.telemetry.count("condensed", done)


async def _next(batches: AsyncGenerator[Batch]) -> Batch | None:
    return await anext(batches, None)


def new_run(
    scope: str,
    by: str,
    strata: Sequence[Stratum],
    now: datetime,
    config: StrataConfig,
    identifiers: Identifiers,
    *,
    everything: bool = False,
) -> ConsolidationRun:
    """Return a new consolidation of some strata, not planned yet."""
    until = now + timedelta(days=config.undo_days)
    return ConsolidationRun(
        uid=identifiers.new_uid(now),
        scope=scope,
        by=by,
        state="planning",
        started_at=now,
        undo_until=until,
        strata=tuple(strata),
        everything=everything,
        purge_at=until if config.expired == "delete" else None,
    )


@dataclass(frozen=True, slots=True)
class Consolidate(TimedUseCase):
    """Plan the consolidation of one scope, or carry it out.

    Raises
    ------
    InvalidInputError
        If the scope is not clear, or nothing lies above a stratum that is named.
    ConflictError
        If the strata are switched off for the tenant.
    NotFoundError
        If the run was swept away by an erasure meanwhile.
    """

    consolidation: Consolidation

    @watched("consolidate")
    async def __call__(
        self,
        caller: Caller,
        scope_kind: ScopeKind | None = None,
        *,
        strata: Sequence[Stratum] = (),
        everything: bool = False,
        dry_run: bool = True,
        limit: int = 100,
    ) -> Consolidated:
        """Return the first ``limit`` clusters after the run, and the run unless it is dry.

        After 20 seconds the run is still ``running``, and the worker continues it.
        """
        run = self._new(caller, scope_kind, strata, everything=everything)
        at_work = self.consolidation
        planned = clusters, looked = await at_work.clusters(run, run.started_at)
        agreed = await at_work.agreements.find_changes(run.scope, run.started_at)
        # concurrently: memories that the run creates or archives affect no pattern (ADR 65)
        finding = asyncio.create_task(at_work.patterns.find_changes(run.scope))
        done = None
        try:
            if not dry_run and (clusters or agreed or await finding):
                done = await self._work_off(caller, run, planned, finding)
            patterns = tuple(found for found, _, _ in await finding)
        finally:
            finding.cancel()
            await asyncio.gather(finding, return_exceptions=True)
        sources = sum(len(cluster.sources) for cluster in clusters)
        shown = (
            await at_work.preview(run, clusters[:limit])
            # as written: a model may have changed the text of the preview
            if done is None
            else await at_work.store.clusters(done.uid, limit)
        )
        plan = ConsolidationPlan(tuple(shown), len(clusters), sources, looked, patterns, agreed)
        return Consolidated(run.scope, plan, done, _why_nothing(run, plan, done))

    async def agree(self, caller: Caller, *, dry_run: bool = True) -> Consolidated:
        """Only update the agreements of a channel: a consolidation without strata."""
        channel = caller.writable("channel")
        at_work = self.consolidation
        config = active_strata(at_work.configs, caller.tenant)
        now = self.clock.now()
        agreed = await at_work.agreements.find_changes(channel, now)
        plan = ConsolidationPlan((), 0, 0, agreed.looked, (), agreed)
        if dry_run or not agreed:
            return Consolidated(channel, plan)
        run = new_run(channel, "hand", (), now, config, at_work.identifiers)
        planned: tuple[Sequence[Cluster], int] = ((), agreed.looked)
        return Consolidated(channel, plan, await self._work_off(caller, run, planned, None))

    def _new(
        self,
        caller: Caller,
        scope_kind: ScopeKind | None,
        strata: Sequence[Stratum],
        *,
        everything: bool,
    ) -> ConsolidationRun:
        scope = caller.writable(scope_kind)
        at_work = self.consolidation
        config = active_strata(at_work.configs, caller.tenant)
        last = config.order[-1]
        if last in strata:
            raise InvalidInputError(f"strata: nothing lies above {last}", field="strata")
        # long_term only if named: memories that a user put there stay (ADR 30)
        named = strata or (config.below("long_term") if everything else config.order[:-1])
        now = self.clock.now()
        return new_run(
            scope, "hand", named, now, config, at_work.identifiers, everything=everything
        )

    async def _work_off(
        self,
        caller: Caller,
        run: ConsolidationRun,
        planned: tuple[Sequence[Cluster], int],
        pattern_changes: Awaitable[PatternChanges] | None,
    ) -> ConsolidationRun:
        """Work until the run is done or 20 seconds are over; then the worker continues."""
        at_work = self.consolidation
        at = await at_work.begin(run, planned, None)
        more = True
        while more and self.clock.now() - run.started_at < _PATIENCE:
            # read again each time: the worker may have taken over the run
            at = await find_run(at_work.store, caller, at.uid, UNKNOWN_CONSOLIDATION)
            more = await at_work.step(at, self.clock.now(), None, pattern_changes)
        at = await find_run(at_work.store, caller, at.uid, UNKNOWN_CONSOLIDATION)
        return at if at.finished_at else await with_progress(at_work.store, at)


def _why_nothing(
    run: ConsolidationRun, plan: ConsolidationPlan, done: ConsolidationRun | None
) -> str | None:
    """Return the reason why nothing was condensed; None if something was or may be."""
    if plan.total:
        if done is None or done.finished_at is None or done.counts.get("condensed", 0):
            return None
        return (
            "every cluster was skipped: its text would stay as it is, or a memory of it was changed or "
            "shared meanwhile"
        )
    if plan.looked and run.everything:
        return "what lies there is short and alone, or is no note that can be condensed"
    if plan.looked:
        return (
            "nothing that lies there has earned its place above; with `everything` what has not is "
            "condensed too"
        )
    passed = "; what was stored in long_term and never moved is not looked at"
    return f"nothing lies in {', '.join(run.strata)}{passed if 'long_term' in run.strata else ''}"


async def with_progress(store: ConsolidationStore, run: ConsolidationRun) -> ConsolidationRun:
    """Return a running run with its counts so far; an ended one unchanged."""
    if run.finished_at:
        return run
    return replace(run, counts={**run.counts, **await store.progress(run.uid)})
