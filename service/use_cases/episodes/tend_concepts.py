"""Maintenance of concepts: rating, and archiving of the attempts they cover."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from graph.analysis.exemplars import exemplars
from graph.kernel.errors import NotFoundError
from graph.kernel.scope import Caller, ScopeKind
from graph.model.episodes.concepts import Covered, CoveredEpisode, Unarchived
from graph.model.memories.links import Lease
from graph.store.episodes.concepts import ConceptStore
from graph.store.episodes.covering import CoverStore
from graph.store.memories.store import MemoryStore
from service.use_cases.episodes.concept_events import ConceptEvents
from service.use_cases.kernel.watched import TimedUseCase, watched

_BATCH = 500
_ROUNDS = 1000


@dataclass(frozen=True, slots=True)
class CoverDefaults:
    """Limits on the covered attempts that stay active.

    ``successes`` right attempts of each procedure stay, and ``failures`` wrong ones; a concept is processed again after
    ``slack`` new attempts. Without ``archive`` only manual calls archive.
    """

    archive: bool = False
    successes: int = 3
    failures: int = 2
    slack: int = 10


@dataclass(frozen=True, slots=True)
class CoverReport:
    """Attempts covered by concepts: archived ones (in a dry run, to be archived), and kept ones."""

    archived: tuple[str, ...]
    kept: int
    concepts: int


class TendConcepts:
    """Rate the concepts of changed scopes, and archive the attempts that they cover.

    Success rates lag until the turn of their scope, about a second.
    """

    name = "tend_concepts"

    def __init__(
        self,
        store: ConceptStore,
        covers: CoverStore,
        defaults: CoverDefaults,
        *,
        pause: timedelta,
        emitter: ConceptEvents,
    ) -> None:
        self.pause = pause
        self._store = store
        self._covers = covers
        self._defaults = defaults
        self._emitter = emitter
        self._last: str | None = None

    async def step(self, now: datetime, lease: Lease) -> int:
        """See ``Job.step``."""
        found = await self._store.changed()
        if found is None:
            self._last = None
            return 0
        scope, version = found
        done = await self._store.rate(scope, version, lease, now, _BATCH)
        # only after all ratings: a full batch has more to rate
        if self._defaults.archive and done < _BATCH:
            done += await self._archive(scope, lease, now)
        again, self._last = scope == self._last, scope
        # a constantly changing scope must not keep the job busy
        return done or (0 if again else 1)

    async def _archive(self, scope: str, lease: Lease, now: datetime) -> int:
        covered = await self._covers.crowded(scope, self._defaults.slack)
        if covered is None:
            return 0
        to_archive = await asyncio.to_thread(surplus, covered, self._defaults)
        kept = len(covered.episodes) - len(to_archive)
        # one batch: the scope stays due while there is more
        rows = [(each.uid, each.revision) for each in to_archive[:_BATCH]]
        archived = await self._covers.archive(covered.concept, rows, kept, lease, now)
        self._emitter.archived(scope, covered.concept, archived, kept, now)
        return archived


def surplus(covered: Covered, defaults: CoverDefaults) -> list[CoveredEpisode]:
    """Return the attempts that a concept covers and that may be archived, the worst first."""
    kept = exemplars(
        [each.problem for each in covered.episodes],
        ["+".join(sorted(each.actions)) for each in covered.episodes],
        np.array([each.right for each in covered.episodes], dtype=np.bool_),
        successes=defaults.successes,
        failures=defaults.failures,
    )
    return [each for each, stays in zip(covered.episodes, kept.tolist(), strict=True) if not stays][
        # the worst first: an interrupted batch has archived these
        ::-1
    ]


@dataclass(frozen=True, slots=True)
class ArchiveCovered(TimedUseCase):
    """Archive the attempts that the concepts of a scope, or one of them, cover."""

    store: ConceptStore
    covers: CoverStore
    memories: MemoryStore
    defaults: CoverDefaults
    emitter: ConceptEvents

    @watched("archive_covered")
    async def __call__(
        self,
        caller: Caller,
        kind: ScopeKind | None = None,
        *,
        concept: str | None = None,
        dry_run: bool = False,
    ) -> CoverReport:
        """Archive the attempts, or in a dry run only list them."""
        scope = caller.writable(kind)
        names = [await concept_in(self.memories, scope, concept)] if concept else None
        uids = names or [each.uid for each in await self.store.rated(scope)]
        archived: list[str] = []
        kept = 0
        for uid in uids:
            covered = await self.covers.crowded(scope, 0, uid)
            if covered is None:
                continue
            to_archive = surplus(covered, self.defaults)
            kept += len(covered.episodes) - len(to_archive)
            archived += [each.uid for each in to_archive]
            if not dry_run:
                await self._archive(scope, uid, to_archive, len(covered.episodes) - len(to_archive))
        return CoverReport(tuple(sorted(set(archived))), kept, len(uids))

    async def _archive(
        self, scope: str, concept: str, to_archive: list[CoveredEpisode], kept: int
    ) -> None:
        archived = 0
        # at least one call, which records the number of kept ones
        for start in range(0, max(len(to_archive), 1), _BATCH):
            rows = [(each.uid, each.revision) for each in to_archive[start : start + _BATCH]]
            now = self.clock.now()
            archived += await self.covers.archive(concept, rows, kept, None, now)
        self.emitter.archived(scope, concept, archived, kept, self.clock.now())


@dataclass(frozen=True, slots=True)
class RestoreCovered(TimedUseCase):
    """Restore attempts archived by the concepts of a scope; they are not archived again by the worker."""

    covers: CoverStore
    memories: MemoryStore

    @watched("restore_covered")
    async def __call__(
        self, caller: Caller, kind: ScopeKind | None = None, *, concept: str | None = None
    ) -> Unarchived:
        """Reactivate attempts that were not changed since."""
        scope = caller.writable(kind)
        uid = await concept_in(self.memories, scope, concept) if concept else None
        done = Unarchived(0, (), more=True)
        # bounded, as concurrent archiving could go on for ever
        for _ in range(_ROUNDS):
            step = await self.covers.unarchive(scope, uid, self.clock.now(), _BATCH)
            done = Unarchived(done.restored + step.restored, done.kept + step.kept, step.more)
            if not step.more:
                break
        self.telemetry.count("episodes_restored", done.restored)
        return done


async def concept_in(memories: MemoryStore, scope: str, name: str) -> str:
    """Return the uid of a concept by its name.

    Raises
    ------
    NotFoundError
        If there is none in this scope.
    """
    found = await memories.get([scope], name)
    if found is None or found.kind != "concept":
        raise NotFoundError("there is no concept with that name in this scope")
    return found.uid
