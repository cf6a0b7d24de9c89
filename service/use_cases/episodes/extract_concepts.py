"""Extraction of concepts from solved problems."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from graph.kernel.errors import InvalidInputError
from graph.kernel.scope import Caller, ScopeKind, tenant_of
from graph.model.episodes.concepts import (
    ConceptPlan,
    Extracted,
    Founding,
    KnownProblem,
    WaitingProblem,
)
from graph.model.memories.links import Lease
from graph.model.memories.memory import NewMemory, PreparedMemory
from graph.ports.embedding import EmbeddersInUse
from graph.ports.language import LanguageModel
from graph.ports.world import Identifiers
from graph.store.episodes.concepts import ConceptStore
from service.use_cases.episodes.conceiving import Clustering, Wording, assign_to_concepts, word
from service.use_cases.episodes.concept_events import ConceptEvents
from service.use_cases.kernel.embedding import (
    embed_also,
    embed_any,
    slot_vector,
    with_embedder_in_use,
)
from service.use_cases.kernel.watched import TimedUseCase, watched
from service.use_cases.memories.guarding import Guard
from service.use_cases.memories.remember import content_hash

_EVIDENCE = 50
_ROUNDS = 200
_RATED = 500


@dataclass(frozen=True, slots=True)
class ConceptDefaults:
    """Parameters of the extraction.

    It is due after ``every`` correct episodes of a scope. A step processes ``batch`` problems with the ``nearest`` of each;
    concepts with a cosine of at least ``same`` are merged.
    """

    every: int = 10
    batch: int = 60
    nearest: int = 30
    same: float = 0.9
    clustering: Clustering = field(default_factory=Clustering)


@dataclass(frozen=True, slots=True)
class ConceptMaker:
    """Assigns waiting problems to existing or new concepts."""

    store: ConceptStore
    embedders: EmbeddersInUse
    identifiers: Identifiers
    defaults: ConceptDefaults
    guard: Guard
    language: LanguageModel | None = None

    async def plan(self, scope: str, now: datetime) -> ConceptPlan:
        """Plan the assignment of the next problems of a scope, without writing."""
        used = self.embedders.reading
        waiting = await self.store.waiting(used, scope, self.defaults.batch, self.defaults.nearest)
        joins, groups = await asyncio.to_thread(
            assign_to_concepts, waiting, self.defaults.clustering
        )
        others = _others(waiting)
        # outside the transaction: a model takes seconds, too long for locks
        wordings = [
            await self._worded(scope, group, [one for one in others if one not in group])
            for group in groups
        ]
        grouped = (each.uid for group in groups for each in group)
        return ConceptPlan(
            scope=scope,
            looked=tuple(sorted({each.problem.uid for each in waiting} | set(grouped))),
            joins=tuple(joins),
            foundings=await self._foundings(scope, groups, wordings, now),
            same=self.defaults.same,
            again=_to_retry(waiting, groups, {uid for uid, _ in joins}),
        )

    async def _worded(
        self, scope: str, group: Sequence[KnownProblem], others: Sequence[KnownProblem]
    ) -> Wording:
        """Name and define a group; the text of a model is redacted."""
        # rules only use stored text, which is redacted already
        wording = await word(group, others, self.language)
        if wording.by == "rules":
            return wording
        tenant = tenant_of(scope)
        try:
            return replace(
                wording,
                name=await self.guard.text(tenant, wording.name, "concept"),
                definition=await self.guard.text(tenant, wording.definition, "definition"),
            )
        except InvalidInputError:
            return await word(group, others, None)

    async def _foundings(
        self,
        scope: str,
        groups: Sequence[tuple[KnownProblem, ...]],
        wordings: Sequence[Wording],
        now: datetime,
    ) -> tuple[Founding, ...]:
        by_name: dict[tuple[str, str], tuple[Wording, list[KnownProblem]]] = {}
        for group, wording in zip(groups, wordings, strict=True):
            # groups of the same name are one concept
            key = (group[0].domain, wording.name.casefold())
            by_name.setdefault(key, (wording, []))[1].extend(group)
        memories = [_new(scope, group, wording) for wording, group in by_name.values()]
        used = self.embedders.reading
        texts = [memory.text for memory in memories]
        vectors = await asyncio.to_thread(embed_any, used.embedder, texts) if texts else ()
        others = await embed_also(self.embedders.also_writing, texts)
        return tuple(
            Founding(
                PreparedMemory(
                    new=memory,
                    uid=self.identifiers.new_uid(now),
                    content_hash=content_hash(memory),
                    recorded_at=now,
                    embedding=slot_vector(used, vector),
                    also=also,
                ),
                wording.name,
                tuple(each.uid for each in group),
                tuple(_evidence(group)),
            )
            for memory, vector, also, (wording, group) in zip(
                memories, vectors, others, by_name.values(), strict=True
            )
        )


class ExtractConcepts:
    """Extract concepts in scopes with enough correct episodes, a batch of problems at a time.

    With a language model, a later step writes the plan, as no step may wait for the model.
    """

    name = "extract_concepts"

    def __init__(self, maker: ConceptMaker, *, pause: timedelta, emitter: ConceptEvents) -> None:
        self.pause = pause
        self._maker = maker
        self._emitter = emitter
        self._planning: asyncio.Task[ConceptPlan] | None = None

    async def step(self, now: datetime, lease: Lease) -> int:
        """See ``Job.step``."""
        if self._planning is None:
            scope = await self._maker.store.due(self._maker.defaults.every)
            if scope is None:
                return 0
            self._planning = asyncio.create_task(self._maker.plan(scope, now))
            self._planning.add_done_callback(_retrieve_exception)
        # waiting for the model could outlast the lease
        if self._maker.language is not None and not self._planning.done():
            await asyncio.wait({self._planning}, timeout=0.2)
            if not self._planning.done():
                return 0
        planning, self._planning = self._planning, None
        plan = await planning
        # the store reads locked nodes again, as the plan may be outdated
        extracted = await self._maker.store.save(plan, lease, now)
        self._emitter.extracted(plan.scope, extracted, now)
        return max(1, len(plan.looked))


@dataclass(frozen=True, slots=True)
class ExtractNow(TimedUseCase):
    """Extract the concepts of one scope by hand, however many episodes wait.

    Raises
    ------
    DatabaseUnavailableError
        If Neo4j does not answer; what was extracted until then stays.
    """

    maker: ConceptMaker
    emitter: ConceptEvents

    @watched("extract_concepts")
    async def __call__(self, caller: Caller, kind: ScopeKind | None = None) -> Extracted:
        """Process all waiting problems once, and rate the concepts."""
        scope = caller.writable(kind)
        done = Extracted(done=False)
        for _ in range(_ROUNDS):
            step = await self._step(scope)
            done = _together(done, step)
            if step.done:
                break
        while await self.maker.store.rate(scope, None, None, self.clock.now(), _RATED):
            pass
        self.emitter.extracted(scope, done, self.clock.now())
        return done

    async def _step(self, scope: str) -> Extracted:
        now = self.clock.now()

        async def work() -> Extracted:
            return await self.maker.store.save(await self.maker.plan(scope, now), None, now)

        return await with_embedder_in_use(self.maker.embedders, work)


def _retrieve_exception(planning: asyncio.Task[ConceptPlan]) -> None:
    """Retrieve the exception of a plan, so that asyncio does not warn if the worker has ended."""
    if not planning.cancelled():
        planning.exception()


def _together(one: Extracted, two: Extracted) -> Extracted:
    return replace(
        two,
        created=one.created + two.created,
        merged=tuple(sorted({*one.merged, *two.merged})),
        joined=one.joined + two.joined,
        counted=one.counted + two.counted,
    )


def _to_retry(
    waiting: Sequence[WaitingProblem],
    groups: Sequence[tuple[KnownProblem, ...]],
    joined: set[str],
) -> tuple[str, ...]:
    """Return the problems without a concept that are similar to those of new concepts."""
    founders = {each.uid for group in groups for each in group}
    near = {
        known.uid
        for each in waiting
        if each.problem.uid in founders
        for known, _ in each.near
        if known.concept is None
    }
    return tuple(sorted(near - founders - joined))


def _others(waiting: Sequence[WaitingProblem]) -> list[KnownProblem]:
    known = {each.problem.uid: each.problem for each in waiting}
    for each in waiting:
        known |= {problem.uid: problem for problem, _ in each.near}
    return list(known.values())


def _evidence(group: Sequence[KnownProblem]) -> list[str]:
    """Return right attempts as evidence of a group: one of each problem before a second."""
    rows = [[tried.uid for tried in each.attempts if tried.right] for each in group]
    ordered = [
        row[place] for place in range(max(map(len, rows))) for row in rows if place < len(row)
    ]
    return ordered[:_EVIDENCE]


def _new(scope: str, group: Sequence[KnownProblem], wording: Wording) -> NewMemory:
    domain = group[0].domain
    # a hash, so that concurrent workers create the same concept once
    digest = hashlib.sha256(wording.name.casefold().encode()).hexdigest()[:16]
    concept_id = f"concept:{domain}:{digest}"
    evidence = set(_evidence(group))
    names = [tried.name for each in group for tried in each.attempts if tried.uid in evidence]
    return NewMemory(
        scope,
        f"{wording.name}: {wording.definition}",
        kind="concept",
        external_id=concept_id,
        content_type="structured",
        structured={
            "concept_id": concept_id,
            "domain": domain,
            "concept": wording.name,
            "definition": wording.definition,
            "examples": [each.name for each in group][:20],
            "success_rate": 0.0,
            "created_from": names,
        },
        stratum="semantic",
        domain=domain or None,
        source_type="extraction",
        metadata={"worded_by": wording.by},
    )
