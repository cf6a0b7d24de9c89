"""Background linking of memories: mentioned terms, similar memories, replacements."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from graph.kernel.events import Event
from graph.kernel.scope import agent_in, tenant_of
from graph.model.memories.links import Lease, Linking, Unlinked
from graph.model.memories.memory import Saved
from graph.model.memories.superseding import Supersession
from graph.phrases.extraction import key_phrases
from graph.ports.embedding import EmbeddersInUse
from graph.ports.events import NO_EVENTS, EventLog
from graph.ports.utility import UtilityConfigs
from graph.ports.world import Identifiers, PairReader
from graph.scoring.estimates import evidence, means, priors
from graph.store.memories.links import LinkStore
from service.use_cases.kernel.watched import UseCase
from service.use_cases.memories.replacing import supersessions


@dataclass(frozen=True, slots=True)
class SupersessionEvents(UseCase):
    """Emits events and metrics of replaced memories."""

    identifiers: Identifiers
    events: EventLog = NO_EVENTS

    def emit(self, scope: str, new: Supersession, now: datetime) -> None:
        """Emit the event that a memory replaces another."""
        self.telemetry.count("supersessions", found_by=new.found_by)
        data = {
            "newer": new.newer,
            "older": new.older,
            "confidence": new.confidence,
            "found_by": new.found_by,
        }
        uid = self.identifiers.new_uid(now)
        self.events.note(Event(uid, "memory:superseded", scope, agent_in(scope), now, data))

    def emit_saved(self, scope: str, saved: Saved, now: datetime) -> None:
        """Emit the events of the memories that a saved one replaces."""
        for older in saved.replaced:
            self.emit(scope, Supersession(saved.uid or "", older), now)


# a vector is searchable some tenths of a second after its commit
_SETTLING = timedelta(seconds=0.5)
# an approximate index may never find a memory by its own vector: then it is linked after this time
_PATIENCE = timedelta(seconds=30)
# linking yields to writers: meanwhile it takes small steps, and pauses as long after each
_WRITTEN_LATELY = timedelta(seconds=2)
_SMALL_STEPS = 4


@dataclass(frozen=True, slots=True)
class LinkDefaults:
    """Limits on the links of a memory.

    ``batch`` memories are linked in one transaction; each keeps ``most_similar`` similar ones of a
    cosine of at least ``least_similarity`` and mentions ``phrases`` terms at most.
    """

    batch: int
    most_similar: int
    least_similarity: float
    phrases: int


@dataclass(frozen=True, slots=True)
class LinkMemories:
    """Link memories stored or changed since the last step."""

    name = "link_memories"

    store: LinkStore
    embedders: EmbeddersInUse
    defaults: LinkDefaults
    configs: UtilityConfigs
    emitter: SupersessionEvents
    pause: timedelta

    async def step(self, now: datetime, lease: Lease) -> int:
        """See ``Job.step``."""
        # without writers nobody waits for its locks
        if not await self.store.stored_since(now - _WRITTEN_LATELY):
            return await self._link(now, lease, self.defaults.batch)
        loop = asyncio.get_running_loop()
        started = loop.time()
        linked = await self._link(now, lease, max(1, self.defaults.batch // _SMALL_STEPS))
        # pause as long as it took: writers get half of the time
        await asyncio.sleep(loop.time() - started)
        return linked

    async def _link(self, now: datetime, lease: Lease, batch: int) -> int:
        used = self.embedders.reading
        found = await self.store.find_unlinked(
            used, now - _SETTLING, batch, self.defaults.most_similar
        )
        # until it is searchable, memories saved with it may be missing too
        ready = [one for one in found if one.searchable or one.since <= now - _PATIENCE]
        linked = await self.store.link(
            lease,
            used,
            await asyncio.to_thread(self._linkings, ready, used.embedder.reader),
            most_similar=self.defaults.most_similar,
            least_similarity=self.defaults.least_similarity,
            now=now,
        )
        for scope, one in linked.superseded:
            self.emitter.emit(scope, one, now)
        return linked.count

    def _linkings(self, ready: Sequence[Unlinked], reader: PairReader | None) -> list[Linking]:
        limit = self.defaults.phrases
        return [
            Linking(
                one.uid,
                one.scope,
                one.since,
                key_phrases(one.text, limit),
                one.near,
                self._transferred(one),
                self._supersessions(one, reader),
            )
            for one in ready
        ]

    def _supersessions(self, one: Unlinked, reader: PairReader | None) -> tuple[Supersession, ...]:
        itself = next((fact for fact in one.facts if fact.uid == one.uid), None)
        if itself is None:
            return ()
        least = self.configs.of(tenant_of(one.scope)).supersede_confidence
        others = [fact for fact in one.facts if fact is not itself]
        return supersessions(itself, others, least, reader)

    def _transferred(self, one: Unlinked) -> float | None:
        """Return the initial Q, transferred from similar memories; None without evidence."""
        config = self.configs.of(tenant_of(one.scope))
        if not config.utility_learning:
            return None
        least = self.defaults.least_similarity
        similar = [near for near in one.near if near.uid != one.uid and near.similarity >= least]
        columns = [(near.similarity, near.q_value, near.q_left, near.q_init) for near in similar]
        numbers = np.array(columns, dtype=np.float64).reshape(-1, 4)
        similarity, value, left, initial = np.ascontiguousarray(numbers.T)
        weight = np.maximum(similarity, 0.0) * evidence(left, learning_rate=config.learning_rate)
        # no similar memory was ever rewarded
        if not weight.any():
            return None
        [q_init] = priors(
            np.array([config.q_default]),
            np.zeros(len(similar), dtype=np.int64),
            means(value, left, initial),
            weight,
            prior_count=config.transfer_prior_count,
        ).tolist()
        return q_init
