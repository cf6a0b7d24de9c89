"""Garbage collection of episodes: hidden first, restorable for a time, then deleted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from graph.kernel.scope import Caller, ScopeKind, tenant_of
from graph.model.episodes.gc import Collection, CollectionRun, CollectionTerms
from graph.model.memories.links import Lease
from graph.ports.telemetry import UNWATCHED, Telemetry
from graph.ports.utility import UtilityConfigs
from graph.ports.world import Identifiers
from graph.store.episodes.gc import CollectionStore
from service.use_cases.kernel.runs import find_run, going_on
from service.use_cases.kernel.watched import RecordingUseCase, watched

COLLECTED_AT_ONCE = 500  # memories in one transaction
UNKNOWN_COLLECTION = "no such run in the scopes of this caller"
# scopes without garbage that one step examines
_LOOKED_AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class CollectionRules:
    """Conditions of garbage collection; ``confidence`` and ``q_low`` are in [0, 1]."""

    least_age: timedelta
    unused: timedelta
    grace: timedelta
    pause: timedelta
    confidence: float
    q_low: float

    def terms(self, now: datetime, q_default: float) -> CollectionTerms:
        """Return them as of a moment."""
        return CollectionTerms(
            settled_before=now - self.least_age,
            unused_before=now
            - max(self.unused, self.least_age),  # a young episode cannot be used yet
            confidence=self.confidence,
            q_low=self.q_low,
            q_default=q_default,  # never retrieved and not above the initial Q: unused
        )


@dataclass(frozen=True, slots=True)
class CollectEpisodes(RecordingUseCase):
    """Plan the garbage collection of one scope, or carry it out.

    Raises
    ------
    InvalidInputError
        If the scope to collect in is not clear.
    NotFoundError
        If an erasure removed the run meanwhile.
    """

    store: CollectionStore
    rules: CollectionRules
    configs: UtilityConfigs

    @watched("collect_episodes")
    async def __call__(
        self,
        caller: Caller,
        scope_kind: ScopeKind | None = None,
        *,
        dry_run: bool = True,
        limit: int = 100,
    ) -> Collection:
        """Return the plan with the first ``limit`` episodes, and the run unless it is dry."""
        scope = caller.writable(scope_kind)
        now = self.clock.now()
        terms = self.rules.terms(now, self.configs.of(caller.tenant).q_default)
        plan = await self.store.plan(scope, terms, limit)
        if dry_run or not plan.total:
            return Collection(scope, plan)
        uid = self.identifiers.new_uid(now)
        run = await self.store.begin(
            CollectionRun(uid, scope, "hand", "running", now, now + self.rules.grace), None
        )
        # in batches, each with a new check of the terms
        while done := await self.store.collect(
            run.uid, terms, self.clock.now(), COLLECTED_AT_ONCE, None
        ):
            self.telemetry.count("collected", done)
        return Collection(
            scope, plan, await find_run(self.store, caller, run.uid, UNKNOWN_COLLECTION)
        )


@dataclass(frozen=True, slots=True)
class CollectRegularly:
    """Collect garbage in each scope regularly, resume interrupted runs, and purge after the grace period."""

    name = "collect_episodes"

    store: CollectionStore
    rules: CollectionRules
    configs: UtilityConfigs
    identifiers: Identifiers
    active: bool
    pause: timedelta
    telemetry: Telemetry = UNWATCHED

    async def step(self, now: datetime, lease: Lease) -> int:
        """See ``Job.step``; interrupted manual runs are always finished and purged."""
        run = await self.store.unfinished(now)
        if run is not None:
            # a failing run is postponed, and does not block others
            async with going_on(self.store, run.uid, now, lease):
                return await self._go_on(run, now, lease)
        return await self._look(now, lease) if self.active else 0

    async def _go_on(self, run: CollectionRun, now: datetime, lease: Lease) -> int:
        if run.state == "undoing":
            return await self.store.restore(run.uid, now, COLLECTED_AT_ONCE, lease) or 1
        if run.state == "done":
            purged = await self.store.purge(run.uid, now, COLLECTED_AT_ONCE, lease) or 0
            self.telemetry.count("purged", purged)
            return purged or 1
        terms = self._terms(run.scope, now)
        done = await self.store.collect(run.uid, terms, now, COLLECTED_AT_ONCE, lease) or 0
        self.telemetry.count("collected", done)
        return done or 1

    async def _look(self, now: datetime, lease: Lease) -> int:
        for looked in range(_LOOKED_AT_ONCE):
            scope = await self.store.due(now - self.rules.pause)
            if scope is None:
                return looked
            # recorded first, so that a failing scope is not due again at once
            await self.store.note_looked(scope, now, lease)
            plan = await self.store.plan(scope, self._terms(scope, now), 1)
            if plan.total:
                uid = self.identifiers.new_uid(now)
                ends = now + self.rules.grace
                run = CollectionRun(uid, scope, "worker", "running", now, ends)
                await self.store.begin(run, lease)
                return 1
        return _LOOKED_AT_ONCE

    def _terms(self, scope: str, now: datetime) -> CollectionTerms:
        return self.rules.terms(now, self.configs.of(tenant_of(scope)).q_default)
