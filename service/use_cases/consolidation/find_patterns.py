"""Detection of patterns in a scope, and their storage as memories."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

from graph.condensing.patterns import pattern_text, patterns
from graph.condensing.recounting import Recount
from graph.kernel.scope import kind_in, name_in
from graph.model.consolidation.clusters import ConsolidationRun, KnownPattern, SeenPattern
from graph.model.consolidation.patterns import FoundPattern, Happening
from graph.model.memories.links import Lease
from graph.model.memories.memory import NewMemory, PreparedMemory
from graph.ports.embedding import EmbeddersInUse
from graph.ports.world import Identifiers
from graph.questions.content import content_words
from graph.store.consolidation.store import ConsolidationStore
from service.use_cases.kernel.embedding import (
    embed_also,
    embed_any,
    slot_vector,
    with_embedder_in_use,
)

PatternChanges = list[tuple[FoundPattern, tuple[str, ...], str | None]]
"""New and changed patterns, with the uids of their evidence, and the uid of a known one."""
_LATEST = 10_000  # memories of a scope that are read
_FEW_WORDS = 8  # a longer text hardly recurs word for word
_LEAST_SESSIONS = 3  # sessions in which a word recurs, as a pattern does
_CONFIDENCE_CHANGE = 0.005  # a smaller change of confidence is ignored


@dataclass(frozen=True, slots=True)
class PatternFinder:
    """Finds patterns across the sessions of a scope."""

    store: ConsolidationStore
    embedders: EmbeddersInUse
    identifiers: Identifiers

    async def find_changes(self, scope: str) -> PatternChanges:
        """Return new and changed patterns."""
        rows, known = await asyncio.gather(
            self.store.happenings(scope, _LATEST), self.store.known_patterns(scope)
        )
        happenings = await asyncio.to_thread(with_labels, [happening for _, happening in rows])
        if not (known or any(happening.labels or happening.shape for happening in happenings)):
            return []
        current = await asyncio.to_thread(patterns, happenings)
        not_found = known.keys() - {each.external_id for each in current}
        current += await asyncio.to_thread(
            _current_counts, happenings, [known[name] for name in sorted(not_found)]
        )
        return [
            (each, tuple(rows[place][0] for place in each.evidence), stored.uid if stored else None)
            for each in current
            if (stored := known.get(each.external_id)) is None
            or (stored.kept and stored.support != each.support)
            or (stored.kept and abs(stored.confidence - each.confidence) > _CONFIDENCE_CHANGE)
        ]

    async def save(
        self,
        run: ConsolidationRun,
        now: datetime,
        lease: Lease | None,
        known_changes: PatternChanges | None = None,
    ) -> int:
        """Write new and changed patterns, detected now unless given; return how many."""
        changes = await self.find_changes(run.scope) if known_changes is None else known_changes

        async def write() -> int:
            rows = await self._with_memories(run.scope, changes, now)
            return await self.store.save_patterns(run.uid, rows, lease)

        return await with_embedder_in_use(self.embedders, write)

    async def _with_memories(
        self,
        scope: str,
        changes: PatternChanges,
        now: datetime,
    ) -> list[SeenPattern]:
        texts = [found.text for found, _, _ in changes]
        if not texts:
            return []
        used = self.embedders.reading
        vectors = await asyncio.to_thread(embed_any, used.embedder, texts)
        others = await embed_also(self.embedders.also_writing, texts)
        rows: list[SeenPattern] = []
        for (found, evidence, known), vector, also in zip(changes, vectors, others, strict=True):
            if known is not None:
                rows.append(SeenPattern(found, evidence, known))
                continue
            uid = self.identifiers.new_uid(now)
            prepared = PreparedMemory(
                new=_new_memory(scope, found),
                uid=uid,
                # of its signature, which is equal in all scopes and runs (ADR 33)
                content_hash=hashlib.sha256(found.signature.encode()).hexdigest(),
                recorded_at=now,
                embedding=slot_vector(used, vector),
                also=also,
            )
            rows.append(SeenPattern(found, evidence, uid, prepared))
        return rows


def with_labels(happenings: Iterable[Happening]) -> list[Happening]:
    """Label memories without tags and actions by their words, if they are few; numbers are left out.

    The recurring words of a text are one label if they recur together; otherwise each of them is one: plants differ,
    watering them recurs.
    """
    memories = list(happenings)
    rows = [_words(happening) for happening in memories]
    recurring_texts = _recurring_labels(memories, [[" ".join(row)] for row in rows])
    recurring_words = _recurring_labels(memories, rows)
    common = [[word for word in row if word in recurring_words] or [" ".join(row)] for row in rows]
    common = [
        row if " ".join(row) in recurring_texts else some
        for row, some in zip(rows, common, strict=True)
    ]
    recurring_joined = _recurring_labels(memories, [[" ".join(row)] for row in common])
    return [
        replace(happening, labels=_labels(some, recurring_joined)) if row else happening
        for happening, row, some in zip(memories, rows, common, strict=True)
    ]


def _recurring_labels(happenings: Sequence[Happening], rows: Iterable[Sequence[str]]) -> Set[str]:
    """Return the labels of enough sessions."""
    sessions: dict[str, set[str | None]] = {}
    for happening, row in zip(happenings, rows, strict=True):
        for label in row:
            sessions.setdefault(label, set()).add(happening.session)
    return {
        label
        for label, label_sessions in sessions.items()
        if len(label_sessions) >= _LEAST_SESSIONS
    }


def _labels(words: Sequence[str], together: Set[str]) -> tuple[str, ...]:
    joined = " ".join(words)
    return (joined,) if joined in together else tuple(words)


def _words(happening: Happening) -> list[str]:
    words = [word for word in content_words(happening.text) if not word[0].isdigit()]
    return [] if happening.labels or len(words) > _FEW_WORDS else words


def _current_counts(
    happenings: Sequence[Happening], known: Sequence[KnownPattern]
) -> tuple[FoundPattern, ...]:
    """Return known patterns with their current counts: otherwise obsolete ones would stay shared."""
    recount = Recount(happenings)
    return tuple(
        FoundPattern(
            type_, each.items, *recount.of(type_, each.items), (), pattern_text(type_, each.items)
        )
        for each in known
        if (type_ := each.type) is not None
    )


def _new_memory(scope: str, found: FoundPattern) -> NewMemory:
    kind, name = kind_in(scope), name_in(scope)
    return NewMemory(
        scope,
        found.text,
        kind="pattern",
        external_id=found.external_id,
        agent_id=name if kind == "agent" else None,
        channel_id=name if kind == "channel" else None,
        user_id=name if kind == "user" else None,
        content_type="structured",
        structured={"pattern_type": found.type, "items": list(found.items)},
        stratum="semantic",
        tags=("pattern", found.type),
        source_type="consolidation",
    )
